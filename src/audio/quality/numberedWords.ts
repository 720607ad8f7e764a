import { nextTurn, turnSize } from '../../base/nextTurn.ts';
import type { Segment } from '../../service/audio/audio.ts';
import { wordKeys } from '../merge/spokenWords.ts';

/** All words of a transcript as numbers, equal ones for equal words. */
export interface NumberedWords {
  numbers: readonly number[];
  /** Places of the words of each segment: from its own entry to the next one. */
  starts: readonly number[];
  segmentOf(word: number): number;
  phrase(start: number, end: number): string;
}

/** Numbers the words of a transcript, in short turns of the event loop. */
export async function numberWords(segments: readonly Segment[]): Promise<NumberedWords> {
  const numbers: number[] = [];
  const starts = [0];
  const segmentOfWord: number[] = [];
  const keys: string[] = [];
  const numberOf = createNumbers((key) => keys.push(key));
  let characters = 0;
  for (const [index, { text }] of segments.entries()) {
    for (const slice of slicesOf(text)) {
      for (const key of wordKeys(slice)) {
        numbers.push(numberOf(key));
        segmentOfWord.push(index);
      }
      characters += slice.length;
      if (characters < turnSize) continue;
      characters = 0;
      await nextTurn();
    }
    starts.push(numbers.length);
  }
  return {
    numbers,
    starts,
    segmentOf: (word) => segmentOfWord[word] ?? 0,
    phrase: (start, end) =>
      numbers
        .slice(start, end)
        .map((number) => keys[number])
        .join(' '),
  };
}

/** Gives equal words equal numbers, from 0. */
export function createNumbers(onNew: (key: string) => void = () => {}): (key: string) => number {
  const numbers = new Map<string, number>();
  return (key) => {
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, numbers.size);
    onNew(key);
    return numbers.size - 1;
  };
}

/** A text in slices that one turn of the event loop has time for, cut between words where there are any. */
function* slicesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const space = text.lastIndexOf(' ', start + turnSize);
    const end = start + turnSize >= text.length || space <= start ? start + turnSize : space;
    yield text.slice(start, end);
    start = end;
  }
}
