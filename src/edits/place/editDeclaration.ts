import type { Declaration } from '../../syntax/declaration.ts';
import { isComment, isRemark } from '../../syntax/textLines.ts';
import type { CodePiece } from './codePieces.ts';
import { type CodeTarget, isAskedAbout, missingIn, within } from './codeTarget.ts';
import { findElisions } from './elisions.ts';
import { fitIndentation } from './lines/fitText.ts';
import type { NamedEdit } from './lines/lineEdit.ts';
import { isBlank, isTelling, normalised, trimEnd } from './lines/lineText.ts';
import type { Misplaced } from './misplaced.ts';
import { newForm } from './newForm.ts';

/** A level of the code, and that of the file in which it is placed. */
export interface CodeLevel {
  readonly code: readonly string[];
  /** All declarations of the code, and those of the file. */
  readonly ours: readonly Declaration[];
  readonly theirs: readonly Declaration[];
  /** Whether the code is members of a type without it. */
  readonly isMembers: boolean;
  /** The lines of the level in the code. */
  readonly range: { readonly first: number; readonly end: number };
  /** The declaration of the code whose members these are, and that of the file; -1 for a file's own. */
  readonly parent: number;
  readonly scope: number;
}

/** Places the code of a level. */
export type PlaceLevel = (level: CodeLevel, target: CodeTarget) => readonly NamedEdit[] | Misplaced;

/**
 * The edits that give a declaration of the file its new form: all of it where it is given whole, else member by member.
 * @param place the declaration of the file, in the level's
 */
export function editDeclaration(
  { lines, index }: CodePiece,
  place: number,
  level: CodeLevel,
  target: CodeTarget,
  placeMembers: PlaceLevel,
): readonly NamedEdit[] | Misplaced {
  const [own, old] = [level.ours[index] as Declaration, level.theirs[place] as Declaration];
  const written = lines.slice(Math.max(0, lines.length - (own.end - own.head)));
  const inFile = target.file.slice(old.head, old.end);
  if (isStub(written, inFile)) return [];
  const lead = lines.slice(0, lines.length - written.length);
  const first = old.lead + leadStart(lead, target.file.slice(old.lead, old.head));
  const isElided = findElisions(written, inFile).length > 0;
  if (!isElided && isHeadAlone(written, inFile)) return 'left-out';
  const missing = missingIn(within(level.theirs, place), within(level.ours, index));
  const isShort = missing.length > 0 || hasStubs(index, place, level, target);
  if (missing.some((each) => isAskedAbout(target.instruction, each)) && !isElided) return 'left-out';
  if (missing.length > 0 && !isElided && isRule(missing, target.path)) return 'left-out';
  if (missing.length > 0 && keywordOf(own) !== keywordOf(old)) return 'left-out';
  if (isShort || (isElided && old.isContainer && own.isContainer && hasMembers(level.theirs, place))) {
    if (!old.isContainer || !own.isContainer)
      return isElided ? fill(lead, written, first, own, old, target) : 'left-out';
    const inner = placeMembers({ ...level, range: own.body ?? noLines, parent: index, scope: place }, target);
    return own.body === undefined || typeof inner === 'string'
      ? inner
      : withHead(inner, lead, first, own, old, level, target);
  }
  return fill(lead, written, first, own, old, target);
}

/** Whether members are shown without their bodies, which the file has. */
function hasStubs(index: number, place: number, { code, ours, theirs }: CodeLevel, { file }: CodeTarget): boolean {
  return ours.some((each) => {
    if (each.parent !== index) return false;
    const old = theirs.find(({ parent, key }) => parent === place && key === each.key);
    return old !== undefined && isStub(code.slice(each.head, each.end), file.slice(old.head, old.end));
  });
}

/** Whether what is missing are properties of a rule of CSS, of which a part and all of it look alike. */
function isRule(missing: readonly Declaration[], path: string): boolean {
  return /\.(?:css|scss|less)$/.test(path) && missing.every(({ key }) => key.startsWith('value:'));
}

/** The word that says what a type is: a class that becomes a record has no members in common with it. */
function keywordOf({ signature }: Declaration): string {
  return /\b(?:class|interface|struct|enum|record|trait|object|union|protocol)\b/.exec(signature)?.[0] ?? '';
}

function hasMembers(all: readonly Declaration[], parent: number): boolean {
  return all.some((each) => each.parent === parent);
}

/** The whole declaration in its new form, what is left out put back. */
function fill(
  lead: readonly string[],
  written: readonly string[],
  first: number,
  own: Declaration,
  { head, end, body }: Declaration,
  { file, path }: CodeTarget,
): readonly NamedEdit[] | Misplaced {
  const from = lead.length === 0 ? head : first;
  const text = /\.json[c5]?$/.test(path) ? withComma(written, file.slice(head, end)) : written;
  const heads =
    own.body === undefined || body === undefined
      ? undefined
      : { own: lead.length + own.body.first - own.head, old: body.first - from };
  const fresh = newForm([...lead, ...text], file.slice(from, end), heads);
  return typeof fresh === 'string' ? fresh : [{ line: from, removed: end - from, inserted: fresh, by: 'declaration' }];
}

const stubbed = /(?:\{\s*(?:\/\*.*\*\/|\/\/.*|#.*|\.{3}|…)\s*\}|:\s*(?:\.{3}|…))\s*(?:(?:#|\/\/).*)?$/;

/** Whether a body is left out in a line: `{ /* unchanged *\/ }`, or Python's `...` where the file has more. */
function isStub(written: readonly string[], old: readonly string[]): boolean {
  return written.length === 1 && old.length > 1 && stubbed.test(written[0] ?? '');
}

/** Whether nothing but the line that names a declaration is given, of one with a body: it is not whole. */
function isHeadAlone(written: readonly string[], old: readonly string[]): boolean {
  const said = (lines: readonly string[]): number => lines.filter((line) => isTelling(line) && !isComment(line)).length;
  return said(written) === 1 && said(old) > 1 && /(?:[:{(]|=>|=|\bdo)\s*$/.test(written.find(isTelling) ?? '');
}

/** A property of JSON is given with or without the comma behind it; the file's counts. */
function withComma(written: readonly string[], old: readonly string[]): readonly string[] {
  const bare = (written.at(-1) ?? '').replace(/,\s*$/, '');
  return [...written.slice(0, -1), /,\s*$/.test(old.at(-1) ?? '') ? `${bare},` : bare];
}

/** Which of the file's leading lines stay: comments where only decorators are written, and the other way round. */
function leadStart(written: readonly string[], inFile: readonly string[]): number {
  if (written.length === 0) return inFile.length;
  if (!written.some(isComment) && inFile.some(isComment)) {
    const decorator = inFile.findIndex((line) => isRemark(line) && !isComment(line));
    return decorator < 0 ? inFile.length : decorator;
  }
  return 0;
}

const noLines = { first: 0, end: 0 };

/** Edits of members with that of the lines above them, which are given whole. */
function withHead(
  inner: readonly NamedEdit[],
  lead: readonly string[],
  first: number,
  own: Declaration,
  old: Declaration,
  { code }: CodeLevel,
  { file }: CodeTarget,
): readonly NamedEdit[] | Misplaced {
  if (own.body === undefined || old.body === undefined) return 'left-out';
  const shown = code.slice(own.head, own.body.first);
  const elisions = new Set(findElisions(shown, file));
  const head = trimEnd(shown.filter((_, at) => !elisions.has(at)));
  const oldHead = trimEnd(file.slice(old.head, old.body.first));
  if (lead.length === 0 && isSame(head, oldHead)) return inner;
  const from = lead.length === 0 ? old.head : first;
  const fresh = fitIndentation([...lead, ...head], oldHead);
  return [{ line: from, removed: old.head + oldHead.length - from, inserted: fresh, by: 'declaration' }, ...inner];
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  const said = (lines: readonly string[]): string =>
    lines
      .filter((line) => !isBlank(line))
      .map(normalised)
      .join('\n');
  return said(a) === said(b);
}
