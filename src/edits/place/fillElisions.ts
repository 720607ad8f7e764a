import { isComment } from '../../syntax/textLines.ts';
import { diffHunks } from '../diff.ts';
import { isToDo } from './elisions.ts';
import { columnsOf, isBlank, isTelling, normalised, similarity } from './lineText.ts';
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
  const keys = lines.map((line, at) => (elisions.has(at) ? `\0${at}` : normalised(line)));
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

const telling = (lines: readonly string[]): readonly string[] => lines.filter((line) => isTelling(line) && !isComment(line));

/** Lines between two that stay, with no elision among them: they are given whole, but nothing may go without a line in its place. */
function replaceStretch(shown: readonly string[], old: readonly string[]): readonly string[] | Misplaced {
  return telling(old).length > telling(shown).length ? 'left-out' : shown;
}

/** Lines around an elision, and what the file has there. */
function fillGap(shown: readonly string[], gaps: readonly number[], old: readonly string[]): readonly string[] | Misplaced {
  const [first = 0, last = 0] = [gaps[0], gaps.at(-1)];
  const [before, between, after] = [shown.slice(0, first), shown.slice(first, last + 1), shown.slice(last + 1)];
  if (between.some((line, at) => !gaps.includes(first + at) && !isBlank(line))) return 'ambiguous';
  const [oldFirst, oldLast] = [telling(old)[0], telling(old).at(-1)];
  if (telling(before).some((line) => oldFirst !== undefined && isNewForm(line, oldFirst))) return 'ambiguous';
  const lastOwn = telling(after).at(-1);
  if (lastOwn === undefined || oldLast === undefined) return [...before, ...old, ...after];
  if (!leaves.test(oldLast)) return isNewForm(lastOwn, oldLast) ? 'ambiguous' : [...before, ...old, ...after];
  // What leaves the block stands last in it: a new such line takes the place of the old one, and nothing else may stand behind it.
  const place = old.lastIndexOf(oldLast);
  const isSole = place === old.findLastIndex((line) => !isBlank(line)) && /[;)\]}\w'"]\s*$/.test(oldLast) && isWholeLine(oldLast);
  const isSame = leaves.exec(lastOwn)?.[1] === leaves.exec(oldLast)?.[1];
  return isSole && isSame && columnsOf(lastOwn) === columnsOf(oldLast) && isWholeLine(lastOwn)
    ? [...before, ...old.slice(0, place), ...after]
    : 'ambiguous';
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
  return columnsOf(line) === columnsOf(old) && (similarity(line, old) >= maybeAlike || word(line) === word(old));
}

/**
 * Remarks that stand for lines in whatever language: each has come alone in the place of lines that the file has. One that says what is
 * to be done was asked for.
 */
export function unseenElisions(lines: readonly string[], original: readonly string[]): number[] {
  const found: number[] = [];
  let [from, own] = [0, 0];
  for (const { line, removed, inserted } of diffHunks(original.map(normalised), lines.map(normalised))) {
    own += line - from;
    const shown = lines.slice(own, own + inserted.length);
    const old = original.slice(line, line + removed.length);
    const isRemark = shown.length > 0 && shown.every((each) => isBlank(each) || (isComment(each) && !isToDo(each)));
    if (isRemark && telling(old).length > 0)
      found.push(...shown.flatMap((each, at) => (isBlank(each) ? [] : [own + at])));
    from = line + removed.length;
    own += inserted.length;
  }
  return found;
}

/**
 * Whether a new remark stands before fewer lines than the file has there: it may speak of them, or of those that are left out.
 */
export function isDoubtful(lines: readonly string[], original: readonly string[]): boolean {
  let [from, own] = [0, 0];
  for (const { line, removed, inserted } of diffHunks(original.map(normalised), lines.map(normalised))) {
    own += line - from;
    const shown = lines.slice(own, own + inserted.length);
    const old = original.slice(line, line + removed.length);
    const hasRemark = shown.some((each) => isComment(each) && !isToDo(each)) && !old.some(isComment);
    if (hasRemark && telling(old).length > telling(shown).length + 1) return true;
    from = line + removed.length;
    own += inserted.length;
  }
  return false;
}
