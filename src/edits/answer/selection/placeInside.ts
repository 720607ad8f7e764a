import type { LineRange } from '../../../base/lines.ts';
import { type Declaration, type Dialect, findDeclarations, isLead } from '../../place/declarations.ts';
import { findElisions } from '../../place/elisions.ts';
import type { LineEdit } from '../../place/lineEdit.ts';
import { columnsOf, isBlank, isTelling, normalised, similarity } from '../../place/lineText.ts';
import { replace } from '../../place/mergeBlock.ts';
import type { Misplaced } from '../../place/misplaced.ts';
import { placeBetween } from '../../place/placeBetween.ts';
import { placeCode } from '../../place/placeCode.ts';

/**
 * Places lines that are only a part of what was selected, though nothing says so: they lack its first line. Undefined where they are
 * a new form of all of it; 'ambiguous' for a part that has no place, and for what may be either.
 */
export function placeInside(
  selected: readonly string[],
  written: readonly string[],
  dialect: Dialect,
): readonly LineEdit[] | Misplaced | undefined {
  const head = selected.find((line) => isTelling(line) && !isLead(line));
  const first = written.find((line) => isTelling(line) && !isLead(line));
  if (head === undefined || first === undefined || findElisions(written, selected).length > 0) return undefined;
  if (written.some((line) => normalised(line) === normalised(head))) return undefined;
  const [theirs, ours] = [findDeclarations(selected, dialect), findDeclarations(written, dialect)];
  const outer = ours.filter(({ parent }) => parent === -1);
  const inner = new Set(theirs.filter(({ parent }) => parent !== -1).map(({ key }) => key));
  const isRewritten = isNewForm(outer, theirs, inner, written);
  if (outer.length > 0 && !isRewritten && outer.every(({ key }) => inner.has(key))) {
    const placed = placeCode(selected, written, dialect);
    if (typeof placed !== 'string') return placed;
  }
  const part = isRewritten ? undefined : placePart(selected, written);
  const isDeeper = columnsOf(first) > columnsOf(head) && similarity(first, head) < leastAlike;
  if (!isRewritten && (isCovered(theirs, selected) || isDeeper)) {
    if (part !== undefined) return part;
    return theirs.some(({ key, parent }) => parent === -1 && names(first, key)) ? undefined : 'ambiguous';
  }
  return part !== undefined && count(written) <= count(selected) / 2 ? 'ambiguous' : undefined;
}

const count = (lines: readonly string[]): number => lines.filter((line) => !isBlank(line)).length;
const kindOf = (key: string): string => key.slice(0, key.indexOf(':'));
const nameOf = (key: string): string => key.slice(key.lastIndexOf(':') + 1);
const names = (line: string, key: string): boolean => line.split(/[^\w$]+/).includes(nameOf(key));

/** Whether lines declare what takes the place of a selected declaration, under its name or another, and not what is within it. */
function isNewForm(
  outer: readonly Declaration[],
  theirs: readonly Declaration[],
  inner: ReadonlySet<string>,
  written: readonly string[],
): boolean {
  const tops = theirs.filter(({ parent }) => parent === -1);
  return outer.some(
    ({ key, head, end }) =>
      !inner.has(key) &&
      count(written.slice(head, end)) >= count(written) / 2 &&
      (kindOf(key) !== 'variable' ||
        tops.some((top) => kindOf(top.key) === 'variable' || nameOf(top.key) === nameOf(key))),
  );
}

/** Whether lines are declarations and nothing else. */
function isCovered(declarations: readonly Declaration[], lines: readonly string[]): boolean {
  const outer = declarations.filter(({ parent }) => parent === -1);
  return outer.length > 0 && outer.reduce((sum, { lead, end }) => sum + end - lead, 0) >= count(lines);
}

/** How alike lines must be to those that they are a new form of, on average, and how much more than to any others. */
const [leastAlike, leastLead] = [0.6, 0.15];
/** The largest product of lines that are compared. */
const mostCompared = 40_000;

/** In the place of as many lines that are alike, or of all between the first and the last of them that are there already. */
function placePart(
  selected: readonly string[],
  written: readonly string[],
): readonly LineEdit[] | Misplaced | undefined {
  const range = findAlike(selected, written);
  if (range !== undefined) return replace(selected, range, written);
  const known = new Set(selected.map(normalised));
  const own = written.filter((line) => !isBlank(line));
  if (![0, -1].every((at) => known.has(normalised(own.at(at) ?? '')))) return undefined;
  const placed = placeBetween(selected, written, []);
  return placed === 'unplaced' ? undefined : placed;
}

function findAlike(selected: readonly string[], written: readonly string[]): LineRange | undefined {
  const [old, own] = [significant(selected), significant(written)];
  if (own.length === 0 || own.length >= old.length || own.length * old.length > mostCompared) return undefined;
  const scored = old
    .slice(0, old.length - own.length + 1)
    .map((_, at) => ({ at, score: likeness(own, old.slice(at, at + own.length), selected, written) }))
    .sort((a, b) => b.score - a.score);
  const [best, next] = scored;
  if (best !== undefined && best.score >= leastAlike && best.score - (next?.score ?? 0) >= leastLead)
    return { first: old[best.at] ?? 0, last: old[best.at + own.length - 1] ?? 0 };
  return undefined;
}

function significant(lines: readonly string[]): number[] {
  return lines.flatMap((line, at) => (isBlank(line) ? [] : [at]));
}

/** How alike the telling lines of two texts of as many lines are, on average. */
function likeness(
  own: readonly number[],
  old: readonly number[],
  selected: readonly string[],
  written: readonly string[],
): number {
  const pairs = own.map((line, at) => [written[line] ?? '', selected[old[at] ?? 0] ?? ''] as const);
  const telling = pairs.filter(([line]) => isTelling(line));
  const sum = telling.reduce((total, [line, other]) => total + (isTelling(other) ? similarity(line, other) : 0), 0);
  return sum / Math.max(1, telling.length);
}
