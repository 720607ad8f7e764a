import type { Segment } from '../../service/audio/audio.ts';
import { firstWords, lastWords, type SpokenWord } from './spokenWords.ts';

/** A text with its place in the recording, in seconds. */
export interface TranscriptPart extends Segment {
  /** Whether the service gave its times; else they are those that its piece owns. */
  isTimed: boolean;
}

/** A place in a list of parts. */
export interface PartPlace {
  part: number;
  /** Place in the text of that part: 0 for its start. */
  at: number;
}

/** A word and where it stands. */
export interface PlacedWord extends SpokenWord, PartPlace {
  /** Whether it is the first word of its part, so that a cut before it cuts no text. */
  isFirst: boolean;
  /** Estimated from its place in the text of its part, in seconds. */
  time: number;
  /** Span of its part, in seconds. */
  start: number;
  end: number;
}

/**
 * The last words of a list of parts, in the order of the text.
 * @param most words at most
 * @param since parts that end before this time are not looked at
 */
export function wordsBefore(parts: readonly TranscriptPart[], most: number, since: number): PlacedWord[] {
  const found: PlacedWord[][] = [];
  let count = 0;
  for (let index = parts.length - 1; index >= 0 && count < most; index--) {
    const part = parts[index];
    if (part === undefined || part.end < since) break;
    const { words, isAll } = lastWords(part.text, most - count);
    found.push(words.map((word, place) => placed(word, index, part, isAll && place === 0)));
    count += words.length;
  }
  return found.reverse().flat();
}

/**
 * The first words of a list of parts. Where there are more, a word without a key follows, which is like no other.
 * @param until parts that start after this time are not looked at
 */
export function wordsAfter(parts: readonly TranscriptPart[], most: number, until: number): PlacedWord[] {
  const found: PlacedWord[] = [];
  for (const [index, part] of parts.entries()) {
    if (part.start > until || found.length >= most) {
      found.push(placed({ key: '', at: 0 }, index, part, true));
      break;
    }
    const { words, rest } = firstWords(part.text, most - found.length);
    found.push(...words.map((word, place) => placed(word, index, part, place === 0)));
    if (rest === undefined) continue;
    found.push(placed({ key: '', at: rest }, index, part, words.length === 0));
    break;
  }
  return found;
}

function placed({ key, at }: SpokenWord, index: number, part: TranscriptPart, isFirst: boolean): PlacedWord {
  const { start, end, text } = part;
  const time = start + ((end - start) * at) / Math.max(1, text.length);
  return { key, part: index, at, isFirst, time, start, end };
}
