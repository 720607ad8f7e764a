import { accessSync, constants, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { databaseToOpen } from './besideOld.ts';
import { openReadOnly } from './readOnly.ts';
import { type StorageReason, storageReason } from './storage.ts';
import { prepareVectors, removeFirstFiles, vectorDatabaseName, versionOf } from './vectorDatabase.ts';

const schemaVersion = 7;

/**
 * `files`: every file looked at, with its verdict, its lines, how many of them are in a chunk, its chunks and their estimated
 * tokens, so that counting reads no chunks. `chunks`: their texts, deflated. `words`: the word index over them, without
 * a second copy; `names` are the names they define, and of what encloses them. All of it can be read from the workspace again;
 * what was paid for is in a database of its own (vectorDatabase.ts).
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
    lines INTEGER NOT NULL DEFAULT 0,
    covered INTEGER NOT NULL DEFAULT 0,
    chunks INTEGER NOT NULL DEFAULT 0,
    tokens INTEGER NOT NULL DEFAULT 0,
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
    names TEXT NOT NULL,
    text BLOB NOT NULL
  );
  CREATE INDEX chunks_file ON chunks (file, hash, tokens);
  CREATE INDEX chunks_hash ON chunks (hash, file, tokens);
  CREATE VIRTUAL TABLE words USING fts5 (
    path, names, body, content = '', contentless_delete = 1, tokenize = 'porter unicode61'
  );
  PRAGMA user_version = ${schemaVersion};
`;

/** The name of the database in the folder of an index. */
export const databaseName = 'index.db';
/** That of one which is built beside an index of another schema. */
const nextName = 'index.next.db';

export interface OpenDatabase {
  database: DatabaseSync;
  /** Why nothing can be written: what is there is read all the same. */
  closedFor: StorageReason | undefined;
}

/**
 * Opens the database of an index, made new where there is none, with that of the vectors attached as `paid`. One that
 * cannot be read is put aside as `….damaged`, and a new one takes its place; beside one of another schema a new one is built.
 * Where nothing can be written, what is there is opened for reading.
 * @param thorough some damage was met: looks for it everywhere, not only where a database begins
 */
export function openDatabase(directory: string, thorough = false): OpenDatabase {
  try {
    return { database: openToWrite(directory, thorough), closedFor: undefined };
  } catch (error) {
    const closedFor = storageReason(error);
    if (closedFor !== 'read-only' && closedFor !== 'full' && closedFor !== 'failed') throw error;
    const database = openReadOnly(join(directory, databaseName), join(directory, vectorDatabaseName), schemaVersion);
    if (database === undefined) throw error;
    return { database, closedFor };
  }
}

function openToWrite(directory: string, thorough: boolean): DatabaseSync {
  mkdirSync(directory, { recursive: true });
  const main = databaseToOpen(join(directory, databaseName), join(directory, nextName), schemaVersion);
  const paths: [string, string] = [main, join(directory, vectorDatabaseName)];
  // A database whose journal is still there lets a transaction begin that cannot be written.
  for (const path of [directory, ...paths.filter((each) => existsSync(each))]) accessSync(path, constants.W_OK);
  const damaged = paths.filter((each) => existsSync(each) && !isSound(each, thorough));
  // The word index does not show all of its damage, and can be made again for nothing.
  if (thorough && damaged.length === 0 && existsSync(paths[0])) damaged.push(paths[0]);
  for (const each of damaged) putAside(each);
  const [path, vectorPath] = paths;
  const database = new DatabaseSync(path);
  try {
    // Another window may be writing: wait for it, readers never do.
    database.exec('PRAGMA busy_timeout = 10000');
    database.prepare('ATTACH ? AS paid').run(vectorPath);
    database.exec('PRAGMA journal_mode = WAL; PRAGMA paid.journal_mode = WAL;');
    // What came back from the service was paid for, so it is to survive a power cut; a file can be read again.
    database.exec('PRAGMA synchronous = NORMAL; PRAGMA paid.synchronous = FULL;');
    database.exec('BEGIN IMMEDIATE');
    prepareVectors(database, directory);
    if (versionOf(database, 'main') !== schemaVersion) {
      dropAll(database);
      database.exec(schema);
    }
    database.exec('COMMIT; PRAGMA foreign_keys = ON;');
    removeFirstFiles(directory);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Removes the tables of another schema: what they held is read again from the workspace. */
function dropAll(database: DatabaseSync): void {
  const tables = database
    .prepare("SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all();
  // The tables that the word index keeps for itself go with it.
  for (const { name } of tables) if (!String(name).startsWith('words_')) database.exec(`DROP TABLE main."${name}"`);
}

function isSound(path: string, thorough: boolean): boolean {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path);
    database.exec('PRAGMA busy_timeout = 10000');
    const row = database.prepare(thorough ? 'PRAGMA integrity_check(1)' : 'PRAGMA schema_version').get();
    return !thorough || row?.['integrity_check'] === 'ok';
  } catch (error) {
    if (isDamage(error)) return false;
    throw error;
  } finally {
    database?.close();
  }
}

function putAside(path: string): void {
  renameSync(path, `${path}.damaged`);
  for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
}

/** SQLITE_CORRUPT and SQLITE_NOTADB (https://sqlite.org/rescode.html). */
export function isDamage(error: unknown): boolean {
  if (!(error instanceof Error && 'errcode' in error)) return false;
  return error.errcode === 11 || error.errcode === 26 || error.errcode === 267;
}
