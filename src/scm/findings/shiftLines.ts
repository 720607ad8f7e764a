import type { LineRange } from '../../base/lines.ts';
import type { ChangedHunk } from './changedFiles.ts';

/**
 * Where lines of an old file stand in the new one, from 1. What is staged is reviewed by the numbers of git's index, and shown in
 * the file of the working tree, which may have changed since.
 * @param hunks from the old file to the new one, in order
 */
export function shiftLines<T extends LineRange>(lines: T, hunks: readonly ChangedHunk[]): T {
  const first = newLine(lines.first, hunks);
  return { ...lines, first, last: Math.max(first, newLine(lines.last, hunks)) };
}

function newLine(old: number, hunks: readonly ChangedHunk[]): number {
  let shift = 0;
  for (const hunk of hunks) {
    if (old < hunk.oldFirst) break;
    let [oldNumber, number] = [hunk.oldFirst, hunk.first];
    for (const { mark } of hunk.lines) {
      if (mark !== '+' && oldNumber === old) return Math.max(1, mark === '-' ? Math.min(number, lastOf(hunk)) : number);
      if (mark !== '+') oldNumber++;
      if (mark !== '-') number++;
    }
    shift = number - oldNumber;
  }
  return Math.max(1, old + shift);
}

/** A removed line stands at the line that came in its place, or at the last one of the hunk. */
const lastOf = ({ first, count }: ChangedHunk): number => first + Math.max(0, count - 1);
