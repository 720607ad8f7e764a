import { followLines, type TextChange } from '../../../base/lines.ts';

/** Lines of a hit, counted from 1, both ends included; `line` is the one that best shows why. */
export interface HitLines {
  startLine: number;
  endLine: number;
  line: number;
}

/** The lines of a hit after a change, and whether the change was inside them. */
export function moveLines({ startLine, endLine, line }: HitLines, change: TextChange): HitLines & { touched: boolean } {
  const { first, last, touched } = followLines({ first: startLine - 1, last: endLine - 1 }, change);
  const best = followLines({ first: line - 1, last: line - 1 }, change);
  const moved = best.touched ? line : best.first + 1;
  return { startLine: first + 1, endLine: last + 1, line: Math.min(Math.max(moved, first + 1), last + 1), touched };
}
