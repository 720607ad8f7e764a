import { isPending, type ReviewedFile, type ReviewHunk, withText } from './reviewedFile.ts';

/** Where a hunk's lines are in the pending text, from 0, and how many they are. */
export interface PendingSpan {
  readonly hunk: ReviewHunk;
  readonly line: number;
  readonly count: number;
}

/** The file's lines once all that is pending is accepted. */
export interface PendingText {
  readonly lines: readonly string[];
  /** Where all hunks are in them, those that are decided on, too. */
  readonly spans: readonly PendingSpan[];
  /** Whether nothing is left, which is one empty line in a document. */
  readonly isEmpty: boolean;
}

/** The file's lines as they are once all that is pending is accepted. What contradicts what was typed cannot be, and stays out. */
export function pendingText(file: ReviewedFile): readonly string[] {
  return pendingSpans(file).lines;
}

/** The pending text, with the places of all hunks in it. */
export function pendingSpans(file: ReviewedFile): PendingText {
  const accepted = file.hunks.map((hunk) =>
    isPending(hunk) && hunk.merged !== undefined ? { lines: hunk.merged, hunk } : undefined,
  );
  const gained = accepted.reduce((sum, each) => sum + (each ? each.lines.length - each.hunk.count : 0), 0);
  const parts: (readonly string[])[] = [];
  const spans: PendingSpan[] = [];
  let [at, added] = [0, 0];
  for (const [index, replaced] of withText(file, accepted).entries()) {
    const hunk = file.hunks[index] as ReviewHunk;
    const count = replaced?.lines.length ?? hunk.count;
    spans.push({ hunk, line: hunk.line + added, count });
    if (replaced === undefined) continue;
    parts.push(file.lines.slice(at, hunk.line), replaced.lines);
    at = hunk.line + hunk.count;
    added += count - hunk.count;
  }
  return { lines: [...parts, file.lines.slice(at)].flat(), spans, isEmpty: file.lines.length + gained <= 0 };
}
