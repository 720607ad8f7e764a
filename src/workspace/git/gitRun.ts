import { spawn } from 'node:child_process';
import { Readable } from 'node:stream';
import { ServiceError } from '../../base/errors.ts';
import { nextTurn } from '../../base/nextTurn.ts';

/** Outcome of a call of git. */
export type GitEnd =
  | { kind: 'well' }
  /** A status other than 0, and the first line of the error output. */
  | { kind: 'failed'; status: number | undefined; said: string }
  /** Git does not read the repository in this folder, as another user of the machine owns it (`safe.directory`). */
  | { kind: 'not-owned'; folder: string }
  /** Git is not installed. */
  | { kind: 'missing' }
  /**
   * Git was ended because it printed nothing for too long, as where a setting names a pipe or a rule takes for ever, or
   * more than any repository has.
   */
  | { kind: 'endless' };

/** Limits of a call: milliseconds without a byte, bytes, and characters of one piece (a path has 4,096 at most). */
export const gitLimits = { silentMs: 30_000, bytes: 1 << 30, piece: 16_384 } as const;
export type GitLimits = { readonly [K in keyof typeof gitLimits]: number };

/** Folders in which git did not end, with the time, in milliseconds: further calls fail at once for a while. */
const givenUp = new Map<string, number>();
const givenUpMs = 600_000;

/** Settings in which a repository could name a program or another machine; given here, they override its own. */
const safeSettings = [
  // Names in any letters, as they are.
  'core.quotePath=false',
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.pager=cat',
  'core.sshCommand=false',
  'core.gitProxy=',
  'core.alternateRefsCommand=',
  'credential.helper=',
  'diff.external=',
  'gpg.program=false',
  'protocol.allow=never',
  'submodule.recurse=false',
  // A folder that merely looks like a repository has settings, too.
  'safe.bareRepository=explicit',
];

/** Environment variables that point to another repository: a window may have been opened by a hook of one. */
const foreign =
  /^GIT_(DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|NAMESPACE|PREFIX|EXTERNAL_DIFF|CONFIG_PARAMETERS|ATTR_SOURCE|GRAFT_FILE|SHALLOW_FILE|(LITERAL|GLOB|NOGLOB|ICASE)_PATHSPECS)$/i;

function environment(): NodeJS.ProcessEnv {
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
  return {
    ...own,
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    // An object missing from a partial clone is not fetched, and all transports to other machines are closed.
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    GIT_PAGER: 'cat',
  };
}

/**
 * Runs git in a folder and yields each NUL-terminated piece of its output as it comes, and the rest after the last NUL.
 * Only for commands that read: with these settings, none of them runs a program that a repository names.
 * @param charset `latin1` gives each byte as a character, for contents of files
 * @throws ServiceError `cancelled`
 */
export async function runGit(
  cwd: string,
  args: readonly string[],
  signal: AbortSignal,
  take: (piece: string) => void = () => undefined,
  input: Iterable<string> = [],
  limits: GitLimits = gitLimits,
  charset: 'utf8' | 'latin1' = 'utf8',
): Promise<GitEnd> {
  if (signal.aborted) throw new ServiceError('cancelled');
  if (performance.now() - (givenUp.get(cwd) ?? Number.NEGATIVE_INFINITY) < givenUpMs) return { kind: 'endless' };
  const options = safeSettings.flatMap((setting) => ['-c', setting]);
  const child = spawn('git', ['--no-pager', ...options, ...args], {
    cwd,
    env: environment(),
    signal,
    windowsHide: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let end: GitEnd | undefined;
  const giveUp = (): void => {
    end = { kind: 'endless' };
    child.kill('SIGKILL');
  };
  const giveUpOn = (): void => {
    givenUp.set(cwd, performance.now());
    giveUp();
  };
  let timer = setTimeout(giveUpOn, limits.silentMs);
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    if (said.length < 1_000) said += part;
  });
  const ended = new Promise<GitEnd>((resolve) => {
    child.on('error', () => resolve({ kind: 'missing' }));
    child.on('close', (status) => resolve(status === 0 ? { kind: 'well' } : failureOf(status ?? undefined, said)));
  });
  // Git may end before it has read all of its input.
  child.stdin.on('error', () => undefined);
  Readable.from(input).pipe(child.stdin);
  let rest = '';
  let bytes = 0;
  child.stdout.setEncoding(charset);
  try {
    for await (const part of child.stdout as AsyncIterable<string>) {
      clearTimeout(timer);
      timer = setTimeout(giveUpOn, limits.silentMs);
      bytes += part.length;
      const pieces = (rest + part).split('\0');
      rest = pieces.pop() ?? '';
      if (bytes > limits.bytes || rest.length > limits.piece) giveUp();
      if (end !== undefined || signal.aborted) break;
      for (const piece of pieces) take(piece);
      // Pieces that have come already are yielded without a turn in between; a turn here lets others run during a long
      // list.
      await nextTurn();
    }
  } catch {
    // The child's exit reports the error.
  }
  const closed = await ended;
  clearTimeout(timer);
  if (signal.aborted) throw new ServiceError('cancelled');
  if (end === undefined && rest !== '') take(rest);
  return end ?? closed;
}

/** With `LC_ALL=C`, git says it in these words, since 2.36 and before. */
function failureOf(status: number | undefined, said: string): GitEnd {
  const [, folder] =
    /^fatal: (?:detected dubious ownership in repository at |unsafe repository \()'(.+?)'(?:$| is owned)/m.exec(said) ??
    [];
  return folder === undefined ? { kind: 'failed', status, said: firstLine(said) } : { kind: 'not-owned', folder };
}

function firstLine(text: string): string {
  const lines = text.split('\n').filter((line) => !line.startsWith('warning: '));
  return (lines[0] ?? '').replace(/^(fatal|error): /, '').slice(0, 300);
}
