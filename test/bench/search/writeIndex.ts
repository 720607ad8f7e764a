import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { textHash } from '../../../src/search/chunker/chunker.ts';
import { openDatabase } from '../../../src/search/store/schema/database.ts';
import { toRows } from '../../../src/search/vectors/quantise.ts';
import { openVectorFiles } from '../../../src/search/vectors/vectorFiles.ts';

/** The text of a chunk is its place. */
const textAt = (place: number): Buffer => Buffer.from(String(place));
const hashAt = (place: number): Uint8Array => textHash(textAt(place));
/** As deflate has it when it does not deflate (RFC 1951, 3.2.4): to pack a million of them would take a while. */
function deflated(text: Buffer): Uint8Array {
  return Buffer.from([1, text.length, 0, 255 - text.length, 255, ...text]);
}
const chunksOfFile = 40;
const batch = 10_000;

/** Writes an index of so many chunks, as the extension keeps it, but for the words: chunk `i + 1` has vector `i`. */
export function writeIndex(directory: string, count: number, dimensions: number, next: () => Float32Array): void {
  mkdirSync(directory, { recursive: true });
  const { database } = openDatabase(directory);
  const series = `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})`;
  database.function('hash_at', (place) => hashAt(Number(place)));
  database.function('text_at', (place) => deflated(textAt(Number(place))));
  const file = `i / ${chunksOfFile} + 1`;
  const insert = (table: string, known: Readonly<Record<string, string>>, which = ''): string => {
    // What else the extension keeps of it is left empty.
    const columns = new Map(
      database
        .prepare('SELECT name FROM pragma_table_info(?)')
        .all(table)
        .map(({ name }) => [String(name), known[String(name)] ?? "''"]),
    );
    return `${series} INSERT INTO ${table} (${[...columns.keys()].join()}) SELECT ${[...columns.values()].join()} FROM n ${which};`;
  };
  database.exec(`
    PRAGMA foreign_keys = OFF; PRAGMA cache_size = -500000;
    BEGIN;
    ${insert('files', { id: file, path: file, size: '1', mtime: '1', excluded: 'NULL' }, `WHERE i % ${chunksOfFile} = 0`)}
    ${insert('chunks', { id: 'i + 1', file, hash: 'hash_at(i)', text: 'text_at(i)' })}
    INSERT INTO spaces (id, key, dimensions, count) VALUES (1, 'm', ${dimensions}, ${count});
    ${series} INSERT INTO vectors (space, hash, slot) SELECT 1, hash_at(i), i FROM n ORDER BY 2;
    COMMIT;`);
  database.close();
  const files = openVectorFiles(join(directory, 'vectors-1'), dimensions);
  for (let first = 0; first < count; first += batch) {
    const places = Array.from({ length: Math.min(batch, count - first) }, (_, index) => first + index);
    files.write(first, toRows(places.map((place) => ({ hash: hashAt(place), vector: next() }))));
  }
  files.close();
}
