import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';

/** Column kinds and their types. `any` is not checked here, for values that are checked in another way. */
interface Kinds {
  number: number;
  'number?': number | null;
  text: string;
  'text?': string | null;
  blob: Uint8Array;
  any: unknown;
}
type Columns = Readonly<Record<string, keyof Kinds>>;
type RowOf<C extends Columns> = { [Name in keyof C]: Kinds[C[Name]] };

/** A prepared SELECT whose rows have a type. */
export interface RowQuery<Row> {
  /** The first row, if there is any. */
  get(...params: SQLInputValue[]): Row | undefined;
  /** The row of a query that always has one, such as a count. */
  one(...params: SQLInputValue[]): Row;
  all(...params: SQLInputValue[]): Row[];
}

/**
 * Prepares a SELECT and checks the named columns of every row: a column that the SQL does not return is a programming
 * error, which the first row shows, and a value of another kind is corruption of the disk, thrown as SQLite throws it.
 * Unchecked, both became NaN or `'null'`, and were counted and shown as values.
 * @param columns the columns that are read, with their kinds: `{ id: 'number', hash: 'text?' }`
 */
export function query<const C extends Columns>(database: DatabaseSync, sql: string, columns: C): RowQuery<RowOf<C>> {
  const statement = database.prepare(sql);
  const kinds = Object.entries(columns);
  const checked = (row: Record<string, SQLOutputValue>): RowOf<C> => {
    for (const [name, kind] of kinds) {
      const value = row[name];
      if (value === undefined) throw new Error(`No column ${name} in: ${sql}`);
      if (!isOf(kind, value)) throw damage(`The column ${name} holds no ${kind}.`);
    }
    return row as RowOf<C>;
  };
  const get = (...params: SQLInputValue[]): RowOf<C> | undefined => {
    const row = statement.get(...params);
    // A plain object is returned, because the rows of node:sqlite have no prototype.
    return row && { ...checked(row) };
  };
  return {
    get,
    one(...params) {
      const row = get(...params);
      if (row === undefined) throw new Error(`No row for: ${sql}`);
      return row;
    },
    all: (...params) => statement.all(...params).map(checked),
  };
}

function isOf(kind: keyof Kinds, value: SQLOutputValue): boolean {
  if (kind === 'any') return true;
  if (value === null) return kind.endsWith('?');
  if (kind === 'blob') return value instanceof Uint8Array;
  return typeof value === (kind === 'text' || kind === 'text?' ? 'string' : 'number');
}

/** SQLITE_CORRUPT (https://sqlite.org/rescode.html). */
function damage(message: string): Error {
  return Object.assign(new Error(message), { errcode: 11 });
}

/** The schema version recorded in a database; 0 for an empty one. */
export function versionOf(database: DatabaseSync, name: 'main' | 'vectors_db'): number {
  return query(database, `PRAGMA ${name}.user_version`, { user_version: 'number' }).one().user_version;
}
