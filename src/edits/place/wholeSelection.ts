import type { LineRange } from '../../base/lines.ts';
import type { Declaration } from '../../syntax/declaration.ts';
import { type CodeTarget, isAskedAbout, missingIn } from './codeTarget.ts';
import { isBlank, isTelling, normalised, similarity } from './lines/lineText.ts';

/** How many of the names in a selection its new form has, at least, and how alike the first lines of both are. */
const [leastNames, alike] = [0.4, 0.5];
/** The same of a much shorter form. */
const mostNames = 0.6;
/** How many lines the new form of a selection has, of those that it had, where it does not begin and end alike. */
const leastLength = 0.5;

/**
 * Whether lines are evidently all of a selection anew, as was asked for: they declare what it declares, or what goes was asked about;
 * or they are as many lines that pair off; or, where it declares nothing, they begin where it begins and speak of the same things.
 */
export function isWholeSelection(selection: LineRange, written: readonly string[], target: CodeTarget): boolean {
  const { file, path, syntax, instruction } = target;
  const selected = file.slice(selection.first, selection.last + 1);
  const [old, own] = [textOf(selected), textOf(written)];
  if (own.length < 2) return old.length < 2;
  if (isRenaming(old, own)) return true;
  const theirs = declaredIn(selection, syntax.file(file, path).declarations).filter(isLasting);
  const ours = syntax.piece(written, path).declarations.filter(isLasting);
  const names = new Set(ours.filter(({ parent }) => parent === -1).map(lastName));
  const keys = new Set(ours.map(({ key }) => key));
  const isElsewhere = (each: Declaration): boolean =>
    each.parent === -1 && !keys.has(each.key) && names.has(lastName(each));
  const isFramed = old[0] === own[0] && old.at(-1) === own.at(-1);
  const missing = missingIn(theirs, ours).filter(
    (each) => !isElsewhere(each) && !(isFramed && keys.has(each.key)) && !isProperty(each, theirs, ours, path),
  );
  if (missing.length > 0 && isRemovalAsked(instruction, missing, theirs, ours)) return true;
  const gone = missing.filter(({ parent }) => !missing.includes(theirs[parent] as Declaration));
  const tops = (all: readonly Declaration[]): number => all.filter(({ parent }) => parent === -1).length;
  if (missing.length > 0)
    return (
      gone.every(({ key }) => !keys.has(key)) &&
      isRenamed(gone.length, tops(theirs), tops(ours)) &&
      gone.every(({ head, end }) => isMostlySame(textOf(file.slice(head, end)), own))
    );
  if (theirs.length > 0 || old.length < 2) return true;
  const isShort = own.length < leastLength * old.length;
  if (isPart(old, own)) return false;
  const share = shareOfNames(old, own);
  return startsAlike(old, own) || (isShort ? share >= mostNames && isFresh(old, own) : share >= leastNames);
}

/** Whether what is missing is a property of a rule of CSS that is given with most of its properties. */
function isProperty(
  each: Declaration,
  theirs: readonly Declaration[],
  ours: readonly Declaration[],
  path: string,
): boolean {
  const rule = theirs[each.parent];
  if (rule === undefined || !each.key.startsWith('value:') || !/\.(?:css|scss|less)$/.test(path)) return false;
  const shown = ours.findIndex(({ key }) => key === rule.key);
  const count = (all: readonly Declaration[], parent: number): number =>
    all.filter((one) => one.parent === parent).length;
  return shown >= 0 && count(ours, shown) >= 0.5 * count(theirs, each.parent);
}

/** How many pairs of lines are compared at most; of a longer selection it is asked. */
const mostPairs = 250_000;

/** Whether no line is a new form of an old one: the same is said in another way, and not some lines of it. */
function isFresh(old: readonly string[], own: readonly string[]): boolean {
  if (old.length * own.length > mostPairs) return false;
  return own.filter(isTelling).every((line) => old.every((each) => similarity(each, line) < 0.6));
}

/** The declarations of a file that stand in a range of lines as a whole, as those of a text of their own. */
function declaredIn({ first, last }: LineRange, all: readonly Declaration[]): Declaration[] {
  const inside = all.flatMap(({ head, end }, index) => (head >= first && end <= last + 1 ? [index] : []));
  const places = new Map(inside.map((index, at) => [index, at]));
  return inside.map((index) => {
    const each = all[index] as Declaration;
    return { ...each, parent: places.get(each.parent) ?? -1 };
  });
}

/** Words that ask for something to go, in the languages of those who ask. */
const removes =
  /\b(?:remov|delet|drop|get rid|entfern|l[öo]sch|supprim|enl[eè]v|retir|elimin|borr[ae]|quit[ae]|apag|exclu|verwijder|usu[nń])|удал|убер|убрать|删除|移除|去掉|刪除|削除|消し|取り除|삭제|제거/iu;

/** Whether the user asked for just these declarations to go: they are named, none of those that stay is, and nothing is new. */
function isRemovalAsked(
  instruction: string,
  missing: readonly Declaration[],
  theirs: readonly Declaration[],
  ours: readonly Declaration[],
): boolean {
  const known = new Set(theirs.map(({ key }) => key));
  return (
    removes.test(instruction) &&
    missing.every((each) => isAskedAbout(instruction, each)) &&
    ours.every((each) => known.has(each.key) && !isAskedAbout(instruction, each))
  );
}

/** The name of a declaration without what it belongs to: `module.exports.total` declares `total`. */
const lastName = ({ key }: Declaration): string => key.slice(Math.max(key.lastIndexOf(':'), key.lastIndexOf('.')) + 1);

const textOf = (lines: readonly string[]): string[] => lines.filter((line) => !isBlank(line)).map(normalised);

/** Items of a list come and go with what is around them. */
function isLasting({ key }: Declaration): boolean {
  return !key.startsWith('item:');
}

const isRenamed = (missing: number, theirs: number, ours: number): boolean => missing === 1 && theirs === ours;

/** Whether most lines of one text are in the other as they are. */
function isMostlySame(old: readonly string[], own: readonly string[]): boolean {
  const known = new Set(own);
  const body = old.slice(1).filter(isTelling);
  return body.length > 0 && body.filter((line) => known.has(line)).length >= 0.6 * body.length;
}

/** Whether lines are the same but for names, each of which has become another throughout. */
function isRenaming(old: readonly string[], own: readonly string[]): boolean {
  if (old.length !== own.length) return false;
  const tokens = (line: string): string[] => line.match(/[\p{L}_$][\p{L}\p{N}_$]*|\s+|[^\s]/gu) ?? [];
  const renamed = new Map<string, string>();
  return old.every((line, at) => {
    const [from, to] = [tokens(line), tokens(own[at] ?? '')];
    return (
      from.length === to.length &&
      from.every((token, index) => {
        const next = to[index] ?? '';
        if (token === next && !renamed.has(token)) return true;
        if (!/^[\p{L}_$]/u.test(token) || !/^[\p{L}_$]/u.test(next)) return false;
        const known = renamed.get(token) ?? next;
        renamed.set(token, next);
        return known === next;
      })
    );
  });
}

function startsAlike(old: readonly string[], own: readonly string[]): boolean {
  return similarity(old[0] ?? '', own[0] ?? '') >= alike && old.at(-1) === own.at(-1);
}

/** Whether lines are from the middle of others: the first, or the last, of them is one that stands further in. */
function isPart(old: readonly string[], own: readonly string[]): boolean {
  const known = new Set(old);
  const isKnown = (line: string): boolean => isTelling(line) && known.has(line);
  const [first, last] = [own.findIndex(isKnown), own.findLastIndex(isKnown)];
  if (first < 0) return false;
  const [from, to] = [old.indexOf(own[first] ?? ''), old.lastIndexOf(own[last] ?? '')];
  const count = (lines: readonly string[]): number => lines.filter(isTelling).length;
  const above = count(old.slice(0, from)) - count(own.slice(0, first));
  const below = count(old.slice(to + 1)) - count(own.slice(last + 1));
  return above > 1 || below > 1;
}

function shareOfNames(old: readonly string[], own: readonly string[]): number {
  const names = (lines: readonly string[]): Set<string> =>
    new Set(lines.join('\n').match(/[\p{L}_$][\p{L}\p{N}_$]+/gu) ?? []);
  const [all, shown] = [names(old), names(own)];
  return [...all].filter((name) => shown.has(name)).length / Math.max(1, all.size);
}

/** Files in which a line is a key with its value. */
const data =
  /\.(?:json[c5]?|ya?ml|toml|ini|cfg|conf|properties|env|service|editorconfig)$|(?:^|\/)\.(?:env|npmrc|editorconfig)\b/i;

/** The only line of a selection that a single written one is a new form of: one with its key in data, else one that is nearly the same. */
export function lineMeant(selected: readonly string[], line: string, path: string): LineRange | undefined {
  const key = data.test(path) ? keyOf(line) : undefined;
  const same = selected.flatMap((each, at) => (key !== undefined && keyOf(each) === key ? [at] : []));
  if (same.length === 1) return { first: same[0] ?? 0, last: same[0] ?? 0 };
  if (same.length > 1) return undefined;
  const scored = selected
    .flatMap((each, at) => (isBlank(each) ? [] : [{ at, score: similarity(each, line) }]))
    .sort((a, b) => b.score - a.score);
  const [best, next] = scored;
  const isSure = best !== undefined && best.score >= 0.7 && best.score - (next?.score ?? 0) >= 0.15;
  return isSure ? { first: best.at, last: best.at } : undefined;
}

/** What a line gives a value to: a key of data, a variable. */
function keyOf(line: string): string | undefined {
  return /^\s*(?:(?:export|const|let|var|val|final|static|private|public|protected|readonly)\s+)*["']?([\p{L}_$][\p{L}\p{N}_$.-]*)["']?\s*(?::|=(?![=>]))/u.exec(
    line,
  )?.[1];
}
