import type { SpokenWord } from './spokenWords.ts';

/** Places of a word that two lists have in common. */
export type WordPair = readonly [left: number, right: number];

/** What tells which words in common were said once. */
export interface Likelihood<Word> {
  /** Whether two equal words can be the same one. */
  mayBeSame(left: Word, right: Word): boolean;
  /** What common words are worth less for where they stand, in words, by the first and the last of them. */
  cost(first: WordPair, last: WordPair): number;
  /** What they are worth less beside others that would be enough, too: where some were said twice, which of them is meant. */
  rivalCost(first: WordPair, last: WordPair): number;
  /** The least that they have to be worth. */
  leastWorth: number;
  /** The share that another word costs: in scripts without spaces, each character of it is one. */
  share: number;
}

/** What a word in common is worth at least, and more for each letter up to 1: short words are everywhere. */
const leastOfCommon = 0.4;
const ofLetter = 0.2;
/** What a word is worth that only one side has, or each side another one in its place: two translations differ here and there. */
const ofOther = -0.5;

/** The step that leads to a cell of the table. */
const [none, common, replaced, onlyLeft, onlyRight] = [0, 1, 2, 3, 4];

/**
 * The words that the end of one text and the start of another have in common, with few others between them (local alignment after
 * Smith and Waterman); undefined where too few tell. Takes as many steps as one list has words for each of the other.
 */
export function alignWords<Word extends SpokenWord>(
  left: readonly Word[],
  right: readonly Word[],
  { mayBeSame, cost, rivalCost, leastWorth, share }: Likelihood<Word>,
): WordPair[] | undefined {
  const width = right.length + 1;
  const steps = new Uint8Array((left.length + 1) * width);
  /** Of the alignment that ends in a cell: its worth, and the cell of the first of its common words. */
  const worth = new Float32Array(steps.length);
  const first = new Uint32Array(steps.length);
  let best = { cell: 0, worth: Number.NEGATIVE_INFINITY };
  for (const [row, word] of left.entries()) {
    for (const [column, other] of right.entries()) {
      const cell = (row + 1) * width + column + 1;
      const isCommon = word.key === other.key && mayBeSame(word, other);
      const [from, step] = isCommon ? ([cell - width - 1, common] as const) : bestBefore(worth, cell, width);
      const reached =
        (worth[from] ?? 0) +
        (isCommon ? Math.min(1, leastOfCommon + ofLetter * (word.key.length - 1)) : share * ofOther);
      if (reached <= 0) continue;
      steps[cell] = step;
      worth[cell] = reached;
      first[cell] = steps[from] === none ? cell : (first[from] ?? cell);
      if (!isCommon) continue;
      const start = pairAt(first[cell] ?? cell, width);
      if (reached - cost(start, [row, column]) < leastWorth) continue;
      const whole = reached - rivalCost(start, [row, column]);
      if (whole >= best.worth) best = { cell, worth: whole };
    }
  }
  return best.cell === 0 ? undefined : pairsTo(best.cell, steps, width);
}

/** The neighbour from which a word that is not in common goes on. */
function bestBefore(worth: Float32Array, cell: number, width: number): readonly [from: number, step: number] {
  const ways = [
    [cell - width - 1, replaced],
    [cell - width, onlyLeft],
    [cell - 1, onlyRight],
  ] as const;
  return ways.reduce((best, way) => ((worth[way[0]] ?? 0) > (worth[best[0]] ?? 0) ? way : best));
}

const pairAt = (cell: number, width: number): WordPair => [Math.floor(cell / width) - 1, (cell % width) - 1];

function pairsTo(end: number, steps: Uint8Array, width: number): WordPair[] {
  const pairs: WordPair[] = [];
  for (let cell = end, step = steps[cell] ?? none; step !== none; step = steps[cell] ?? none) {
    if (step === common) pairs.push(pairAt(cell, width));
    cell -= step === onlyLeft ? width : step === onlyRight ? 1 : width + 1;
  }
  return pairs.reverse();
}
