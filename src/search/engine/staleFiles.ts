import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Store } from '../store/store.ts';
import type { Place } from '../types.ts';

/** The files among these, as absolute paths, that have changed or are gone since the index read them. */
export async function staleFiles(
  store: Pick<Store, 'known'>,
  files: readonly Pick<Place, 'root' | 'path'>[],
): Promise<string[]> {
  const found = await Promise.all(
    files.map(async ({ root, path }) => {
      const full = join(root, path);
      const known = store.known(root, path);
      const stat = await lstat(full).catch(() => undefined);
      return known !== undefined && stat?.size === known.size && stat.mtimeMs === known.mtimeMs ? [] : [full];
    }),
  );
  return [...new Set(found.flat())];
}
