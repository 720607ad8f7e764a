import type { DatabaseSync } from 'node:sqlite';
import { query } from '../rows.ts';

/** Where a text stands in a file of the index. */
export interface StoredPlace {
  readonly path: string;
  /** SHA-256 of the file, in hexadecimal digits. */
  readonly fileHash: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** Finds texts by their hash. */
export interface TextPlaces {
  /** The hash of a chunk's text. */
  hashOf(chunk: number): Uint8Array | undefined;
  /** The places of a text in the files of a root, in the order of their paths; the first `limit` of them. */
  placesOf(root: string, hash: Uint8Array, limit: number): StoredPlace[];
  /** The chunks with a text, and their files, in the files of a root; the first `limit` of them. */
  chunksWithText(root: string, hash: Uint8Array, limit: number): { id: number; file: number }[];
  /** The paths of those of these files that are in a root; the first `limit` of them. */
  pathsOfFiles(root: string, files: readonly number[], limit: number): string[];
  /** The hash of a file's content; undefined where the file is not in the index, or left out. */
  fileHash(root: string, path: string): string | undefined;
  /** The files of a root that are not left out, in the order of their paths, with the SHA-256 of each in hexadecimal digits. */
  versionsOf(root: string): { path: string; hash: string }[];
  /** The hashes of the chunks of a file, in an order that any index of the same chunks has. */
  chunkHashes(root: string, path: string): Uint8Array[];
  /** Files of a root that are not left out, and their chunks. */
  countsOf(root: string): { files: number; chunks: number };
  /** How many texts have a vector in each space. */
  vectorsBySpace(): { id: number; key: string; dimensions: number; texts: number }[];
}

/** The order of the chunks `c` of a file. A long line is cut within, and ids tell nothing, as those of chunks that stayed are older. */
export const chunkOrder = 'c.start_line, c.end_line, c.hash';

export function createTextPlaces(database: DatabaseSync): TextPlaces {
  const findHash = query(database, 'SELECT hash FROM chunks WHERE id = ?', { hash: 'blob' });
  const findPlaces = query(
    database,
    `SELECT f.path, f.hash AS file_hash, c.start_line, c.end_line FROM chunks c JOIN files f ON f.id = c.file
     WHERE c.hash = ?2 AND f.root = ?1 ORDER BY f.path, c.start_line LIMIT ?3`,
    { path: 'text', file_hash: 'text', start_line: 'number', end_line: 'number' },
  );
  const findChunks = query(
    database,
    'SELECT c.id, c.file FROM chunks c JOIN files f ON f.id = c.file WHERE c.hash = ?2 AND f.root = ?1 LIMIT ?3',
    { id: 'number', file: 'number' },
  );
  const findPaths = query(
    database,
    'SELECT path FROM files WHERE root = ? AND id IN (SELECT value FROM json_each(?)) LIMIT ?',
    { path: 'text' },
  );
  const findFile = query(
    database,
    'SELECT hash FROM files WHERE root = ? AND path = ? AND excluded IS NULL AND hash IS NOT NULL',
    { hash: 'text' },
  );
  const listFiles = query(
    database,
    'SELECT path, hash FROM files WHERE root = ? AND excluded IS NULL AND hash IS NOT NULL ORDER BY path',
    { path: 'text', hash: 'text' },
  );
  const listHashes = query(
    database,
    `SELECT c.hash FROM chunks c JOIN files f ON f.id = c.file WHERE f.root = ? AND f.path = ? ORDER BY ${chunkOrder}`,
    { hash: 'blob' },
  );
  const count = query(
    database,
    'SELECT count(*) AS files, total(chunks) AS chunks FROM files WHERE root = ? AND excluded IS NULL',
    { files: 'number', chunks: 'number' },
  );

  return {
    hashOf: (chunk) => findHash.get(chunk)?.hash,
    placesOf: (root, hash, limit) =>
      findPlaces.all(root, hash, limit).map(({ path, file_hash: fileHash, start_line, end_line }) => ({
        ...{ path, fileHash, startLine: start_line, endLine: end_line },
      })),
    chunksWithText: (root, hash, limit) => findChunks.all(root, hash, limit),
    pathsOfFiles: (root, files, limit) => findPaths.all(root, JSON.stringify(files), limit).map(({ path }) => path),
    fileHash: (root, path) => findFile.get(root, path)?.hash,
    versionsOf: (root) => listFiles.all(root),
    chunkHashes: (root, path) => listHashes.all(root, path).map(({ hash }) => hash),
    countsOf: (root) => count.one(root),
    vectorsBySpace: () =>
      query(
        database,
        `SELECT s.id, s.key, s.dimensions, count(*) AS texts FROM spaces s JOIN vectors v ON v.space = s.id
         WHERE s.dimensions IS NOT NULL GROUP BY s.id`,
        { id: 'number', key: 'text', dimensions: 'number', texts: 'number' },
      ).all(),
  };
}
