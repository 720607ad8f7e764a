import { linesOf } from '../../base/lines.ts';
import type { Segment } from '../../service/audio/audio.ts';

/** What a file of text needs of a transcript. Times of segments are in seconds. */
export interface TimedText {
  readonly fileName: string;
  readonly text: string;
  readonly segments?: readonly Segment[] | undefined;
  /** As in `TranscriptTexts`. */
  readonly areBlocks?: true | undefined;
}

/** Breaks of lines besides CR and LF: an editor would ask about them, and formats of lines do not know them. */
const otherBreaks = /[\v\f\u0085\u2028\u2029]/g;

/**
 * A text as every file of ours has it, and as it is read back from there: lines end in LF, without spaces at their ends and without
 * control characters; no blank line at either end, and one where there were several. Doing it twice changes nothing more.
 */
export function plainLines(text: string): string {
  if (!/[\p{Cc}\u2028\u2029]/u.test(text)) return text.trim();
  const lines: string[] = [];
  for (const line of linesOf(text.replace(otherBreaks, '\n'))) {
    const plain = line.replace(/\p{Cc}/gu, ' ').trim();
    if (plain !== '' || (lines.length > 0 && lines.at(-1) !== '')) lines.push(plain);
  }
  return lines.join('\n').trim();
}

/** A text in one line, words one space apart. */
export function oneLine(text: string): string {
  if (!/[^\S ]|\p{Cc}| {2}/u.test(text)) return text.trim();
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}

/** Whether a text is more than spaces and control characters. */
export function isSpoken({ text }: { readonly text: string }): boolean {
  return /[^\s\p{Cc}]/u.test(text);
}

/** The segments that hold a text; undefined where there is none. */
export function spokenSegments({ segments = [] }: Pick<TimedText, 'segments'>): Segment[] | undefined {
  const spoken = segments.filter(isSpoken);
  return spoken.length === 0 ? undefined : spoken;
}
