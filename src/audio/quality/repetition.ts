import { wordKeys } from '../merge/spokenWords.ts';
import { createNumbers, type NumberedWords } from './numberedWords.ts';

/** A phrase that is repeated, one time after another: `times` times the `period` words from `start` on. */
export interface WordLoop {
  start: number;
  period: number;
  times: number;
}

/** The longest phrase that is looked for, in words: models loop over some sentences, at most over all that they hear at once. */
const longestPhrase = 200;
/** Characters at the end of a text that are looked at: more than a prompt holds. */
const endLength = 2_000;
/** Who speaks may say a phrase three times, or a word seven times; a model that loops does not end before its half minute does. */
const fewestTimes = 4;
const fewestWords = 8;
/** Segments with fewer words than this are repeats only at the third time: people say yes twice. */
const fewestRepeatedWords = 3;

/**
 * Loops of a text, in its order, none of them within one with a shorter phrase. Takes as many steps as there are words for each length of
 * phrase.
 * @param words numbers that stand for words: equal ones for equal words
 * @param pause is waited for after each length
 */
export async function findLoops(words: ArrayLike<number>, pause: () => Promise<void>): Promise<WordLoop[]> {
  const covered = new Uint8Array(words.length);
  const found: WordLoop[] = [];
  for (let period = 1; period <= longestPhrase; period++) {
    for (const loop of loopsOf(words, period)) {
      const end = loop.start + period * loop.times;
      if (covered[loop.start] && covered[end - 1]) continue;
      covered.fill(1, loop.start, end);
      found.push(loop);
    }
    await pause();
  }
  return found.sort((a, b) => a.start - b.start);
}

/** Whether the end of a text is a loop. A model that is given such a text goes on like it. */
export function isLoop(text: string): boolean {
  const words = wordKeys(text.slice(-endLength)).map(createNumbers());
  return Array.from({ length: longestPhrase }, (_, index) => loopsOf(words, index + 1)).some(
    ({ length }) => length > 0,
  );
}

function loopsOf(words: ArrayLike<number>, period: number): WordLoop[] {
  const loops: WordLoop[] = [];
  /** Words before this place that are the same as those a period before them. */
  let repeated = 0;
  for (let place = period; place <= words.length; place++) {
    if (place < words.length && words[place] === words[place - period]) {
      repeated++;
      continue;
    }
    const times = Math.floor(repeated / period) + 1;
    if (times >= Math.max(fewestTimes, fewestWords / period)) {
      loops.push({ start: place - repeated - period, period, times });
    }
    repeated = 0;
  }
  return loops;
}

/** Segments in a row, from `first` to `last`, that have the same words. */
export function findRepeats({ numbers, starts }: NumberedWords): { first: number; last: number }[] {
  const found: { first: number; last: number }[] = [];
  let first = 0;
  for (let index = 1; index < starts.length; index++) {
    const count = (starts[index] ?? 0) - (starts[index - 1] ?? 0);
    if (index < starts.length - 1 && count > 0 && isRepeated(numbers, starts, index)) continue;
    const times = index - first;
    if (times > (count < fewestRepeatedWords ? 2 : 1)) found.push({ first, last: index - 1 });
    first = index;
  }
  return found;
}

/** Whether a segment has the very words of the one before it. */
function isRepeated(numbers: readonly number[], starts: readonly number[], index: number): boolean {
  const [before = 0, start = 0, end = 0] = [starts[index - 1], starts[index], starts[index + 1]];
  if (end - start !== start - before) return false;
  for (let place = start; place < end; place++) {
    if (numbers[place] !== numbers[place - (start - before)]) return false;
  }
  return true;
}
