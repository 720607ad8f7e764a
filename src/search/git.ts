import { spawn } from 'node:child_process';
import { Readable } from 'node:stream';
import { setImmediate as immediate } from 'node:timers/promises';
import { ServiceError } from '../service/errors.ts';
import type { Rule } from './ignoreFiles.ts';

/** Longer lists of paths than this are not put on a command line; the whole list is filtered instead. */
const maxPathArguments = 200;

/**
 * Git's own list of the files it tracks or would track: nested `.gitignore`, `info/exclude` and `core.excludesFile` all
 * count. False when git is missing, or the folder is in no repository or ignored by it. Deleted files may be in it. A
 * repository inside this one, submodule or not, is one path, and `isRepository` says so.
 */
export async function gitPaths(
  root: string,
  signal: AbortSignal,
  add: (path: string, isRepository: boolean) => void,
  only?: readonly string[],
): Promise<boolean> {
  const few = only !== undefined && only.length <= maxPathArguments ? only : [];
  const wanted = only === undefined || few.length > 0 ? undefined : new Set(only);
  let isEmpty = true;
  const listing = ['ls-files', '-cost', '--exclude-standard', '-z', '--', ...few.map(literal)];
  const listed = await runGit(root, listing, signal, (entry) => {
    // `? PATH`, or `H MODE HASH STAGE\tPATH` for what is tracked; a path with a mode of 160000 is a submodule.
    const tracked = entry.startsWith('? ') ? undefined : /^\S (\d+) [^\t]*\t/.exec(entry);
    const path = entry.slice(tracked?.[0].length ?? 2);
    if (path === '' || path === './') return;
    isEmpty = false;
    const clean = path.endsWith('/') ? path.slice(0, -1) : path;
    if (wanted === undefined || wanted.has(clean)) add(clean, tracked?.[1] === '160000' || clean !== path);
  });
  if (!listed) return false;
  // A folder that the repository around it ignores, and that the user opened all the same, is none of git's.
  return !(isEmpty && (await runGit(root, ['check-ignore', '-q', '.'], signal)));
}

/** The values of git attributes for paths, as `git check-attr` has them; false when git does not answer. */
export function gitAttributes(
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
  return runGit(root, ['check-attr', '-z', '--stdin', ...attributes], signal, take, nulSeparated(paths));
}

/** The rule by which git ignores a path, with its file as git names it; undefined when none does or git does not answer. */
export async function gitIgnoreRule(root: string, path: string, signal: AbortSignal): Promise<Rule | undefined> {
  const fields: string[] = [];
  await runGit(root, ['check-ignore', '-v', '-z', '--stdin'], signal, (field) => fields.push(field), [`${path}\0`]);
  const [file, line, pattern] = fields;
  return file && line && pattern ? { file, line: Number(line), pattern } : undefined;
}

/**
 * The paths under a root that differ from a revision, in commits or in the files as they are, and those git does not track
 * yet. Undefined when git knows no such revision there.
 */
export async function gitChanged(
  root: string,
  revision: string,
  signal: AbortSignal,
): Promise<Set<string> | undefined> {
  const paths = new Set<string>();
  const take = (path: string): void => void paths.add(path);
  const name = `${revision}^{commit}`;
  if (!(await runGit(root, ['rev-parse', '-q', '--verify', '--end-of-options', name], signal))) return undefined;
  const known = await runGit(
    root,
    ['diff', '--name-only', '--relative', '-z', '--end-of-options', revision, '--'],
    signal,
    take,
  );
  const fresh = await runGit(root, ['ls-files', '-o', '--exclude-standard', '-z'], signal, take);
  return known && fresh ? paths : undefined;
}

/** A path that git must not read as a pattern. */
const literal = (path: string): string => `:(literal)${path}`;

function* nulSeparated(paths: readonly string[]): Generator<string> {
  for (let start = 0; start < paths.length; start += 500) yield `${paths.slice(start, start + 500).join('\0')}\0`;
}

/** Gives each NUL-terminated piece of git's answer as it comes; true when git ended well. */
async function runGit(
  cwd: string,
  args: string[],
  signal: AbortSignal,
  take: (piece: string) => void = () => undefined,
  input?: Iterable<string>,
): Promise<boolean> {
  if (signal.aborted) throw new ServiceError('cancelled');
  // A repository's own settings may name a program as its file-system monitor: none is run for a list.
  const safe = ['-c', 'core.fsmonitor=false', ...args];
  const env = { ...process.env, GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' };
  const child = spawn('git', safe, { cwd, env, signal, windowsHide: true, stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = new Promise<boolean>((resolve) => {
    child.on('error', () => resolve(false));
    child.on('close', (code) => resolve(code === 0));
  });
  // Git may end before it has read all of it.
  child.stdin.on('error', () => undefined);
  Readable.from(input ?? []).pipe(child.stdin);
  let rest = '';
  child.stdout.setEncoding('utf8');
  try {
    for await (const part of child.stdout) {
      const pieces = (rest + part).split('\0');
      rest = pieces.pop() ?? '';
      for (const piece of pieces) take(piece);
      // What has come already is given without a turn in between; a long list lets others run.
      await immediate();
    }
  } catch {
    // The end of the child says it.
  }
  const isWell = await ended;
  if (signal.aborted) throw new ServiceError('cancelled');
  return isWell;
}
