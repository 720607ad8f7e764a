import { createHash } from 'node:crypto';
import { type FSWatcher, watch } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, writeWhole } from '../../base/privateFiles.ts';
import { mostCharacters } from './checkpoint.ts';

/** A text as it is on the disk, and by what it is told from another. */
export interface SetText {
  readonly text: string;
  readonly digest: string;
}

/** The files in which the sets of a workspace are kept, one a set. Every window on the workspace has the same. */
export interface SetFiles {
  /** The ids of the sets that are there, the oldest first; undefined where there is no such folder. */
  ids(): Promise<string[] | undefined>;
  /** Undefined where it is gone, or larger than any that was written here. */
  read(id: string): Promise<SetText | undefined>;
  /** @returns the digest of the text */
  write(id: string, text: string): Promise<string>;
  remove(id: string): Promise<void>;
  /** Tells of changes, by whatever window, until it is called again or `close` is. It makes the folder. */
  follow(onChange: () => void): Promise<void>;
  close(): void;
}

/** A larger file is none that was written here, in bytes. */
const largestFile = 4 * mostCharacters;

export function createSetFiles(folder: string): SetFiles {
  const pathOf = (id: string): string => join(folder, `${id}.json`);
  let watcher: FSWatcher | undefined;
  let isClosed = false;

  return {
    async ids() {
      const found = await readdir(folder).catch(() => undefined);
      // An id begins with the time, so that the oldest is the first.
      return found?.flatMap((name) => /^(\d+-\d+)\.json$/.exec(name)?.[1] ?? []).sort();
    },
    async read(id) {
      try {
        if ((await stat(pathOf(id))).size > largestFile) return undefined;
        const text = await readFile(pathOf(id), 'utf8');
        return { text, digest: digestOf(text) };
      } catch {
        return undefined;
      }
    },
    async write(id, text) {
      await writeWhole(pathOf(id), text);
      return digestOf(text);
    },
    remove: (id) => rm(pathOf(id), { force: true }),
    async follow(onChange) {
      await makeFolder(folder);
      if (isClosed) return;
      watcher?.close();
      try {
        const following = watch(folder, { persistent: false }, onChange);
        following.on('error', () => following.close());
        watcher = following;
      } catch {
        // The system watches no more folders: windows hear of each other when they are reloaded.
        watcher = undefined;
      }
    },
    close() {
      isClosed = true;
      watcher?.close();
    },
  };
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

/** Whether a process of this machine lives, other than this one. */
export function isOtherAlive(id: number): boolean {
  if (id === process.pid) return false;
  try {
    return process.kill(id, 0);
  } catch (error) {
    // It belongs to somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
