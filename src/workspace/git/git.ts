import type { Rule } from '../ignoreFiles.ts';
import { runGit } from './gitRun.ts';

/**
 * Longest list of paths for a command line; beyond it the whole listing is filtered instead, by the same rules. Windows takes 32,767 units
 * in all.
 */
const maxPathArguments = 200;
const maxPathUnits = 24_000;

/**
 * Git's own list of the files it tracks or would track: nested `.gitignore`, `info/exclude` and `core.excludesFile` all
 * count. False when git is missing, or the folder is in no repository or ignored by it. Deleted files may be included.
 * A repository inside this one, submodule or not, is one path, and `isRepository` says so.
 */
export async function gitPaths(
  root: string,
  signal: AbortSignal,
  add: (path: string, isRepository: boolean) => void,
  only?: readonly string[],
): Promise<boolean> {
  const few = only !== undefined && areArguments(only) ? only : [];
  const wanted = only === undefined || few.length > 0 ? undefined : new Set(only);
  let isEmpty = true;
  const listing = ['ls-files', '-cost', '--exclude-standard', '-z', '--', ...few.map(literal)];
  const listed = await runGit(root, listing, signal, (entry) => {
    // `? PATH`, or `H MODE HASH STAGE\tPATH` for what is tracked; a path with a mode of 160000 is a submodule.
    const tracked = entry.startsWith('? ') ? undefined : /^\S (\d+) [^\t]*\t/.exec(entry);
    const path = entry.slice(tracked?.[0].length ?? 2);
    if (path === '' || path === '../../search') return;
    isEmpty = false;
    if (!isWithin(path)) return;
    const clean = path.endsWith('/') ? path.slice(0, -1) : path;
    if (wanted === undefined || isAmong(wanted, clean)) add(clean, tracked?.[1] === '160000' || clean !== path);
  });
  if (listed.kind !== 'well') return false;
  // A folder that the outer repository ignores, but the user opened all the same, is not listed by git.
  return !(isEmpty && (await runGit(root, ['check-ignore', '-q', '.'], signal)).kind === 'well');
}

/** Whether these paths can stand in a command line. What has a NUL is no path of a file, but may be asked about. */
function areArguments(paths: readonly string[]): boolean {
  const units = paths.reduce((sum, path) => sum + literal(path).length + 1, 0);
  return paths.length <= maxPathArguments && units <= maxPathUnits && !paths.some((path) => path.includes('\0'));
}

/** Whether a path, or a folder that it is in, is among some. */
function isAmong(wanted: ReadonlySet<string>, path: string): boolean {
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
    if (wanted.has(path.slice(0, end))) return true;
  }
  return false;
}

/** Whether a path stays inside the root. Git writes no other path, but a repository's author may have written its index. */
export function isWithin(path: string): boolean {
  return !/^[/\\]|^[a-z]:|(^|[/\\])\.\.([/\\]|$)/i.test(path);
}

/** The values of git attributes for paths, as `git check-attr` has them; false when git does not answer. */
export async function gitAttributes(
  root: string,
  attributes: readonly string[],
  paths: readonly string[],
  signal: AbortSignal,
  tell: (path: string, attribute: string, value: string) => void,
): Promise<boolean> {
  let fields: string[] = [];
  const take = (field: string): void => {
    fields.push(field);
    if (fields.length < 3) return;
    const [path = '', attribute = '', value = ''] = fields;
    fields = [];
    if (value !== 'unspecified') tell(path, attribute, value);
  };
  const asked = await runGit(root, ['check-attr', '-z', '--stdin', ...attributes], signal, take, nulSeparated(paths));
  return asked.kind === 'well';
}

/** The rule by which git ignores a path, with its file as git names it; undefined when none does or git does not answer. */
export async function gitIgnoreRule(root: string, path: string, signal: AbortSignal): Promise<Rule | undefined> {
  const fields: string[] = [];
  await runGit(root, ['check-ignore', '-v', '-z', '--stdin'], signal, (field) => fields.push(field), [`${path}\0`]);
  const [file, line, pattern] = fields;
  return file && line && pattern ? { file, line: Number(line), pattern } : undefined;
}

/** Quotes a path so that git does not read it as a pattern. */
const literal = (path: string): string => `:(literal)${path}`;

function* nulSeparated(paths: readonly string[]): Generator<string> {
  for (let start = 0; start < paths.length; start += 500) yield `${paths.slice(start, start + 500).join('\0')}\0`;
}
