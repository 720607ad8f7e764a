import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { inflateRawSync } from 'node:zlib';
import { textHash } from '../../chunker/chunker.ts';
import { openVectorFiles } from '../../vectors/vectorFiles.ts';
import { query, versionOf } from '../rows.ts';
import { databaseName, nextName, readOnlyUrl, schemaVersion } from '../schema/database.ts';
import { spacePath, vectorDatabaseName } from '../schema/vectorSchema.ts';
import { storageReason } from '../storageError.ts';

/** What of an index is damaged on the disk. */
export interface Damage {
  /** Names of the databases that SQLite finds corrupted, or cannot read. */
  databases: string[];
  /** Chunks whose text is not what was stored. */
  texts: number;
  /** Vectors that are not what was stored. */
  vectors: number;
}

/**
 * Checks a whole index and changes nothing of it: opening it with a thorough check would build its words anew. Where a database is
 * corrupted, what stands in it is not counted.
 * @returns undefined where there is no index of this version
 */
export function checkIndex(directory: string): Damage | undefined {
  const main = [databaseName, nextName].map((name) => join(directory, name)).find((path) => existsSync(path));
  if (main === undefined) return undefined;
  const damage: Damage = { databases: [], texts: 0, vectors: 0 };
  const take = (path: string, name: string, count: (database: DatabaseSync) => void): void => {
    if (existsSync(path) && !isSound(path, count)) damage.databases.push(name);
  };
  take(main, databaseName, (database) => {
    if (versionOf(database, 'main') === schemaVersion) damage.texts = countTexts(database);
  });
  take(join(directory, vectorDatabaseName), vectorDatabaseName, (database) => {
    damage.vectors = countVectors(database, directory);
  });
  return damage;
}

/** Whether a database is sound, by SQLite's own check; then what stands in it is looked at. */
function isSound(path: string, count: (database: DatabaseSync) => void): boolean {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(readOnlyUrl(path), { readOnly: true });
    if (database.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check'] !== 'ok') return false;
    count(database);
    return true;
  } catch (error) {
    if (storageReason(error) === 'damaged') return false;
    throw error;
  } finally {
    database?.close();
  }
}

function countTexts(database: DatabaseSync): number {
  let damaged = 0;
  // One after the other: all texts together may take more memory than there is.
  for (const { hash, text } of database.prepare('SELECT hash, text FROM chunks').iterate()) {
    if (!isText(text, hash)) damaged++;
  }
  return damaged;
}

function isText(text: unknown, hash: unknown): boolean {
  try {
    return Buffer.compare(textHash(inflateRawSync(text as Uint8Array)), hash as Uint8Array) === 0;
  } catch {
    return false;
  }
}

function countVectors(database: DatabaseSync, directory: string): number {
  // Another program may have made the file, and nothing in it yet.
  if (database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'spaces'").get() === undefined) return 0;
  let damaged = 0;
  const columns = { id: 'number', dimensions: 'number' } as const;
  const spaces = query(database, 'SELECT id, dimensions FROM spaces WHERE dimensions IS NOT NULL', columns).all();
  const slots = query(database, 'SELECT slot, hash FROM vectors WHERE space = ?', { slot: 'number', hash: 'any' });
  for (const { id, dimensions } of spaces) {
    const listed = slots.all(id);
    const path = spacePath(directory, id);
    if (listed.length === 0) continue;
    if (['.bits', '.values', '.rest'].some((ending) => !existsSync(path + ending))) {
      damaged += listed.length;
      continue;
    }
    const files = openVectorFiles(path, dimensions, false);
    try {
      for (const { slot, hash } of listed) {
        const found = files.readHash(slot);
        if (found === undefined || Buffer.compare(found, hash as Uint8Array) !== 0) damaged++;
      }
    } finally {
      files.close();
    }
  }
  return damaged;
}
