import type { LineRange } from '../../base/lines.ts';
import { linesOf, type ReviewedFile, type ReviewHunk } from './reviewedFile.ts';

/** A pending hunk as the text of a review shows it: the lines that go, then those that come. Lines are those of that text, from 0. */
export interface ShownHunk {
  readonly hunk: ReviewHunk;
  /** Its first line; for a hunk of no lines, the line that it stands before. */
  readonly line: number;
  readonly removed: number;
  readonly added: number;
}

/** A file and what is proposed for it, in one column. */
export interface ReviewText {
  readonly lines: readonly string[];
  readonly shown: readonly ShownHunk[];
}

/** The text of a review: the file as it is, with the new lines of each pending hunk below the old ones. */
export function reviewText(file: ReviewedFile): ReviewText {
  const parts: (readonly string[])[] = [];
  const shown: ShownHunk[] = [];
  let at = 0;
  let line = 0;
  for (const hunk of file.hunks) {
    if (hunk.state !== 'pending') continue;
    const old = linesOf(hunk, file);
    const added = hunk.merged ?? hunk.proposed;
    parts.push(file.lines.slice(at, hunk.line), old, added);
    line += hunk.line - at;
    shown.push({ hunk, line, removed: old.length, added: added.length });
    line += old.length + added.length;
    at = hunk.line + hunk.count;
  }
  return { lines: [...parts, file.lines.slice(at)].flat(), shown };
}

/** The line of the file that a line of the review's text stands for; for a new line, the one that it comes before. */
export function toFileLine({ shown }: ReviewText, line: number): number {
  let added = 0;
  for (const hunk of shown) {
    const begin = hunk.line + hunk.removed;
    if (line < begin) break;
    if (line < begin + hunk.added) return begin - added;
    added += hunk.added;
  }
  return line - added;
}

/**
 * The lines of the file that lines of the review's text are about. Of a change all old lines are meant, wherever it is touched, and of an
 * insertion the lines on either side.
 */
export function toFileRange(text: ReviewText, { first, last }: LineRange): LineRange {
  const [top, bottom] = [hunkAt(text, first)?.hunk, hunkAt(text, last)?.hunk];
  const begin = top === undefined ? toFileLine(text, first) : top.count > 0 ? top.line : top.line - 1;
  const end = bottom === undefined ? toFileLine(text, last) : bottom.line + Math.max(0, bottom.count - 1);
  return { first: Math.max(0, begin), last: Math.max(0, begin, end) };
}

/** The pending hunk that a line belongs to: one of its old or of its new lines. One of no lines has the line that it stands before. */
export function hunkAt({ shown }: ReviewText, line: number): ShownHunk | undefined {
  return shown.find((each) => line >= each.line && line < each.line + Math.max(1, each.removed + each.added));
}

/** The old and the new lines of a shown hunk. */
export function linesOfShown({ line, removed, added }: ShownHunk, { lines }: ReviewText) {
  const begin = line + removed;
  return { old: lines.slice(line, begin), fresh: lines.slice(begin, begin + added) };
}
