import { existsSync } from 'node:fs';
import { readdir, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isInside } from '../../base/paths.ts';
import { writeWhole } from '../../base/privateFiles.ts';
import { realOf } from './askedFolders.ts';
import { type IndexRecord, nameOfIndex, readRecord } from './indexRecord.ts';
import { readSmallFile } from './readSmallFile.ts';

/** An index of this machine, with what it takes up. */
export interface ListedIndex extends IndexRecord {
  /** Bytes on the disk; 0 where the folder of the index is gone. */
  readonly bytes: number;
}

/** The indexes of this user's editors and commands: each is recorded in a file of its own. */
export interface IndexRegistry {
  /** Records an index, or what has changed of it. */
  write(record: IndexRecord): Promise<void>;
  /** All of them, the one that was used last first. Files that are no record are left alone. */
  all(): Promise<IndexRecord[]>;
  /** The same with their sizes. */
  list(): Promise<ListedIndex[]>;
  /**
   * The index that has all of these folders, each as one of its own or inside one, whatever links lead there; undefined where there is
   * none. One whose files are gone does not count: it is not for others to make it again.
   * One of just these folders goes before one of more, one with vectors before one without, and then the one that was used last.
   */
  find(folders: readonly string[]): Promise<IndexRecord | undefined>;
  /** Where an index of these folders goes that no editor has made. */
  ownDirectory(folders: readonly string[]): string;
  /** Takes an index out of the list. @param files whether its files are deleted, too */
  remove(directory: string, files: boolean): Promise<void>;
}

/** @param folder the data folder of this user (dataFolder.ts) */
export function openIndexRegistry(folder: string): IndexRegistry {
  const records = join(folder, 'indexes');
  const pathOf = (directory: string): string => join(records, `${nameOfIndex(directory)}.json`);

  async function all(): Promise<IndexRecord[]> {
    const names = await readdir(records).catch(() => []);
    const read = await Promise.all(
      names
        .filter((name) => name.endsWith('.json'))
        .map(async (name) => readRecord(await readSmallFile(join(records, name)))),
    );
    return read.filter((record) => record !== undefined).sort((a, b) => b.usedAt - a.usedAt);
  }

  return {
    write: (record) => writeWhole(pathOf(record.directory), JSON.stringify(record, null, 1)),
    all,
    list: async () =>
      Promise.all((await all()).map(async (record) => ({ ...record, bytes: await indexBytes(record.directory) }))),
    async find(folders) {
      const there = (await all()).filter(({ directory }) => existsSync(directory));
      const asked = await Promise.all(folders.map(realOf));
      const known = await Promise.all(
        there.map(async (record) => ({ record, roots: await Promise.all(record.scope.roots.map(realOf)) })),
      );
      const rankOf = ({ record, roots }: (typeof known)[number]): number =>
        (roots.length === asked.length && asked.every((each) => roots.includes(each)) ? 2 : 0) +
        (record.source === undefined ? 0 : 1);
      // The sort is stable: of two of the same rank, the one that was used last stays first.
      return known
        .filter(({ roots }) => asked.every((each) => roots.some((root) => isInside(root, each))))
        .sort((a, b) => rankOf(b) - rankOf(a))[0]?.record;
    },
    ownDirectory: (folders) => join(records, nameOfIndex(JSON.stringify([...folders].sort()))),
    async remove(directory, files) {
      if (files) await removeFiles(directory);
      await rm(pathOf(directory), { force: true });
    },
  };
}

/** What is of an index in its folder. Whoever names a folder for it may have other things there. */
const ofIndex = /^((index(\.next)?|vectors)\.db|vectors-\d+\.|turn(\.next)?\.lock)/;

/** Deletes the files of an index, and its folder where nothing else is in it. */
async function removeFiles(directory: string): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  for (const name of names.filter((each) => ofIndex.test(each))) {
    await rm(join(directory, name), { recursive: true, force: true });
  }
  await rmdir(directory).catch(() => undefined);
}

/** The bytes of the files in the folder of an index. */
export async function indexBytes(directory: string): Promise<number> {
  const names = await readdir(directory).catch(() => []);
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(directory, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
