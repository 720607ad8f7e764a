import { diffHunks, type Hunk } from '../diff.ts';
import { applyLineEdits, editsOf } from '../place/lines/lineEdit.ts';

/**
 * What becomes of lines that two have changed, each on their own; undefined where both changed the same lines in different ways.
 * @param base as both found them
 */
export function mergeLines(
  base: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
): readonly string[] | undefined {
  const own = diffHunks(base, mine);
  const others: Hunk[] = [];
  for (const other of diffHunks(base, theirs)) {
    const rivals = own.filter((each) => meet(each, other));
    if (rivals.length === 0) others.push(other);
    else if (rivals.length > 1 || !isSame(rivals[0] as Hunk, other)) return undefined;
  }
  return applyLineEdits(base, editsOf([...own, ...others]));
}

/** Whether two changes share a line, or one of them inserts where the other begins or ends. */
function meet(a: Hunk, b: Hunk): boolean {
  const [endA, endB] = [a.line + a.removed.length, b.line + b.removed.length];
  if (a.removed.length === 0 || b.removed.length === 0) return a.line <= endB && b.line <= endA;
  return a.line < endB && b.line < endA;
}

function isSame(a: Hunk, b: Hunk): boolean {
  return a.line === b.line && areLines(a.removed, b.removed) && areLines(a.inserted, b.inserted);
}

export function areLines(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((line, at) => line === b[at]));
}
