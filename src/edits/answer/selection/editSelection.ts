import type { LineRange } from '../../../base/lines.ts';
import { type Declaration, type Dialect, dialectOf, findDeclarations } from '../../place/declarations.ts';
import { findElisions } from '../../place/elisions.ts';
import type { LineEdit } from '../../place/lineEdit.ts';
import { columnsOf, isBlank, isTelling, normalised, shareOf, trimBlankLines } from '../../place/lineText.ts';
import { replace } from '../../place/mergeBlock.ts';
import type { Misplaced } from '../../place/misplaced.ts';
import { isWhole, placeCode } from '../../place/placeCode.ts';
import { placeInside } from './placeInside.ts';

/**
 * The edits that give selected lines of a file the form in which they are written: all of them, or those that are shown.
 * @param isCode whether nobody asked for new lines of the selection: it may be an old one, and names count before it
 */
export function editSelection(
  file: readonly string[],
  selection: LineRange,
  written: readonly string[],
  path: string,
  isCode: boolean,
): readonly LineEdit[] | Misplaced {
  const { first, last } = selection;
  const selected = file.slice(first, last + 1);
  const dialect = dialectOf(path);
  const elsewhere = declaredElsewhere(file, selection, written, dialect);
  if (isCode && elsewhere !== 'none') return placeCode(file, written, dialect);
  const isMore = written.length > selected.length && (first > 0 || last < file.length - 1);
  if (isMore && isWhole(file, written) && shareOf(written, file) > shareOf(written, selected))
    return replace(file, { first: 0, last: file.length - 1 }, written);
  if (isMore && showsMore(file, selection, written)) {
    const placed = placeCode(file, written, dialect);
    if (typeof placed !== 'string') return placed;
  }
  if (showsParent(file, selection, written)) return placeCode(file, written, dialect);
  if (elsewhere === 'beside') return 'ambiguous';
  const own = withoutContext(file, selection, trimBlankLines(written));
  if (showsSomeDeclarations(selected, own, dialect)) {
    const placed = placeCode(selected, own, dialect);
    if (typeof placed !== 'string') return placed.map((edit) => ({ ...edit, line: edit.line + first }));
  }
  const part = partOf(selected, own);
  if (part !== undefined) {
    const placed = replace(selected, part, own);
    return typeof placed === 'string' ? placed : placed.map((edit) => ({ ...edit, line: edit.line + first }));
  }
  const inside = placeInside(selected, own, dialect);
  if (inside === 'ambiguous' || inside === 'unplaced') return inside;
  if (inside !== undefined) return inside.map((edit) => ({ ...edit, line: edit.line + first }));
  const placed =
    findElisions(own, selected).length > 0
      ? placeCode(selected, own, dialect)
      : replace(selected, { first: 0, last: selected.length - 1 }, own);
  if (placed === 'unplaced' || placed === 'ambiguous') return replaceAbridged(selected, own, first);
  return placed.map((edit) => ({ ...edit, line: edit.line + first }));
}

/**
 * Whether lines declare what stands in the file and not in the selection: around it, or beside selected declarations, whose place they
 * cannot be meant to take and not to take.
 */
function declaredElsewhere(
  file: readonly string[],
  { first, last }: LineRange,
  written: readonly string[],
  dialect: Dialect,
): 'around' | 'beside' | 'none' {
  const shown = new Set(findDeclarations(written, dialect).flatMap(({ key, parent }) => (parent === -1 ? [key] : [])));
  // What is nested may have its name many times: only functions and the like are told by it.
  const places = findDeclarations(file, dialect).filter(
    ({ key, parent }) =>
      shown.has(key) && (parent === -1 || (dialect === 'code' && !/^(?:variable|property|call):/.test(key))),
  );
  const isInside = ({ head }: Declaration): boolean => head >= first && head <= last;
  if (places.length === 0 || places.some(isInside)) return 'none';
  return places.some(({ head, end }) => head < first && end > last) ? 'around' : 'beside';
}

function replaceAbridged(
  selected: readonly string[],
  written: readonly string[],
  first: number,
): readonly LineEdit[] | Misplaced {
  const placed = replace(selected, { first: 0, last: selected.length - 1 }, written);
  return typeof placed === 'string' ? placed : placed.map((edit) => ({ ...edit, line: edit.line + first }));
}

/** Whether lines hold telling lines of the file from around a selection, such as the whole function of which a part was selected. */
function showsMore(file: readonly string[], { first, last }: LineRange, written: readonly string[]): boolean {
  const inside = new Set(file.slice(first, last + 1).map(normalised));
  const outside = new Set([...file.slice(0, first), ...file.slice(last + 1)].filter(isTelling).map(normalised));
  return written.filter((line) => outside.has(normalised(line)) && !inside.has(normalised(line))).length >= 3;
}

/** Whether lines begin with one that the selection stands within, such as the class of a method. */
function showsParent(file: readonly string[], { first, last }: LineRange, written: readonly string[]): boolean {
  const head = normalised(written.find((line) => !isBlank(line)) ?? '');
  if (!isTelling(head) || file.slice(first, last + 1).some((line) => normalised(line) === head)) return false;
  let depth = columnsOf(file[first] ?? '');
  for (let at = first - 1; at >= 0 && depth > 0; at--) {
    const line = file[at] ?? '';
    if (isBlank(line) || columnsOf(line) >= depth) continue;
    if (normalised(line) === head) return true;
    depth = columnsOf(line);
  }
  return false;
}

/** Whether lines are some of the selected declarations in a new form: what they do not show was not to go. */
function showsSomeDeclarations(selected: readonly string[], written: readonly string[], dialect: Dialect): boolean {
  const top = (lines: readonly string[]): string[] => {
    const outer = findDeclarations(lines, dialect).filter(({ parent }) => parent === -1);
    const isAll =
      outer.reduce((sum, { lead, end }) => sum + end - lead, 0) >= lines.filter((line) => !isBlank(line)).length;
    return isAll ? outer.map(({ key }) => key) : [];
  };
  const [shown, all] = [top(written), new Set(top(selected))];
  return shown.length > 0 && shown.length < all.size && shown.every((key) => all.has(key));
}

/** The least share of a selection that is left out where only a part of it was given. */
const leastLeftOut = 0.4;

/**
 * The lines of a selection that written ones are for, where they are but a part: they begin and end with lines of it that stand
 * there once, all lines between these are written, and most others are not.
 */
function partOf(selected: readonly string[], written: readonly string[]): LineRange | undefined {
  const place = (line: string | undefined): number => {
    const found = selected.flatMap((each, at) => (normalised(each) === normalised(line ?? '') ? [at] : []));
    return found.length === 1 ? (found[0] ?? -1) : -1;
  };
  const [first, last] = [place(written[0]), place(written.at(-1))];
  if (first < 0 || last <= first || !isTelling(selected[first] ?? '') || !isTelling(selected[last] ?? ''))
    return undefined;
  const rest = [...selected.slice(0, first), ...selected.slice(last + 1)].filter((line) => !isBlank(line));
  const isShown = shareOf(selected.slice(first, last + 1), written) === 1;
  return isShown && rest.length >= selected.length * leastLeftOut && shareOf(rest, written) === 0
    ? { first, last }
    : undefined;
}

/** The lines without those from above and below the selection that a model repeats for orientation. */
function withoutContext(
  file: readonly string[],
  { first, last }: LineRange,
  written: readonly string[],
): readonly string[] {
  const selected = file
    .slice(first, last + 1)
    .filter((line) => !isBlank(line))
    .map(normalised);
  const same = (line: string | undefined, other: string | undefined): boolean =>
    line !== undefined && other !== undefined && normalised(line) === normalised(other);
  const [head, tail] = [selected[0], selected.at(-1)];
  let [start, end] = [0, written.length];
  for (let count = Math.min(written.length - 1, first); count > 0; count--) {
    const above = file.slice(first - count, first);
    if (!above.some(isTelling) || !above.every((line, at) => same(line, written[at]))) continue;
    if (head !== undefined && same(written[0], head) && !same(written[count], head)) continue;
    start = count;
    break;
  }
  for (let count = Math.min(end - start - 1, file.length - 1 - last); count > 0; count--) {
    const below = file.slice(last + 1, last + 1 + count);
    if (!below.some((line) => !isBlank(line)) || !below.every((line, at) => same(line, written[end - count + at])))
      continue;
    // A closing line that the selection ends with, too, is its own, and so is one that closes what is written.
    const isOwn = same(written[end - 1], tail) && !same(written[end - count - 1], tail);
    if (!below.some(isTelling) && (isOwn || !isIndentedAlike(written.slice(start, end), below, file[first]))) continue;
    end -= count;
    break;
  }
  return trimBlankLines(written.slice(start, end));
}

/** Whether the last written lines stand as deep below the first one as the lines of the file below the first selected one. */
function isIndentedAlike(written: readonly string[], below: readonly string[], first = ''): boolean {
  const step = columnsOf(first) - columnsOf(written.find((line) => !isBlank(line)) ?? '');
  const last = written.slice(-below.length);
  return below.every((line, at) => isBlank(line) || columnsOf(line) === columnsOf(last[at] ?? '') + step);
}
