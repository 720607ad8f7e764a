import { applyLineEdits, type LineEdit } from '../place/lines/lineEdit.ts';
import { areLines } from './mergeLines.ts';
import { linesOf, type ReviewedFile, type ReviewHunk } from './reviewedFile.ts';

/** A decision: how the file is to be changed, and the review once that is done. */
export interface Decision {
  readonly edits: readonly LineEdit[];
  readonly next: ReviewedFile;
}

/** Accepts pending hunks. One that contradicts what was typed stays as it is. */
export function acceptHunks(file: ReviewedFile, ids: ReadonlySet<number>): Decision {
  return replaceEach(file, (hunk) => {
    if (!ids.has(hunk.id) || hunk.state !== 'pending' || hunk.merged === undefined) return undefined;
    // It changes the file, and no line of it.
    if (hunk.whole !== undefined) return { lines: linesOf(hunk, file), hunk: { ...hunk, state: 'accepted' } };
    return { lines: hunk.merged, hunk: { ...hunk, state: 'accepted', before: linesOf(hunk, file) } };
  });
}

/** Takes a decision back: the hunks are pending again. Lines that were changed since they were accepted stay as they are. */
export function reopenHunks(file: ReviewedFile, ids: ReadonlySet<number>): Decision {
  return replaceEach(file, (hunk) => {
    if (!ids.has(hunk.id) || hunk.state === 'pending') return undefined;
    const { before, ...rest } = hunk;
    const now = linesOf(hunk, file);
    if (hunk.whole !== undefined) return { lines: now, hunk: { ...rest, state: 'pending', merged: [] } };
    if (hunk.state === 'rejected') return { lines: now, hunk: { ...rest, state: 'pending' } };
    if (before === undefined || hunk.merged === undefined || !areLines(now, hunk.merged)) return undefined;
    return { lines: before, hunk: { ...rest, state: 'pending' } };
  });
}

/** The new lines of a hunk, and what it is then. */
interface Replacement {
  readonly lines: readonly string[];
  readonly hunk: ReviewHunk;
}

/** @param replace undefined for a hunk that stays as it is */
function replaceEach(file: ReviewedFile, replace: (hunk: ReviewHunk) => Replacement | undefined): Decision {
  const edits: LineEdit[] = [];
  let added = 0;
  const hunks = withText(file, file.hunks.map(replace)).map((replaced, at) => {
    const old = file.hunks[at] as ReviewHunk;
    const line = old.line + added;
    if (replaced === undefined) return { ...old, line };
    const { lines, hunk } = replaced;
    if (!areLines(lines, linesOf(old, file))) edits.push({ line: old.line, removed: old.count, inserted: lines });
    added += lines.length - old.count;
    return { ...hunk, line, count: lines.length, merged: hunk.state === 'accepted' ? lines : hunk.merged };
  });
  return { edits, next: { lines: applyLineEdits(file.lines, edits), hunks } };
}

/** The same replacements; where they leave no line, one is empty: a document has at least that. */
export function withText({ lines, hunks }: ReviewedFile, replaced: readonly (Replacement | undefined)[]) {
  const added = replaced.reduce((sum, each, at) => sum + (each ? each.lines.length - (hunks[at]?.count ?? 0) : 0), 0);
  if (lines.length + added > 0) return replaced;
  const first = replaced.find((each, at) => each !== undefined && (hunks[at]?.count ?? 0) > 0);
  return replaced.map((each) => (each !== undefined && each === first ? { ...each, lines: [''] } : each));
}
