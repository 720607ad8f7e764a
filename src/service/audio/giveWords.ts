import { nextTurn } from '../../base/nextTurn.ts';
import type { Segment } from './segments.ts';
import { type PlacedTime, placeWords, type SpokenTime } from './wordTimes.ts';

/** Segments that get their words in one turn of the event loop. */
const segmentsATurn = 5_000;

/**
 * Gives segments the words that are in their texts, from the list that stands beside them. Words go by the order of the text, whatever their
 * times: a service may say that a word begins a moment before its segment.
 */
export async function giveWords(segments: readonly Segment[], words: readonly SpokenTime[]): Promise<Segment[]> {
  const given: Segment[] = [];
  let next = 0;
  for (const segment of segments) {
    const from = next;
    // Those of a segment are no more than its characters: a word that is not in it is of the next one.
    const some = words.slice(from, from + segment.text.length);
    const placed = placeWords(segment.text, within(some, segment, segments[given.length + 1]));
    const last = placed.at(-1);
    next = last === undefined ? from : from + lastIndexOf(some, last) + 1;
    given.push(placed.length === 0 ? segment : { ...segment, words: placed.map(withoutPlace) });
    if (given.length % segmentsATurn === 0) await nextTurn();
  }
  return given;
}

/** A pause between two words after which a new segment begins, in seconds, and the longest segment, in characters. */
const longPause = 0.8;
const longSegment = 160;

/**
 * Segments of words, where a service gives the times of these alone: one ends at a pause, with a sentence, or where it is long. Undefined where
 * less than half of the text would be in them.
 */
export function segmentsOfWords(text: string, words: readonly SpokenTime[]): Segment[] | undefined {
  const placed = placeWords(text, words);
  if (2 * placed.reduce((sum, word) => sum + word.text.length, 0) < text.replace(/\s/g, '').length) return undefined;
  const segments: Segment[] = [];
  let first = 0;
  for (const [index, word] of placed.entries()) {
    const [begin, next] = [placed[first], placed[index + 1]];
    const from = first === 0 ? 0 : (begin?.at ?? 0);
    const until = next?.at ?? text.length;
    const said = text.slice(from, until).trim();
    const ends = next === undefined || next.start - word.end >= longPause || said.length >= longSegment;
    if (!ends && !/[.!?…。！？]["'”’»)\]」』]*$/.test(said)) continue;
    const own = placed.slice(first, index + 1);
    segments.push({
      start: begin?.start ?? 0,
      end: Math.max(begin?.start ?? 0, word.end),
      text: said,
      words: own.map(withoutPlace),
    });
    first = index + 1;
  }
  return segments.length === 0 ? undefined : segments;
}

/** Segments whose own words are those that stand in their texts. */
export function withPlacedWords({ words, ...segment }: Segment): Segment {
  const placed = placeWords(segment.text, words ?? []);
  return placed.length === 0 ? segment : { ...segment, words: placed.map(withoutPlace) };
}

/** The words that may be of a segment: those that begin no later than the one after it, with some room. */
function within(
  words: readonly SpokenTime[],
  { start, end }: Segment,
  after: Segment | undefined,
): readonly SpokenTime[] {
  if (after === undefined || after.start <= start) return words;
  const room = Math.max(end - start, after.start - start) * 0.2;
  const until = words.findIndex((word) => word.start >= after.start + room);
  return until < 0 ? words : words.slice(0, until);
}

const lastIndexOf = (words: readonly SpokenTime[], { start, end }: SpokenTime): number =>
  words.findLastIndex((word) => word.start === start && word.end === end);

const withoutPlace = ({ text, start, end }: PlacedTime): SpokenTime => ({ text, start, end });
