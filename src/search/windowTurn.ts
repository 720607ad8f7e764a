import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../service/errors.ts';
import { storageReason } from './storage.ts';

const askAgainMs = 1_000;

/**
 * Does work that the windows of one folder do one after the other. Whose turn it is, SQLite's lock on a file tells, which the
 * system takes back from a process that died.
 * @param path of the file, which stays empty
 * @param onWait called now and then while it is the turn of another window
 */
export async function inWindowTurn<T>(
  path: string,
  signal: AbortSignal,
  onWait: () => void,
  work: () => Promise<T>,
): Promise<T> {
  const lock = new DatabaseSync(path);
  try {
    while (!take(lock)) {
      onWait();
      await sleep(askAgainMs, undefined, { signal }).catch(() => {
        throw new ServiceError('cancelled');
      });
    }
    return await work();
  } finally {
    lock.close();
  }
}

function take(lock: DatabaseSync): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (storageReason(error) === 'busy') return false;
    throw error;
  }
}
