import type { LineRange } from '../../base/lines.ts';
import { type Declaration, type Dialect, endOf, findDeclarations, isComment, isDecorator } from './declarations.ts';
import { findElisions } from './elisions.ts';
import type { Item } from './items.ts';
import type { LineEdit } from './lineEdit.ts';
import { columnsOf, isBlank, trimBlankLines } from './lineText.ts';
import { fitIndentation, mergeBlock, replace } from './mergeBlock.ts';
import type { Misplaced } from './misplaced.ts';

const container =
  /^(?:class|struct|enum|trait|interface|impl|module|namespace|object|companion|record|protocol|extension|actor|mod|defmodule|call|element|key|rule|section|item|variable):?/;

/** Places code within a declaration, as that around it is placed. */
export type PlaceInner = (
  file: readonly string[],
  written: readonly string[],
  dialect: Dialect,
) => readonly LineEdit[] | Misplaced;

/** The edits that give a declaration of the file its new form. */
export function editDeclaration(
  { lines, declaration }: Item,
  place: Declaration,
  file: readonly string[],
  dialect: Dialect,
  placeInner: PlaceInner,
): readonly LineEdit[] | Misplaced {
  const { lead, head } = declaration as Declaration;
  const body = lines.slice(lines.length - ((declaration as Declaration).end - head));
  const written = lines.slice(0, head - lead);
  const start = leadStart(written, file.slice(place.lead, place.head));
  const old = file.slice(place.head, place.end);
  if (isStub(body, old)) return [];
  const members = container.test(place.key) ? editMembers(body, old, dialect, placeInner) : undefined;
  if (members === 'ambiguous') return members;
  const first = place.lead + start;
  if (members !== undefined && members !== 'unplaced') {
    const moved = members.map((edit) => ({ ...edit, line: edit.line + place.head }));
    const leading = fitIndentation([...written, body[0] ?? ''], [old[0] ?? '']).slice(0, -1);
    return written.length === 0 ? moved : [{ line: first, removed: place.head - first, inserted: leading }, ...moved];
  }
  const own = dialect === 'keys' ? withComma(body, old) : body;
  const text = written.length === 0 ? own : [...written, ...own];
  return replace(file, { first: written.length === 0 ? place.head : first, last: place.end - 1 }, text);
}

const stubbed = /(?:\{\s*(?:\/\*.*\*\/|\/\/.*|#.*|\.{3}|…)\s*\}|:\s*(?:\.{3}|…))\s*(?:(?:#|\/\/).*)?$/;

/** Whether a body is left out in a line: `{ /* unchanged *\/ }`, or Python's `...` where the file has more. */
function isStub(written: readonly string[], old: readonly string[]): boolean {
  return written.length === 1 && old.length > 1 && stubbed.test(written[0] ?? '');
}

/** A property of JSON is given with or without the comma behind it; the file's counts. */
function withComma(written: readonly string[], old: readonly string[]): readonly string[] {
  const [last = '', before = ''] = [written.at(-1), old.at(-1)];
  const bare = last.replace(/,\s*$/, '');
  return [...written.slice(0, -1), /,\s*$/.test(before) ? `${bare},` : bare];
}

/** Which of the file's leading lines stay: comments where only decorators are written, and the other way round. */
function leadStart(written: readonly string[], inFile: readonly string[]): number {
  if (written.length === 0) return inFile.length;
  if (!written.some(isComment) && inFile.some(isComment)) {
    const decorator = inFile.findIndex(isDecorator);
    return decorator < 0 ? inFile.length : decorator;
  }
  return 0;
}

/**
 * The edits of a class, or the like, of which a model shows some members: what it does not show stays, though no line says so.
 * 'unplaced' for one that is shown as a whole.
 */
function editMembers(
  written: readonly string[],
  old: readonly string[],
  dialect: Dialect,
  placeInner: PlaceInner,
): readonly LineEdit[] | Misplaced {
  if (findElisions(written, old).length > 0 || hasStubs(written, old, dialect))
    return editAbridged(written, old, dialect, placeInner);
  const [shown, all] = [directMembers(written, dialect), directMembers(old, dialect)];
  const keys = new Set(shown);
  const missing = all.filter((key) => !keys.has(key));
  if (shown.length === 0 || missing.length === 0 || shown.length >= all.length || written.length > old.length * 0.7)
    return 'unplaced';
  return editInner(written, old, dialect, placeInner);
}

/** Whether members are shown without their bodies, which the file has. */
function hasStubs(written: readonly string[], old: readonly string[], dialect: Dialect): boolean {
  const known = new Map(findDeclarations(old, dialect).map(({ key, head, end }) => [key, old.slice(head, end)]));
  return findDeclarations(written, dialect).some(({ key, head, end }) =>
    isStub(written.slice(head, end), known.get(key) ?? []),
  );
}

function directMembers(lines: readonly string[], dialect: Dialect): string[] {
  const all = findDeclarations(lines, dialect);
  return all.filter(({ parent }) => parent === 0).map(({ key }) => key);
}

/** A class with elisions between its members is edited member by member, where that is possible; else line by line. */
function editAbridged(
  written: readonly string[],
  old: readonly string[],
  dialect: Dialect,
  placeInner: PlaceInner,
): readonly LineEdit[] | Misplaced {
  const inner = editInner(written, old, dialect, placeInner);
  if (inner !== 'unplaced') return inner;
  const merged = mergeBlock(written, old);
  return merged === 'ambiguous' ? merged : [{ line: 0, removed: old.length, inserted: merged }];
}

function editInner(
  written: readonly string[],
  old: readonly string[],
  dialect: Dialect,
  placeInner: PlaceInner,
): readonly LineEdit[] | Misplaced {
  const [from, to] = [bodyOf(written, dialect), bodyOf(old, dialect)];
  const inner = placeInner(
    old.slice(to.first, to.last + 1),
    trimBlankLines(written.slice(from.first, from.last + 1)),
    dialect,
  );
  if (inner === 'ambiguous' || inner === 'unplaced') return 'unplaced';
  const head = mergeBlock(written.slice(0, from.first), old.slice(0, to.first));
  if (head === 'ambiguous') return head;
  return [
    { line: 0, removed: to.first, inserted: head },
    ...inner.map((edit) => ({ ...edit, line: edit.line + to.first })),
  ];
}

/** The lines between the one that names a declaration and the one that closes it. */
function bodyOf(lines: readonly string[], dialect: Dialect): LineRange {
  const depth = columnsOf(lines[0] ?? '');
  const first = lines.findIndex((line, at) => at > 0 && !isBlank(line) && columnsOf(line) > depth);
  const end = endOf(lines, 0, dialect);
  const closes = !isBlank(lines[end - 1] ?? '') && columnsOf(lines[end - 1] ?? '') === depth;
  return { first: Math.max(1, first), last: closes ? end - 2 : end - 1 };
}
