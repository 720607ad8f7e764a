import type { CheckView, TranscriptView, WordView } from '../../shared/protocol/transcriptProtocol.ts';

/** When a line is heard, in seconds from the start of the recording. */
export interface TimeSpan {
  readonly start: number;
  readonly end: number;
}

/** A line of the page: a segment, or a paragraph of a text without times. */
export interface Line {
  text: string;
  /** The text as it was translated. */
  readonly original: string;
  /** Absent for a paragraph. `time` is the start as a person reads it. */
  readonly heard?: (TimeSpan & { readonly time: string }) | undefined;
  /** What the other text of the recording says at the time of the line. */
  readonly beside?: string | undefined;
  /** The words that have times, and the text that they are of: another one has none. */
  readonly words?: readonly WordView[] | undefined;
  readonly wordsOf?: string | undefined;
  /** It is what was said in a piece of the recording, in paragraphs. */
  readonly isBlock?: true | undefined;
  /** Why the line is worth checking. */
  reason?: string | undefined;
  /** Who speaks. */
  speaker?: string | undefined;
  /** It was checked, or has another text by now. */
  isSettled?: boolean | undefined;
}

type LinesView = Pick<TranscriptView, 'text' | 'segments' | 'areBlocks' | 'checks'>;

/** The lines of a transcript. Several reasons to check a line become one text. */
export function toLines({ text, segments, areBlocks, checks }: LinesView): Line[] {
  if (segments.length === 0) return text.split(/\n+/).filter(isFilled).map(toParagraph);
  const lines = segments.map(
    ({ start, end, time, text: said, original = said, beside, words, speaker }): Line => ({
      text: said,
      original,
      heard: { start, end, time },
      ...(areBlocks && { isBlock: areBlocks }),
      ...(beside !== undefined && { beside }),
      ...(words !== undefined && { words, wordsOf: said }),
      ...(speaker !== undefined && { speaker }),
    }),
  );
  setChecks(lines, checks ?? []);
  return lines;
}

/** Gives lines those who speak in them, an empty text for nobody. Gives those that are to be drawn anew. */
export function setSpeakers(lines: readonly Line[], speakers: readonly string[]): number[] {
  const changed = [...lines.keys()].filter((at) => (lines[at]?.speaker ?? '') !== (speakers[at] ?? ''));
  for (const at of changed) Object.assign(lines[at] ?? {}, { speaker: speakers[at] || undefined });
  // The next line shows its name where it is another one.
  return [...new Set(changed.flatMap((at) => [at, at + 1]))].filter((at) => at < lines.length);
}

/** Gives lines their reasons to be checked. Gives those that have others now. */
export function setChecks(lines: readonly Line[], checks: readonly CheckView[]): number[] {
  const all = new Map<number, { reason: string; isSettled: boolean }>();
  for (const { segment, reason, isSettled = false } of checks) {
    const before = all.get(segment);
    const whole = before === undefined ? reason : `${before.reason} ${reason}`;
    all.set(segment, { reason: whole, isSettled: isSettled && before?.isSettled !== false });
  }
  const changed: number[] = [];
  for (const [number, line] of lines.entries()) {
    const { reason, isSettled = false } = all.get(number) ?? {};
    if (line.reason === reason && (line.isSettled ?? false) === isSettled) continue;
    Object.assign(line, { reason, isSettled });
    changed.push(number);
  }
  return changed;
}

/**
 * The line that is meant by a number, a start in seconds and a text: lines may have come and gone before it since. Undefined where
 * there is none such, or several.
 */
export function findLine(
  lines: readonly Line[],
  { line, start }: { readonly line: number; readonly start: number },
  text: string,
): number | undefined {
  const isIt = (other: Line | undefined): boolean => other?.heard?.start === start && other.text === text;
  if (isIt(lines[line])) return line;
  const first = lines.findIndex(isIt);
  return first >= 0 && first === lines.findLastIndex(isIt) ? first : undefined;
}

/** The longest time that a line has, in letters: `12:34:56`. */
const longestTime = 8;

/** Gives a list the width that the times of its lines take: lines that are not drawn yet must not move those that are. */
export function reserveTimes(list: HTMLElement, lines: readonly Line[]): void {
  const letters = Math.min(longestTime, lines.at(-1)?.heard?.time.length ?? 0);
  list.style.setProperty('--time-letters', String(letters));
}

const isFilled = (text: string): boolean => text.trim() !== '';
const toParagraph = (text: string): Line => ({ text, original: text });
