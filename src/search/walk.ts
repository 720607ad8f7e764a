import { type Dirent, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { ServiceError } from '../service/errors.ts';

/** Folders that hold other people's code or the output of tools, where no `.gitignore` says so. */
const foldersLeftOut = new Set(['node_modules', '.git', '.hg', '.svn', '__pycache__', '.venv', '.tox', '.cache']);

/** The rules of one `.gitignore`, for paths under its folder (`''`: the root). */
interface Rules {
  folder: string;
  ignore: Ignore;
}

/**
 * The files of a folder that git does not answer for, by the rules of nested `.gitignore` files. Symbolic links are listed,
 * never followed. With `only`, just those of the given paths that the rules let in.
 */
export async function walkedPaths(root: string, signal: AbortSignal, only?: readonly string[]): Promise<string[]> {
  if (only !== undefined) return only.filter((path) => isLetIn(root, path));
  const found: string[] = [];
  async function visit(folder: string, inherited: readonly Rules[]): Promise<void> {
    if (signal.aborted) throw new ServiceError('cancelled');
    const rules = withRulesOf(root, folder, inherited);
    for (const entry of await entriesOf(join(root, folder))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (isIgnored(rules, path, entry.isDirectory())) continue;
      if (entry.isDirectory()) await visit(path, rules);
      else found.push(path);
    }
  }
  await visit('', []);
  return found;
}

/** Whether a path is the root or inside it. Both absolute, in the form of this system. */
export function isInside(root: string, path: string): boolean {
  const base = root.endsWith(sep) ? root : root + sep;
  return path === root || path.startsWith(base);
}

/** A folder that cannot be read has no files for us. */
async function entriesOf(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}

function isLetIn(root: string, path: string): boolean {
  let rules: readonly Rules[] = [];
  const parts = path.split('/');
  return parts.every((_, depth) => {
    rules = withRulesOf(root, parts.slice(0, depth).join('/'), rules);
    return !isIgnored(rules, parts.slice(0, depth + 1).join('/'), depth < parts.length - 1);
  });
}

function withRulesOf(root: string, folder: string, inherited: readonly Rules[]): readonly Rules[] {
  try {
    const text = readFileSync(join(root, folder, '.gitignore'), 'utf8');
    return [...inherited, { folder, ignore: ignore().add(text) }];
  } catch {
    return inherited;
  }
}

/** The deepest file that has a rule for the path decides, as git has it. */
function isIgnored(rules: readonly Rules[], path: string, isFolder: boolean): boolean {
  if (isFolder && foldersLeftOut.has(path.slice(path.lastIndexOf('/') + 1))) return true;
  for (const { folder, ignore: own } of [...rules].reverse()) {
    const inner = folder === '' ? path : path.slice(folder.length + 1);
    const verdict = own.test(isFolder ? `${inner}/` : inner);
    if (verdict.ignored) return true;
    if (verdict.unignored) return false;
  }
  return false;
}
