import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { quantise } from './quantise.ts';

/** A vector, and the hash of the text it stands for. */
export interface Vectored {
  hash: Uint8Array;
  vector: Float32Array;
}

/**
 * What was paid for on this machine: every vector a service ever gave, for all folders and windows. A worktree, a second
 * clone, or an index that was deleted finds its vectors here. `source` names where they came from (origin, model,
 * instruction). It only saves: a file that is missing, damaged, locked or full is as good as an empty one.
 */
export interface PaidVectors {
  /** Whether there is any vector of a source. */
  knows(source: string): boolean;
  /** Of these texts, those whose vector is known. */
  find(source: string, hashes: readonly Uint8Array[]): Vectored[];
  /** Whether a text has a vector of any source. */
  has(hash: Uint8Array): boolean;
  /** Whether there is any vector. */
  hasAny(): boolean;
  keep(source: string, vectors: readonly Vectored[]): void;
  /** Forgets all of it. */
  clear(): void;
  close(): void;
}

/** A gigabyte is about half a million vectors of 1,024 numbers. */
const mostBytes = 2 * 1024 ** 3;
/** The share that goes, the oldest first, when there are more. */
const dropped = 0.1;
/** A checksum, then what `quantise` makes: a scale (float32), a byte a number, another for what the first leaves over. */
const headBytes = 8;

const schema = `
  PRAGMA busy_timeout = 2000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS sources (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, dimensions INTEGER NOT NULL
  );
  CREATE TABLE IF NOT EXISTS vectors (
    id INTEGER PRIMARY KEY, source INTEGER NOT NULL, hash BLOB NOT NULL, vector BLOB NOT NULL, UNIQUE (source, hash)
  );
`;

/** @param path of the file; opened when first asked. @param limit in bytes */
export function openPaidVectors(path: string, limit = mostBytes): PaidVectors {
  let database: DatabaseSync | undefined;
  let findHash: StatementSync | undefined;
  let isUsable = true;

  /** Does without what does not work. A damaged file is removed, and the next start makes another. */
  function tryTo<T>(work: (database: DatabaseSync) => T): T | undefined {
    if (!isUsable) return undefined;
    try {
      database ??= openFile(path);
      return work(database);
    } catch (error) {
      const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
      // SQLITE_BUSY: another window is at work, and the next time may do (https://sqlite.org/rescode.html).
      if (code === 5) return undefined;
      isUsable = false;
      database?.close();
      database = undefined;
      if (code === 11 || code === 26) for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
      return undefined;
    }
  }

  return {
    knows: (source) => tryTo((db) => db.prepare('SELECT 1 FROM sources WHERE name = ?').get(source)) !== undefined,
    find: (source, hashes) =>
      tryTo((db) => {
        const id = db.prepare('SELECT id FROM sources WHERE name = ?').get(source)?.['id'];
        if (id === undefined) return [];
        const read = db.prepare('SELECT vector FROM vectors WHERE source = ? AND hash = ?');
        return hashes.flatMap((hash) => {
          const bytes = read.get(id, hash)?.['vector'];
          const vector = bytes instanceof Uint8Array ? unpack(bytes) : undefined;
          return vector === undefined ? [] : [{ hash, vector }];
        });
      }) ?? [],
    has: (hash) =>
      tryTo((db) => {
        // `CROSS`: the few sources first, and then a step in the index of each.
        findHash ??= db.prepare('SELECT 1 FROM sources s CROSS JOIN vectors v ON v.source = s.id AND v.hash = ?');
        return findHash.get(hash) !== undefined;
      }) ?? false,
    hasAny: () => tryTo((db) => db.prepare('SELECT 1 FROM vectors LIMIT 1').get()) !== undefined,
    keep(source, vectors) {
      tryTo((db) => {
        db.exec('BEGIN IMMEDIATE');
        try {
          const id = sourceId(db, source, vectors[0]?.vector.length ?? 0);
          const add = db.prepare('INSERT OR IGNORE INTO vectors (source, hash, vector) VALUES (?, ?, ?)');
          for (const { hash, vector } of vectors) add.run(id, hash, pack(vector));
          dropOldest(db, limit);
          db.exec('COMMIT');
        } catch (error) {
          db.exec('ROLLBACK');
          throw error;
        }
      });
    },
    clear() {
      tryTo((db) => db.exec('DELETE FROM vectors; DELETE FROM sources; VACUUM;'));
    },
    close() {
      database?.close();
      database = undefined;
      findHash = undefined;
    },
  };
}

function openFile(path: string): DatabaseSync {
  mkdirSync(dirname(path), { recursive: true });
  const database = new DatabaseSync(path);
  try {
    database.exec(schema);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** The id of a source. Vectors of another length than its newest ones are of no use any more. */
function sourceId(db: DatabaseSync, source: string, dimensions: number): number {
  const known = db.prepare('SELECT id, dimensions FROM sources WHERE name = ?').get(source);
  if (known?.['dimensions'] === dimensions) return Number(known['id']);
  if (known !== undefined) {
    db.prepare('DELETE FROM vectors WHERE source = ?').run(known['id'] ?? null);
    db.prepare('DELETE FROM sources WHERE id = ?').run(known['id'] ?? null);
  }
  return Number(
    db.prepare('INSERT INTO sources (name, dimensions) VALUES (?, ?)').run(source, dimensions).lastInsertRowid,
  );
}

function dropOldest(db: DatabaseSync, limit: number): void {
  const pragma = (name: string): number => Number(Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
  const used = (pragma('page_count') - pragma('freelist_count')) * pragma('page_size');
  if (used <= limit) return;
  const row = db.prepare('SELECT min(id) AS first, max(id) AS last FROM vectors').get();
  const [first, last] = [Number(row?.['first']), Number(row?.['last'])];
  db.prepare('DELETE FROM vectors WHERE id < ?').run(Math.ceil(first + (last - first) * dropped));
}

function pack(vector: Float32Array): Uint8Array {
  const { scale, values, rest } = quantise(vector);
  const bytes = Buffer.alloc(headBytes + vector.length * 2);
  bytes.writeFloatLE(scale, 4);
  new Int8Array(bytes.buffer, bytes.byteOffset + headBytes).set(values.subarray(0, vector.length));
  new Int8Array(bytes.buffer, bytes.byteOffset + headBytes + vector.length).set(rest.subarray(0, vector.length));
  bytes.writeUInt32LE(crc32(bytes.subarray(4)), 0);
  return bytes;
}

/** Undefined when the bytes are damaged. */
function unpack(bytes: Uint8Array): Float32Array | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < headBytes || view.getUint32(0, true) !== crc32(bytes.subarray(4))) return undefined;
  const scale = view.getFloat32(4, true);
  const length = (bytes.length - headBytes) / 2;
  return Float32Array.from(
    { length },
    (_, i) => (view.getInt8(headBytes + i) + view.getInt8(headBytes + length + i) / 254) * scale,
  );
}
