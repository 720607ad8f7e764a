import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { openVectorFiles, resetVectorFiles } from './vectorFiles.ts';

const version = 1;

/**
 * Where the vectors are, in a database of its own (attached as `paid`) that no change of the other schema touches: they
 * were paid for. `spaces`: one for each key (model and what else decides its vectors) and length of vectors; the one used
 * last is where new ones go. `vectors`: the slot of a text in the files of its space. `damaged`: what was lost from there
 * and has not come back yet.
 */
const schema = `
  CREATE TABLE paid.spaces (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    dimensions INTEGER,
    count INTEGER NOT NULL DEFAULT 0,
    used INTEGER NOT NULL DEFAULT 0,
    UNIQUE (key, dimensions)
  );
  CREATE TABLE paid.vectors (
    space INTEGER NOT NULL,
    hash BLOB NOT NULL,
    slot INTEGER NOT NULL,
    PRIMARY KEY (space, hash)
  ) WITHOUT ROWID;
  CREATE INDEX paid.vectors_slot ON vectors (space, slot);
  CREATE TABLE paid.damaged (space INTEGER NOT NULL, hash BLOB NOT NULL, PRIMARY KEY (space, hash)) WITHOUT ROWID;
  PRAGMA paid.user_version = ${version};
`;

export const vectorDatabaseName = 'vectors.db';

/** The path of a space's files, without an ending. */
export function spacePath(directory: string, space: number): string {
  return join(directory, `vectors-${space}`);
}

/** Says beside the files of a space what they are, so that they are worth something without the database. */
export function writeLabel(directory: string, space: number, key: string, dimensions: number): void {
  writeFileSync(`${spacePath(directory, space)}.json`, JSON.stringify({ key, dimensions }));
}

/**
 * Makes the tables where there are none, with what was there before: in the first schema, or in files whose database was
 * damaged. Runs in a transaction.
 */
export function prepareVectors(database: DatabaseSync, directory: string): void {
  if (versionOf(database, 'paid') === version) {
    mendSpaces(database, directory);
    return;
  }
  database.exec(schema);
  for (const name of readdirSync(directory)) {
    const space = /^vectors-(\d+)\.json$/.exec(name)?.[1];
    if (space !== undefined) recover(database, directory, Number(space));
  }
  if (versionOf(database, 'main') === 1) takeOver(database, directory);
}

export function versionOf(database: DatabaseSync, name: 'main' | 'paid'): number {
  return Number(database.prepare(`PRAGMA ${name}.user_version`).get()?.['user_version']);
}

/** Where a space says something else than the label beside its files, the label is right: it was written once. */
function mendSpaces(database: DatabaseSync, directory: string): void {
  const mend = database.prepare(
    'UPDATE paid.spaces SET key = ?1, dimensions = ?2 WHERE id = ?3 AND (key, dimensions) IS NOT (?1, ?2)',
  );
  for (const { id } of database.prepare('SELECT id FROM paid.spaces WHERE dimensions IS NOT NULL').all()) {
    const label = readLabel(`${spacePath(directory, Number(id))}.json`);
    if (label !== undefined) mend.run(label.key, label.dimensions, Number(id));
  }
}

/** Takes in again what the rows of a space's files say themselves. */
function recover(database: DatabaseSync, directory: string, space: number): void {
  const path = spacePath(directory, space);
  const label = readLabel(`${path}.json`);
  if (label === undefined) return;
  const { key, dimensions } = label;
  const files = openVectorFiles(path, dimensions);
  const count = files.rows().vectors;
  database
    .prepare('INSERT INTO paid.spaces (id, key, dimensions, count, used) VALUES (?, ?, ?, ?, ?)')
    .run(space, key, dimensions, count, space);
  // A text that came twice stands in the later slot.
  const add = database.prepare('INSERT OR REPLACE INTO paid.vectors (space, hash, slot) VALUES (?, ?, ?)');
  for (let slot = 0; slot < count; slot++) {
    const hash = files.readHash(slot);
    if (hash !== undefined) add.run(space, hash, slot);
  }
  files.close();
}

/** What a label says; undefined when it was not written whole. */
function readLabel(path: string): { key: string; dimensions: number } | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as { key: string; dimensions: number };
  } catch {
    return undefined;
  }
}

/** Vectors moved at once. */
const batch = 500;

/** The vectors of the first schema: `vectors-N.i8`, in each row a float32 scale and the signed bytes. */
function takeOver(database: DatabaseSync, directory: string): void {
  const addSpace = database.prepare('INSERT INTO paid.spaces (key, dimensions) VALUES (?, ?)');
  const slots = database.prepare('SELECT hash, slot FROM main.vectors WHERE space = ? ORDER BY slot');
  for (const row of database.prepare('SELECT id, model, dimensions FROM main.spaces WHERE dimensions > 0').all()) {
    const [old, key, dimensions] = [Number(row['id']), String(row['model']), Number(row['dimensions'])];
    const source = `${spacePath(directory, old)}.i8`;
    if (!existsSync(source)) continue;
    const space = Number(addSpace.run(key, dimensions).lastInsertRowid);
    resetVectorFiles(spacePath(directory, space));
    writeLabel(directory, space, key, dimensions);
    const rows = slots.all(old).map((each) => ({ hash: each['hash'] as Uint8Array, slot: Number(each['slot']) }));
    const hashes = copyRows(source, spacePath(directory, space), dimensions, rows);
    const add = database.prepare('INSERT INTO paid.vectors (space, hash, slot) VALUES (?, ?, ?)');
    for (const [slot, hash] of hashes.entries()) add.run(space, hash, slot);
    database.prepare('UPDATE paid.spaces SET count = ? WHERE id = ?').run(hashes.length, space);
  }
}

/** Copies rows of a file of the first schema to files of this one; gives the hashes of the slots there. */
function copyRows(
  source: string,
  path: string,
  dimensions: number,
  rows: readonly { hash: Uint8Array; slot: number }[],
): Uint8Array[] {
  const files = openVectorFiles(path, dimensions);
  const file = openSync(source, 'r');
  const record = Buffer.alloc(4 + dimensions);
  const hashes: Uint8Array[] = [];
  for (let at = 0; at < rows.length; at += batch) {
    const items = rows.slice(at, at + batch).flatMap(({ hash, slot }) => {
      if (readSync(file, record, 0, record.length, slot * record.length) < record.length) return [];
      const vector = Float32Array.from(new Int8Array(record.buffer, record.byteOffset + 4, dimensions));
      return vector.some(Boolean) ? [{ hash, vector }] : [];
    });
    files.write(hashes.length, items);
    hashes.push(...items.map((item) => item.hash));
  }
  closeSync(file);
  files.close();
  return hashes;
}

/** Removes the files of the first schema, once what they held is safe elsewhere. */
export function removeFirstFiles(directory: string): void {
  for (const name of readdirSync(directory)) {
    if (/^vectors-\d+\.i8$/.test(name)) rmSync(join(directory, name), { force: true });
  }
}
