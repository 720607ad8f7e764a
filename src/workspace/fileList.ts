import { hash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeAs, encodingOf } from '../base/encoding/decode.ts';
import type { LineRange } from '../base/lines.ts';
import { relativePath } from '../base/paths.ts';
import { type Exclusion, type ExclusionReason, linesLeftOut } from './exclusions.ts';
import { type Filter, findLinks } from './fileFilter.ts';
import { gitPaths } from './git/git.ts';
import { byRepository } from './git/repositories.ts';
import { readRegular } from './readRegular.ts';
import { walk } from './walk.ts';

/** Size and date of a file, known without reading it. */
export interface FileStamp {
  /** Bytes. */
  size: number;
  /** Milliseconds since the epoch. */
  mtimeMs: number;
}

/** The record of a file from the last scan. */
export interface FileRecord extends FileStamp {
  /** Hash of the bytes, or of the text where they are no UTF-8; undefined for a file that is left out. */
  hash?: string | undefined;
  reason?: ExclusionReason | undefined;
}

/** The lines of a file that are left out as they hold secrets, from 1, and the exclusion that they would be for the whole. */
export interface PartlyLeftOut {
  readonly lines: readonly LineRange[];
  readonly exclusion: Exclusion;
}

/** The one verdict on a file, used by scans and saves alike. */
export type Examined =
  /** `secret`: chunks with lines of it are left out. */
  | { kind: 'text'; stamp: FileStamp; text: string; hash: string; secret?: PartlyLeftOut }
  | { kind: 'excluded'; stamp: FileStamp; exclusion: Exclusion }
  /** The file has not changed since the last scan. */
  | { kind: 'unchanged' }
  /** The file is deleted, or not a file any more; git still lists deleted files. */
  | { kind: 'missing' };

/**
 * The files of a folder that no ignore rule names, as relative paths with `/`, in no order. In a git folder this is git's
 * own answer; without git, or elsewhere, the same rules by our own walk. With `only`, just those of the given paths that
 * belong to the list, and all in the folders among them. Repositories inside are listed by their own rules.
 */
export async function listFiles(root: string, signal: AbortSignal, only?: readonly string[]): Promise<string[]> {
  const listed = new Set<string>();
  const groups = only === undefined ? new Map([['', undefined]]) : byRepository(root, await withoutLinks(root, only));
  for (const [inner, paths] of groups) {
    // A repository that the outer one ignores is not listed by a whole scan either.
    if (inner === '' || (await isListed(root, inner, signal))) await listRepository(root, inner, signal, listed, paths);
  }
  return [...listed];
}

/** The same for one of several roots: the files of a root inside it are that one's alone. */
export async function listOwnFiles(
  roots: readonly string[],
  root: string,
  signal: AbortSignal,
  only?: readonly string[],
): Promise<string[]> {
  const list = await listFiles(root, signal, only);
  const inner = roots.map((other) => relativePath(root, other)).filter(Boolean);
  return inner.length === 0 ? list : list.filter((path) => !inner.some((folder) => path.startsWith(`${folder}/`)));
}

/** Drops paths behind a link: asked for one of them, git answers nothing at all. */
async function withoutLinks(root: string, paths: readonly string[]): Promise<string[]> {
  const isBehindLink = findLinks(root);
  // A deleted path cannot be behind a link.
  const behind = await Promise.all(paths.map((path) => isBehindLink(path).catch(() => false)));
  return paths.filter((_, index) => !behind[index]);
}

async function listRepository(
  root: string,
  inner: string,
  signal: AbortSignal,
  listed: Set<string>,
  only?: readonly string[],
): Promise<void> {
  const folder = join(root, inner);
  const nested: string[] = [];
  const add = (path: string, isRepository = false): void => {
    const full = inner === '' ? path : `${inner}/${path}`;
    if (isRepository) nested.push(full);
    else if (!/(^|\/)\.git(\/|$)/.test(full)) listed.add(full);
  };
  if (!(await gitPaths(folder, signal, add, only))) await walk(folder, signal, add, only);
  for (const repository of nested) await listRepository(root, repository, signal, listed);
}

async function isListed(root: string, repository: string, signal: AbortSignal): Promise<boolean> {
  let found = false;
  const add = (): void => {
    found = true;
  };
  if (!(await gitPaths(root, signal, add, [repository]))) await walk(root, signal, add, [repository]);
  return found;
}

/** Reasons that hold while the bytes are unchanged. Others are checked again at each scan. */
const lasting: ReadonlySet<ExclusionReason> = new Set(['binary', 'secret-content']);

/**
 * Examines one file: by its path, its kind, its size, its bytes, its text, in this order, so that a secret file is
 * never read and a huge one never loaded. `known` is the record of the last scan by the same rules; a file with its
 * stamp is not read again.
 */
export async function examineFile(filter: Filter, path: string, known?: FileRecord): Promise<Examined> {
  const { root, maxBytes } = filter;
  const full = join(root, path);
  try {
    const stat = await lstat(full);
    if (stat.isDirectory()) return { kind: 'missing' };
    const stamp = { size: stat.size, mtimeMs: stat.mtimeMs };
    const excluded = (exclusion: Exclusion): Examined => {
      const isSame = known?.reason === exclusion.reason && sameStamp(known, stamp);
      return isSame ? { kind: 'unchanged' } : { kind: 'excluded', stamp, exclusion };
    };
    // A link to a file of this folder would list it twice; the target of any other link is outside it.
    if (await filter.isBehindLink(path)) return { kind: 'missing' };
    if (stat.isSymbolicLink()) return excluded({ reason: 'symlink' });
    // A pipe or a device is not read, as reading would block.
    if (!stat.isFile()) return excluded({ reason: 'unreadable' });
    const byPath = filter.byPath(path);
    if (byPath !== undefined) return excluded(byPath);
    if (stat.size > maxBytes) return excluded({ reason: 'too-large' });
    if (sameStamp(known, stamp) && (known?.reason === undefined || lasting.has(known.reason))) {
      return { kind: 'unchanged' };
    }
    const bytes = await readRegular(full, maxBytes);
    // The path has become something else since.
    if (bytes === 'no-file') return excluded({ reason: 'unreadable' });
    if (bytes === 'too-large') return excluded({ reason: 'too-large' });
    const encoding = encodingOf(bytes, filter.encodingSetting(path));
    if (encoding === undefined) return excluded({ reason: 'binary' });
    const text = decodeAs(bytes, encoding);
    const byText = filter.byText(path, text);
    // Read in another encoding, the same bytes are another text.
    const found = { kind: 'text', stamp, text, hash: hash('sha256', encoding === 'utf-8' ? bytes : text) } as const;
    if (byText === undefined) return found;
    const lines = byText.reason === 'secret-content' ? linesLeftOut(path, text) : undefined;
    return lines === undefined ? excluded(byText) : { ...found, secret: { lines, exclusion: byText } };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing' };
    return { kind: 'excluded', stamp: { size: 0, mtimeMs: 0 }, exclusion: { reason: 'unreadable' } };
  }
}

const sameStamp = (known: FileRecord | undefined, stamp: FileStamp): boolean =>
  known?.size === stamp.size && known.mtimeMs === stamp.mtimeMs;
