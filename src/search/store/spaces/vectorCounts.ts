import type { DatabaseSync } from 'node:sqlite';
import { countRefused } from '../refusedTexts.ts';
import { query } from '../rows.ts';

/** Counts of files, chunks and tokens. */
export interface Amount {
  files: number;
  chunks: number;
  /** Estimated number of tokens. */
  tokens: number;
}

/** Counts of texts with and without a vector: the texts of the files compared with the list of the vectors. */
export interface VectorCounts {
  /** Number of distinct texts. */
  texts(): number;
  /** Distinct texts that would have to be sent, without those that the service refused, and the files they are first found in. */
  amountWithout(space: number, files?: readonly number[]): Amount;
  /** One chunk for each distinct text without a vector, of all files or of these. */
  chunksWithout(space: number, files?: readonly number[]): number[];
  /** The hashes of the distinct texts of all files, or of these, that have a vector, in their order. */
  hashesWith(space: number, files?: readonly number[]): Uint8Array[];
  /** The hashes of those without a vector; of those that the service refused, too. */
  hashesWithout(space: number, files?: readonly number[]): Uint8Array[];
  /** Number of files that are done: all of their chunks have vectors, or were refused. */
  filesDone(space: number): number;
  /** Whether another space has vectors for more of the current texts than this one. */
  isFullerElsewhere(space: number): boolean;
  /** Number of chunks that lost their vector to corruption on the disk and have none yet. */
  damaged(space: number): number;
}

const withoutVector = `FROM chunks c LEFT JOIN vectors v ON v.space = ?1 AND v.hash = c.hash WHERE v.hash IS NULL
  AND NOT EXISTS (SELECT 1 FROM refused r WHERE r.space = ?1 AND r.hash = c.hash)`;

/** Counts texts with vectors. Each query is rare, so it is prepared when it is needed. */
export function countVectors(database: DatabaseSync): VectorCounts {
  function hashesOf(space: number, condition: 'IS NULL' | 'IS NOT NULL', files: readonly number[] | undefined) {
    const [groups, ...params] = ofFiles(files);
    const sql = `SELECT c.hash FROM chunks c LEFT JOIN vectors v ON v.space = ?1 AND v.hash = c.hash
      WHERE v.hash ${condition} ${groups} ORDER BY c.hash`;
    return query(database, sql, { hash: 'blob' })
      .all(space, ...params)
      .map(({ hash }) => hash);
  }

  return {
    texts: () => query(database, 'SELECT count(DISTINCT hash) AS texts FROM chunks', { texts: 'number' }).one().texts,
    amountWithout(space, files) {
      const [groups, ...params] = ofFiles(files);
      return query(
        database,
        `SELECT count(*) AS chunks, count(DISTINCT file) AS files, total(tokens) AS tokens
         FROM (SELECT min(c.id), c.file, c.tokens ${withoutVector} ${groups})`,
        { files: 'number', chunks: 'number', tokens: 'number' },
      ).one(space, ...params);
    },
    chunksWithout(space, files) {
      const [groups, ...params] = ofFiles(files);
      const sql = `SELECT min(c.id) AS id ${withoutVector} ${groups} ORDER BY id`;
      return query(database, sql, { id: 'number' })
        .all(space, ...params)
        .map(({ id }) => id);
    },
    hashesWith: (space, files) => hashesOf(space, 'IS NOT NULL', files),
    hashesWithout: (space, files) => hashesOf(space, 'IS NULL', files),
    filesDone(space) {
      // Both lists are sorted by hash, so EXCEPT compares them side by side.
      return query(
        database,
        `SELECT (SELECT count(*) FROM files WHERE chunks > 0) - count(DISTINCT file) AS files FROM chunks
         WHERE hash IN (SELECT hash FROM chunks EXCEPT SELECT hash FROM vectors WHERE space = ?1
                        EXCEPT SELECT hash FROM refused WHERE space = ?1)`,
        { files: 'number' },
      ).one(space).files;
    },
    isFullerElsewhere(space) {
      const others = database.prepare('SELECT 1 FROM spaces WHERE id <> ? AND dimensions IS NOT NULL').get(space);
      if (others === undefined) return false;
      const { own, other } = query(
        database,
        `SELECT max(CASE WHEN space = ?1 THEN texts END) AS own, max(CASE WHEN space <> ?1 THEN texts END) AS other
         FROM (SELECT v.space, count(*) AS texts FROM vectors v
               WHERE v.hash IN (SELECT hash FROM chunks) GROUP BY v.space)`,
        { own: 'number?', other: 'number?' },
      ).one(space);
      return (other ?? 0) > (own ?? 0) + countRefused(database, space);
    },
    damaged(space) {
      return query(
        database,
        `SELECT count(*) AS chunks FROM damaged d
         WHERE d.space = ? AND EXISTS (SELECT 1 FROM chunks c WHERE c.hash = d.hash)`,
        { chunks: 'number' },
      ).one(space).chunks;
    },
  };
}

// `+` makes SQLite read the chunks of a few files instead of all chunks in the order of their hashes.
function ofFiles(files: readonly number[] | undefined): [sql: string, ...params: string[]] {
  return files === undefined
    ? ['GROUP BY c.hash']
    : ['AND c.file IN (SELECT value FROM json_each(?2)) GROUP BY +c.hash', JSON.stringify(files)];
}
