import { createHash } from 'node:crypto';
import { type BigIntStats, promises } from 'node:fs';
import { join, resolve } from 'node:path';
import { ServiceError } from '../../base/errors.ts';
import { readRegular } from '../readRegular.ts';
import { isWithin } from './git.ts';
import { type GitEnd, runGit } from './gitRun.ts';

/** The changed paths under a root, or the reason why git gives none. */
export type Changed = { kind: 'changed'; paths: ReadonlySet<string> } | NoChanges;

/** The reason why git says nothing about changes. */
export type NoChanges =
  /** Git does not know the revision. */
  { kind: 'no-revision' } | { kind: 'no-repository' } | Exclude<GitEnd, { kind: 'well' }>;

/** Size up to which files are compared by content; a larger one has changed as soon as its size or date has. */
const maxBytes = 8 * 1024 * 1024;
const readAtOnce = 16;

/**
 * The paths under a root that differ from a revision, in commits, in the index or in the working files, and those git
 * does not track yet.
 *
 * `git diff` would run a filter that the repository names (`filter.*.clean`) to compare a file with what is committed.
 * So the revision is compared with git's index alone, and the files with that here: a file with the recorded size and
 * date is unchanged; another is read and hashed, also with its line ends, `$Id$` and encoding as git would store them.
 * A file that a filter rewrites remains undetected by this: it counts as changed once its date differs. So does one
 * that was staged and then restored.
 */
export async function gitChanged(root: string, revision: string, signal: AbortSignal): Promise<Changed> {
  const found = await commitOf(root, revision, signal);
  if (typeof found !== 'string') return found;
  const paths = new Set<string>();
  const take = (path: string): void => void paths.add(path);
  const staged = [
    'diff-index',
    '--cached',
    '--name-only',
    '--relative',
    '--no-renames',
    '--no-ext-diff',
    '--no-textconv',
  ];
  const ends: readonly GitEnd[] = [
    await runGit(root, [...staged, '--ignore-submodules=dirty', '-z', found, '--'], signal, take),
    await addEdited(root, signal, (path) => paths.add(path)),
    await runGit(root, untracked, signal, take),
  ];
  for (const end of ends) if (end.kind !== 'well') return end;
  return { kind: 'changed', paths };
}

const untracked = ['ls-files', '-o', '--exclude-standard', '-z'];

/** The paths under a root that git does not track, but for those that it ignores. */
export async function gitUntracked(root: string, signal: AbortSignal): Promise<string[] | NoChanges> {
  const paths: string[] = [];
  const end = await runGit(root, untracked, signal, (path) => paths.push(path));
  if (end.kind === 'failed') return whyNot(end);
  // A nested repository is told as a folder.
  return end.kind === 'well' ? paths.filter((path) => path !== '' && !path.endsWith('/')) : end;
}

/** The id of the commit that a text names, or the reason why git gives none. */
export async function commitOf(root: string, revision: string, signal: AbortSignal): Promise<string | NoChanges> {
  if (!isRevision(revision)) return { kind: 'no-revision' };
  let commit = '';
  const name = `${revision}^{commit}`;
  const verified = await runGit(root, ['rev-parse', '-q', '--verify', '--end-of-options', name], signal, (piece) => {
    commit = piece.trim();
  });
  if (verified.kind === 'failed') return whyNot(verified);
  return verified.kind === 'well' ? commit : verified;
}

/** The tracked files that differ from git's index, each with the id of what the index has. */
export async function editedSinceStaged(
  root: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string> | NoChanges> {
  const edited = new Map<string, string>();
  const end = await addEdited(root, signal, (path, id) => edited.set(path, id));
  if (end.kind === 'failed') return whyNot(end);
  return end.kind === 'well' ? edited : end;
}

/** Whether a text may name a revision: not an option of git, nor a search through all commits. */
function isRevision(revision: string): boolean {
  return revision.length <= 250 && !/^-|[\s:\0]|\{\//.test(revision);
}

/** The reason of a failure: with `-q --verify`, git prints nothing about an unknown revision. */
function whyNot(end: Extract<GitEnd, { kind: 'failed' }>): NoChanges {
  if (end.said.startsWith('not a git repository')) return { kind: 'no-repository' };
  return end.said === '' || end.said === 'Needed a single revision' ? { kind: 'no-revision' } : end;
}

/** A file's entry in git's index. */
interface Entry {
  path: string;
  /** Hash of its content. */
  id: string;
  size: number;
  /** Nanoseconds since the epoch, or only whole seconds. */
  mtime: { seconds: bigint; nanoseconds: bigint };
}

/** Reports the tracked files that differ from the index. */
async function addEdited(root: string, signal: AbortSignal, add: (path: string, id: string) => void): Promise<GitEnd> {
  let indexPath = '';
  const located = await runGit(root, ['rev-parse', '--git-path', 'index'], signal, (piece) => {
    indexPath = piece.trim();
  });
  if (located.kind !== 'well') return located;
  const entries: Entry[] = [];
  const listed = await runGit(root, ['ls-files', '-sv', '--debug', '-z'], signal, entryReader(entries));
  if (listed.kind !== 'well') return listed;
  const written = await statOf(resolve(root, indexPath));
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let entry = entries[next++]; entry !== undefined; entry = entries[next++]) {
      if (signal.aborted) throw new ServiceError('cancelled');
      if (await isEdited(root, entry, written?.mtimeNs)) add(entry.path, entry.id);
    }
  };
  await Promise.all(Array.from({ length: readAtOnce }, lane));
  return listed;
}

/** Reads `H MODE ID STAGE\tPATH`, a NUL, and lines with git's record of the file, which begin the next piece. */
function entryReader(entries: Entry[]): (piece: string) => void {
  const noted =
    /^ {2}ctime: \d+:\d+\n {2}mtime: (\d+):(\d+)\n {2}dev: [^\n]*\n {2}uid: [^\n]*\n {2}size: (\d+)\tflags: \w+\n/;
  let before: Entry | undefined;
  return (piece) => {
    const notes = noted.exec(piece);
    if (before !== undefined && notes !== null) {
      const [, seconds = '', nanoseconds = '', size = ''] = notes;
      before.size = Number(size);
      before.mtime = { seconds: BigInt(seconds), nanoseconds: BigInt(nanoseconds) };
    }
    // `S` and small letters mark files git was told to take for unchanged. Links and submodules are not texts.
    const head = /^[HM] 100\d+ ([0-9a-f]+) \d\t/.exec(piece.slice(notes?.[0].length ?? 0));
    before = undefined;
    if (head === null) return;
    const path = piece.slice((notes?.[0].length ?? 0) + head[0].length);
    if (!isWithin(path)) return;
    before = { path, id: head[1] ?? '', size: -1, mtime: { seconds: -1n, nanoseconds: 0n } };
    entries.push(before);
  };
}

async function isEdited(root: string, entry: Entry, indexWritten: bigint | undefined): Promise<boolean> {
  const file = join(root, entry.path);
  const stat = await statOf(file);
  if (!stat?.isFile()) return true;
  const { seconds, nanoseconds } = entry.mtime;
  const isDated =
    stat.mtimeNs / 1_000_000_000n === seconds && (nanoseconds === 0n || stat.mtimeNs % 1_000_000_000n === nanoseconds);
  // A file as old as the index may have been written just after it, within a tick of the clock.
  const isOlder = indexWritten !== undefined && stat.mtimeNs < indexWritten;
  if (isDated && isOlder && Number(stat.size) === entry.size) return false;
  const bytes = await readRegular(file, maxBytes).catch(() => 'no-file' as const);
  return typeof bytes === 'string' || !isStoredAs(bytes, entry.id);
}

/** Whether git would store these bytes under this id, after any of the conversions that need no program. */
function isStoredAs(bytes: Buffer, id: string): boolean {
  const algorithm = id.length === 64 ? 'sha256' : 'sha1';
  const isIt = (stored: Buffer): boolean =>
    createHash(algorithm).update(`blob ${stored.length}\0`).update(stored).digest('hex') === id;
  if (isIt(bytes)) return true;
  const text = textOf(bytes);
  const plain = text.replaceAll('\r\n', '\n');
  const forms = [text, plain].flatMap((form) => [form, form.replace(/\$Id:[^$\n]*\$/g, '$Id$$')]);
  return [...new Set(forms)].some((form) => isIt(Buffer.from(form, isWide(bytes) ? 'utf8' : 'latin1')));
}

const isWide = (bytes: Buffer): boolean =>
  (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);

/** The bytes as Latin-1, or the text of UTF-16. */
function textOf(bytes: Buffer): string {
  if (!isWide(bytes)) return bytes.toString('latin1');
  return new TextDecoder(bytes[0] === 0xff ? 'utf-16le' : 'utf-16be').decode(bytes);
}

function statOf(path: string): Promise<BigIntStats | undefined> {
  return promises.lstat(path, { bigint: true }).catch(() => undefined);
}
