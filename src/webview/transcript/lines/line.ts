import type { TranscriptView } from '../../shared/protocol/transcriptProtocol.ts';

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
  /** It is what was said in a piece of the recording, in paragraphs. */
  readonly isBlock?: true | undefined;
  /** Why the line is worth checking. */
  readonly reason?: string | undefined;
}

type LinesView = Pick<TranscriptView, 'text' | 'segments' | 'areBlocks' | 'checks'>;

/** The lines of a transcript. Several reasons to check a line become one text. */
export function toLines({ text, segments, areBlocks, checks }: LinesView): Line[] {
  if (segments.length === 0) return text.split(/\n+/).filter(isFilled).map(toParagraph);
  const reasons = new Map<number, string>();
  for (const { segment, reason } of checks ?? []) {
    const before = reasons.get(segment);
    reasons.set(segment, before === undefined ? reason : `${before} ${reason}`);
  }
  return segments.map(({ start, end, time, text: words, original = words }, index) => ({
    text: words,
    original,
    heard: { start, end, time },
    reason: reasons.get(index),
    ...(areBlocks && { isBlock: areBlocks }),
  }));
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
