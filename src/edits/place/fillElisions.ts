import { isComment } from '../../syntax/textLines.ts';
import { diffHunks } from '../diff.ts';
import { isToDo } from './elisions.ts';
import { columnsOf, isBlank, isTelling, lineIndexOf, normalised, similarity, trimEnd } from './lines/lineText.ts';
import type { Misplaced } from './misplaced.ts';

/** How alike two lines are that may be one and its new form. */
const maybeAlike = 0.5;

/**
 * Puts back what an abridged text leaves out. Lines that both texts have hold it in place; between two of them an elision keeps the
 * file's lines, and what is shown beside it is added. Where that may be a new form of lines that would be kept, nothing is sure.
 * @param elisions the lines of the text that stand for others
 */
export function fillElisions(
  lines: readonly string[],
  elisions: ReadonlySet<number>,
  original: readonly string[],
): readonly string[] | Misplaced {
  if (!isHeld(lines, elisions, original)) return 'ambiguous';
  // A blank line beside an elision says nothing of where it stands.
  const isLoose = (at: number): boolean =>
    isBlank(lines[at] ?? '') && (besideElision(lines, elisions, at, 1) || besideElision(lines, elisions, at, -1));
  const keys = lines.map((line, at) => (elisions.has(at) || isLoose(at) ? `\0${at}` : normalised(line)));
  const filled: string[] = [];
  let [from, own] = [0, 0];
  for (const { line, removed, inserted } of diffHunks(original.map(normalised), keys)) {
    filled.push(...lines.slice(own, own + line - from));
    own += line - from;
    const old = original.slice(line, line + removed.length);
    const shown = lines.slice(own, own + inserted.length);
    const gaps = shown.flatMap((_, at) => (elisions.has(own + at) ? [at] : []));
    const part = gaps.length === 0 ? replaceStretch(shown, old) : fillGap(shown, gaps, old);
    if (typeof part === 'string') return part;
    filled.push(...part);
    from = line + removed.length;
    own += inserted.length;
  }
  return [...filled, ...lines.slice(own)];
}

function besideElision(lines: readonly string[], elisions: ReadonlySet<number>, from: number, by: 1 | -1): boolean {
  let at = from;
  while (at >= 0 && at < lines.length && isBlank(lines[at] ?? '')) at += by;
  return elisions.has(at);
}

/** Whether what stands between two elisions, or outside of them where the text begins or ends with one, has a line that tells where. */
function isHeld(lines: readonly string[], elisions: ReadonlySet<number>, original: readonly string[]): boolean {
  const { placesOf } = lineIndexOf(original);
  const borders = [...elisions].sort((a, b) => a - b);
  return borders.every((from, at) => {
    const to = borders[at + 1];
    const isEnd = to === undefined || (at === 0 && from === 0);
    const inner = lines.slice(from + 1, to).filter(isTelling);
    if (inner.length === 0 || (to === undefined && from > 0 && borders[0] !== 0)) return true;
    if (to === undefined && !isEnd) return true;
    return inner.some((line) => placesOf(normalised(line)).length === 1);
  });
}

const telling = (lines: readonly string[]): readonly string[] =>
  lines.filter((line) => isTelling(line) && !isComment(line));

/** Lines between two that stay, with no elision among them: they are given whole, but nothing may go without a line in its place. */
function replaceStretch(shown: readonly string[], old: readonly string[]): readonly string[] | Misplaced {
  return haveCounterparts(old, shown) ? shown : 'left-out';
}

/** Whether each telling line that goes has one of its own that may be its new form. */
export function haveCounterparts(old: readonly string[], shown: readonly string[]): boolean {
  const left = [...telling(shown)];
  return telling(old).every((line) => {
    const at = left.findIndex((each) => isNewForm(each, line));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

/** Whether a text without declarations is another one anew: nothing goes without a line in its place. */
export function keepsCounterparts(lines: readonly string[], original: readonly string[]): boolean {
  return diffHunks(original.map(normalised), lines.map(normalised)).every(({ line, removed, inserted }) =>
    haveCounterparts(original.slice(line, line + removed.length), inserted),
  );
}

/** Lines around an elision, and what the file has there. */
function fillGap(
  shown: readonly string[],
  gaps: readonly number[],
  old: readonly string[],
): readonly string[] | Misplaced {
  const [first = 0, last = 0] = [gaps[0], gaps.at(-1)];
  const between = shown.slice(first, last + 1);
  const before = trimEnd(shown.slice(0, first));
  const after = trimEnd(shown.slice(last + 1).toReversed()).toReversed();
  if (between.some((line, at) => !gaps.includes(first + at) && !isBlank(line))) return 'ambiguous';
  const [oldFirst, oldLast] = [telling(old)[0], telling(old).at(-1)];
  const gapAbove = before.length > 0 && isBlank(shown[first - 1] ?? 'x') && !isBlank(old[0] ?? '') ? [''] : [];
  const gapBelow = after.length > 0 && isBlank(shown[last + 1] ?? 'x') && !isBlank(old.at(-1) ?? '') ? [''] : [];
  if (telling(before).some((line) => oldFirst !== undefined && isNewForm(line, oldFirst))) return 'ambiguous';
  const lastOwn = telling(after).at(-1);
  if (lastOwn === undefined || oldLast === undefined) return [...before, ...gapAbove, ...old, ...gapBelow, ...after];
  if (!leaves.test(oldLast))
    return isNewForm(lastOwn, oldLast) ? 'ambiguous' : [...before, ...gapAbove, ...old, ...gapBelow, ...after];
  // What leaves the block stands last in it: a new such line takes the place of the old one, and nothing else may stand behind it.
  const place = old.lastIndexOf(oldLast);
  const isSole =
    place === old.findLastIndex((line) => !isBlank(line)) && /[;)\]}\w'"]\s*$/.test(oldLast) && isWholeLine(oldLast);
  const isSame = leaves.exec(lastOwn)?.[1] === leaves.exec(oldLast)?.[1];
  return isSole && isSame && columnsOf(lastOwn) === columnsOf(oldLast) && isWholeLine(lastOwn)
    ? [...before, ...gapAbove, ...withGap(old.slice(0, place), gapBelow), ...after]
    : 'ambiguous';
}

/** Lines with a blank one at their end, where they have none. */
function withGap(lines: readonly string[], gap: readonly string[]): readonly string[] {
  return isBlank(lines.at(-1) ?? '') ? lines : [...lines, ...gap];
}

const leaves = /^\s*(return|throw|raise|break|continue|exit|die)\b/;

/** Whether a statement ends in the line in which it begins. */
function isWholeLine(line: string): boolean {
  const count = (signs: RegExp): number => line.match(signs)?.length ?? 0;
  return count(/[([{]/g) === count(/[)\]}]/g);
}

/** Whether a line may be what became of another: it says much of the same, or begins with the same word. */
function isNewForm(line: string, old: string): boolean {
  const word = (text: string): string => /[\p{L}_$][\p{L}\p{N}_$]*/u.exec(text)?.[0] ?? '';
  return similarity(line, old) >= maybeAlike || word(line) === word(old);
}

/**
 * Whether a new remark stands in the place of lines that the file has, alone or with fewer others: it may speak of what the code does,
 * or stand for what is left out. One that says what is to be done was asked for.
 */
export function isDoubtful(lines: readonly string[], original: readonly string[]): boolean {
  let [from, own] = [0, 0];
  for (const { line, removed, inserted } of diffHunks(original.map(normalised), lines.map(normalised))) {
    own += line - from;
    const shown = lines.slice(own, own + inserted.length);
    const old = original.slice(line, line + removed.length);
    const hasRemark = shown.some((each) => isComment(each) && !isToDo(each)) && !old.some(isComment);
    const fresh = telling(shown).length;
    if (hasRemark && (fresh === 0 ? telling(old).length > 0 : telling(old).length > fresh + 1)) return true;
    from = line + removed.length;
    own += inserted.length;
  }
  return false;
}
