import { execFile } from 'node:child_process';
import { ServiceError } from '../service/errors.ts';

/** Longer lists of paths than this are not put on a command line; the whole list is filtered instead. */
const maxPathArguments = 200;

/**
 * Git's own list of the files it tracks or would track: nested `.gitignore`, `info/exclude` and `core.excludesFile` all
 * count. Undefined when git is missing, or the folder is in no repository or ignored by it. Deleted files may be in it.
 */
export async function gitPaths(
  root: string,
  signal: AbortSignal,
  only?: readonly string[],
): Promise<string[] | undefined> {
  const few = only !== undefined && only.length <= maxPathArguments ? only : [];
  const output = await runGit(root, ['ls-files', '-co', '--exclude-standard', '-z', '--', ...few.map(literal)], signal);
  if (output === undefined) return undefined;
  const paths = output.split('\0').filter((path) => path !== '');
  // A folder that the repository around it ignores, and that the user opened all the same, is none of git's.
  if (paths.length === 0 && (await runGit(root, ['check-ignore', '-q', '.'], signal)) !== undefined) return undefined;
  if (only === undefined || few.length > 0) return paths;
  const wanted = new Set(only);
  return paths.filter((path) => wanted.has(path));
}

/** A path that git must not read as a pattern. */
const literal = (path: string): string => `:(literal)${path}`;

function runGit(cwd: string, args: string[], signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    // A repository's own settings may name a program as its file-system monitor: none is run for a list.
    const safe = ['-c', 'core.fsmonitor=false', ...args];
    const env = { ...process.env, GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' };
    execFile('git', safe, { cwd, env, signal, maxBuffer: 1 << 30, windowsHide: true }, (error, stdout) => {
      if (signal.aborted) reject(new ServiceError('cancelled'));
      else resolve(error === null ? stdout : undefined);
    });
  });
}
