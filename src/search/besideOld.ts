import { existsSync, renameSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** The only schema with vectors of its own: they are taken over where they stand. */
const firstSchema = 1;

/**
 * Which file to open as the database of an index. One of another schema (a window with another version of Parley may have it
 * open) stays as it is while `next` is built beside it; `next` takes its place when it was whole at an earlier opening and
 * nobody has either open.
 */
export function databaseToOpen(current: string, next: string, schemaVersion: number): string {
  const version = existsSync(current) ? read(current, versionOf) : undefined;
  if (version === undefined || [0, firstSchema, schemaVersion].includes(version)) {
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

/** What this version built beside an index that has since been damaged, and made anew, is needed no more. */
function removeLeft(next: string, schemaVersion: number): void {
  if (!existsSync(next) || read(next, versionOf) !== schemaVersion || !isUnused(next)) return;
  try {
    rmSync(next);
  } catch {
    // It costs some room until the next opening.
  }
}

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
}

/** Whether all files were looked at, which is noted when they were. */
function isWholeIn(database: DatabaseSync, schemaVersion: number): boolean {
  if (versionOf(database) !== schemaVersion) return false;
  return database.prepare("SELECT 1 FROM meta WHERE name = 'rules'").get() !== undefined;
}

/** Only a database that nobody else has open can leave its write-ahead log, which then is gone: the file is all there is. */
function isUnused(path: string): boolean {
  return (
    read(path, (database) => database.prepare('PRAGMA journal_mode = DELETE').get()?.['journal_mode']) === 'delete'
  );
}

/** Undefined when it cannot be read: damage is looked for when it is opened. */
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
