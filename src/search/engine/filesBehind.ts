import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '../../base/errors.ts';
import type { Scope } from '../../workspace/fileFilter.ts';
import { listOwnFiles } from '../../workspace/fileList.ts';
import type { Store } from '../store/store.ts';

/** How many files the index would read, or drop, if it were brought up to date now. */
export interface FilesBehind {
  added: number;
  changed: number;
  gone: number;
}

/** Files whose state is asked for at one time. */
const together = 64;

/**
 * Counts the files that differ from what the index has read, by size and date. Reads no file and writes nothing.
 * @throws ServiceError `cancelled`
 */
export async function filesBehind(
  store: Pick<Store, 'known' | 'pathsOf'>,
  { roots }: Pick<Scope, 'roots'>,
  signal: AbortSignal,
): Promise<FilesBehind> {
  const behind: FilesBehind = { added: 0, changed: 0, gone: 0 };
  for (const root of roots) {
    const left = new Set(store.pathsOf(root));
    const list = await listOwnFiles(roots, root, signal);
    for (let at = 0; at < list.length; at += together) {
      if (signal.aborted) throw new ServiceError('cancelled');
      await Promise.all(
        list.slice(at, at + together).map(async (path) => {
          const stat = await lstat(join(root, path)).catch(() => undefined);
          // Git still lists deleted files.
          if (stat === undefined || stat.isDirectory()) return;
          const known = store.known(root, path);
          left.delete(path);
          if (known === undefined) behind.added++;
          else if (known.size !== stat.size || known.mtimeMs !== stat.mtimeMs) behind.changed++;
        }),
      );
    }
    behind.gone += left.size;
  }
  return behind;
}
