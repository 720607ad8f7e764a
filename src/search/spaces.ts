import type { DatabaseSync } from 'node:sqlite';
import { ServiceError } from '../service/errors.ts';
import { openVectorFile, resetVectorFile, type VectorFile } from './vectors.ts';

export interface Amount {
  files: number;
  chunks: number;
  /** Estimated. */
  tokens: number;
}

/**
 * Vectors, content-addressed: a vector is kept under its model and the SHA-256 of the chunk's text (without path), so a
 * moved line, a renamed file, a branch switch or a change of model and back asks for nothing twice.
 */
export interface Spaces {
  /** The space of a model, made when first asked for. */
  space(model: string): number;
  /** The space of a model, if any vector of it was ever stored. */
  knownSpace(model: string): number | undefined;
  /** What would have to be sent: distinct texts without a vector, and the files they are first found in. */
  amountWithout(space: number, files?: readonly number[]): Amount;
  /** One chunk for each distinct text without a vector, of all files or of these. */
  chunksWithout(space: number, files?: readonly number[]): number[];
  /** How many files have all their chunks in: only those count as done. */
  filesDone(space: number): number;
  /** Stores vectors: on disk in the flat file, then in one transaction. Throws `malformed` when their length is not that of earlier ones. */
  putVectors(space: number, items: readonly { hash: Uint8Array; vector: Float32Array }[]): void;
  /** Chunks with their cosine to the query, the nearest first. */
  findNearest(space: number, query: Float32Array, limit: number, files: readonly number[]): Nearest[];
  inTransaction<T>(work: () => T): T;
  closeFiles(): void;
}
export interface Nearest {
  id: number;
  cosine: number;
}

export function openSpaces(database: DatabaseSync, filePath: (space: number) => string): Spaces {
  const files = new Map<number, VectorFile>();
  const addVector = database.prepare('INSERT OR IGNORE INTO vectors (space, hash, slot) VALUES (?, ?, ?)');
  const readSpace = database.prepare('SELECT * FROM spaces WHERE id = ?');
  const findSpace = database.prepare('SELECT id, dimensions FROM spaces WHERE model = ?');
  const withoutVector = `FROM chunks c LEFT JOIN vectors v ON v.space = ?1 AND v.hash = c.hash WHERE v.hash IS NULL`;
  const inFiles = 'AND (?2 IS NULL OR c.file IN (SELECT value FROM json_each(?2)))';
  const listOf = (files: readonly number[] | undefined) => (files === undefined ? null : JSON.stringify(files));

  // What came back from the service was paid for, so it is to survive a power cut too; a file can be read again.
  function durably(work: () => void): void {
    database.exec('PRAGMA synchronous = FULL');
    try {
      inTransaction(work);
    } finally {
      database.exec('PRAGMA synchronous = NORMAL');
    }
  }

  function inTransaction<T>(work: () => T): T {
    database.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      database.exec('COMMIT');
      return result;
    } catch (error) {
      database.exec('ROLLBACK');
      throw error;
    }
  }

  function fileOf(space: number, dimensions: number): VectorFile {
    const known = files.get(space);
    if (known !== undefined) return known;
    const file = openVectorFile(filePath(space), dimensions);
    files.set(space, file);
    return file;
  }

  return {
    inTransaction,
    space(model) {
      return inTransaction(() => {
        const known = findSpace.get(model)?.['id'];
        if (known !== undefined) return Number(known);
        const added = Number(database.prepare('INSERT INTO spaces (model) VALUES (?)').run(model).lastInsertRowid);
        resetVectorFile(filePath(added));
        return added;
      });
    },
    knownSpace(model) {
      const row = findSpace.get(model);
      return typeof row?.['dimensions'] === 'number' ? Number(row['id']) : undefined;
    },
    amountWithout(space, files) {
      const row = database
        .prepare(
          `SELECT count(*) AS chunks, count(DISTINCT file) AS files, total(tokens) AS tokens
           FROM (SELECT min(c.id), c.file, c.tokens ${withoutVector} ${inFiles} GROUP BY c.hash)`,
        )
        .get(space, listOf(files));
      return { files: Number(row?.['files']), chunks: Number(row?.['chunks']), tokens: Number(row?.['tokens']) };
    },
    chunksWithout(space, files) {
      const rows = database
        .prepare(`SELECT min(c.id) AS id ${withoutVector} ${inFiles} GROUP BY c.hash ORDER BY id`)
        .all(space, listOf(files));
      return rows.map((row) => Number(row['id']));
    },
    filesDone(space) {
      const row = database
        .prepare(
          `SELECT count(*) AS files FROM (SELECT DISTINCT file FROM chunks)
           WHERE file NOT IN (SELECT c.file ${withoutVector})`,
        )
        .get(space);
      return Number(row?.['files']);
    },
    putVectors(space, items) {
      durably(() => {
        const row = readSpace.get(space);
        const dimensions = Number(row?.['dimensions'] ?? items[0]?.vector.length);
        if (items.some((item) => item.vector.length !== dimensions)) throw new ServiceError('malformed');
        const first = Number(row?.['count'] ?? 0);
        fileOf(space, dimensions).write(
          first,
          items.map((item) => item.vector),
        );
        for (const [index, item] of items.entries()) addVector.run(space, item.hash, first + index);
        database
          .prepare('UPDATE spaces SET dimensions = ?, count = ? WHERE id = ?')
          .run(dimensions, first + items.length, space);
      });
    },
    findNearest(space, query, limit, allowed) {
      const row = readSpace.get(space);
      if (row?.['dimensions'] !== query.length) return [];
      const rows = database
        .prepare(
          `SELECT c.id, v.slot FROM chunks c JOIN vectors v ON v.space = ? AND v.hash = c.hash
           WHERE c.file IN (SELECT value FROM json_each(?))`,
        )
        .all(space, JSON.stringify(allowed));
      const slots = Int32Array.from(rows, (found) => Number(found['slot']));
      const scores = fileOf(space, query.length).score(query, slots, Number(row['count']));
      return rows
        .map((found, index) => ({ id: Number(found['id']), cosine: scores[index] ?? -1 }))
        .sort((a, b) => b.cosine - a.cosine || a.id - b.id)
        .slice(0, limit);
    },
    closeFiles() {
      for (const file of files.values()) file.close();
      files.clear();
    },
  };
}
