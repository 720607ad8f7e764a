import { readGitPath } from '../gitPath.ts';

/** The change of one file. Texts end with a line break. */
export interface DiffFile {
  /** The lines before the first hunk, without those that only git has a use for. */
  readonly head: string;
  readonly hunks: readonly string[];
}

/** Cuts a diff as git writes it into its files. A file that was only moved is one change, and has no hunks. */
export function splitDiff(diff: string): DiffFile[] {
  // Lines of a file begin with another character, so a line with these words begins a file. Git ends lines with a line
  // feed alone: what follows another break, as a lone carriage return in a file's text, is the same line (so no flag m).
  const files = diff.split(/(?<=^|\n)(?=diff --git )/).filter((text) => text.startsWith('diff --git '));
  return joinMoved(files.map(readFile));
}

interface ReadFile extends DiffFile {
  readonly from: string;
  readonly to: string;
  /** The names of the objects that git keeps the file's old and new text as. */
  readonly before: string;
  readonly after: string;
}

function readFile(text: string): ReadFile {
  const [start = '', ...hunks] = text.split(/(?<=^|\n)(?=@@ )/);
  const lines = start.split('\n').filter((line) => line !== '');
  const [, before = '', after = ''] = /(?<=^|\n)index ([0-9a-f]+)\.\.([0-9a-f]+)/.exec(start) ?? [];
  const named = (mark: string): string =>
    readGitPath(lines.find((line) => line.startsWith(mark))?.slice(mark.length) ?? '/dev/null') ?? '';
  const kept = lines.filter((line) => !/^(?:index |similarity )/.test(line));
  // The first line repeats both names, except where nothing but the mode changed, the file is empty or holds bytes.
  const head = kept.some((line) => line.startsWith('+++ ')) ? kept.slice(1) : kept;
  return { head: `${head.join('\n')}\n`, hunks, from: named('--- '), to: named('+++ '), before, after };
}

const isNone = (object: string): boolean => /^0+$/.test(object);

/** Git is asked without a search for renames, so a file that was moved is one that is gone and one that is new. */
function joinMoved(files: readonly ReadFile[]): DiffFile[] {
  const gone = new Map<string, ReadFile>();
  for (const file of files) if (file.from !== '' && isNone(file.after)) gone.set(file.before, file);
  const moved = new Map<ReadFile, ReadFile>();
  for (const file of files) {
    const old = file.to !== '' && isNone(file.before) ? gone.get(file.after) : undefined;
    if (old === undefined) continue;
    gone.delete(file.after);
    moved.set(old, file);
  }
  const taken = new Set(moved.values());
  return files.flatMap((file) => {
    if (taken.has(file)) return [];
    const to = moved.get(file)?.to;
    return [to === undefined ? file : { head: `rename from ${file.from}\nrename to ${to}\n`, hunks: [] }];
  });
}

/** The whole change as a text. */
export const changeText = ({ head, hunks }: DiffFile): string => head + hunks.join('');

/** The lines of the file in a change, without the marks in front of them. */
export const changedLines = ({ hunks }: DiffFile): string => hunks.join('').replace(/(?<=^|\n)[-+ ]/g, '');
