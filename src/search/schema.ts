import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const schemaVersion = 1;

/**
 * `files`: every file looked at, with its verdict. `chunks`: their texts. `words`: the word index over them, without a second
 * copy. `spaces`: one for each embeddings model. `vectors`: where the vector of a text stands in the flat file of its space.
 */
const schema = `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE files (
    id INTEGER PRIMARY KEY,
    root TEXT NOT NULL,
    path TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime REAL NOT NULL,
    hash TEXT,
    excluded TEXT,
    UNIQUE (root, path)
  );
  CREATE TABLE chunks (
    id INTEGER PRIMARY KEY,
    file INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    start_line INTEGER NOT NULL,
    end_line INTEGER NOT NULL,
    hash BLOB NOT NULL,
    tokens INTEGER NOT NULL,
    enclosing TEXT NOT NULL,
    text TEXT NOT NULL
  );
  CREATE INDEX chunks_file ON chunks (file);
  CREATE INDEX chunks_hash ON chunks (hash);
  CREATE VIRTUAL TABLE words USING fts5 (
    path, body, content = '', contentless_delete = 1, tokenize = 'porter unicode61'
  );
  CREATE TABLE spaces (
    id INTEGER PRIMARY KEY,
    model TEXT NOT NULL UNIQUE,
    dimensions INTEGER,
    count INTEGER NOT NULL DEFAULT 0
  );
  CREATE TABLE vectors (
    space INTEGER NOT NULL,
    hash BLOB NOT NULL,
    slot INTEGER NOT NULL,
    PRIMARY KEY (space, hash)
  ) WITHOUT ROWID;
  PRAGMA user_version = ${schemaVersion};
`;

/** The name of the database in the folder of an index. */
export const databaseName = 'index.db';

/**
 * Opens the database of an index, made new where there is none. One that cannot be read is put aside as `index.db.damaged`,
 * and a new one takes its place; one of another schema is made again.
 */
export function openDatabase(directory: string): DatabaseSync {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, databaseName);
  try {
    return prepare(path);
  } catch (error) {
    if (!isDamaged(error) || !existsSync(path)) throw error;
    renameSync(path, `${path}.damaged`);
    for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
    return prepare(path);
  }
}

function prepare(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  try {
    // Another window may be writing: wait for it, readers never do.
    database.exec(
      'PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;',
    );
    database.exec('BEGIN IMMEDIATE');
    const version = database.prepare('PRAGMA user_version').get()?.['user_version'];
    if (version === 0) database.exec(schema);
    database.exec('COMMIT');
    if (version !== 0 && version !== schemaVersion) throw new OtherSchema();
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

class OtherSchema extends Error {}

/** SQLITE_CORRUPT and SQLITE_NOTADB (https://sqlite.org/rescode.html). */
function isDamaged(error: unknown): boolean {
  if (error instanceof OtherSchema) return true;
  return error instanceof Error && 'errcode' in error && (error.errcode === 11 || error.errcode === 26);
}
