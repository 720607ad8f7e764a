import type { LineRange } from '../../base/lines.ts';

/** The longest line, in characters, whose words are looked at. */
const longestLine = 500;

/**
 * The lines of a file that have most words in common with a block, and as many of them as the block has; undefined where none has
 * any.
 */
export function nearestLines(file: readonly string[], block: readonly string[]): LineRange | undefined {
  const wanted = new Set(block.flatMap(wordsOf));
  const size = Math.max(1, Math.min(block.length, file.length));
  /** How near the lines before each line are, added up. */
  const sums = [0];
  for (const line of file) sums.push((sums.at(-1) ?? 0) + nearness(wordsOf(line), wanted));
  let best: { readonly first: number; readonly score: number } | undefined;
  for (let first = 0; first + size <= file.length; first++) {
    const score = (sums[first + size] ?? 0) - (sums[first] ?? 0);
    if (score > (best?.score ?? 0)) best = { first, score };
  }
  return best === undefined ? undefined : { first: best.first, last: best.first + size - 1 };
}

function wordsOf(line: string): string[] {
  return line.slice(0, longestLine).match(/[\p{L}\p{N}_$]+/gu) ?? [];
}

/** A line all of whose words are wanted counts more than one that has a few of them among many. */
function nearness(words: readonly string[], wanted: ReadonlySet<string>): number {
  if (words.length === 0) return 0;
  const common = words.filter((word) => wanted.has(word)).length;
  return (common * common) / words.length;
}
