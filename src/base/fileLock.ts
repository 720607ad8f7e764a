import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolderSync, prepareDatabaseFile } from './privateFiles.ts';

/** A lock that one process at a time holds. */
export interface FileLock {
  /** Lets the next process in. `forGood`: nobody will take this lock again, so its file is removed, too. */
  release(forGood?: boolean): void;
}

/** SQLITE_BUSY (https://sqlite.org/rescode.html). */
const busy = 5;

/**
 * Takes a lock that all processes of this machine share. It is SQLite's on an empty file, so there is no lease to run out:
 * the system takes it back from a process that died, and never from one that lives, however long it is asleep.
 * @param path of the file
 * @param onWait called when another process has it, and each time it still does; false ends the wait
 * @param askAgainMs time between two tries
 * @returns undefined when the wait ended before it was taken
 * @throws the error of the disk or of SQLite where there can be no such file
 */
export async function takeFileLock(
  path: string,
  signal: AbortSignal,
  onWait: () => unknown,
  askAgainMs: number,
): Promise<FileLock | undefined> {
  // The module is loaded when first needed: activation has no use for it.
  const sqlite = await import('node:sqlite');
  makeFolderSync(dirname(path));
  prepareDatabaseFile(path);
  const file = new sqlite.DatabaseSync(path);
  try {
    while (!signal.aborted) {
      if (take(file)) return { release: (forGood = false) => release(file, path, forGood) };
      if (onWait() === false) break;
      await sleep(askAgainMs, undefined, { signal }).catch(() => {});
    }
  } catch (error) {
    file.close();
    throw error;
  }
  file.close();
  return undefined;
}

function take(file: DatabaseSync): boolean {
  try {
    file.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === busy) return false;
    throw error;
  }
}

/**
 * The file is removed while the lock is still held: later, it might be one that the next process has made. Windows removes
 * no open file, so none that another process holds.
 */
function release(file: DatabaseSync, path: string, forGood: boolean): void {
  const remove = (): void => {
    try {
      rmSync(path, { force: true });
    } catch {
      // An empty file stays.
    }
  };
  if (forGood && process.platform !== 'win32') remove();
  file.close();
  if (forGood && process.platform === 'win32') remove();
}
