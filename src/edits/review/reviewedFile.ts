import { diffHunks } from '../diff.ts';
import { editsOf, type LineEdit } from '../place/lines/lineEdit.ts';
import { refineEdits } from '../refineEdits.ts';
import { areLines, mergeLines } from './mergeLines.ts';

export type HunkState = 'pending' | 'accepted' | 'rejected';

/** One change of a file, to be decided on by itself. It stands for lines of the file, which move as the file is typed in. */
export interface ReviewHunk {
  /** Of this hunk alone in its file, for as long as the file is under review. */
  readonly id: number;
  /** The set of changes that it is of, by its id. */
  readonly set: string;
  readonly state: HunkState;
  /** Where its lines begin in the file as it is now, from 0. */
  readonly line: number;
  /** How many they are: those that it removes, or, once it is accepted, those that it brought. None are a place between lines. */
  readonly count: number;
  /** The lines that it was made for, and what it makes of them. */
  readonly base: readonly string[];
  readonly proposed: readonly string[];
  /** What it makes of the lines that stand there now; undefined where what was typed there contradicts it. */
  readonly merged: readonly string[] | undefined;
  /** Of an accepted one: the lines that were there before. */
  readonly before?: readonly string[];
  /** Of one that only inserts: the line above and the line below, of those that there were. They say where it belongs. */
  readonly beside?: Beside;
  /** The titles of the sets whose pending changes it took the place of. */
  readonly replaces?: readonly string[];
  /** Of one that is no change of lines. That of a file that is deleted has all lines; that of one that is renamed has none. */
  readonly whole?: WholeChange;
}

/** What is done to a file as a whole. Addresses are those of the file before and after it is renamed. */
export type WholeChange =
  | { readonly kind: 'delete' }
  | { readonly kind: 'rename'; readonly from: string; readonly to: string };

export interface Beside {
  readonly above: readonly string[];
  readonly below: readonly string[];
}

/** A file with what is proposed for it. Nothing proposed is in its lines before it is accepted. */
export interface ReviewedFile {
  /** As they are now, without their endings. */
  readonly lines: readonly string[];
  /** In the order of their lines. */
  readonly hunks: readonly ReviewHunk[];
}

/**
 * A review of edits that do not overlap; each run of lines that changes is a hunk of its own.
 * @param set that they are of, by its id
 */
export function reviewFile(lines: readonly string[], edits: readonly LineEdit[], set = ''): ReviewedFile {
  return { lines, hunks: refineEdits(lines, edits).map((edit, id) => newHunk(lines, edit, id, set)) };
}

/** An edit as a hunk that waits for a decision. */
export function newHunk(lines: readonly string[], edit: LineEdit, id: number, set: string): ReviewHunk {
  const { line, removed, inserted } = edit;
  const base = lines.slice(line, line + removed);
  const beside = removed === 0 ? { beside: linesBeside(lines, line) } : {};
  return { id, set, state: 'pending', line, count: removed, base, proposed: inserted, merged: inserted, ...beside };
}

export function pendingHunks({ hunks }: ReviewedFile): ReviewHunk[] {
  return hunks.filter(isPending);
}

/** The same review after lines of the file were changed, by whomever. */
export function followEdit(file: ReviewedFile, edit: LineEdit): ReviewedFile {
  return followEdits(file, [edit]);
}

/** The same review of a file that was written anew, by a program or by undo. */
export function followText(file: ReviewedFile, lines: readonly string[]): ReviewedFile {
  // From the bottom to the top each edit finds its lines where the old text had them.
  return followEdits(file, editsOf(diffHunks(file.lines, lines)).reverse());
}

/**
 * The review after undo, or redo: as it was when the file had these lines, but nothing that the user rejected is back, and what was
 * proposed since is there still.
 * @param states that it was in before and after each decision
 */
export function followUndo(
  file: ReviewedFile,
  lines: readonly string[],
  states: readonly ReviewedFile[],
): ReviewedFile {
  const known = states.findLast((state) => areLines(state.lines, lines));
  if (known === undefined) return followText(file, lines);
  const ids = new Set(known.hunks.map(({ id }) => id));
  const isNewer = ({ id }: ReviewHunk): boolean => !ids.has(id);
  const newer = file.hunks.some(isNewer) ? followText(file, lines).hunks.filter(isNewer) : [];
  const rejected = file.hunks.filter(({ state }) => state === 'rejected').map(({ id }) => id);
  return rejectHunks(addHunks(known, newer, file), new Set(rejected));
}

/** The review with further hunks of the same lines, which stay where the two meet. @param order a review that has them in order */
function addHunks(file: ReviewedFile, added: readonly ReviewHunk[], order: ReviewedFile): ReviewedFile {
  const places = new Map(order.hunks.map(({ id }, at) => [id, at]));
  const placeOf = ({ id }: ReviewHunk): number => places.get(id) ?? -1;
  const hunks = [...file.hunks];
  for (const hunk of added) {
    const met = { line: hunk.line, removed: hunk.count, inserted: [] };
    for (const old of hunks.filter((each) => isTouched(each, met))) hunks.splice(hunks.indexOf(old), 1);
    const isLater = (each: ReviewHunk): boolean =>
      each.line + each.count > hunk.line || (each.line === hunk.line && placeOf(each) > placeOf(hunk));
    const at = hunks.findIndex(isLater);
    hunks.splice(at < 0 ? hunks.length : at, 0, hunk);
  }
  return { ...file, hunks };
}

/** The review without the hunks of a set, whose lines are the user's own from now on. */
export function withoutSet(file: ReviewedFile, set: string): ReviewedFile {
  return file.hunks.some((hunk) => hunk.set === set)
    ? { ...file, hunks: file.hunks.filter((hunk) => hunk.set !== set) }
    : file;
}

/** @param edits each for the text that those before it have left */
function followEdits(file: ReviewedFile, edits: readonly LineEdit[]): ReviewedFile {
  const lines = [...file.lines];
  let { hunks } = file;
  for (const edit of edits) {
    const { line, removed, inserted } = edit;
    if (removed === 0 && inserted.length === 0) continue;
    const touched = hunks.filter((hunk) => hunk.whole === undefined && isTouched(hunk, edit));
    const joined = joinHunks(touched.filter(isPending), lines, edit);
    replaceLines(lines, edit);
    // Lines that are written where a hunk begins come before it, unless they are those that stood below it or a later one there.
    const back = hunks.findLastIndex((hunk) => bringsBack(edit, hunk));
    hunks = hunks.flatMap((hunk, at) => {
      if (hunk === joined?.of) return [settle(joined.hunk, lines)];
      // What was decided on before is the user's own text by now.
      if (touched.includes(hunk)) return [];
      const isAbove = hunk.whole === undefined && line + removed <= hunk.line && at > back;
      return [isAbove ? { ...hunk, line: hunk.line + inserted.length - removed } : hunk];
    });
  }
  return { lines, hunks: hunks.map((hunk) => place(hunk, lines)) };
}

function linesBeside(lines: readonly string[], line: number): Beside {
  return { above: lines.slice(Math.max(0, line - 1), line), below: lines.slice(line, line + 1) };
}

const isInsertion = ({ state, base, count }: ReviewHunk): boolean =>
  state === 'pending' && base.length === 0 && count === 0;

/** Finds out whether an insertion has a place still: it has none once the lines on either side are gone. */
function place(hunk: ReviewHunk, lines: readonly string[]): ReviewHunk {
  const { beside, proposed, merged, whole, base } = hunk;
  // What was typed into a file that is to be deleted would be lost.
  if (whole?.kind === 'delete' && isPending(hunk))
    return { ...hunk, count: lines.length, merged: areLines(lines, base) ? [] : undefined };
  if (beside === undefined || !isInsertion(hunk)) return hunk;
  const now = linesBeside(lines, hunk.line);
  const isThere = areLines(now.above, beside.above) || areLines(now.below, beside.below);
  return isThere === (merged !== undefined) ? hunk : { ...hunk, merged: isThere ? proposed : undefined };
}

/** Whether an edit writes the line again that was below an insertion without a place. */
function bringsBack({ line, removed, inserted }: LineEdit, hunk: ReviewHunk): boolean {
  const { below = [] } = hunk.beside ?? {};
  const isLost = isInsertion(hunk) && hunk.merged === undefined && below.length > 0;
  return isLost && removed === 0 && line === hunk.line && inserted[0] === below[0];
}

/** Changes lines where they are. Long runs are not passed as arguments: they would not fit on the stack. */
function replaceLines(lines: string[], { line, removed, inserted }: LineEdit): void {
  if (inserted.length < 1_000) {
    lines.splice(line, removed, ...inserted);
    return;
  }
  const below = lines.splice(line).slice(removed);
  for (const each of inserted) lines.push(each);
  for (const each of below) lines.push(each);
}

export const isPending = ({ state }: ReviewHunk): boolean => state === 'pending';

/** Whether an edit takes lines of a hunk away, or writes between two of them. */
export function isTouched({ line, count }: Pick<ReviewHunk, 'line' | 'count'>, edit: LineEdit): boolean {
  return edit.line + edit.removed > line && edit.line < line + count;
}

/** The hunks that one edit touches, as one hunk, with all lines that the edit takes away. */
function joinHunks(touched: readonly ReviewHunk[], lines: readonly string[], edit: LineEdit) {
  const [of] = touched;
  const last = touched.at(-1);
  if (of === undefined || last === undefined) return undefined;
  const top = Math.min(of.line, edit.line);
  const bottom = Math.max(last.line + last.count, edit.line + edit.removed);
  const base: (readonly string[])[] = [];
  const proposed: (readonly string[])[] = [];
  let at = top;
  for (const hunk of touched) {
    const between = lines.slice(at, hunk.line);
    base.push(between, hunk.base);
    proposed.push(between, hunk.proposed);
    at = hunk.line + hunk.count;
  }
  const below = lines.slice(at, bottom);
  const count = bottom - top + edit.inserted.length - edit.removed;
  const hunk = { ...of, line: top, count, base: [...base, below].flat(), proposed: [...proposed, below].flat() };
  return { of, hunk };
}

/** Finds out what a hunk makes of the lines that stand there now. One that has become what is there is accepted. */
function settle(hunk: ReviewHunk, lines: readonly string[]): ReviewHunk {
  const now = lines.slice(hunk.line, hunk.line + hunk.count);
  const merged = mergeLines(hunk.base, now, hunk.proposed);
  if (merged !== undefined && areLines(merged, now)) return { ...hunk, state: 'accepted', merged, before: hunk.base };
  return { ...hunk, merged };
}

/** The review with a change of the file as a whole. That of deleting it takes the place of all that is pending. */
export function addWhole(file: ReviewedFile, whole: WholeChange, id: number, set: string) {
  const isDeleted = whole.kind === 'delete';
  const isReplaced = (hunk: ReviewHunk): boolean => isPending(hunk) && (isDeleted || hunk.whole?.kind === 'rename');
  const base = isDeleted ? file.lines : [];
  const hunk: ReviewHunk = { ...newHunk(base, { line: 0, removed: base.length, inserted: [] }, id, set), whole };
  const kept = file.hunks.filter((each) => !isReplaced(each) && !isDeleted);
  return { file: { ...file, hunks: [hunk, ...kept] }, replaced: file.hunks.filter(isReplaced) };
}

/** Whether the user has accepted that the file is deleted. */
export function isDeleted({ hunks }: ReviewedFile): boolean {
  return hunks.some(({ whole, state }) => whole?.kind === 'delete' && state === 'accepted');
}

/** Where the file is to be, by what is pending; undefined where it stays. */
export function renamedTo({ hunks }: ReviewedFile): string | undefined {
  const whole = hunks.find((hunk) => isPending(hunk) && hunk.whole?.kind === 'rename')?.whole;
  return whole?.kind === 'rename' ? whole.to : undefined;
}

/** The lines that stand where a hunk is. */
export function linesOf(hunk: ReviewHunk, { lines }: ReviewedFile): readonly string[] {
  return lines.slice(hunk.line, hunk.line + hunk.count);
}

/** Rejects pending hunks, which changes nothing in the file. */
export function rejectHunks(file: ReviewedFile, ids: ReadonlySet<number>): ReviewedFile {
  const reject = (hunk: ReviewHunk): ReviewHunk =>
    ids.has(hunk.id) && hunk.state === 'pending' ? { ...hunk, state: 'rejected' } : hunk;
  return { ...file, hunks: file.hunks.map(reject) };
}
