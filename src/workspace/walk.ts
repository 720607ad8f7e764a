import type { Dir } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { ServiceError } from '../base/errors.ts';
import { type IgnoreFiles, readIgnoreFiles } from './ignoreFiles.ts';

/** Folders with other people's code or tool output, left out even without a `.gitignore`. */
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
    // Entries are read in pieces, so that a folder of 200,000 files does not block.
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

/** The folder of a path, or the path itself, whose name alone leaves it out. */
export function folderLeftOut(path: string): string | undefined {
  return path.split('/').find((part) => foldersLeftOut.has(part));
}

/** The entries of a folder; none where it cannot be read. */
async function entriesOf(folder: string): Promise<Dir | []> {
  return opendir(folder, { bufferSize: 256 }).catch(() => []);
}

function isLeftOut(rules: IgnoreFiles, path: string, isFolder: boolean): boolean {
  if (isFolder && foldersLeftOut.has(posix.basename(path))) return true;
  const rule = rules.ruleFor(path, isFolder);
  // An unusable ignore file, which leaves out its whole folder, is listed itself, so that it is reported.
  return Boolean(rule) && !(rule && rule.problem !== undefined && rule.file === path);
}
