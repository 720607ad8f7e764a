import { accessSync, constants, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { makeFolderSync, prepareDatabaseFile } from '../../../base/privateFiles.ts';
import { query, versionOf } from '../rows.ts';
import { type StorageReason, storageReason } from '../storageError.ts';
import { busyTimeoutMs, inTransaction } from '../transaction.ts';
import { databaseToOpen } from './databaseToOpen.ts';
import { areVectorsPrepared, prepareVectors, vectorDatabaseName } from './vectorSchema.ts';

/** Schema version of `index.db`. */
export const schemaVersion = 8;

/**
 * `files`: every examined file, with its verdict, its lines, how many of them are in a chunk, its chunks and their
 * estimated tokens, so that counting reads no chunks. `chunks`: their texts, deflated. `words`: the word index over
 * them, without a second copy; `names` are the names they define, and those of their enclosing blocks. All of it can be
 * read from the workspace again; vectors, which cannot, have a database of their own (vectorSchema.ts). `refused`: texts for
 * which the service has no vector in a space, and why.
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
  CREATE TABLE refused (
    space INTEGER NOT NULL,
    hash BLOB NOT NULL,
    reason TEXT NOT NULL,
    detail TEXT NOT NULL,
    PRIMARY KEY (space, hash)
  ) WITHOUT ROWID;
  CREATE VIRTUAL TABLE words USING fts5 (
    path, names, body, content = '', contentless_delete = 1, tokenize = 'porter unicode61'
  );
  PRAGMA user_version = ${schemaVersion};
`;

/** The name of the database in the folder of an index. */
export const databaseName = 'index.db';
/** The name of a database that is built beside an index of another schema. */
export const nextName = 'index.next.db';

/** An open database. */
export interface OpenDatabase {
  database: DatabaseSync;
  /** Why nothing can be written; reading still works. */
  readOnlyReason: StorageReason | undefined;
}

/**
 * Opens the database of an index, created where there is none, with that of the vectors attached as `vectors_db`. An
 * unreadable one is quarantined as `….damaged`, and a new one takes its place; beside one of another schema a new one
 * is built. Where nothing can be written, existing databases are opened for reading.
 * @param thorough checks everything for corruption, not only the beginning of a database
 */
export function openDatabase(directory: string, thorough = false): OpenDatabase {
  try {
    return { database: openToWrite(directory, thorough), readOnlyReason: undefined };
  } catch (error) {
    const readOnlyReason = storageReason(error);
    if (readOnlyReason !== 'read-only' && readOnlyReason !== 'full' && readOnlyReason !== 'failed') throw error;
    const database = openReadOnly(join(directory, databaseName), join(directory, vectorDatabaseName), schemaVersion);
    if (database === undefined) throw error;
    return { database, readOnlyReason };
  }
}

function openToWrite(directory: string, thorough: boolean): DatabaseSync {
  makeFolderSync(directory);
  const main = databaseToOpen(join(directory, databaseName), join(directory, nextName), schemaVersion);
  const paths: [string, string] = [main, join(directory, vectorDatabaseName)];
  // The access check comes first: a database whose journal exists lets a transaction begin that cannot be written.
  for (const path of [directory, ...paths.filter((each) => existsSync(each))]) accessSync(path, constants.W_OK);
  const damaged = paths.filter((each) => existsSync(each) && !isSound(each, thorough));
  // The word index does not show all of its corruption, and rebuilding the database costs no request.
  if (thorough && damaged.length === 0 && existsSync(paths[0])) damaged.push(paths[0]);
  for (const each of damaged) quarantine(each);
  const [path, vectorPath] = paths;
  for (const each of paths) prepareDatabaseFile(each);
  const database = new DatabaseSync(path);
  try {
    database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    database.prepare('ATTACH ? AS vectors_db').run(vectorPath);
    database.exec('PRAGMA journal_mode = WAL; PRAGMA vectors_db.journal_mode = WAL;');
    // Vectors cost requests, so they must survive a power cut; files can be read again.
    database.exec('PRAGMA synchronous = NORMAL; PRAGMA vectors_db.synchronous = FULL;');
    // The list of 100,000 vectors stays in memory: where a file is cut depends on thousands of looks into it.
    database.exec('PRAGMA vectors_db.cache_size = -8000');
    // A prepared database is not written: the first question must not wait for a window that builds.
    if (versionOf(database, 'main') !== schemaVersion || !areVectorsPrepared(database, directory)) {
      inTransaction(database, () => prepare(database, directory), busyTimeoutMs);
    }
    database.exec('PRAGMA foreign_keys = ON');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function prepare(database: DatabaseSync, directory: string): void {
  prepareVectors(database, directory);
  if (versionOf(database, 'main') === schemaVersion) return;
  dropAll(database);
  database.exec(schema);
}

/** Removes the tables of another schema: their content is read again from the workspace. */
function dropAll(database: DatabaseSync): void {
  const ours = "type = 'table' AND name NOT LIKE 'sqlite_%'";
  const tables = query(database, `SELECT name FROM main.sqlite_schema WHERE ${ours}`, { name: 'text' }).all();
  // The internal tables of the word index are dropped with it.
  for (const { name } of tables) if (!name.startsWith('words_')) database.exec(`DROP TABLE main."${name}"`);
}

function isSound(path: string, thorough: boolean): boolean {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path);
    database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    const row = database.prepare(thorough ? 'PRAGMA integrity_check(1)' : 'PRAGMA schema_version').get();
    return !thorough || row?.['integrity_check'] === 'ok';
  } catch (error) {
    if (isDamage(error)) return false;
    throw error;
  } finally {
    database?.close();
  }
}

function quarantine(path: string): void {
  renameSync(path, `${path}.damaged`);
  for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
}

/** SQLITE_CORRUPT and SQLITE_NOTADB (https://sqlite.org/rescode.html). */
function isDamage(error: unknown): boolean {
  if (!(error instanceof Error && 'errcode' in error)) return false;
  return error.errcode === 11 || error.errcode === 26 || error.errcode === 267;
}

/**
 * Opens the databases of an index where nothing can be written, the second attached as `vectors_db`. Undefined when they are not
 * there, or of another schema. Nothing is written beside them either, as a connection that only reads otherwise would:
 * https://sqlite.org/wal.html#read_only_databases
 */
export function openReadOnly(path: string, vectorPath: string, schemaVersion: number): DatabaseSync | undefined {
  if (!existsSync(path) || !existsSync(vectorPath)) return undefined;
  const database = new DatabaseSync(readOnlyUrl(path), { readOnly: true });
  try {
    database.prepare('ATTACH ? AS vectors_db').run(readOnlyUrl(vectorPath).href);
    if (versionOf(database, 'main') === schemaVersion && versionOf(database, 'vectors_db') > 0) return database;
  } catch (error) {
    database.close();
    throw error;
  }
  database.close();
  return undefined;
}

/** A database with a journal is in use, or was left in the middle: then the journal is read as well. */
export function readOnlyUrl(path: string): URL {
  const url = pathToFileURL(path);
  const journal = statSync(`${path}-wal`, { throwIfNoEntry: false });
  if (!journal?.size) url.searchParams.set('immutable', '1');
  return url;
}
