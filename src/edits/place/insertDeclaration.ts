import type { Declaration } from '../../syntax/declaration.ts';
import { isImport } from './codePieces.ts';
import type { CodeTarget } from './codeTarget.ts';
import { fitIndentation } from './lines/fitText.ts';
import { commonIndentation, indentationUnit, indentLike } from './lines/indent.ts';
import type { Insertion, NamedEdit } from './lines/lineEdit.ts';
import { columnsOf, indentationOf, isBlank, lineIndexOf, normalised } from './lines/lineText.ts';

/** Where a new declaration goes: a line, with one of its siblings, by which it is indented and set apart. */
export interface NewPlace {
  readonly line: number;
  /** Whether it stands behind the sibling, and not before it. */
  readonly isBehind: boolean;
  readonly sibling: Declaration | undefined;
}

export const behind = (sibling: Declaration): NewPlace => ({ line: sibling.end, isBehind: true, sibling });
export const before = (sibling: Declaration): NewPlace => ({ line: sibling.lead, isBehind: false, sibling });

/** The insertion of new lines, set apart as their siblings are. */
export function insertAt(
  place: NewPlace,
  lines: readonly string[],
  file: readonly string[],
  isList: boolean,
): Insertion {
  const { line, sibling, isBehind } = place;
  const inserted = sibling === undefined ? lines : asDeep(lines, file, sibling);
  const isApart = sibling !== undefined && isBlank(file[sibling.end] ?? 'x') && isBlank(file[sibling.lead - 1] ?? 'x');
  const gap = sibling !== undefined && (isList ? isApart : needsGap(file, sibling, lines)) ? [''] : [];
  return { line, removed: 0, inserted: isBehind ? [...gap, ...inserted] : [...inserted, ...gap] };
}

/** Lines as deep as a sibling, in the file's unit. */
function asDeep(
  lines: readonly string[],
  file: readonly string[],
  { head, end, lead }: Declaration,
): readonly string[] {
  const wanted = indentationOf(file[head] ?? '');
  const common = commonIndentation(lines);
  const [unit, own] = [indentationUnit(file.slice(Math.max(0, lead - 40), end + 40)), indentationUnit(lines)];
  const pairs = [{ written: `${common}x`, inFile: `${wanted}x` }];
  if (unit !== undefined && own !== undefined && unit !== own)
    pairs.push({ written: `${common}${own}x`, inFile: `${wanted}${unit}x` });
  const moved = indentLike(lines, pairs);
  return columnsOf(moved[0] ?? '') === columnsOf(wanted) ? moved : fitIndentation(lines, file.slice(head, end));
}

/** Whether declarations are set apart by a blank line here: as the sibling is, else by how long both are. */
function needsGap(file: readonly string[], { lead, head, end }: Declaration, lines: readonly string[]): boolean {
  const depth = columnsOf(file[head] ?? '');
  const isSibling = (line: string | undefined): boolean =>
    line !== undefined && !isBlank(line) && columnsOf(line) >= depth;
  const below = file.slice(end).find((line) => !isBlank(line));
  const isFollowed = isSibling(below) && columnsOf(below ?? '') === depth;
  if (isBlank(file[lead - 1] ?? 'x') || (isFollowed && isBlank(file[end] ?? 'x')))
    return end - lead > 1 || lines.length > 1 || isBlank(file[end] ?? 'x');
  return !(isSibling(file[lead - 1]) || isFollowed) && (end - lead > 2 || lines.length > 2);
}

/** The member behind which, or the body in which, new members of a declaration go. */
export function lastMember(all: readonly Declaration[], parent: number, kind: string): NewPlace | undefined {
  const members = all.filter((each) => each.parent === parent);
  const same = members.filter(({ key }) => key.startsWith(kind));
  const sibling = same.at(-1) ?? members.at(-1);
  if (sibling !== undefined) return behind(sibling);
  const body = all[parent]?.body;
  return body === undefined ? undefined : { line: body.end, isBehind: true, sibling: undefined };
}

/** New imports go below those of the file, beside known ones where those are written, too. One of a known module takes its place. */
export function insertImports(written: readonly string[], { file }: CodeTarget): readonly NamedEdit[] {
  // In a group each line is an import, and what opens and closes it is the file's.
  const isGrouped = file.some((line) => /^import \($/.test(line));
  const lines = isGrouped ? written.filter((line) => !/^\s*(?:import\s*\(|\))$/.test(line)) : written;
  const inFile = lineIndexOf(file);
  const places = lines.map((line) =>
    isBlank(line) ? -1 : (inFile.lines[inFile.placesOf(normalised(line))[0] ?? -1] ?? -1),
  );
  const last = isGrouped
    ? file.indexOf(')') - 1
    : file.findLastIndex((line) => isImport(line) && columnsOf(line) === 0);
  const edits: NamedEdit[] = [];
  for (const [at, line] of lines.entries()) {
    if (isBlank(line) || (places[at] ?? 0) >= 0) continue;
    const old = widened(line, file);
    if (old !== undefined) {
      edits.push({ line: old, removed: 1, inserted: [line], by: 'declaration' });
      continue;
    }
    const above = places.slice(0, at).findLast((place) => place >= 0);
    const below = places.slice(at + 1).find((place) => place >= 0);
    const isAlone = above === undefined && below === undefined && last < 0;
    const lineOf = above !== undefined ? above + 1 : (below ?? (last < 0 ? firstCode(file) : last + 1));
    edits.push({ line: lineOf, removed: 0, inserted: isAlone ? [line, ''] : [line] });
  }
  return joinInsertions(edits);
}

/** The line behind what a file may begin with: a marker of its program, remarks of its licence, `<?php`, a directive. */
function firstCode(file: readonly string[]): number {
  let at = 0;
  while (at < file.length && /^(?:#!|<\?php|['"]use \w+['"]|#.*coding|package\s)/.test(file[at] ?? '')) at += 1;
  return at;
}

/** The only import of the same module, where a new one has all its names and more. */
function widened(line: string, file: readonly string[]): number | undefined {
  const module = moduleOf(line);
  if (module === undefined) return undefined;
  const places = file.flatMap((each, at) => (isImport(each) && moduleOf(each) === module ? [at] : []));
  const [place] = places;
  if (place === undefined || places.length > 1) return undefined;
  const own = new Set(line.match(/[\p{L}\p{N}_$]+/gu) ?? []);
  return (file[place]?.match(/[\p{L}\p{N}_$]+/gu) ?? []).every((name) => own.has(name)) ? place : undefined;
}

function moduleOf(line: string): string | undefined {
  if (/^\s*import\s+type\b/.test(line)) return undefined;
  const named = /\{[^}]*\}\s*from\s*(['"][^'"]+['"])/.exec(line)?.[1] ?? /^\s*from\s+(\S+)\s+import\b/.exec(line)?.[1];
  return named ?? /^\s*use\s+([\w:]+::)\{/.exec(line)?.[1];
}

/** Insertions at one place as one, in their order. */
export function joinInsertions(edits: readonly NamedEdit[]): NamedEdit[] {
  const joined: NamedEdit[] = [];
  for (const edit of edits) {
    const same = joined.findIndex((each) => each.line === edit.line && each.removed === 0 && edit.removed === 0);
    if (same < 0) joined.push(edit);
    else
      joined[same] = { line: edit.line, removed: 0, inserted: [...(joined[same]?.inserted ?? []), ...edit.inserted] };
  }
  return joined;
}
