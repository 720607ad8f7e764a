import type { LineRange } from '../../base/lines.ts';
import { isComment } from '../../syntax/textLines.ts';
import { findElisions } from './elisions.ts';
import { fillElisions, isDoubtful } from './fillElisions.ts';
import { fitIndentation, keepFileText, withBorders, withFirstIndented } from './lines/fitText.ts';
import type { NamedBy, NamedEdit } from './lines/lineEdit.ts';
import { lineIndexOf, normalised, trimBlankLines } from './lines/lineText.ts';
import type { Misplaced } from './misplaced.ts';

/** How many lines at the beginning of both texts name the declaration that they are: these are given whole, whatever is left out below. */
export interface Heads {
  readonly own: number;
  readonly old: number;
}

/** The new form of a run of a file's lines, from what a model wrote for all of it: in the file's indentation, with what is left out put back. */
export function newForm(
  written: readonly string[],
  inFile: readonly string[],
  heads: Heads = { own: 0, old: 0 },
): readonly string[] | Misplaced {
  const bare = fitIndentation(withFirstIndented(trimBlankLines(written), inFile), inFile);
  const elisions = findElisions(bare, inFile);
  const inner = trimBlankLines(inFile);
  // A remark in place of lines may stand for them, in whatever language.
  if (elisions.length === 0 && hasNewRemark(bare, inFile) && isDoubtful(bare, inner)) return 'left-out';
  const own = Math.min(heads.own, elisions[0] ?? 0);
  const rest = new Set(elisions.map((at) => at - own));
  const filled = elisions.length === 0 ? bare : fillElisions(bare.slice(own), rest, inner.slice(heads.old));
  if (typeof filled === 'string') return filled;
  const whole = elisions.length === 0 ? filled : [...bare.slice(0, own), ...filled];
  return keepFileText(withBorders(whole, inFile), inFile);
}

function hasNewRemark(written: readonly string[], original: readonly string[]): boolean {
  const { placesOf } = lineIndexOf(original);
  return written.some((line) => isComment(line) && placesOf(normalised(line)).length === 0);
}

/** The edit that gives a run of lines the form in which all of it is written. */
export function rewrite(
  file: readonly string[],
  { first, last }: LineRange,
  written: readonly string[],
  by: NamedBy,
): readonly NamedEdit[] | Misplaced {
  const fresh = newForm(written, file.slice(first, last + 1));
  return typeof fresh === 'string' ? fresh : [{ line: first, removed: last - first + 1, inserted: fresh, by }];
}
