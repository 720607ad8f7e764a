import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, writeWhole } from '../../base/privateFiles.ts';

/** The originals of images that were pasted, in a folder that is the user's alone. */
export interface ImageStore {
  /** Keeps an image, and gives the name under which it is found again. */
  keep(bytes: Uint8Array, type: string): Promise<string>;
  /** The file of a name; undefined where it is gone. */
  find(name: string): string | undefined;
}

/** Time for which originals are kept after they were pasted last, in milliseconds: what was sent stays in its conversation. */
const keptForMs = 90 * 24 * 3600 * 1000;

const endings: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/bmp': 'bmp',
  'image/avif': 'avif',
};

export function createImageStore(folder: string, now: () => number = Date.now): ImageStore {
  let isTidy = false;

  async function tidy(): Promise<void> {
    if (isTidy) return;
    isTidy = true;
    for (const name of await readdir(folder).catch(() => [])) {
      const file = join(folder, name);
      const old = await stat(file).catch(() => undefined);
      if (old !== undefined && now() - old.mtimeMs > keptForMs) await rm(file, { force: true });
    }
  }

  return {
    async keep(bytes, type) {
      await makeFolder(folder);
      await tidy();
      const name = `${createHash('sha256').update(bytes).digest('hex')}.${endings[type] ?? 'png'}`;
      const file = join(folder, name);
      // One that is shorter was cut by a crash of an older version.
      const isKept = (await stat(file).catch(() => undefined))?.size === bytes.length;
      if (isKept) await utimes(file, now() / 1000, now() / 1000);
      else await writeWhole(file, bytes);
      return name;
    },
    find(name) {
      if (!/^[\da-f]{64}\.\w{1,8}$/.test(name)) return undefined;
      const file = join(folder, name);
      return existsSync(file) ? file : undefined;
    },
  };
}
