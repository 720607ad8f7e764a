import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { fileMode } from '../../../base/privateFiles.ts';
import { openVectorFiles } from '../../vectors/vectorFiles.ts';
import { query, versionOf } from '../rows.ts';

const version = 1;

/**
 * The vectors, in a database of its own (attached as `vectors_db`) that no change of the other schema touches, since
 * vectors cost requests. `spaces`: one for each key (model and all else that determines its vectors) and length of
 * vectors; the one used last receives new ones. `vectors`: the slot of a text in the files of its space. `damaged`:
 * vectors lost from there and not received again yet.
 */
const schema = `
  CREATE TABLE vectors_db.spaces (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    dimensions INTEGER,
    count INTEGER NOT NULL DEFAULT 0,
    used INTEGER NOT NULL DEFAULT 0,
    UNIQUE (key, dimensions)
  );
  CREATE TABLE vectors_db.vectors (
    space INTEGER NOT NULL,
    hash BLOB NOT NULL,
    slot INTEGER NOT NULL,
    PRIMARY KEY (space, hash)
  ) WITHOUT ROWID;
  CREATE INDEX vectors_db.vectors_slot ON vectors (space, slot);
  CREATE TABLE vectors_db.damaged (space INTEGER NOT NULL, hash BLOB NOT NULL, PRIMARY KEY (space, hash)) WITHOUT ROWID;
  PRAGMA vectors_db.user_version = ${version};
`;

/** The name of the database in the folder of an index. */
export const vectorDatabaseName = 'vectors.db';

/** The path of a space's files, without an extension. */
export function spacePath(directory: string, space: number): string {
  return join(directory, `vectors-${space}`);
}

/** Writes a label beside the files of a space, so that their vectors can be recovered without the database. */
export function writeLabel(directory: string, space: number, key: string, dimensions: number): void {
  writeFileSync(`${spacePath(directory, space)}.json`, JSON.stringify({ key, dimensions }), { mode: fileMode });
}

/**
 * Creates the tables where there are none, and fills them with the vectors of files whose database was corrupted. Runs in a
 * transaction.
 */
export function prepareVectors(database: DatabaseSync, directory: string): void {
  if (versionOf(database, 'vectors_db') === version) {
    for (const { id, key, dimensions } of wronglyNamed(database, directory)) {
      database.prepare('UPDATE vectors_db.spaces SET key = ?, dimensions = ? WHERE id = ?').run(key, dimensions, id);
    }
    return;
  }
  database.exec(schema);
  for (const name of readdirSync(directory)) {
    const space = /^vectors-(\d+)\.json$/.exec(name)?.[1];
    if (space !== undefined) recover(database, directory, Number(space));
  }
}

/** Whether the tables are complete: then opening need not wait for a window that writes. */
export function areVectorsPrepared(database: DatabaseSync, directory: string): boolean {
  return versionOf(database, 'vectors_db') === version && wronglyNamed(database, directory).length === 0;
}

/** Spaces that differ from the label beside their files. The label is right: it was written once. */
function wronglyNamed(database: DatabaseSync, directory: string): (Label & { id: number })[] {
  const sql = 'SELECT id, key, dimensions FROM vectors_db.spaces WHERE dimensions IS NOT NULL';
  // The rows are not trusted here but compared with the labels.
  const spaces = query(database, sql, { id: 'number', key: 'any', dimensions: 'any' }).all();
  return spaces.flatMap(({ id, key, dimensions }) => {
    const label = readLabel(`${spacePath(directory, id)}.json`);
    const isRight = label === undefined || (label.key === key && label.dimensions === dimensions);
    return isRight ? [] : [{ id, ...label }];
  });
}

interface Label {
  key: string;
  dimensions: number;
}

/** Recovers the vectors of a space from the rows of its files. */
function recover(database: DatabaseSync, directory: string, space: number): void {
  const path = spacePath(directory, space);
  const label = readLabel(`${path}.json`);
  if (label === undefined) return;
  const { key, dimensions } = label;
  const files = openVectorFiles(path, dimensions);
  const count = files.rows().vectors;
  database
    .prepare('INSERT INTO vectors_db.spaces (id, key, dimensions, count, used) VALUES (?, ?, ?, ?, ?)')
    .run(space, key, dimensions, count, space);
  // A text with two rows gets the later slot.
  const add = database.prepare('INSERT OR REPLACE INTO vectors_db.vectors (space, hash, slot) VALUES (?, ?, ?)');
  for (let slot = 0; slot < count; slot++) {
    const hash = files.readHash(slot);
    if (hash !== undefined) add.run(space, hash, slot);
  }
  files.close();
}

/** Reads a label; undefined when it was not written completely. */
function readLabel(path: string): Label | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Label;
  } catch {
    return undefined;
  }
}
