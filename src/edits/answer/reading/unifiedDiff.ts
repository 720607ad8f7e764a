import { unquoteName } from '../../../workspace/git/quotedName.ts';

/** What a unified diff wants of one file. */
export interface FileDiff {
  readonly kind: 'diff';
  /** The file's name before, or after for a new one; undefined for a diff without a header. */
  readonly path: string | undefined;
  readonly isNew: boolean;
  readonly isDeleted: boolean;
  /** The name that the file gets. */
  readonly renamedTo: string | undefined;
  readonly hunks: readonly DiffHunk[];
}

export interface DiffHunk {
  /** What stands behind `@@`: the function or class that the hunk is in. Empty where nothing does. */
  readonly section: string;
  /** The line in the old file, from 1, as the model says; models often count wrong. */
  readonly oldStart: number | undefined;
  readonly lines: readonly DiffLine[];
}

export interface DiffLine {
  readonly kind: 'kept' | 'removed' | 'inserted';
  readonly text: string;
  /** Whether the line had no sign before it, as a diff's lines must have: a model lost the space, or the line is prose. */
  readonly isBare: boolean;
  /** The line with its sign. */
  readonly whole: string;
}

const hunkLine = /^@@(?:\s*-(\d+)(?:,\d+)?\s+\+\d+(?:,\d+)?\s*@@(.*)|.*@@(.*)|(?:\s+([^@]*))?)$/;
/** The form in which agents are told to patch: `*** Update File: a.ts`. */
const patchLine = /^\*\*\* (?:(Update|Add|Delete) File: (.+)|Begin Patch|End Patch|End of File)\s*$/;
const gitLine =
  /^(?:diff --git |index [\da-f]+\.\.|new file mode|deleted file mode|similarity index|rename (?:from|to) |old mode |new mode )/;

const renameLine = /^(?:rename (from|to) |\*\*\* (Move) to: )(.+)$/;

/** Whether lines are a diff: by a hunk's line, or by a header. */
export function isUnifiedDiff(lines: readonly string[]): boolean {
  return lines.some(
    (line, at) => hunkLine.test(line) || gitLine.test(line) || patchLine.test(line) || isHeader(lines, at),
  );
}

/** Whether lines are a diff without any header: each has a sign before it, and both signs are there. */
export function isBareDiff(lines: readonly string[]): boolean {
  const written = lines.filter((line) => line.trim() !== '');
  const has = (sign: string): boolean => written.some((line) => line.startsWith(sign));
  return written.length > 2 && has('+') && has(' ') && written.every((line) => /^[ +-]/.test(line) || isGap(line));
}

const isGap = (line: string): boolean => /^\s*(?:\.{3}|…)\s*$/.test(line);

interface OpenFile {
  path: string | undefined;
  isNew: boolean;
  isDeleted: boolean;
  renamedTo: string | undefined;
  readonly hunks: OpenHunk[];
}

interface OpenHunk extends DiffHunk {
  readonly lines: DiffLine[];
}

/** Reads the diffs of one or several files. The counts behind `@@` are not believed. */
export function readUnifiedDiff(lines: readonly string[]): FileDiff[] {
  const files: OpenFile[] = [];
  const open = (path: string | undefined, isNew: boolean, isDeleted: boolean): unknown =>
    files.push({ path, isNew, isDeleted, renamedTo: undefined, hunks: [] });
  const begin = (section: string, oldStart: number | undefined): unknown => {
    if (files.length === 0) open(undefined, false, false);
    return files.at(-1)?.hunks.push({ section, oldStart, lines: [] });
  };
  /** The file that git's next lines are about. */
  let named: string | undefined;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    named = /^diff --git (?:a\/)?(\S+)/.exec(line)?.[1] ?? named;
    if (line.startsWith('deleted file mode ')) {
      open(named, false, true);
      continue;
    }
    const [, way, move, name = ''] = renameLine.exec(line) ?? [];
    if (way === 'from') open(name.trim(), false, false);
    const last = files.at(-1);
    if ((way === 'to' || move !== undefined) && last !== undefined) last.renamedTo = name.trim();
    if (way !== undefined || move !== undefined) continue;
    const patch = patchLine.exec(line);
    const hunk = hunkLine.exec(line);
    if (patch !== null) {
      if (patch[1] !== undefined) open(patch[2]?.trim(), patch[1] === 'Add', patch[1] === 'Delete');
    } else if (isHeader(lines, at)) {
      const [oldPath, newPath] = readHeader(line, lines[at + 1] ?? '');
      open(oldPath ?? newPath, oldPath === undefined, newPath === undefined);
      at += 1;
    } else if (hunk !== null) {
      begin((hunk[2] ?? hunk[3] ?? hunk[4] ?? '').trim(), hunk[1] === undefined ? undefined : Number(hunk[1]));
    } else if (!gitLine.test(line) && !line.startsWith('\\')) {
      if ((files.at(-1)?.hunks.length ?? 0) === 0 || isGap(line)) begin('', undefined);
      if (!isGap(line)) files.at(-1)?.hunks.at(-1)?.lines.push(readLine(line));
    }
  }
  return files
    .map((file) => ({ ...file, kind: 'diff' as const, hunks: file.hunks.map(trimHunk).filter(isFull) }))
    .filter(({ hunks, isDeleted, renamedTo }) => hunks.length > 0 || isDeleted || renamedTo !== undefined);
}

function isFull({ lines }: DiffHunk): boolean {
  return lines.some(({ kind, text }) => kind !== 'kept' || text !== '');
}

/** Blank lines at the end stand between two files, or before the end of the fence. */
function trimHunk(hunk: OpenHunk): DiffHunk {
  const last = hunk.lines.findLastIndex(({ kind, text }) => kind !== 'kept' || text !== '');
  return { ...hunk, lines: hunk.lines.slice(0, last + 1) };
}

function isHeader(lines: readonly string[], at: number): boolean {
  return /^--- \S/.test(lines[at] ?? '') && /^\+\+\+ \S/.test(lines[at + 1] ?? '');
}

/** The names in a header, without the sides that git puts before them. */
function readHeader(from: string, to: string): [string | undefined, string | undefined] {
  const [old, fresh] = [readPath(from), readPath(to)];
  const isSided = (old === undefined || old.startsWith('a/')) && (fresh === undefined || fresh.startsWith('b/'));
  return isSided ? [old?.slice(2), fresh?.slice(2)] : [old, fresh];
}

function readPath(line: string): string | undefined {
  const path = line
    .slice(4)
    .replace(/\t.*$|\s{2,}\d{4}-\d\d.*$/, '')
    .replace(/\s+\((?:original|modified|updated|old|new|before|after)\)\s*$/i, '')
    .trim()
    .replace(/^".*"$/, unquoteName);
  return path === '/dev/null' ? undefined : path;
}

function readLine(line: string): DiffLine {
  const kind = line.startsWith('+') ? 'inserted' : line.startsWith('-') ? 'removed' : 'kept';
  const isBare = kind === 'kept' && line !== '' && !line.startsWith(' ');
  return { kind, text: isBare ? line : line.slice(1), isBare, whole: line };
}
