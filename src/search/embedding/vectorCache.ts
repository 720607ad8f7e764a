import { existsSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { makeFolderSync, prepareDatabaseFile } from '../../base/privateFiles.ts';
import { query } from '../store/rows.ts';
import { inTransaction, readTogether } from '../store/transaction.ts';
import type { VectorRow } from '../vectors/quantise.ts';
import { packWhole, unpackWhole } from '../vectors/rowCodec.ts';

/**
 * The vector cache of the machine: every vector a service ever gave, for all folders and windows. A worktree, a second
 * clone, or a deleted index finds its vectors here. `source` names their origin, model and instruction. The cache only
 * saves requests: a file that is missing, corrupted, locked or full acts as an empty one.
 */
export interface VectorCache {
  /** Whether there is any vector of a source. */
  knows(source: string): boolean;
  /** The cached vectors of these texts. */
  find(source: string, hashes: readonly Uint8Array[]): VectorRow[];
  /** Whether a text has a vector of any source. */
  has(hash: Uint8Array): boolean;
  /** Whether there is any vector. */
  hasAny(): boolean;
  /** Adds vectors. `busy`: another window is writing, and nothing was added. */
  keep(source: string, vectors: readonly VectorRow[]): 'busy' | undefined;
  /** Deletes all vectors. @returns false where some may be left: another window is writing, or the disk refuses */
  clear(): boolean;
  close(): void;
}

/** Size limit: a gigabyte is about half a million vectors of 1,024 numbers. */
const mostBytes = 2 * 1024 ** 3;
/** Share of the vectors dropped, oldest first, when the limit is passed. */
const dropped = 0.1;
/** How long a window waits for another one that writes, in milliseconds. */
const busyMs = 2_000;
/** The files of a SQLite database, the database itself last (https://sqlite.org/tempfiles.html). */
const fileSuffixes = ['-shm', '-wal', ''];
/** A `vector` is a row in the whole layout of rowCodec.ts. */
const schema = `
  PRAGMA busy_timeout = ${busyMs}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS sources (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, dimensions INTEGER NOT NULL
  );
  CREATE TABLE IF NOT EXISTS vectors (
    id INTEGER PRIMARY KEY, source INTEGER NOT NULL, hash BLOB NOT NULL, vector BLOB NOT NULL, UNIQUE (source, hash)
  );
`;

/**
 * Opens the vector cache in a file.
 * @param path of the file; opened when first asked
 * @param limit in bytes
 */
export function openVectorCache(path: string, limit = mostBytes): VectorCache {
  const file = openWhenAsked(path);
  const { tryTo } = file;
  /** Prepared once: a scan looks up every text, one by one. */
  let findHash: StatementSync | undefined;

  return {
    knows: (source) => tryTo((db) => findSource(db, source)) !== undefined,
    find: (source, hashes) =>
      tryTo((db) => {
        const id = findSource(db, source)?.id;
        if (id === undefined) return [];
        const read = query(db, 'SELECT vector FROM vectors WHERE source = ? AND hash = ?', { vector: 'blob' });
        return hashes.flatMap((hash) => {
          const bytes = read.get(id, hash)?.vector;
          const row = bytes && unpackWhole(bytes);
          return row === undefined ? [] : [{ hash, ...row }];
        });
      }) ?? [],
    has: (hash) =>
      tryTo((db) => {
        // `CROSS` makes SQLite go through the few sources first, and then take one step in the index of each.
        readTogether(db);
        findHash ??= db.prepare('SELECT 1 FROM sources s CROSS JOIN vectors v ON v.source = s.id AND v.hash = ?');
        return findHash.get(hash) !== undefined;
      }) ?? false,
    hasAny: () => tryTo((db) => db.prepare('SELECT 1 FROM vectors LIMIT 1').get()) !== undefined,
    keep(source, vectors) {
      const work = (db: DatabaseSync): undefined =>
        inTransaction(db, () => {
          const id = sourceId(db, source, vectors[0]?.dimensions ?? 0);
          const add = db.prepare('INSERT OR IGNORE INTO vectors (source, hash, vector) VALUES (?, ?, ?)');
          for (const row of vectors) add.run(id, row.hash, packWhole(row));
          dropOldest(db, limit);
          return undefined;
        });
      return tryTo<'busy' | undefined>(work, 'busy');
    },
    clear() {
      const isDeleted = tryTo((db) => {
        inTransaction(db, () => db.exec('DELETE FROM vectors; DELETE FROM sources;'), busyMs);
        return true;
      });
      // The vectors are gone by then; only their room is not given back while another window reads.
      if (isDeleted === true) tryTo((db) => db.exec('PRAGMA busy_timeout = 0; VACUUM;'));
      // A file that was corrupted is removed as a whole.
      return isDeleted === true || !existsSync(path);
    },
    close() {
      file.close();
      findHash = undefined;
    },
  };
}

/** The database of the cache, while it works. */
interface CacheFile {
  /**
   * Runs `work`, or gives the cache up where it fails. A corrupted file is removed, and the next start makes another.
   * @param whenBusy result while another window writes
   */
  tryTo<T>(work: (database: DatabaseSync) => T, whenBusy?: T): T | undefined;
  close(): void;
}

function openWhenAsked(path: string): CacheFile {
  let database: DatabaseSync | undefined;
  let isUsable = true;

  function close(): void {
    database?.close();
    database = undefined;
  }

  return {
    tryTo(work, whenBusy) {
      if (!isUsable) return undefined;
      try {
        database ??= openFile(path);
        return work(database);
      } catch (error) {
        const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
        // SQLITE_BUSY: another window is writing, and the next call may succeed (https://sqlite.org/rescode.html).
        if (code === 5) return whenBusy;
        isUsable = false;
        close();
        if (code === 11 || code === 26) for (const suffix of fileSuffixes) rmSync(path + suffix, { force: true });
        return undefined;
      }
    },
    close,
  };
}

function openFile(path: string): DatabaseSync {
  makeFolderSync(dirname(path));
  prepareDatabaseFile(path);
  const database = new DatabaseSync(path);
  try {
    database.exec(schema);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function findSource(db: DatabaseSync, source: string): { id: number; dimensions: number } | undefined {
  const columns = { id: 'number', dimensions: 'number' } as const;
  return query(db, 'SELECT id, dimensions FROM sources WHERE name = ?', columns).get(source);
}

/** The id of a source. Its older vectors of another length are of no use any more. */
function sourceId(db: DatabaseSync, source: string, dimensions: number): number {
  const known = findSource(db, source);
  if (known?.dimensions === dimensions) return known.id;
  if (known !== undefined) {
    db.prepare('DELETE FROM vectors WHERE source = ?').run(known.id);
    db.prepare('DELETE FROM sources WHERE id = ?').run(known.id);
  }
  return Number(
    db.prepare('INSERT INTO sources (name, dimensions) VALUES (?, ?)').run(source, dimensions).lastInsertRowid,
  );
}

function dropOldest(db: DatabaseSync, limit: number): void {
  const pragma = <N extends string>(name: N): number =>
    query(db, `PRAGMA ${name}`, { [name]: 'number' } as const).one()[name] as number;
  const used = (pragma('page_count') - pragma('freelist_count')) * pragma('page_size');
  if (used <= limit) return;
  const ends = query(db, 'SELECT min(id) AS first, max(id) AS last FROM vectors', {
    first: 'number?',
    last: 'number?',
  });
  const { first, last } = ends.one();
  if (first === null || last === null) return;
  db.prepare('DELETE FROM vectors WHERE id < ?').run(Math.ceil(first + (last - first) * dropped));
}
