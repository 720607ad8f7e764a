import { isPlainObject } from '../../base/jsonText.ts';
import { readTime } from './readTime.ts';

/** A word, or a part of one, and when it is heard: in the unit of its segment's times. */
export interface SpokenTime {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Where a word stands in a text. */
export interface PlacedTime extends SpokenTime {
  readonly at: number;
}

/** The most words of an answer: five a second for a day. */
const mostWords = 432_000;
/** The longest word, in characters: some services give a phrase, or a line. */
const longestWord = 200;
/** Characters that a text may have between two of its words: marks that belong to neither. */
const mostBetween = 48;
/** Characters beyond which a word is not looked for, however many before it were not found. */
const farthest = 1_000;

/**
 * Words with their times as a service gave them. Services call a word `word` or `text`, and their times may be texts. One that has no time is
 * left out, and so is all beyond what a day has.
 */
export function readWords(raw: unknown): SpokenTime[] {
  if (!Array.isArray(raw)) return [];
  const words: SpokenTime[] = [];
  for (const part of raw) {
    if (words.length === mostWords) break;
    if (!isPlainObject(part)) continue;
    const text = [part['word'], part['text'], part['punctuated_word']].find((each) => typeof each === 'string') ?? '';
    const start = readTime(part['start']);
    const end = readTime(part['end']);
    const word = text.trim();
    if (word === '' || word.length > longestWord || start === undefined) continue;
    words.push({ text: word, start, end: end === undefined || end < start ? start : end });
  }
  return words;
}

/**
 * Finds the words in a text, in its order. A word that is not near the place where the one before ends is left out: services write words
 * without punctuation, in another case, or not as the text has them.
 */
export function placeWords(text: string, words: readonly SpokenTime[]): PlacedTime[] {
  const placed: PlacedTime[] = [];
  const folded = fold(text);
  let from = 0;
  let missed = 0;
  for (const word of words) {
    const key = fold(word.text);
    const bare = key.replace(/^[\p{P}\p{S}]+|[\p{P}\p{S}]+$/gu, '') || key;
    const reach = Math.min(farthest, mostBetween + missed);
    const near = folded.slice(from, from + reach + key.length);
    const offset = [near.indexOf(key), near.indexOf(bare)]
      .filter((at) => at >= 0 && at <= reach)
      .sort((a, b) => a - b)[0];
    if (offset === undefined) {
      missed += key.length + 1;
      continue;
    }
    const at = from + offset;
    const length = near.startsWith(key, offset) ? key.length : bare.length;
    placed.push({ text: text.slice(at, at + length), start: word.start, end: word.end, at });
    from = at + length;
    missed = 0;
  }
  return placed;
}

/** A text in lower case, character for character. */
function fold(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text;
}
