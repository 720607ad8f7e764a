import { foldLetters } from '../letters/foldLetters.ts';
import { stopWordsIn } from '../letters/questionWords.ts';
import { isUnspaced } from '../letters/unspaced.ts';
import type { Store } from '../store/store.ts';
import type { WordCounts } from '../store/wordIndex.ts';

/** The fewest words that follow each other in a question and in a file, and say more than all of them apart. */
const leastRun = 4;
/** The fewest words that are no stop words in four that are looked up, and one more in a whole run: `is one of the` stands everywhere. */
const leastTelling = 2;
/** The most words of a question that are looked at, the most runs that are looked up, and the most chunks of each. */
const [mostWords, mostLookedUp, mostChunks] = [60, 24, 20] as const;
/** A word with more chunks than this is common. */
const common = 4_000;
/** The most words of a chunk that are compared. */
const mostCompared = 2_000;

/** The longest run of a question's words in a chunk. */
export interface WordRun {
  /** Its share of the question's words. */
  readonly share: number;
  /** Its share of the telling words of the part of the question that it is in, between colons, brackets, quotes, and the ends of sentences. */
  readonly partShare: number;
  /** Whether it stands in quotes: it is what the program says, as an error message is, and not what is said of the program. */
  readonly isSaid: boolean;
}

/**
 * The chunks in which four or more words of a question follow each other as they do there, as those of a pasted error message do.
 */
export function findRuns(
  store: Pick<Store, 'chunksWithRun' | 'scanChunks'>,
  text: string,
  { withWord }: WordCounts,
  files: readonly number[] | undefined,
): Map<number, WordRun> {
  const typed = foldLetters(text);
  const placed = wordsIn(typed, mostWords);
  const asked = placed.map(({ word }) => word);
  const partOf = partsOf(typed, placed);
  const runs = new Map<number, WordRun>();
  if (asked.length < leastRun) return runs;
  const isStopWord = stopWordsIn(asked);
  const isRare = (word: string): boolean => {
    const chunks = withWord.get(word);
    return chunks !== undefined && chunks > 0 && chunks < common;
  };
  const found = new Set<number>();
  let left = mostLookedUp;
  for (let at = 0; at + leastRun <= asked.length && left > 0; at++) {
    const words = asked.slice(at, at + leastRun);
    const telling = words.filter((word) => !isStopWord(word));
    if (telling.length < leastTelling || !telling.some(isRare) || words.some(isUnspaced)) continue;
    left--;
    for (const id of store.chunksWithRun(words, mostChunks, files)) found.add(id);
  }
  for (const chunk of found.size > 0 ? store.scanChunks([...found]) : []) {
    const plain = foldLetters(chunk.text);
    const own = wordsIn(plain, mostCompared);
    const { length, at, end } = longestRun(
      asked,
      own.map(({ word }) => word),
    );
    if (length < leastRun) continue;
    const parts = new Set(partOf.slice(at, at + length));
    // Words that only ask stand around what was pasted.
    const around = asked.filter((word, index) => parts.has(partOf[index] ?? 0) && !isStopWord(word)).length;
    const telling = asked.slice(at, at + length).filter((word) => !isStopWord(word)).length;
    if (telling <= leastTelling) continue;
    const isSaid = isInQuotes(plain, own[end - leastRun]?.at ?? 0);
    runs.set(chunk.id, { share: length / asked.length, partShare: telling / around, isSaid });
  }
  return runs;
}

/** For each word the number of the part of a text that it is in. */
function partsOf(text: string, words: readonly { at: number }[]): number[] {
  let [part, from] = [0, 0];
  return words.map(({ at }) => {
    if (/[:;()[\]{}<>"'`|\n]|[.!?]\s/.test(text.slice(from, at))) part++;
    from = at;
    return part;
  });
}

/** Whether a quote, and not three of them, opens before a place in its line. */
function isInQuotes(text: string, at: number): boolean {
  const before = text.slice(Math.max(text.lastIndexOf('\n', at - 1) + 1, at - longestBefore), at);
  return /(?:^|[^\p{L}\p{N}"'`])["'`](?!["'`])/u.test(before);
}

/** How far before a place its line is looked at. */
const longestBefore = 1_000;

/** The words of a text of plain letters, in small ones, and where each begins. */
function wordsIn(text: string, most: number): { word: string; at: number }[] {
  const words: { word: string; at: number }[] = [];
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{M}\p{N}_$]+/gu)) {
    words.push({ word: word.toLowerCase(), at: index });
    if (words.length >= most) break;
  }
  return words;
}

/** The longest run of words that two lists share: its length, its place in the one, and the place behind it in the other. */
function longestRun(one: readonly string[], other: readonly string[]): { length: number; at: number; end: number } {
  let longest = { length: 0, at: 0, end: 0 };
  let before = new Uint16Array(other.length + 1);
  for (const [index, word] of one.entries()) {
    const row = new Uint16Array(other.length + 1);
    for (let at = 0; at < other.length; at++) {
      if (other[at] !== word) continue;
      const length = (before[at] as number) + 1;
      row[at + 1] = length;
      if (length > longest.length) longest = { length, at: index + 1 - length, end: at + 1 };
    }
    before = row;
  }
  return longest;
}
