import { IndexStoreError } from '../indexStoreError.ts';
import type { SchemaNames } from './schema/schemaNames.ts';
import type { ServerConnection, Transaction } from './wire/serverConnection.ts';

/** What the parts of a store share. */
export interface StoreContext {
  readonly server: ServerConnection;
  readonly names: SchemaNames;
  /** The name of the repository. */
  readonly repository: string;
  /** Whether rows of chunks have to go by a temporary table, as COPY goes past the checks of rows. */
  readonly hasRowChecks: boolean;
  /** Up to so many chunks a question goes through all; undefined for what the server's function says. */
  readonly exactRows: number | undefined;
}

/** `SET LOCAL` statements for all transactions: Citus passes on none without the one that says so. */
export function settingsOf({ names, exactRows }: StoreContext, ...others: readonly string[]): string[] {
  return [
    // A database or a login may have others: what is read here is in this form, and policies are no errors.
    'SET LOCAL bytea_output = hex',
    'SET LOCAL row_security = on',
    ...(names.isSpread ? [`SET LOCAL citus.propagate_set_commands = 'local'`] : []),
    ...(exactRows === undefined ? [] : [`SET LOCAL parley.exact_rows = ${exactRows}`]),
    ...others,
  ];
}

/** The number of the repository, which a writer adds where it is not there. */
export async function writtenRepository(
  { names, repository }: StoreContext,
  transaction: Transaction,
): Promise<number> {
  const found = await findRepository(names, repository, transaction);
  if (found !== undefined) return found;
  const add = `INSERT INTO ${names.schema}.repositories (name) VALUES ($1) ON CONFLICT DO NOTHING`;
  await transaction.run(add, [repository]);
  const added = await findRepository(names, repository, transaction);
  if (added === undefined) throw new IndexStoreError('unexpected', 'repository');
  return added;
}

/** The number of a repository; undefined where nothing of it is stored. */
export async function findRepository(
  { schema }: SchemaNames,
  repository: string,
  transaction: Transaction,
): Promise<number | undefined> {
  const sql = `SELECT id FROM ${schema}.repositories WHERE name = $1`;
  const [found] = await transaction.rows(sql, [repository], { id: 'integer' });
  return found?.id;
}

const hashBytes = 32;

export const isHash = (hash: Uint8Array): boolean => hash.length === hashBytes;

/** A hash as the key of a map. */
export const keyOf = (hash: Uint8Array): string =>
  Buffer.from(hash.buffer, hash.byteOffset, hash.length).toString('hex');

/** The half of a hash by which rows are found. The other half is compared, so that what is found is the text itself. */
export const headOf = (hash: Uint8Array): Uint8Array => hash.subarray(0, hashBytes / 2);
export const tailOf = (hash: Uint8Array): Uint8Array => hash.subarray(hashBytes / 2);

/** Texts with a NUL or longer than a key of an index may be are none that the server takes. */
export const isStorable = (text: string): boolean =>
  text !== '' && !text.includes('\0') && Buffer.byteLength(text) <= longestKey;
const longestKey = 2_000;

/** A NUL in a text that is only shown. */
export const withoutNul = (text: string): string => text.replaceAll('\0', '\ufffd');
