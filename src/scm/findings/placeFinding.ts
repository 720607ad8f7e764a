import type { LineRange } from '../../base/lines.ts';
import type { ChangedFile, ChangedHunk } from './changedFiles.ts';

/** The lines, from 1, that a finding is shown at. `isWholeFile`: it names no line of the change, and stands at its first hunk. */
export interface FindingLines extends LineRange {
  readonly isWholeFile: boolean;
}

/** How far from a hunk, in lines, a model may have miscounted. */
const near = 3;

/**
 * Finds the lines of a change that a finding means. Lines near a hunk are moved into it; all else is for the file as a whole.
 * @param named from 1, both ends included, as the model wrote them; undefined where it named none
 */
export function placeFinding({ hunks }: ChangedFile, named: LineRange | undefined): FindingLines {
  if (named === undefined) return wholeFile(hunks[0]);
  const [from, to] = named.first <= named.last ? [named.first, named.last] : [named.last, named.first];
  let best: { hunk: ChangedHunk; distance: number } | undefined;
  for (const hunk of hunks) {
    const distance = Math.max(0, hunk.first - to, from - endOf(hunk));
    if (best === undefined || distance < best.distance) best = { hunk, distance };
  }
  if (best === undefined || best.distance > near) return wholeFile(hunks[0]);
  const { hunk } = best;
  const inside = (line: number): number => Math.min(Math.max(line, hunk.first), endOf(hunk));
  return { first: inside(from), last: inside(to), isWholeFile: false };
}

/** The last line of a hunk; where lines were only removed, the line that is there now. */
const endOf = ({ first, count }: ChangedHunk): number => first + Math.max(0, count - 1);

/** The first added line of a hunk, or else its first line. */
function wholeFile(hunk: ChangedHunk | undefined): FindingLines {
  const added = hunk?.lines.findIndex(({ mark }) => mark !== ' ') ?? -1;
  const first = (hunk?.first ?? 1) + Math.max(0, added);
  const line = hunk === undefined ? first : Math.min(first, endOf(hunk));
  return { first: line, last: line, isWholeFile: true };
}
