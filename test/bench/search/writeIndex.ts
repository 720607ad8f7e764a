import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../../src/search/schema.ts';
import { openVectorFiles } from '../../../src/search/vectorFiles.ts';

/** A vector's text: its place in 32 digits stands for the hash. */
const hashOf = (place: number): Buffer => Buffer.from(String(place).padStart(32, '0'));
const chunksOfFile = 40;
const batch = 2_000;

/** Writes an index of so many chunks, as the extension keeps it, without the texts: chunk `i + 1` has vector `i`. */
export function writeIndex(directory: string, count: number, dimensions: number, next: () => Float32Array): void {
  mkdirSync(directory, { recursive: true });
  const { database } = openDatabase(directory);
  const series = (from: number): string =>
    `WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})`;
  const hash = "CAST(printf('%032d', i) AS BLOB)";
  const known: Record<string, string> = { id: 'i + 1', file: `i / ${chunksOfFile} + 1`, hash };
  // What else there is of a chunk is left empty.
  const columns = new Map(
    database
      .prepare('SELECT name FROM pragma_table_info(?)')
      .all('chunks')
      .map(({ name }) => [String(name), known[String(name)] ?? "''"]),
  );
  database.exec(`
    PRAGMA foreign_keys = OFF;
    BEGIN;
    ${series(0)} INSERT INTO files (id, root, path, size, mtime, hash)
      SELECT i / ${chunksOfFile} + 1, '/code', i / ${chunksOfFile}, 1, 1, '' FROM n WHERE i % ${chunksOfFile} = 0;
    ${series(0)} INSERT INTO chunks (${[...columns.keys()].join()}) SELECT ${[...columns.values()].join()} FROM n;
    INSERT INTO spaces (id, key, dimensions, count) VALUES (1, 'm', ${dimensions}, ${count});
    ${series(0)} INSERT INTO vectors (space, hash, slot) SELECT 1, ${hash}, i FROM n;
    COMMIT;`);
  database.close();
  const files = openVectorFiles(join(directory, 'vectors-1'), dimensions);
  for (let first = 0; first < count; first += batch) {
    const places = Array.from({ length: Math.min(batch, count - first) }, (_, index) => first + index);
    files.write(
      first,
      places.map((place) => ({ hash: hashOf(place), vector: next() })),
    );
  }
  files.close();
}
