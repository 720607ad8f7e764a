import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../../base/errors.ts';
import { storageReason } from './storageError.ts';

/** Milliseconds that a connection waits for another one, where it has to wait. */
export const busyTimeoutMs = 10_000;
const askAgainMs = 20;

/**
 * Does work in a transaction that writes, all of it or nothing; inside another transaction it becomes a part of that.
 * While another window writes it fails as busy at once, so that the thread that answers questions is not blocked: `whenFree` retries.
 * @param waitMs set where blocking is right, because the next step needs the result
 */
export function inTransaction<T>(database: DatabaseSync, work: () => T, waitMs = 0): T {
  endReading(database);
  if (database.isTransaction) return work();
  try {
    database.exec(`PRAGMA busy_timeout = ${waitMs}; BEGIN IMMEDIATE;`);
  } finally {
    // Readers hardly ever wait, and then only for a moment.
    database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  }
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // SQLite has rolled back itself when the disk is full; a second ROLLBACK would fail and hide the first error.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

const reading = new WeakSet<DatabaseSync>();

/**
 * Makes the reads that follow in this turn one transaction, which ends before anything else is done: a statement by itself takes and
 * gives up the locks of the file, which costs more than to look up a key.
 */
export function readTogether(database: DatabaseSync): void {
  if (database.isTransaction) return;
  database.exec('BEGIN');
  reading.add(database);
  queueMicrotask(() => endReading(database));
}

function endReading(database: DatabaseSync): void {
  if (reading.delete(database) && database.isOpen && database.isTransaction) database.exec('COMMIT');
}

/** Retries work that writes until no other window is writing. Questions are answered meanwhile. */
export async function whenFree<T>(work: () => T, signal?: AbortSignal): Promise<T> {
  const end = performance.now() + busyTimeoutMs;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw error;
    }
    await sleep(askAgainMs, undefined, { signal }).catch(() => {
      throw new ServiceError('cancelled');
    });
  }
}

function isBusy(error: unknown): boolean {
  return storageReason(error) === 'busy';
}
