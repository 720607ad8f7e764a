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

/** The pending hunk that a line belongs to: one of its old or of its new lines. One of no lines has the line that it stands before. */
export function hunkAt({ shown }: ReviewText, line: number): ShownHunk | undefined {
  return shown.find((each) => line >= each.line && line < each.line + Math.max(1, each.removed + each.added));
}

/** The old and the new lines of a shown hunk. */
export function linesOfShown({ line, removed, added }: ShownHunk, { lines }: ReviewText) {
  const begin = line + removed;
  return { old: lines.slice(line, begin), fresh: lines.slice(begin, begin + added) };
}
