import type { Declaration } from '../../syntax/declaration.ts';
import { grammarFor } from '../../syntax/grammars.ts';
import { type CodePiece, piecesOf } from './codePieces.ts';
import type { CodeTarget } from './codeTarget.ts';
import { type CodeLevel, editDeclaration } from './editDeclaration.ts';
import { findElisions } from './elisions.ts';
import {
  before,
  behind,
  insertAt,
  insertImports,
  joinInsertions,
  lastMember,
  type NewPlace,
} from './insertDeclaration.ts';
import { haveOverlap, type NamedEdit } from './lines/lineEdit.ts';
import { isTelling, normalised } from './lines/lineText.ts';
import type { Misplaced } from './misplaced.ts';

/**
 * Places code by the names of what it declares: a declaration of the file gets its new form, a new one goes behind its siblings,
 * imports to imports. Statements that the file does not have belong nowhere for sure.
 */
export function placeDeclarations(level: CodeLevel, target: CodeTarget): readonly NamedEdit[] | Misplaced {
  const { file } = target;
  const members = level.ours.flatMap((each, index) => (each.parent === level.parent ? [[index, each] as const] : []));
  const keys = new Set(level.theirs.map(({ key }) => key));
  const pieces = piecesOf(level.code, level.range, members, file, ({ key }) => keys.has(key));
  if (pieces.some(({ kind }) => kind === 'statement')) return 'unplaced';
  // A remark that leads nothing stands for what is left out, if anything is.
  if (pieces.some(({ kind }) => kind === 'remark') && !leavesOut(level)) return 'unplaced';
  const places = pieces.map((piece) => (piece.kind === 'declaration' ? findPlace(piece, level, target) : undefined));
  if (places.includes('ambiguous')) return 'ambiguous';
  const edits: NamedEdit[] = [];
  const imports = pieces.filter(({ kind }) => kind === 'import').flatMap(({ lines }) => lines);
  if (imports.length > 0) edits.push(...insertImports(imports, target));
  for (const [at, piece] of pieces.entries()) {
    if (piece.kind !== 'declaration') continue;
    const place = places[at];
    const placed =
      typeof place === 'number'
        ? editDeclaration(piece, place, level, target, placeDeclarations)
        : insertNew(pieces, places, at, level, target);
    if (typeof placed === 'string') return placed;
    edits.push(...placed);
  }
  const isAny = pieces.some(({ kind }) => kind === 'declaration' || kind === 'import');
  if (!isAny) return level.scope < 0 ? 'unplaced' : [];
  const joined = joinInsertions(edits);
  return haveOverlap(joined) ? 'ambiguous' : joined;
}

/** Whether the file has members at this level that the code does not show. */
function leavesOut({ ours, theirs, parent, scope }: CodeLevel): boolean {
  const shown = new Set(ours.filter((each) => each.parent === parent).map(({ key }) => key));
  return theirs.some((each) => each.parent === scope && !shown.has(each.key));
}

/** Languages in which a method is written otherwise than a function. */
const tellsMethods = new Set(['typescript', 'tsx', 'javascript']);

/** The declaration of the file that a piece is a new form of. */
function findPlace(piece: CodePiece, level: CodeLevel, target: CodeTarget): number | 'ambiguous' | undefined {
  const { ours, theirs, scope, isMembers } = level;
  const own = ours[piece.index] as Declaration;
  const isMember = (each: Declaration): boolean => theirs[each.parent]?.key.startsWith('type:') === true;
  const tells = tellsMethods.has(grammarFor(target.path) ?? '');
  const all = theirs.flatMap((each, index) => {
    if (each.key !== own.key) return [];
    if (scope >= 0) return each.parent === scope ? [index] : [];
    return tells && own.key.startsWith('function:') && isMember(each) !== isMembers ? [] : [index];
  });
  if (all.length < 2) return all[0];
  const outer = all.filter((index) => theirs[index]?.parent === -1);
  const near = all.filter((index) => isNear(theirs[index] as Declaration, target));
  const head = normalised(level.code[own.head] ?? '');
  const same = all.filter((index) => normalised(target.file[theirs[index]?.head ?? 0] ?? '') === head);
  for (const pool of [same, same.filter((index) => near.includes(index)), near, isMembers || scope >= 0 ? [] : outer])
    if (pool.length === 1) return pool[0];
  return 'ambiguous';
}

function isNear({ lead, end }: Declaration, { near }: CodeTarget): boolean {
  return near !== undefined && lead <= near.last && end > near.first;
}

/** A new declaration: beside the one it is written beside, else behind its siblings where the user is. */
function insertNew(
  pieces: readonly CodePiece[],
  places: readonly (number | 'ambiguous' | undefined)[],
  at: number,
  level: CodeLevel,
  target: CodeTarget,
): readonly NamedEdit[] | Misplaced {
  const piece = pieces[at] as CodePiece;
  if (findElisions(piece.lines, target.file).length > 0) return 'unplaced';
  if (isNearCopy(piece, level, target)) return 'ambiguous';
  const placed = (index: number): Declaration | undefined =>
    typeof places[index] === 'number' ? level.theirs[places[index] as number] : undefined;
  const previous = pieces.slice(0, at).findLastIndex((_, index) => placed(index) !== undefined);
  const next = pieces.findIndex((_, index) => index > at && placed(index) !== undefined);
  const anchor = anchorBefore(pieces, at, previous, target.file);
  // Where the rest stands between, it goes behind that.
  const isBehindRest =
    previous >= 0 && pieces.slice(previous, at).some(({ kind }) => kind === 'elision' || kind === 'remark');
  const kind = (level.ours[piece.index]?.key ?? '').replace(/:.*$/s, ':');
  const rest = isBehindRest ? lastMember(level.theirs, placed(previous)?.parent ?? -1, kind) : undefined;
  const place =
    anchor ??
    (previous >= 0 && !isBehindRest
      ? behind(placed(previous) as Declaration)
      : next >= 0
        ? before(placed(next) as Declaration)
        : (rest ?? siblingsPlace(piece, level, target)));
  if (place === undefined) return 'unplaced';
  const isList =
    piece.lines.length === 1 &&
    !piece.isApart &&
    place.sibling !== undefined &&
    place.sibling.end - place.sibling.lead === 1;
  const edit = insertAt(place, piece.lines, target.file, isList);
  const above = pieces[at - 1];
  // Of several new ones in a row each is set apart from the one before as it is written.
  const isInRow = above?.kind === 'declaration' && places[at - 1] === undefined;
  if (isInRow && edit.inserted[0] === '' && !piece.isApart) return [{ ...edit, inserted: edit.inserted.slice(1) }];
  return piece.lines.some(isTelling) ? [edit] : [];
}

/** The place behind the line of the file that stands right before a new declaration in the code, where it is there once. */
function anchorBefore(
  pieces: readonly CodePiece[],
  at: number,
  previous: number,
  file: readonly string[],
): NewPlace | undefined {
  const piece = pieces[at - 1];
  if (piece?.kind !== 'known' || at - 1 <= previous) return undefined;
  const line = piece.lines.findLast(isTelling) ?? '';
  const rows = file.flatMap((each, row) => (normalised(each) === normalised(line) ? [row] : []));
  const [row] = rows;
  if (row === undefined || rows.length > 1) return undefined;
  const sibling = {
    key: '',
    lead: row,
    head: row,
    end: row + 1,
    signature: line,
    parent: -1,
    body: undefined,
    isContainer: false,
  };
  return { line: row + 1, isBehind: true, sibling };
}

/** How much of a new declaration, in lines, another has that it may be the new form of, and the least that it is judged by. */
const [mostCopied, leastLines] = [0.6, 3];

/** Whether a new declaration has the lines of one that the file has: it may be that under another name. */
function isNearCopy({ index, lines }: CodePiece, { ours, theirs }: CodeLevel, { file }: CodeTarget): boolean {
  const kindOf = (key: string): string => key.slice(0, key.indexOf(':'));
  const own = ours[index] as Declaration;
  const kind = kindOf(own.key);
  const shown = new Set(ours.map(({ key }) => key));
  const known = new Set(lines.map(normalised).filter(isTelling).slice(1));
  return theirs.some((each) => {
    if (kindOf(each.key) !== kind || shown.has(each.key)) return false;
    const body = file
      .slice(each.head + 1, each.end)
      .map(normalised)
      .filter(isTelling);
    return body.length >= leastLines && body.filter((line) => known.has(line)).length >= mostCopied * body.length;
  });
}

function siblingsPlace(piece: CodePiece, level: CodeLevel, target: CodeTarget): NewPlace | undefined {
  const { theirs, scope, isMembers, ours } = level;
  const { key } = ours[piece.index] as Declaration;
  const kind = key.slice(0, key.indexOf(':') + 1);
  if (scope >= 0) return lastMember(theirs, scope, kind);
  const isExported = /^\s*(?:export|pub)\b/.test(piece.lines[0] ?? '');
  if (/^(?:value|call):/.test(key) && !isExported && isInFunction(theirs, target)) return undefined;
  const named = namedAbove(theirs, target);
  if (named !== undefined) return behind(named);
  const around = containerNear(theirs, target);
  const mayBeMember =
    isMembers ||
    isMethod(piece.lines, target.path) ||
    (around >= 0 && !tellsMethods.has(grammarFor(target.path) ?? ''));
  if (mayBeMember) {
    const containers = theirs.flatMap((each, index) =>
      each.isContainer && each.key.startsWith('type:') ? [index] : [],
    );
    const owner = around >= 0 ? around : containers.length === 1 ? (containers[0] ?? -1) : -1;
    if (owner >= 0) return lastMember(theirs, owner, kind);
    if (isMembers) return undefined;
  }
  if (key.startsWith('call:')) {
    const suites = theirs.flatMap((each, index) =>
      each.key.startsWith('call:') &&
      each.body !== undefined &&
      theirs.some(({ parent, key: inner }) => parent === index && inner.startsWith(kind))
        ? [index]
        : [],
    );
    const suite =
      around >= 0 && theirs[around]?.key.startsWith('call:')
        ? around
        : suites.length === 1 && isInner(piece.lines)
          ? suites[0]
          : undefined;
    if (suite !== undefined) return lastMember(theirs, suite, kind);
  }
  const enclosing = theirs.findLast((each) => each.parent === -1 && isNear(each, target));
  if (enclosing !== undefined) return behind(enclosing);
  return lastMember(theirs, -1, kind);
}

/** Whether the user is within a function, where a variable is a statement, and has its place among others. */
function isInFunction(theirs: readonly Declaration[], { near }: CodeTarget): boolean {
  return theirs.some(
    ({ key, head, end }) => near !== undefined && key.startsWith('function:') && head < near.first && end > near.last,
  );
}

/** The only declaration that the line above the code names, in backticks: the new one stands behind it. */
function namedAbove(theirs: readonly Declaration[], { above }: CodeTarget): Declaration | undefined {
  const names = new Set([...above.matchAll(/`([\p{L}_$][\p{L}\p{N}_$]*)(?:\(\))?`/gu)].map(([, name = '']) => name));
  const found = theirs.filter(({ key, isContainer }) => !isContainer && names.has(key.slice(key.indexOf(':') + 1)));
  return found.length === 1 ? found[0] : undefined;
}

const isInner = (lines: readonly string[]): boolean => /^\s*(?:it|test|specify)\b/.test(lines[0] ?? '');

/** The innermost type, or suite, around what is selected, or that is selected. */
function containerNear(theirs: readonly Declaration[], { near }: CodeTarget): number {
  if (near === undefined) return -1;
  const around = theirs.findLastIndex(
    ({ isContainer, body, lead, end }) =>
      isContainer && body !== undefined && lead <= near.first && end > near.last && end - lead > 1,
  );
  if (around >= 0) return around;
  const inside = theirs.flatMap(({ isContainer, lead, end, parent }, index) =>
    isContainer && lead >= near.first && end <= near.last + 1 && parent === -1 && end - lead > 1 ? [index] : [],
  );
  return inside.length === 1 ? (inside[0] ?? -1) : -1;
}

/** Whether a function takes the object that it belongs to. */
function isMethod(lines: readonly string[], path: string): boolean {
  const head = lines.find((line) => /\b(?:def|fn)\b/.test(line)) ?? '';
  return /\.(?:py|pyi|rs)$/.test(path) && /\(\s*(?:self|cls|&(?:'\w+\s+)?(?:mut\s+)?self|mut self)\b/.test(head);
}
