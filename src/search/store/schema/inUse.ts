import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { storageReason } from '../storageError.ts';
import { databaseName, nextName } from './database.ts';

/**
 * Whether a program has an index open: this one, or another. Whoever has a database with a write-ahead log open keeps others from having it
 * alone (https://sqlite.org/wal.html#use_of_wal_without_shared_memory). What is stored stays as it is.
 */
export function isInUse(directory: string): boolean {
  return [databaseName, nextName].some((name) => {
    const path = join(directory, name);
    if (!existsSync(path)) return false;
    let database: DatabaseSync | undefined;
    try {
      database = new DatabaseSync(path);
      database.exec('PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE');
      database.prepare('SELECT count(*) FROM sqlite_schema').get();
      return false;
    } catch (error) {
      // One that is damaged is in no use.
      return storageReason(error) === 'busy';
    } finally {
      database?.close();
    }
  });
}
