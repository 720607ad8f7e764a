import { type Declaration, type Dialect, findDeclarations, isLead } from '../../place/declarations.ts';
import { findElisions } from '../../place/elisions.ts';
import type { LineEdit } from '../../place/lineEdit.ts';
import { columnsOf, isBlank, isTelling, normalised, similarity } from '../../place/lineText.ts';
import { replace } from '../../place/mergeBlock.ts';
import type { Misplaced } from '../../place/misplaced.ts';
import { placeCode } from '../../place/placeCode.ts';
import { findPart, leastAlike } from './findPart.ts';

/**
 * Places lines that are only a part of what was selected, though nothing says so: they lack its first line. Undefined where they are
 * a new form of all of it; 'ambiguous' for a part that has no place, and for what may be either.
 */
export function placeInside(
  selected: readonly string[],
  written: readonly string[],
  dialect: Dialect,
): readonly LineEdit[] | Misplaced | undefined {
  const isHead = (line: string): boolean => isTelling(line) && !isLead(line);
  const [head, first] = [selected.find(isHead), written.find(isHead)];
  if (head === undefined || first === undefined || findElisions(written, selected).length > 0) return undefined;
  if (written.some((line) => normalised(line) === normalised(head))) return undefined;
  const [theirs, ours] = [findDeclarations(selected, dialect), findDeclarations(written, dialect)];
  const inner = new Set(theirs.filter(({ parent }) => parent !== -1).map(({ key }) => key));
  const isWithin = count(selected) > 2 && columnsOf(first) > columnsOf(head) && similarity(first, head) < leastAlike;
  if (!isWithin && isNewForm(ours, theirs, inner, written, isCovered(theirs, selected))) return undefined;
  if (isCovered(ours, written) && outerOf(ours).every(({ key }) => inner.has(key))) {
    const placed = placeCode(selected, written, dialect);
    if (typeof placed !== 'string') return placed;
  }
  const range = findPart(selected, written, selected.indexOf(head));
  if (isWithin || isCovered(theirs, selected)) {
    if (range !== undefined) return replace(selected, range, written);
    return outerOf(theirs).some(({ key }) => names(first, key)) ? undefined : 'ambiguous';
  }
  const isShort = count(written) <= count(selected) / 2 && similarity(first, head) < leastAlike;
  return range !== undefined && isShort ? 'ambiguous' : undefined;
}

const count = (lines: readonly string[]): number => lines.filter((line) => !isBlank(line)).length;
const outerOf = (all: readonly Declaration[]): readonly Declaration[] => all.filter(({ parent }) => parent === -1);
const kindOf = (key: string): string => key.slice(0, key.indexOf(':'));
const nameOf = (key: string): string => key.slice(key.lastIndexOf(':') + 1);
const names = (line: string, key: string): boolean => line.split(/[^\w$]+/).includes(nameOf(key));

/**
 * Whether lines declare what takes the place of a selected declaration, under its name or another, and not what is within it. A
 * variable may be one of those within a function.
 */
function isNewForm(
  ours: readonly Declaration[],
  theirs: readonly Declaration[],
  inner: ReadonlySet<string>,
  written: readonly string[],
  isDeclared: boolean,
): boolean {
  const tops = outerOf(theirs);
  const isVariable = ({ key }: Declaration): boolean => kindOf(key) === 'variable';
  return outerOf(ours).some(
    (each) =>
      !inner.has(each.key) &&
      count(written.slice(each.head, each.end)) >= count(written) / 2 &&
      (!isVariable(each) ||
        (isDeclared && tops.some((top) => isVariable(top) || nameOf(top.key) === nameOf(each.key)))),
  );
}

/** Whether lines are declarations and nothing else. */
function isCovered(declarations: readonly Declaration[], lines: readonly string[]): boolean {
  const outer = outerOf(declarations);
  return outer.length > 0 && outer.reduce((sum, { lead, end }) => sum + end - lead, 0) >= count(lines);
}
