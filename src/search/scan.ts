import { join } from 'node:path';
import { ServiceError } from '../service/errors.ts';
import { chunkerVersion, chunkText } from './chunks.ts';
import { rulesVersion } from './exclusions.ts';
import { examineFile, listFiles, relativePath } from './files.ts';
import type { IndexProgress, Scope } from './protocol.ts';
import type { Store } from './store.ts';

/** Files between two reports. */
const reportEvery = 20;

/** Brings the files of the index up to date with all folders: what is new, changed, or gone. Sends nothing. */
export async function scanAll(
  store: Store,
  scope: Scope,
  signal: AbortSignal,
  report: (progress: IndexProgress) => void,
): Promise<void> {
  // What another version of the rules or the chunker decided is decided again.
  const version = `${rulesVersion}.${chunkerVersion}`;
  const trustStamps = store.meta('version') === version;
  report({ phase: 'reading', files: 0, ofFiles: 0 });
  const lists = await Promise.all(scope.roots.map((root) => listFiles(root, signal)));
  const ofFiles = lists.reduce((sum, list) => sum + list.length, 0);
  let files = 0;
  for (const [index, root] of scope.roots.entries()) {
    const present = new Set<string>();
    for (const path of lists[index] ?? []) {
      if (signal.aborted) throw new ServiceError('cancelled');
      for (const found of await takeIn(store, root, path, scope.maxBytes, trustStamps, signal)) present.add(found.path);
      files++;
      if (files % reportEvery === 0 || files === ofFiles) report({ phase: 'reading', files, ofFiles });
    }
    store.removeFiles(
      root,
      store.pathsOf(root).filter((path) => !present.has(path)),
    );
  }
  store.keepRoots(scope.roots);
  store.setMeta('version', version);
}

/**
 * The same for some files, by the same filter. A path that is a folder, or was one, stands for all that is in it. Gives the
 * ids of the files whose text is new: a run that was cancelled is not taken up again by a save.
 */
export async function scanSome(
  store: Store,
  scope: Scope,
  files: readonly string[],
  signal: AbortSignal,
): Promise<number[]> {
  const ids: number[] = [];
  for (const root of scope.roots) {
    const asked = files.map((file) => relativePath(root, file)).filter((path) => path !== undefined);
    const listed = await listFiles(root, signal, asked);
    const present = new Set<string>();
    for (const path of listed) {
      for (const found of await takeIn(store, root, path, scope.maxBytes, true, signal)) {
        present.add(found.path);
        const id = found.isNews ? store.fileId(root, found.path) : undefined;
        if (id !== undefined) ids.push(id);
      }
    }
    const within = (path: string): boolean => asked.some((at) => path === at || path.startsWith(`${at}/`));
    store.removeFiles(
      root,
      store.pathsOf(root).filter((path) => within(path) && !present.has(path)),
    );
  }
  return ids;
}

/** A file the index knows now, and whether its text is other than before. */
interface Known {
  path: string;
  isNews: boolean;
}

/** Takes in one file; gives the paths that are now known (a nested repository has many, a missing file none). */
async function takeIn(
  store: Store,
  root: string,
  path: string,
  maxBytes: number,
  trustStamps: boolean,
  signal: AbortSignal,
): Promise<Known[]> {
  const clean = path.replace(/\/$/, '');
  const examined = await examineFile(root, clean, maxBytes, trustStamps ? store.stampOf(root, clean) : undefined);
  switch (examined.kind) {
    case 'unchanged':
      return [{ path: clean, isNews: false }];
    case 'excluded':
      store.putFile(root, clean, examined.stamp, examined.reason);
      return [{ path: clean, isNews: false }];
    case 'text':
      store.putFile(root, clean, examined.stamp, { hash: examined.hash, chunks: chunkText(examined.text) });
      return [{ path: clean, isNews: true }];
    case 'missing':
      return [];
    case 'folder': {
      const found: Known[] = [];
      for (const inner of await listFiles(join(root, clean), signal)) {
        found.push(...(await takeIn(store, root, `${clean}/${inner}`, maxBytes, trustStamps, signal)));
      }
      return found;
    }
  }
}
