import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { isInside } from '../../base/paths.ts';

/** A folder that was asked for, without links: two ways to it are one folder. */
export interface AskedFolder {
  /** As it was given, an absolute path. */
  readonly given: string;
  /** Where it is on the disk. */
  readonly real: string;
}

/** The folders among these paths, and the paths that lead to none. A folder inside another one of them is that one's. */
export async function askedFolders(
  given: readonly string[],
): Promise<{ readonly folders: AskedFolder[]; readonly missing: string[] }> {
  const all = await Promise.all(given.map(async (path) => ({ given: path, real: await realFolder(path) })));
  const found = all.flatMap(({ given: path, real }) => (real === undefined ? [] : [{ given: path, real }]));
  const outer = found.filter(
    ({ real }, at) => !found.some((other, place) => isInside(other.real, real) && (other.real !== real || place < at)),
  );
  return { folders: outer, missing: all.flatMap(({ given: path, real }) => (real === undefined ? [path] : [])) };
}

/** A folder without the links on the way to it; undefined where there is none. */
async function realFolder(path: string): Promise<string | undefined> {
  const real = await realpath(path).catch(() => undefined);
  const found = real === undefined ? undefined : await stat(real).catch(() => undefined);
  return found?.isDirectory() ? real : undefined;
}

/**
 * Whether a folder has all that a user or a disk has, and not just code: the home folder, one above it, the root of a disk. Programs are started
 * there without being meant to read it: apps of a desktop in `/`, terminals at home.
 * @param folder absolute, without links
 */
export async function isTooWide(folder: string, home = homeFolder()): Promise<boolean> {
  return dirname(folder) === folder || (isAbsolute(home) && isInside(folder, await realOf(home)));
}

/** Empty where the system knows none, as for a user of a container who has no name. */
function homeFolder(): string {
  try {
    return homedir();
  } catch {
    return '';
  }
}

/** A path on the disk. A root that is gone stays as it is. */
export const realOf = (path: string): Promise<string> => realpath(path).catch(() => path);

/** A path inside one folder as the same path inside another; undefined where it is not inside. */
export function moved(path: string, from: string, to: string): string | undefined {
  return isInside(from, path) ? join(to, relative(from, path)) : undefined;
}
