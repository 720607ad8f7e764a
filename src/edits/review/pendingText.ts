import type { LineRange } from '../../base/lines.ts';
import { withText } from './decideHunks.ts';
import { isPending, type ReviewedFile, type ReviewHunk } from './reviewedFile.ts';

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

/** Lines of the file as lines of the pending text. Where they are part of what a hunk changes, all that it makes of it is meant. */
export function toPendingRange(file: ReviewedFile, { first, last }: LineRange): LineRange {
  const { lines, spans } = pendingSpans(file);
  const toPending = (line: number, isLast: boolean): number => {
    let added = 0;
    for (const { hunk, line: begin, count } of spans) {
      if (hunk.line > line) break;
      if (hunk.line + hunk.count > line) return isLast ? begin + count - 1 : begin;
      added += count - hunk.count;
    }
    return line + added;
  };
  const begin = Math.min(toPending(first, false), lines.length - 1);
  return { first: begin, last: Math.min(Math.max(begin, toPending(last, true)), lines.length - 1) };
}

/** Lines around a change in an excerpt, and the most lines that one has. */
const [linesAround, mostLines] = [3, 200];

/** The parts of the pending text that are not the file's own, with lines around them, each below its number. */
export function pendingExcerpt(file: ReviewedFile): string {
  const { lines, spans } = pendingSpans(file);
  const shown = new Set<number>();
  for (const { hunk, line, count } of spans) {
    if (!isPending(hunk)) continue;
    const end = Math.min(lines.length, line + count + linesAround);
    for (let at = Math.max(0, line - linesAround); at < end && shown.size < mostLines; at++) shown.add(at);
  }
  const parts: string[] = [];
  for (const at of shown) {
    if (!shown.has(at - 1)) parts.push(`Line ${at + 1}:`);
    parts.push(lines[at] ?? '');
  }
  return parts.join('\n');
}
