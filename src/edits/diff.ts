import { diffArrays, diffWordsWithSpace } from 'diff';
import { uniqueMatches } from './uniqueMatches.ts';

/** Lines of the old text (maybe none) that give way to lines of the new one (maybe none). `line` is from 0. */
export interface Hunk {
  readonly line: number;
  readonly removed: readonly string[];
  readonly inserted: readonly string[];
}

/**
 * The largest difference, in lines, of a part that has no line of its own in both texts. It is computed exactly up to that; a larger
 * one is one change, or it would take too long.
 */
const maxDistance = 300;

/** Two stretches of lines that correspond: from a line on, as many lines. */
interface Part {
  readonly oldLine: number;
  readonly oldCount: number;
  readonly newLine: number;
  readonly newCount: number;
}

/**
 * The changes that make new lines of old ones, in order, with at least one kept line between two of them. Lines that are in either text
 * once are compared first, which splits a long text into short parts (patience diff); those are compared by Myers' algorithm.
 */
export function diffHunks(oldLines: readonly string[], newLines: readonly string[]): Hunk[] {
  const changed: Part[] = [];
  const waiting: Part[] = [{ oldLine: 0, oldCount: oldLines.length, newLine: 0, newCount: newLines.length }];
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    const own = trim(part, oldLines, newLines);
    if (own.oldCount === 0 && own.newCount === 0) continue;
    const split = own.oldCount === 0 || own.newCount === 0 ? [] : splitPart(own, oldLines, newLines);
    for (const each of split.toReversed()) waiting.push(each);
    if (split.length === 0) changed.push(...compare(own, oldLines, newLines));
  }
  return changed.map(({ oldLine, oldCount, newLine, newCount }) => ({
    line: oldLine,
    removed: oldLines.slice(oldLine, oldLine + oldCount),
    inserted: newLines.slice(newLine, newLine + newCount),
  }));
}

/** The part without the lines that are the same at its beginning and its end. */
function trim(part: Part, oldLines: readonly string[], newLines: readonly string[]): Part {
  let { oldLine, oldCount, newLine, newCount } = part;
  while (oldCount > 0 && newCount > 0 && oldLines[oldLine] === newLines[newLine]) {
    [oldLine, newLine, oldCount, newCount] = [oldLine + 1, newLine + 1, oldCount - 1, newCount - 1];
  }
  while (oldCount > 0 && newCount > 0 && oldLines[oldLine + oldCount - 1] === newLines[newLine + newCount - 1]) {
    [oldCount, newCount] = [oldCount - 1, newCount - 1];
  }
  return { oldLine, oldCount, newLine, newCount };
}

/** The parts between lines that both have once; none where there is no such line. */
function splitPart(
  { oldLine, oldCount, newLine, newCount }: Part,
  oldLines: readonly string[],
  newLines: readonly string[],
) {
  const matches = uniqueMatches(
    oldLines.slice(oldLine, oldLine + oldCount),
    newLines.slice(newLine, newLine + newCount),
  );
  const parts: Part[] = [];
  let [from, to] = [0, 0];
  for (const [a, b] of matches.length === 0 ? [] : [...matches, [oldCount, newCount] as const]) {
    parts.push({ oldLine: oldLine + from, oldCount: a - from, newLine: newLine + to, newCount: b - to });
    [from, to] = [a + 1, b + 1];
  }
  return parts;
}

function compare(part: Part, oldLines: readonly string[], newLines: readonly string[]): Part[] {
  if (part.oldCount === 0 || part.newCount === 0) return [part];
  const runs = diffArrays(
    oldLines.slice(part.oldLine, part.oldLine + part.oldCount),
    newLines.slice(part.newLine, part.newLine + part.newCount),
    { maxEditLength: maxDistance },
  );
  if (runs === undefined) return [part];
  const changed: Part[] = [];
  let { oldLine, newLine } = part;
  let open = { oldLine, oldCount: 0, newLine, newCount: 0 };
  const close = (): void => {
    if (open.oldCount > 0 || open.newCount > 0) changed.push(open);
    open = { oldLine, oldCount: 0, newLine, newCount: 0 };
  };
  for (const { count, added, removed } of runs) {
    if (!added) oldLine += count;
    if (!removed) newLine += count;
    if (removed) open.oldCount += count;
    else if (added) open.newCount += count;
    else close();
  }
  close();
  return changed;
}

/** The lines that both texts have, as pairs of their places, in order. */
export function keptLines(oldLines: readonly string[], newLines: readonly string[]): [number, number][] {
  const pairs: [number, number][] = [];
  let [oldLine, newLine] = [0, 0];
  for (const { line, removed, inserted } of diffHunks(oldLines, newLines)) {
    while (oldLine < line) pairs.push([oldLine++, newLine++]);
    oldLine += removed.length;
    newLine += inserted.length;
  }
  while (oldLine < oldLines.length) pairs.push([oldLine++, newLine++]);
  return pairs;
}

/** The parts of a line that its other form does not have: pairs of start and end character. */
export function removedParts(oldLine: string, newLine: string): [number, number][] {
  let at = 0;
  return (
    diffWordsWithSpace(oldLine, newLine, { maxEditLength: 200 })?.flatMap(({ value, added, removed }) => {
      if (added) return [];
      const start = at;
      at += value.length;
      return removed ? [[start, at] as [number, number]] : [];
    }) ?? [[0, oldLine.length]]
  );
}
