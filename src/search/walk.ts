import type { Dir } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '../service/errors.ts';
import { type IgnoreFiles, readIgnoreFiles } from './ignoreFiles.ts';

/** Folders that hold other people's code or the output of tools, where no `.gitignore` says so. */
const foldersLeftOut = new Set(['node_modules', '.git', '.hg', '.svn', '__pycache__', '.venv', '.tox', '.cache']);

/**
 * The files of a folder that git does not answer for, by the rules of nested `.gitignore` files. Symbolic links are listed,
 * never followed. With `only`, just those of the given paths that the rules let in, and all in the folders among them.
 */
export async function walk(
  root: string,
  signal: AbortSignal,
  add: (path: string) => void,
  only?: readonly string[],
): Promise<void> {
  const rules = readIgnoreFiles(root, '.gitignore');
  async function visit(folder: string): Promise<void> {
    // In pieces: a folder of 200,000 files holds nothing up.
    for await (const entry of await entriesOf(join(root, folder))) {
      if (signal.aborted) throw new ServiceError('cancelled');
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (isLeftOut(rules, path, entry.isDirectory())) continue;
      if (entry.isDirectory()) await visit(path);
      else add(path);
    }
  }
  if (only === undefined) return visit('');
  for (const path of only) {
    const isFolder = await lstat(join(root, path)).then(
      (stat) => stat.isDirectory(),
      () => false,
    );
    const parents = path.split('/').map((_, depth, parts) => parts.slice(0, depth).join('/'));
    if (parents.slice(1).some((parent) => isLeftOut(rules, parent, true)) || isLeftOut(rules, path, isFolder)) continue;
    if (isFolder) await visit(path);
    else add(path);
  }
}

/** The folder of a path, or the path itself, that is left out for its name alone. */
export function folderLeftOut(path: string): string | undefined {
  return path.split('/').find((part) => foldersLeftOut.has(part));
}

/** A folder that cannot be read has no files for us. */
async function entriesOf(folder: string): Promise<Dir | []> {
  return opendir(folder, { bufferSize: 256 }).catch(() => []);
}

function isLeftOut(rules: IgnoreFiles, path: string, isFolder: boolean): boolean {
  if (isFolder && foldersLeftOut.has(path.slice(path.lastIndexOf('/') + 1))) return true;
  return Boolean(rules.ruleFor(path, isFolder));
}
