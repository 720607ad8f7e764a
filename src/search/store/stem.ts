import { stemmer as greek } from '@orama/stemmers/greek';
import { stemmer as russian } from '@orama/stemmers/russian';
import { stemmer as english } from 'stemmer';

/** Length above which FTS5 does not stem a word; the time that other stemmers take grows with the square of it. */
const longestWord = 64;
/**
 * Size of the cache of stems. Ranking one list compares thousands of words, most of them the same; cached, a stem costs
 * an eighth.
 */
const stemsKept = 20_000;
const known = new Map<string, string>();

/**
 * The stem of a lower-case word in plain letters (`foldLetters`), by Porter's algorithm as in the word index (FTS5's `porter`), so that
 * ranking counts as one word what the index found as one; of Cyrillic and Greek by Snowball's, which the index has from here, too. With an algorithm of our own, a chunk that the index found for `relational`
 * got nothing for its name `relate`.
 */
export function stem(word: string): string {
  if (word.length > longestWord) return word;
  const kept = known.get(word);
  if (kept !== undefined) return kept;
  if (known.size >= stemsKept) known.clear();
  const made = stemmerOf(word.charCodeAt(0))(word);
  known.set(word, made);
  return made;
}

/** By the first letter of a word, as a word rarely has letters of two scripts. */
function stemmerOf(code: number): (word: string) => string {
  if (code < 0x370) return english;
  if (code < 0x400) return greek;
  return code < 0x530 ? cyrillic : asItIs;
}

/**
 * Snowball takes the end of some nouns for that of a participle: `токен`, `токены` would be `ток`, and `токенов` another word. Where next to
 * nothing is left, the ending of a noun alone is taken off.
 */
function cyrillic(word: string): string {
  const made = russian(word);
  if (made.length > leastLeft || word.length < leastLeft + 2) return made;
  const short = word.replace(/(?:ами|ями|ов|ев|ей|ом|ем|ам|ям|ах|ях|[аяыиуюеоь])$/, '');
  return short.length > made.length ? short : made;
}

const leastLeft = 3;

const asItIs = (word: string): string => word;
