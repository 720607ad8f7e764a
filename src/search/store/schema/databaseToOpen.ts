import { existsSync, renameSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { query, versionOf } from '../rows.ts';

/**
 * The file to open as the database of an index. One of another schema (a window with another version of Parley may have
 * it open) stays as it is while `next` is built beside it; `next` replaces it once an earlier opening found it complete
 * and nobody has either open.
 */
export function databaseToOpen(current: string, next: string, schemaVersion: number): string {
  const version = existsSync(current) ? read(current, (database) => versionOf(database, 'main')) : undefined;
  if (version === undefined || version === 0 || version === schemaVersion) {
    removeLeft(next, schemaVersion);
    return current;
  }
  const isWhole = existsSync(next) && read(next, (database) => isWholeIn(database, schemaVersion)) === true;
  if (!isWhole || ![next, current].every(isUnused)) return next;
  try {
    renameSync(next, current);
    return current;
  } catch {
    return next;
  }
}

/** Removes a `next` that this version built beside an index that has since been corrupted and replaced. */
function removeLeft(next: string, schemaVersion: number): void {
  if (!existsSync(next) || read(next, (database) => versionOf(database, 'main')) !== schemaVersion || !isUnused(next))
    return;
  try {
    rmSync(next);
  } catch {
    // The file only takes up room until the next opening.
  }
}

/** Whether all files were examined, which a scan records at its end. */
function isWholeIn(database: DatabaseSync, schemaVersion: number): boolean {
  if (versionOf(database, 'main') !== schemaVersion) return false;
  return database.prepare("SELECT 1 FROM meta WHERE name = 'rules'").get() !== undefined;
}

/**
 * Whether a database is unused: only then can it leave its write-ahead log, which is gone then, and the file is
 * complete.
 */
function isUnused(path: string): boolean {
  const mode = (database: DatabaseSync) =>
    query(database, 'PRAGMA journal_mode = DELETE', { journal_mode: 'text' }).one();
  return read(path, mode)?.journal_mode === 'delete';
}

/** Reads from a database; undefined when it cannot be read, as opening it checks for corruption. */
function read<T>(path: string, what: (database: DatabaseSync) => T): T | undefined {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path);
    return what(database);
  } catch {
    return undefined;
  } finally {
    database?.close();
  }
}
