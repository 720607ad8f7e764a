import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { spaceKey, type VectorSource } from '../types.ts';
import { query } from './rows.ts';
import { databaseName, nextName, openReadOnly, schemaVersion } from './schema/database.ts';
import { vectorDatabaseName } from './schema/vectorSchema.ts';

/** Counts of an index on the disk, as far as they can be read without opening it. */
export interface Peek {
  files: number;
  chunks: number;
  /** Chunks with a vector of the model. */
  embedded: number;
  /** Files found by meaning as well; undefined when the model has no vectors here. */
  filesDone: number | undefined;
}

/**
 * Reads the counts of an index on the disk without opening it: no file is created or written, and neither texts nor
 * vectors are read. Undefined where no index can be read; its first use reports the error.
 */
export function peekAt(directory: string, source: VectorSource | undefined): Peek | undefined {
  const vectors = join(directory, vectorDatabaseName);
  // An index of another schema stays in place while one of this version is built beside it.
  for (const name of [databaseName, nextName]) {
    const path = join(directory, name);
    if (!existsSync(path)) continue;
    let database: DatabaseSync | undefined;
    try {
      database = openReadOnly(path, vectors, schemaVersion);
      if (database !== undefined) return count(database, source);
    } catch {
      // An unreadable index counts as none until its first use.
    } finally {
      database?.close();
    }
  }
  return undefined;
}

function count(database: DatabaseSync, source: VectorSource | undefined): Peek {
  const sums = { files: 'number', chunks: 'number' } as const;
  const { files, chunks } = query(
    database,
    'SELECT count(*) AS files, total(chunks) AS chunks FROM files WHERE chunks > 0',
    sums,
  ).one();
  const space = source && spaceOf(database, spaceKey(source));
  if (space === undefined) return { files, chunks, embedded: 0, filesDone: undefined };
  // As in vectorCounts.ts, two lists sorted by hash are compared side by side.
  const without = query(
    database,
    `SELECT count(*) AS chunks, count(DISTINCT file) AS files FROM chunks
     WHERE hash IN (SELECT hash FROM chunks EXCEPT SELECT hash FROM vectors WHERE space = ?)`,
    sums,
  ).one(space);
  return { files, chunks, embedded: chunks - without.chunks, filesDone: files - without.files };
}

/** The space of a key that has had a vector. */
function spaceOf(database: DatabaseSync, key: string): number | undefined {
  const sql = 'SELECT id FROM spaces WHERE key = ? AND dimensions IS NOT NULL ORDER BY used DESC LIMIT 1';
  return query(database, sql, { id: 'number' }).get(key)?.id;
}
