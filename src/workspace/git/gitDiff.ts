import { join } from 'node:path';
import { decodeAs } from '../../base/encoding/decode.ts';
import { type EncodingRules, encodingSetting } from '../../base/encoding/encodingRules.ts';
import { versionEncodings } from '../../base/encoding/versionEncodings.ts';
import { excludeByPath } from '../exclusions.ts';
import { readRegular } from '../readRegular.ts';
import { decodeDiff } from './decodeDiff.ts';
import { gitAttributes, isWithin } from './git.ts';
import { commitOf, editedSinceStaged, gitChanged, gitUntracked, type NoChanges } from './gitChanged.ts';
import { gitLimits, runGit } from './gitRun.ts';
import { linePatch, type TurnBudget } from './linePatch.ts';

/**
 * Which changes: in git's index, of the files since then (with those that git does not track yet), or of the files since a branch,
 * tag or commit.
 */
export type DiffOf = 'staged' | 'unstaged' | { readonly since: string };

/** A file whose change is not in a diff, and why. */
export interface DiffGap {
  readonly path: string;
  readonly reason: 'secret' | 'binary' | 'too-large' | 'filter';
}

export type GitDiff = { readonly kind: 'diff'; readonly text: string; readonly gaps: readonly DiffGap[] } | NoChanges;

/** The most files of a diff, the bytes of one, the characters of all, and the lines that are compared in turns. */
const most = { files: 200, bytes: 1 << 20, text: 1_000_000, linesInTurns: 6_000 } as const;

/**
 * Changes as a text that people and models read, of the files below a folder. Files that hold secrets by their name are not read.
 *
 * `git diff` would run filters that the repository names to compare files with what is committed. So git compares only what it
 * has itself, and files are compared here; those that a filter rewrites are left out, as their text is not what git would keep.
 * @throws ServiceError `cancelled`
 */
export async function gitDiff(root: string, of: DiffOf, signal: AbortSignal, rules?: EncodingRules): Promise<GitDiff> {
  if (of === 'staged') return stagedDiff(root, signal, rules);
  const found = of === 'unstaged' ? await sinceStaged(root, signal) : await sinceRevision(root, of.since, signal);
  if ('kind' in found) return found;
  const { paths, gaps } = readable([...found.keys()]);
  const filtered = new Set<string>();
  await gitAttributes(root, ['filter'], paths, signal, (path, _, value) => value !== 'unset' && filtered.add(path));
  const parts: string[] = [];
  let length = 0;
  const budget = { lines: most.linesInTurns };
  for (const path of paths) {
    const made = filtered.has(path)
      ? 'filter'
      : await filePatch({ root, path, object: found.get(path) ?? '', rules }, budget, signal);
    if (typeof made === 'string' || length + made.patch.length > most.text) {
      gaps.push({ path, reason: typeof made === 'string' ? made : 'too-large' });
      continue;
    }
    length += made.patch.length;
    if (made.patch !== '') parts.push(made.patch);
  }
  return { kind: 'diff', text: parts.join(''), gaps };
}

/** The names of branches, here and at other machines as they were when git last heard of them; the newest first. */
export async function gitBranches(root: string, signal: AbortSignal): Promise<string[]> {
  const names: string[] = [];
  const format = '--format=%(refname:short)%00';
  const refs = ['refs/heads', 'refs/remotes'];
  await runGit(root, ['for-each-ref', '--sort=-committerdate', '--count=100', format, ...refs], signal, (name) => {
    if (name.trim() !== '') names.push(name.trim());
  });
  return names;
}

/** The first lines of the last commits, the newest first; none where git does not answer. */
export async function gitSubjects(root: string, count: number, signal: AbortSignal): Promise<string[]> {
  const subjects: string[] = [];
  // A signature is looked at by a program that the repository may name.
  const log = ['log', '--no-show-signature', '--no-color', '--encoding=UTF-8', '-z', '--format=%s', `-${count}`, '--'];
  const end = await runGit(root, log, signal, (subject) => subjects.push(subject));
  return end.kind === 'well' ? subjects : [];
}

/** The same since git's index; those that git does not track yet come last, and what they were is nothing. */
async function sinceStaged(root: string, signal: AbortSignal): Promise<ReadonlyMap<string, string> | NoChanges> {
  const edited = await editedSinceStaged(root, signal);
  if ('kind' in edited) return edited;
  const untracked = await gitUntracked(root, signal);
  if ('kind' in untracked) return untracked;
  return new Map([...edited, ...untracked.map((path) => [path, ''] as const)]);
}

/** Changed paths, each with the name of the object that it was. */
async function sinceRevision(
  root: string,
  revision: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string> | NoChanges> {
  const commit = await commitOf(root, revision, signal);
  if (typeof commit !== 'string') return commit;
  const changed = await gitChanged(root, commit, signal);
  if (changed.kind !== 'changed') return changed;
  return new Map([...changed.paths].map((path) => [path, `${commit}:./${path}`]));
}

/** Paths in order, without secrets, and no more files than anybody reads: the first that were given. */
function readable(all: readonly string[]): { paths: string[]; gaps: DiffGap[] } {
  const within = all.filter(isWithin);
  const isSecret = (path: string): boolean => excludeByPath(path) === 'secret-path';
  const open = within.filter((path) => !isSecret(path));
  const read = open.slice(0, most.files).sort();
  const gaps: DiffGap[] = [
    ...within
      .filter(isSecret)
      .sort()
      .map((path) => ({ path, reason: 'secret' as const })),
    ...open.slice(most.files).map((path) => ({ path, reason: 'too-large' as const })),
  ];
  return { paths: read, gaps };
}

async function stagedDiff(root: string, signal: AbortSignal, rules: EncodingRules | undefined): Promise<GitDiff> {
  // Both sides are git's own: no file is read, and no filter has anything to do.
  const diff = ['diff', '--cached', '--no-color', '--no-ext-diff', '--no-textconv', '--relative', '--no-renames'];
  const names: string[] = [];
  const listed = await runGit(root, [...diff, '--name-only', '--ignore-submodules=dirty', '-z', '--'], signal, (name) =>
    names.push(name),
  );
  // Outside a repository git takes the command for another one, and complains of its options.
  if (listed.kind === 'failed') return (await whyNoRepository(root, signal)) ?? listed;
  if (listed.kind !== 'well') return listed;
  const { paths, gaps } = readable(names);
  if (paths.length === 0) return { kind: 'diff', text: '', gaps };
  const shape = ['-p', '--submodule=short', '--ignore-submodules=dirty', '--src-prefix=a/', '--dst-prefix=b/', '--'];
  const limits = { ...gitLimits, bytes: most.text, piece: most.text };
  let text = '';
  const literal = paths.map((path) => `:(literal)${path}`);
  const take = (piece: string): void => {
    text += piece;
  };
  const end = await runGit(root, [...diff, ...shape, ...literal], signal, take, [], limits, 'latin1');
  if (end.kind === 'endless') {
    return { kind: 'diff', text: '', gaps: [...gaps, ...paths.map((path) => tooLarge(path))] };
  }
  return end.kind === 'well' ? { kind: 'diff', text: decodeDiff(text, rules), gaps } : end;
}

/** Why git reads no repository in a folder; undefined where it does. */
async function whyNoRepository(root: string, signal: AbortSignal): Promise<NoChanges | undefined> {
  const end = await runGit(root, ['rev-parse', '--git-dir'], signal);
  if (end.kind === 'well') return undefined;
  return end.kind === 'failed' && end.said.startsWith('not a git repository') ? { kind: 'no-repository' } : end;
}

const tooLarge = (path: string): DiffGap => ({ path, reason: 'too-large' });

interface ChangedFile {
  readonly root: string;
  readonly path: string;
  /** The name of what it was; empty, or one that git does not have: the file is new. */
  readonly object: string;
  readonly rules: EncodingRules | undefined;
}

/** What changed in one file. */
async function filePatch(
  { root, path, object, rules }: ChangedFile,
  budget: TurnBudget,
  signal: AbortSignal,
): Promise<{ patch: string } | DiffGap['reason']> {
  const limits = { ...gitLimits, bytes: most.bytes, piece: most.bytes };
  const pieces: string[] = [];
  const take = (piece: string): void => void pieces.push(piece);
  const read =
    object === '' ? undefined : await runGit(root, ['cat-file', 'blob', object], signal, take, [], limits, 'latin1');
  if (read?.kind === 'endless') return 'too-large';
  const isNew = read?.kind !== 'well';
  const was = isNew ? new Uint8Array() : Buffer.from(pieces.join('\0'), 'latin1');
  const found = await readRegular(join(root, path), most.bytes).catch(() => 'no-file' as const);
  if (found === 'too-large') return 'too-large';
  const isGone = found === 'no-file';
  const is = isGone ? new Uint8Array() : found;
  const [old, now] = versionEncodings(was, is, encodingSetting(rules, path));
  if (old === undefined || now === undefined) return 'binary';
  const [before, text] = [decodeAs(was, old), decodeAs(is, now)];
  if (before.includes('\0') || text.includes('\0')) return 'binary';
  // Git keeps one kind of line ends, whatever the file has.
  const after = before.includes('\r\n') ? text : text.replaceAll('\r\n', '\n');
  if (before === after) return { patch: '' };
  const [from, to] = [isNew ? '/dev/null' : `a/${path}`, isGone ? '/dev/null' : `b/${path}`];
  const patch = await linePatch([from, to], before, after, budget);
  // As git begins a file, with both names as they are quoted below.
  return { patch: patch.replace(/^--- (.*)\n\+\+\+ (.*)\n/, 'diff --git $1 $2\n$&') };
}
