import { stemmer } from 'stemmer';

/** Length above which FTS5 does not stem a word. */
const longestWord = 64;
/**
 * Size of the cache of stems. Ranking one list compares thousands of words, most of them the same; cached, a stem costs
 * an eighth.
 */
const stemsKept = 20_000;
const known = new Map<string, string>();

/**
 * The stem of a lower-case word, by Porter's algorithm as in the word index (FTS5's `porter`), so that ranking counts
 * as one word what the index found as one. With an algorithm of our own, a chunk that the index found for `relational`
 * got nothing for its name `relate`.
 */
export function stem(word: string): string {
  if (word.length > longestWord) return word;
  const kept = known.get(word);
  if (kept !== undefined) return kept;
  if (known.size >= stemsKept) known.clear();
  const made = stemmer(word);
  known.set(word, made);
  return made;
}
