import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { lstat, readFile, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { decode, type ExclusionReason, excludeByBytes, excludeByPath, excludeByText } from './exclusions.ts';
import { gitPaths } from './git.ts';
import { isInside, walkedPaths } from './walk.ts';

/** What the search knows of a file without reading it. */
export interface FileStamp {
  /** Bytes. */
  size: number;
  /** Milliseconds since the epoch. */
  mtimeMs: number;
}

/** The one verdict on a file, for the scan and for a save alike. */
export type Examined =
  | { kind: 'text'; stamp: FileStamp; text: string; hash: string }
  | { kind: 'excluded'; stamp: FileStamp; reason: ExclusionReason }
  /** The same as when it was last looked at. */
  | { kind: 'unchanged' }
  /** A repository inside this one: listed by its own rules. */
  | { kind: 'folder' }
  /** Gone; git still lists files that were deleted. */
  | { kind: 'missing' };

/**
 * The files of a folder that no ignore rule names, as relative paths with `/`, sorted. In a git folder this is git's own
 * answer; without git, or elsewhere, the same rules by our own walk. With `only`, just those of the given paths that
 * belong to the list. Nested repositories are listed with their own rules.
 */
export async function listFiles(root: string, signal: AbortSignal, only?: readonly string[]): Promise<string[]> {
  const listed: string[] = [];
  for (const [inner, paths] of byRepository(root, only)) {
    if (paths?.length === 0) continue;
    // A repository that the one around it ignores is not listed by a whole scan either.
    if (inner !== '' && (await listFiles(root, signal, [inner])).length === 0) continue;
    const folder = join(root, inner);
    const own = (await gitPaths(folder, signal, paths)) ?? (await walkedPaths(folder, signal, paths));
    listed.push(...own.map((path) => (inner === '' ? path : `${inner}/${path}`)));
  }
  return [...new Set(listed)].filter((path) => !/(^|\/)\.git(\/|$)/.test(path)).sort();
}

/** The paths asked for, by the repository inside the root that each is in (`''`: the root); undefined: all of the root. */
function byRepository(root: string, only: readonly string[] | undefined): Map<string, string[] | undefined> {
  if (only === undefined) return new Map([['', undefined]]);
  const groups = new Map<string, string[]>();
  for (const path of only) {
    let inner = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    while (inner !== '' && !existsSync(join(root, inner, '.git')))
      inner = inner.slice(0, Math.max(0, inner.lastIndexOf('/')));
    const own = inner === '' ? path : path.slice(inner.length + 1);
    groups.set(inner, [...(groups.get(inner) ?? []), own]);
  }
  return groups;
}

/**
 * Looks at one file: by its path, its kind, its size, its bytes, its text, in this order, so that a secret is never read
 * and a huge file never loaded. `known` is the stamp of the last look; a file that still has it is not read again.
 * @param maxBytes larger files are left out.
 */
export async function examineFile(root: string, path: string, maxBytes: number, known?: FileStamp): Promise<Examined> {
  const full = join(root, path);
  try {
    const stat = await lstat(full);
    if (stat.isDirectory()) return { kind: 'folder' };
    const stamp = { size: stat.size, mtimeMs: stat.mtimeMs };
    const excluded = (reason: ExclusionReason): Examined => ({ kind: 'excluded', stamp, reason });
    // A link to a file of this folder would show it twice; one that leads out of it is none of ours.
    if (stat.isSymbolicLink() || !isInside(await realpath(root), await realpath(full))) return excluded('symlink');
    if (!stat.isFile()) return excluded('unreadable');
    const byPath = excludeByPath(path);
    if (byPath !== undefined) return excluded(byPath);
    if (stat.size > maxBytes) return excluded('too-large');
    if (known?.size === stamp.size && known.mtimeMs === stamp.mtimeMs) return { kind: 'unchanged' };
    const bytes = await readFile(full);
    const byBytes = excludeByBytes(bytes);
    if (byBytes !== undefined) return excluded(byBytes);
    const text = decode(bytes);
    const byText = excludeByText(path, text);
    if (byText !== undefined) return excluded(byText);
    return { kind: 'text', stamp, text, hash: createHash('sha256').update(bytes).digest('hex') };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing' };
    return { kind: 'excluded', stamp: { size: 0, mtimeMs: 0 }, reason: 'unreadable' };
  }
}

/** A path of this system as a relative path with `/`; undefined when it is not inside the root. */
export function relativePath(root: string, file: string): string | undefined {
  if (!isInside(root, file) || file === root) return undefined;
  return file
    .slice(root.length)
    .split(sep)
    .filter((part) => part !== '')
    .join('/');
}
