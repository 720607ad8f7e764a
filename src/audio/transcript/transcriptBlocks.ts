import type { Segment } from '../../service/audio/audio.ts';
import { isSpoken, plainLines } from './timedText.ts';

/** Characters after which the end of a sentence ends a paragraph; what has no sentences is divided at twice as many. */
const longParagraph = 600;
/** The end of a sentence and the space behind it; Chinese and Japanese sentences go on without one. */
const border = /(?<=[.!?…]["'”’»)\]]*)\s+|(?<=[。！？][」』）”’]*)|\s+/g;
const sentenceEnd = /[.!?…。！？]["'”’»)\]」』）]*$/;
const abbreviation = /(?:^|[\s(])(?:Mr|Mrs|Ms|Dr|Prof|St|vs|[A-Z])\.$/;
/** Characters of the end of a text in which its sentence is seen to end. */
const tail = 16;

/** A text with a blank line between paragraphs. One that has line breaks of its own keeps them; no word is another. */
export function inParagraphs(text: string): string {
  const whole = plainLines(text);
  if (whole.length <= longParagraph || whole.includes('\n')) return whole;
  const paragraphs: string[] = [];
  let from = 0;
  for (const { 0: space, index } of whole.matchAll(border)) {
    const length = index - from;
    if (length <= longParagraph) continue;
    const end = whole.slice(Math.max(from, index - tail), index);
    const isSentence = sentenceEnd.test(end) && !abbreviation.test(end);
    if (!isSentence && (length <= 2 * longParagraph || space === '')) continue;
    paragraphs.push(whole.slice(from, index));
    from = index + space.length;
  }
  return [...paragraphs, whole.slice(from)].filter((each) => each !== '').join('\n\n');
}

/**
 * What was said without times, as a block for each piece of the recording.
 * @param blocks the texts of pieces, each over the seconds that its piece owns; undefined: the recording went as it is
 */
export function toBlocks(text: string, blocks: readonly Segment[] | undefined, durationSeconds = 0): Segment[] {
  return (blocks ?? [{ start: 0, end: durationSeconds, text }])
    .filter(isSpoken)
    .map((block) => ({ ...block, text: inParagraphs(block.text) }));
}

/** The segments whose times the service gave; undefined where there are none. */
export function timedSegments<Segments extends readonly Segment[]>({
  segments,
  areBlocks,
}: {
  readonly segments?: Segments | undefined;
  readonly areBlocks?: true | undefined;
}): Segments | undefined {
  return areBlocks || segments === undefined || segments.length === 0 ? undefined : segments;
}
