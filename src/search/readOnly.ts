import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { versionOf } from './vectorDatabase.ts';

/**
 * Opens the databases of an index where nothing can be written, the second attached as `paid`. Undefined when they are not
 * there, or of another schema. Nothing is written beside them either, as a connection that only reads otherwise would:
 * https://sqlite.org/wal.html#read_only_databases
 */
export function openReadOnly(path: string, vectorPath: string, schemaVersion: number): DatabaseSync | undefined {
  if (!existsSync(path) || !existsSync(vectorPath)) return undefined;
  const database = new DatabaseSync(urlOf(path), { readOnly: true });
  try {
    database.prepare('ATTACH ? AS paid').run(urlOf(vectorPath).href);
    if (versionOf(database, 'main') === schemaVersion && versionOf(database, 'paid') > 0) return database;
  } catch (error) {
    database.close();
    throw error;
  }
  database.close();
  return undefined;
}

/** With a journal beside it, a database is in use, or was left in the middle: then the journal is read as well. */
function urlOf(path: string): URL {
  const url = pathToFileURL(path);
  const journal = statSync(`${path}-wal`, { throwIfNoEntry: false });
  if (!journal?.size) url.searchParams.set('immutable', '1');
  return url;
}
