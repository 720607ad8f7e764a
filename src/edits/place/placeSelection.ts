import type { LineRange } from '../../base/lines.ts';
import { importGroup, isImport } from './codePieces.ts';
import { type CodeTarget, indexByPath, isAskedAbout, missingIn } from './codeTarget.ts';
import { findElisions } from './elisions.ts';
import { insertImports } from './insertDeclaration.ts';
import { withCommas } from './jsonCommas.ts';
import { type NamedEdit, shifted } from './lines/lineEdit.ts';
import { columnsOf, isBlank, isTelling, normalised, trimBlankLines } from './lines/lineText.ts';
import type { Misplaced } from './misplaced.ts';
import { rewrite } from './newForm.ts';
import { placeCode } from './placeCode.ts';
import { placeDeclarations } from './placeDeclarations.ts';
import { isWholeSelection, lineMeant } from './wholeSelection.ts';

/**
 * The edits that selected lines get by code that was written for them: all of them anew where that is what the code evidently is, the
 * declarations that it names, or the one line of it.
 * @param isCode whether nobody asked for new lines of the selection: it may be an old one
 */
export function placeSelection(
  code: readonly string[],
  selection: LineRange,
  target: CodeTarget,
  isCode: boolean,
): readonly NamedEdit[] | Misplaced {
  const near = { ...target, near: selection };
  // Nobody asked for new lines of what happens to be selected when code is applied.
  if (isCode || isAround(selection, code, near)) return placeCode(code, near);
  const [imports, rest] = splitImports(trimBlankLines(code), target.file.slice(selection.first, selection.last + 1));
  if (rest.length === 0) return insertImports(imports, target);
  const edits = placeRest(rest, selection, near);
  return typeof edits === 'string' || imports.length === 0 ? edits : [...insertImports(imports, target), ...edits];
}

/** Imports at the beginning of code for lines that have none: they go to those of the file. */
function splitImports(code: readonly string[], selected: readonly string[]): [readonly string[], readonly string[]] {
  if (selected.some(isImport)) return [[], code];
  let at = 0;
  while (at < code.length) {
    const group = importGroup(code, at);
    if (group !== undefined) at = group;
    else if (isBlank(code[at] ?? '') || isImport(code[at] ?? '')) at += 1;
    else break;
  }
  const rest = code.slice(at);
  return [code.slice(0, at).filter((line) => !isBlank(line)), rest];
}

function placeRest(code: readonly string[], selection: LineRange, near: CodeTarget): readonly NamedEdit[] | Misplaced {
  const { file } = near;
  const selected = file.slice(selection.first, selection.last + 1);
  if (trimBlankLines(selected).length === 0) return replaceBlank(code, selection);
  const own = withoutContext(file, selection, trimBlankLines(code));
  const part = { ...near, file: selected, near: { first: 0, last: selected.length - 1 } };
  if (findElisions(own, selected).length > 0) return placeElided(own, selection, near, part);
  if (isBesideSelection(own, selection, near)) return 'ambiguous';
  if (isWholeSelection(selection, own, near)) return rewrite(file, selection, own, 'whole');
  const written = own.filter((line) => !isBlank(line));
  if (written.length === 1) {
    const meant = lineMeant(selected, written[0] ?? '', near.path);
    return meant === undefined ? placeMembers(own, near) : placed(rewrite(selected, meant, own, 'whole'), selection);
  }
  if (isOtherDeclaration(selected, own, near)) return 'ambiguous';
  return leavesOutNamed(selected, own, near) ? 'left-out' : placeMembers(own, near);
}

/** Whether a declaration is missing that the user spoke of: it may be meant to go. */
function leavesOutNamed(
  selected: readonly string[],
  own: readonly string[],
  { path, syntax, instruction }: CodeTarget,
): boolean {
  const missing = missingIn(syntax.piece(selected, path).declarations, syntax.piece(own, path).declarations);
  const known = new Set(syntax.piece(selected, path).declarations.map(({ key }) => key));
  const isNew = syntax.piece(own, path).declarations.some(({ key }) => !known.has(key));
  return !isNew && missing.some((each) => isAskedAbout(instruction, each));
}

function placed(edits: readonly NamedEdit[] | Misplaced, { first }: LineRange): readonly NamedEdit[] | Misplaced {
  return typeof edits === 'string' ? edits : shifted(edits, first);
}

function replaceBlank(code: readonly string[], { first, last }: LineRange): readonly NamedEdit[] {
  return [{ line: first, removed: last - first + 1, inserted: trimBlankLines(code), by: 'whole' }];
}

/** Code with an elision: its declarations by their names, else all of the selection with what is left out. */
function placeElided(
  own: readonly string[],
  selection: LineRange,
  near: CodeTarget,
  part: CodeTarget,
): readonly NamedEdit[] | Misplaced {
  const names = part.syntax.piece(own, part.path).declarations;
  if (names.some(({ key }) => !key.startsWith('value:'))) return placeMembers(own, near);
  return placed(rewrite(part.file, { first: 0, last: part.file.length - 1 }, own, 'declaration'), selection);
}

/** Whether code gives declarations of the file that stand outside of what was selected, and none of that. */
function isBesideSelection(
  own: readonly string[],
  { first, last }: LineRange,
  { file, path, syntax }: CodeTarget,
): boolean {
  const keys = new Set(syntax.piece(own, path).declarations.flatMap(({ key, parent }) => (parent === -1 ? [key] : [])));
  const places = syntax.file(file, path).declarations.filter(({ key }) => keys.has(key));
  return places.length > 0 && places.every(({ head, end }) => end <= first || head > last);
}

/** Whether one declaration was selected, and another of its kind came: the new form of it, or one to stand beside it. */
function isOtherDeclaration(
  selected: readonly string[],
  own: readonly string[],
  { path, syntax }: CodeTarget,
): boolean {
  const tops = (lines: readonly string[]): readonly string[] =>
    syntax.piece(lines, path).declarations.flatMap(({ key, parent }) => (parent === -1 ? [key] : []));
  const [theirs, ours] = [tops(selected), tops(own)];
  const kind = (key = ''): string => key.slice(0, key.indexOf(':'));
  return theirs.length === 1 && ours.length === 1 && kind(theirs[0]) === kind(ours[0]) && theirs[0] !== ours[0];
}

/** The declarations that code names, in the file; nothing outside the selection is meant but new imports. */
function placeMembers(own: readonly string[], near: CodeTarget): readonly NamedEdit[] | Misplaced {
  const { file, path, syntax } = near;
  const { declarations: ours, isMembers } = syntax.piece(own, path);
  const { declarations: theirs } = syntax.file(file, path);
  if (ours.length === 0) return 'unplaced';
  const level = { code: own, ours, theirs, isMembers, range: { first: 0, end: own.length }, parent: -1, scope: -1 };
  const edits = placeDeclarations(level, near);
  return typeof edits === 'string' ? edits : withCommas(edits, file, path);
}

/** Whether code shows what is around a selection: the declaration that it stands in, by its name, or much of the file. */
function isAround({ first, last }: LineRange, code: readonly string[], { file, path, syntax }: CodeTarget): boolean {
  const isSame = isOpenAlike(file.slice(first, last + 1), code);
  const ours = indexByPath(syntax.piece(code, path).declarations);
  const theirs = syntax.file(file, path).declarations;
  return [...indexByPath(theirs)].some(([name, all]) =>
    all.some((index) => {
      const { head, end } = theirs[index] ?? { head: 0, end: 0 };
      const isAbout = (head < first || end > last + 1) && head <= first && end > last;
      return isAbout && !(isSame && head === first) && ours.has(name);
    }),
  );
}

/** Whether code leaves open what selected lines leave open, in as many lines: the beginning of a declaration, and no more of it. */
function isOpenAlike(selected: readonly string[], code: readonly string[]): boolean {
  const [old, own] = [selected, code].map((lines) => lines.filter((line) => !isBlank(line)));
  const signs = (lines: readonly string[] = []): string => lines.join('').replace(/[^{}()[\]]/g, '');
  const open = (text: string): number => text.replace(/[^{([]/g, '').length * 2 - text.length;
  const end = (lines: readonly string[] = []): string => lines.at(-1)?.trimEnd().slice(-1) ?? '';
  return (
    old?.length === own?.length &&
    open(signs(old)) === open(signs(own)) &&
    (open(signs(old)) > 0 || end(old) === ':') &&
    end(old) === end(own)
  );
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
