import { readGitPath } from '../gitPath.ts';

/** A line of a hunk: kept, added or removed. */
export interface ChangedLine {
  readonly mark: ' ' | '+' | '-';
  readonly text: string;
}

/** A run of lines of a diff. */
export interface ChangedHunk {
  /** Number of its first line in the old file and in the new one, from 1. */
  readonly oldFirst: number;
  readonly first: number;
  /** How many lines of the new file it has; none where lines were only removed. */
  readonly count: number;
  readonly lines: readonly ChangedLine[];
}

/** A file of a diff that is there after the change. */
export interface ChangedFile {
  readonly path: string;
  readonly hunks: readonly ChangedHunk[];
}

const hunkStart = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/**
 * Reads a unified diff whose paths begin with `a/` and `b/`. Files that were deleted, and those without a change of text, are not
 * in the result.
 */
export function readChangedFiles(diff: string): ChangedFile[] {
  const lines = diff.split('\n');
  const files: { path: string; hunks: ChangedHunk[] }[] = [];
  let current: { path: string; hunks: ChangedHunk[] } | undefined;
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? '';
    const start = hunkStart.exec(line);
    at++;
    if (start !== null) {
      const { hunk, next } = readHunk(lines, at, start);
      current?.hunks.push(hunk);
      at = next;
    } else if (line.startsWith('+++ ')) {
      const path = readGitPath(line.slice(4));
      current = path === undefined ? undefined : { path, hunks: [] };
      if (current !== undefined) files.push(current);
    } else if (line.startsWith('--- ') || line.startsWith('diff --git ')) current = undefined;
  }
  return files.filter(({ hunks }) => hunks.length > 0);
}

/** The text of a line of the new file, from 1; undefined for one that is not in the diff. */
export function newLineText({ hunks }: ChangedFile, line: number): string | undefined {
  const hunk = hunks.find(({ first, count }) => first <= line && line < first + count);
  return hunk?.lines.filter(({ mark }) => mark !== '-')[line - hunk.first]?.text;
}

/** Reads as many lines as a hunk's head says: a removed line may look like the head of the next file. */
function readHunk(lines: readonly string[], from: number, start: RegExpExecArray): { hunk: ChangedHunk; next: number } {
  const [, oldFirst = '1', oldLength = '1', newFirst = '1', newLength = '1'] = start;
  let [oldLeft, newLeft] = [Number(oldLength), Number(newLength)];
  const read: ChangedLine[] = [];
  let at = from;
  for (; at < lines.length && (oldLeft > 0 || newLeft > 0); at++) {
    const line = lines[at] ?? '';
    const mark = line[0] ?? ' ';
    if (mark === '\\') continue;
    if (mark !== ' ' && mark !== '+' && mark !== '-') break;
    if (mark !== '+') oldLeft--;
    if (mark !== '-') newLeft--;
    read.push({ mark, text: line.slice(1).replace(/\r$/, '') });
  }
  // Git numbers an empty side by the line before it.
  const first = Number(newFirst) + (Number(newLength) === 0 ? 1 : 0);
  const old = Number(oldFirst) + (Number(oldLength) === 0 ? 1 : 0);
  return { hunk: { oldFirst: old, first, count: Number(newLength) - Math.max(0, newLeft), lines: read }, next: at };
}
