/** What a unified diff wants of one file. */
export interface FileDiff {
  readonly kind: 'diff';
  /** The file's name before, or after for a new one; undefined for a diff without a header. */
  readonly path: string | undefined;
  readonly isNew: boolean;
  readonly isDeleted: boolean;
  readonly hunks: readonly DiffHunk[];
}

export interface DiffHunk {
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

const hunkLine = /^@@(?:\s*-(\d+)(?:,\d+)?\s+\+\d+(?:,\d+)?\s*@@|.*@@|\s*$)/;
const gitLine =
  /^(?:diff --git |index [\da-f]+\.\.|new file mode|deleted file mode|similarity index|rename (?:from|to) |old mode |new mode )/;

/** Whether lines are a diff: by a hunk's line, or by a header. */
export function isUnifiedDiff(lines: readonly string[]): boolean {
  return lines.some((line, at) => hunkLine.test(line) || gitLine.test(line) || isHeader(lines, at));
}

/** Reads the diffs of one or several files. The counts behind `@@` are not believed. */
export function readUnifiedDiff(lines: readonly string[]): FileDiff[] {
  const files: {
    path?: string | undefined;
    isNew: boolean;
    isDeleted: boolean;
    hunks: { oldStart?: number | undefined; lines: DiffLine[] }[];
  }[] = [];
  let isFresh = true;
  const current = () => {
    if (isFresh || files.length === 0) files.push({ isNew: false, isDeleted: false, hunks: [] });
    isFresh = false;
    return files.at(-1) as (typeof files)[number];
  };
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (line.startsWith('diff --git ')) isFresh = true;
    if (gitLine.test(line)) continue;
    if (isHeader(lines, at)) {
      isFresh = true;
      const [oldPath, newPath] = [readPath(line), readPath(lines[at + 1] ?? '')];
      const file = current();
      file.isNew = oldPath === undefined;
      file.isDeleted = newPath === undefined;
      file.path = oldPath ?? newPath;
      at += 1;
      continue;
    }
    const [isHunk, oldStart] = hunkLine.exec(line) ?? [];
    if (isHunk !== undefined) {
      current().hunks.push({ oldStart: oldStart === undefined ? undefined : Number(oldStart), lines: [] });
      continue;
    }
    const { hunks } = current();
    if (hunks.length === 0) hunks.push({ lines: [] });
    if (!line.startsWith('\\')) hunks.at(-1)?.lines.push(readLine(line));
  }
  return files
    .map((file) => ({
      ...file,
      kind: 'diff' as const,
      path: file.path,
      hunks: file.hunks.map(toHunk).filter(({ lines: all }) => all.length > 0),
    }))
    .filter(({ hunks }) => hunks.length > 0);
}

function toHunk({ oldStart, lines }: { oldStart?: number | undefined; lines: readonly DiffLine[] }): DiffHunk {
  // Blank lines at the end stand between two files, or before the end of the fence.
  const last = lines.findLastIndex(({ kind, text }) => kind !== 'kept' || text !== '');
  return { oldStart, lines: lines.slice(0, last + 1) };
}

function isHeader(lines: readonly string[], at: number): boolean {
  return /^--- \S/.test(lines[at] ?? '') && /^\+\+\+ \S/.test(lines[at + 1] ?? '');
}

function readPath(line: string): string | undefined {
  const path = line
    .slice(4)
    .replace(/\t.*$/, '')
    .trim()
    .replace(/^"(.*)"$/, '$1');
  return path === '/dev/null' ? undefined : path.replace(/^[ab]\//, '');
}

function readLine(line: string): DiffLine {
  const kind = line.startsWith('+') ? 'inserted' : line.startsWith('-') ? 'removed' : 'kept';
  const isBare = kind === 'kept' && line !== '' && !line.startsWith(' ');
  return { kind, text: isBare ? line : line.slice(1), isBare, whole: line };
}
