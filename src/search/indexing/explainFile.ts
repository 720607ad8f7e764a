import { existsSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { Exclusion } from '../../workspace/exclusions.ts';
import type { Scope } from '../../workspace/fileFilter.ts';
import { createFilter, findLinks } from '../../workspace/fileFilter.ts';
import { examineFile, listFiles } from '../../workspace/fileList.ts';
import { gitIgnoreRule } from '../../workspace/git/git.ts';
import { generatedPaths } from '../../workspace/git/gitAttributes.ts';
import { byRepository } from '../../workspace/git/repositories.ts';
import { type Rule, readIgnoreFiles } from '../../workspace/ignoreFiles.ts';
import type { Secret } from '../../workspace/secrets.ts';
import { folderLeftOut } from '../../workspace/walk.ts';
import { chunkFile } from '../chunker/chunker.ts';
import type { Store } from '../store/store.ts';
import { withoutSecret } from './examiner.ts';

/** Whether a file is in the index, and the reason where it is not. Paths of rule files are absolute here. */
export type FileExplanation =
  | {
      kind: 'indexed';
      chunks: number;
      /** Chunks that meaning can find; undefined when there is no model. */
      byMeaning: number | undefined;
      /** The file's date when it was read: milliseconds since the epoch. */
      mtimeMs: number;
      /** The file has changed since. */
      isStale: boolean;
      /** A secret in it; the chunks with it are left out. */
      secret?: Secret | undefined;
    }
  | { kind: 'excluded'; exclusion: Exclusion }
  /** An ignore file excludes it; which one is not always known. */
  | { kind: 'ignored'; rule?: Rule }
  /** The file is in a folder, such as `node_modules`, that is left out where git does not answer. */
  | { kind: 'left-out-folder'; folder: string }
  /** The file belongs to the index and has not been read yet. */
  | { kind: 'waiting' }
  | { kind: 'missing' };

/** Explains one file by the rules of a scan and by its rows in the index. Changes nothing. */
export async function explainFile(
  store: Store,
  scope: Scope,
  root: string,
  path: string,
  space: number | undefined,
  signal: AbortSignal,
): Promise<FileExplanation> {
  const isThere = await lstat(join(root, path)).then(
    (stat) => !stat.isDirectory(),
    () => false,
  );
  if (!isThere) return { kind: 'missing' };
  const behindLink = await findLinks(root)(path).catch(() => false);
  if (behindLink) return { kind: 'excluded', exclusion: { reason: 'symlink' } };
  if (!(await listFiles(root, signal, [path])).includes(path)) return ignoredBy(root, path, signal);
  const filter = createFilter(root, scope, await generatedPaths(root, [path], signal));
  const examined = await examineFile(filter, path);
  if (examined.kind === 'excluded') {
    const { rule } = examined.exclusion;
    const full = rule === undefined ? {} : { rule: { ...rule, file: resolve(root, rule.file) } };
    return { kind: 'excluded', exclusion: { ...examined.exclusion, ...full } };
  }
  if (examined.kind !== 'text') return { kind: 'missing' };
  const known = store.known(root, path);
  const id = store.fileId(root, path);
  const { secret } = examined;
  // All of its chunks have lines of secrets.
  if (secret !== undefined && withoutSecret(await chunkFile(path, examined.text), secret).length === 0)
    return { kind: 'excluded', exclusion: secret.exclusion };
  if (known?.hash === undefined || id === undefined) return { kind: 'waiting' };
  const chunks = store.chunksOf(id);
  const without = space === undefined ? 0 : store.amountWithout(space, [id]).chunks;
  return {
    kind: 'indexed',
    chunks,
    byMeaning: space === undefined ? undefined : Math.max(0, chunks - without),
    mtimeMs: known.mtimeMs,
    isStale: known.hash !== examined.hash,
    secret: secret?.exclusion.secret,
  };
}

/**
 * The reason why a file is not listed: from its own repository first, then from an outer one that ignores that
 * repository.
 */
async function ignoredBy(root: string, path: string, signal: AbortSignal): Promise<FileExplanation> {
  const [group] = byRepository(root, [path]);
  const [inner = '', [own = path] = []] = group ?? [];
  const asked: [folder: string, path: string, isFolder: boolean][] = [[join(root, inner), own, false]];
  if (inner !== '') asked.push([root, inner, true]);
  for (const [folder, within, isFolder] of asked) {
    const rule = walkRule(folder, within, isFolder);
    if (rule !== undefined) return { kind: 'ignored', rule };
    const leftOut = folderLeftOut(isFolder ? within : dirname(within));
    if (leftOut !== undefined) return { kind: 'left-out-folder', folder: leftOut };
    // Rules that only git knows: info/exclude, core.excludesFile, and ignore files in folders above.
    const byGit = await gitIgnoreRule(folder, within, signal);
    if (byGit !== undefined) return { kind: 'ignored', rule: { ...byGit, file: locate(folder, byGit.file) } };
  }
  return { kind: 'ignored' };
}

function walkRule(folder: string, path: string, isFolder: boolean): Rule | undefined {
  const rules = readIgnoreFiles(folder, '.gitignore');
  const parts = path.split('/');
  for (let depth = 1; depth <= parts.length; depth++) {
    const rule = rules.ruleFor(parts.slice(0, depth).join('/'), depth < parts.length || isFolder);
    if (rule) return { ...rule, file: join(folder, rule.file) };
  }
  return undefined;
}

/** Git names an ignore file from the top of the repository, which is the folder or one above it. */
function locate(folder: string, file: string): string {
  if (isAbsolute(file)) return file;
  for (let top = folder; top !== dirname(top); top = dirname(top)) {
    if (existsSync(join(top, file))) return join(top, file);
  }
  return join(folder, file);
}
