import { applyLineEdits, type LineEdit } from '../place/lines/lineEdit.ts';
import { refineEdits } from '../refineEdits.ts';
import { areLines } from './mergeLines.ts';
import { type PendingSpan, type PendingText, pendingSpans } from './pendingText.ts';
import {
  followText,
  isPending,
  isTouched,
  newHunk,
  pendingHunks,
  type ReviewedFile,
  type ReviewHunk,
  reviewFile,
} from './reviewedFile.ts';

/** Whose edits are added to a review. */
export interface Addition {
  /** The set that they are of, by its id. */
  readonly set: string;
  /** The id of the first new hunk; those after it count on. */
  readonly firstId: number;
  /** The title of a set, by its id. */
  titleOf(set: string): string;
}

/** A review with further edits, and the pending hunks that these took the place of. */
export interface MergedReview {
  readonly file: ReviewedFile;
  readonly replaced: readonly ReviewHunk[];
}

/** Edits with the pending hunks that they touch: together they are new hunks. Lines are those of the pending text. */
interface Group {
  readonly edits: readonly LineEdit[];
  readonly spans: readonly PendingSpan[];
  readonly top: number;
  readonly bottom: number;
}

/**
 * Adds edits to a review. What they touch of pending hunks, they take the place of: new hunks lead from the file's own lines to the
 * newest text.
 * @param edits of the pending text; they do not overlap
 */
export function mergeReview(file: ReviewedFile, edits: readonly LineEdit[], by: Addition): MergedReview {
  const text = pendingSpans(file);
  const { lines: pending, spans } = text;
  const groups = groupEdits(wholeWhereEmpty(refineEdits(pending, edits), text), spans);
  const replaced = new Set(groups.flatMap((group) => group.spans.map(({ hunk }) => hunk)));
  const hunks: ReviewHunk[] = [];
  let [next, added, id] = [0, 0, by.firstId];
  /** Keeps the hunks that end up to a line of the pending text. */
  const keepTo = (line: number): void => {
    for (; next < spans.length; next++) {
      const span = spans[next] as PendingSpan;
      if (span.line + span.count > line || replaced.has(span.hunk)) break;
      added += span.hunk.count - span.count;
      hunks.push(span.hunk);
    }
  };
  for (const group of groups) {
    keepTo(group.top);
    const line = group.top + added;
    // What was decided on before is the user's own text by now.
    for (; next < spans.length && isWithin(spans[next] as PendingSpan, group, replaced); next++) {
      const span = spans[next] as PendingSpan;
      added += span.hunk.count - span.count;
    }
    const removed = group.bottom + added - line;
    for (const edit of editsOf(group, { line, removed }, file.lines, pending))
      hunks.push(withReplaced(newHunk(file.lines, edit, id++, by.set), group, by));
  }
  keepTo(Number.POSITIVE_INFINITY);
  return { file: { ...file, hunks }, replaced: [...replaced] };
}

/** A document without any text has one empty line, which is no line of the file: whatever changes it is about the whole file. */
function wholeWhereEmpty(edits: readonly LineEdit[], { lines, isEmpty }: PendingText): readonly LineEdit[] {
  return isEmpty && edits.length > 0 ? [{ line: 0, removed: 1, inserted: applyLineEdits(lines, edits) }] : edits;
}

/** @param edits in order */
function groupEdits(edits: readonly LineEdit[], spans: readonly PendingSpan[]): Group[] {
  const waiting = spans.filter(({ hunk }) => isPending(hunk));
  const groups: Group[] = [];
  let first = 0;
  for (const edit of edits) {
    const end = edit.line + edit.removed;
    while (first < waiting.length && endOf(waiting[first] as PendingSpan) <= edit.line) first++;
    const touched: PendingSpan[] = [];
    for (let at = first; at < waiting.length && (waiting[at] as PendingSpan).line < end; at++)
      if (isTouched(waiting[at] as PendingSpan, edit)) touched.push(waiting[at] as PendingSpan);
    const last = groups.at(-1);
    const shared = last?.spans.at(-1);
    const isShared = shared !== undefined && touched.includes(shared);
    const group = isShared && last !== undefined ? last : undefined;
    const all = [...new Set([...(group?.spans ?? []), ...touched])];
    const joined: Group = {
      edits: [...(group?.edits ?? []), edit],
      spans: all,
      top: Math.min(group?.top ?? edit.line, edit.line, ...touched.map(({ line }) => line)),
      bottom: Math.max(group?.bottom ?? end, end, ...touched.map(endOf)),
    };
    if (isShared) groups.pop();
    groups.push(joined);
  }
  return groups;
}

const endOf = ({ line, count }: PendingSpan): number => line + count;

/** Whether a hunk gives way to a group: it is one of the group's, or is decided on, and stands for lines of it. */
function isWithin(span: PendingSpan, { top, bottom }: Group, replaced: ReadonlySet<ReviewHunk>): boolean {
  if (replaced.has(span.hunk)) return span.line < bottom;
  return !isPending(span.hunk) && isTouched(span, { line: top, removed: bottom - top, inserted: [] });
}

/** What a group makes of lines of the file. */
function editsOf(
  { edits, spans, top, bottom }: Group,
  { line, removed }: { readonly line: number; readonly removed: number },
  lines: readonly string[],
  pending: readonly string[],
): readonly LineEdit[] {
  const moved = edits.map((edit) => ({ ...edit, line: edit.line - top }));
  const whole = { line, removed, inserted: applyLineEdits(pending.slice(top, bottom), moved) };
  return spans.length === 0 ? [whole] : refineEdits(lines, [whole]);
}

function withReplaced(hunk: ReviewHunk, { spans }: Group, { titleOf }: Addition): ReviewHunk {
  const replaces = [...new Set(spans.map((span) => titleOf(span.hunk.set)))];
  return replaces.length === 0 ? hunk : { ...hunk, replaces };
}

/**
 * Edits of one text as edits of what has become of it. What was changed there in another way gives way to them.
 * @param edits that do not overlap
 */
export function rebaseEdits(edits: readonly LineEdit[], from: readonly string[], to: readonly string[]) {
  if (areLines(from, to)) return edits;
  return pendingHunks(followText(reviewFile(from, edits), to)).map(({ line, count, merged, proposed }) => ({
    line,
    removed: count,
    inserted: merged ?? proposed,
  }));
}
