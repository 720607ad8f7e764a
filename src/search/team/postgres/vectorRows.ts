import type { VectorRow } from '../../vectors/quantise.ts';
import { inBatches } from './inBatches.ts';
import { vectorTable } from './schema/schemaNames.ts';
import {
  findRepository,
  headOf,
  isHash,
  isStorable,
  keyOf,
  type StoreContext,
  settingsOf,
  tailOf,
  writtenRepository,
} from './storeContext.ts';
import { copyPieces } from './wire/copyRows.ts';
import { mostDimensions, readHalfvec } from './wire/halfvec.ts';
import type { Transaction } from './wire/serverConnection.ts';

/** Hashes asked for by one statement, and vectors, of which each is some kilobytes of text. */
const hashesAtOnce = 10_000;
const vectorsAtOnce = 1_000;

/** The hashes of texts without a vector of a source, each once. */
export function missingVectors(
  context: StoreContext,
  source: string,
  hashes: readonly Uint8Array[],
  signal: AbortSignal,
): Promise<Uint8Array[]> {
  const wanted = new Map(hashes.map((hash) => [keyOf(hash), hash]));
  const work = async (transaction: Transaction): Promise<Uint8Array[]> => {
    for (const { table, own, values } of await tablesOf(context, transaction, source)) {
      for (const batch of inBatches([...wanted.values()].filter(isHash), hashesAtOnce)) {
        const sql = `SELECT v.hash, v.tail FROM ${table} v WHERE v.hash = ANY ($1::uuid[]) ${own}`;
        const rows = await transaction.rows(sql, [headsOf(batch), ...values], { hash: 'uuid', tail: 'uuid' });
        for (const { hash, tail } of rows) wanted.delete(keyOf(Buffer.concat([hash, tail])));
      }
    }
    return [...wanted.values()];
  };
  return context.server.transaction(signal, work, { isReading: true, settings: settingsOf(context) });
}

/** The vectors of texts, in no order. */
export function readVectors(
  context: StoreContext,
  source: string,
  hashes: readonly Uint8Array[],
  signal: AbortSignal,
): Promise<VectorRow[]> {
  const wanted = new Map(hashes.filter(isHash).map((hash) => [keyOf(hash), hash]));
  const work = async (transaction: Transaction): Promise<VectorRow[]> => {
    const found: VectorRow[] = [];
    const sql = `SELECT * FROM ${context.names.schema}.vectors_of($1, $2, $3::uuid[])`;
    const shape = { hash: 'uuid', tail: 'uuid', vector: 'bytes' } as const;
    for (const batch of inBatches([...wanted.values()], vectorsAtOnce)) {
      const values = [context.repository, source, headsOf(batch)];
      for (const { hash, tail, vector } of await transaction.rows(sql, values, shape)) {
        const whole = wanted.get(keyOf(Buffer.concat([hash, tail])));
        const read = readHalfvec(vector);
        if (whole !== undefined && read !== undefined) found.push({ hash: whole, ...read });
      }
    }
    return found;
  };
  return context.server.transaction(signal, work, { isReading: true, settings: settingsOf(context) });
}

/** The tables that have vectors of a source, one for each length, with the condition for rows of this repository where they are its own. */
async function tablesOf(
  { names, repository }: StoreContext,
  transaction: Transaction,
  source: string,
): Promise<{ table: string; own: string; values: unknown[] }[]> {
  const sql = `SELECT id FROM ${names.schema}.sources WHERE name = $1 ORDER BY id`;
  const sources = await transaction.rows(sql, [source], { id: 'integer' });
  const tables = sources.map(({ id }) => vectorTable(names, id));
  if (!names.isSpread) return tables.map((table) => ({ table, own: '', values: [] }));
  const repo = await findRepository(names, repository, transaction);
  return repo === undefined ? [] : tables.map((table) => ({ table, own: 'AND v.repo = $2', values: [repo] }));
}

/** Stores vectors, those of each length in a table of their own. Gives the hashes of those that no table takes. */
export async function putVectorRows(
  context: StoreContext,
  source: string,
  rows: readonly VectorRow[],
  signal: AbortSignal,
): Promise<Uint8Array[]> {
  const sound = new Map(rows.filter(isSound).map((row) => [`${row.dimensions} ${keyOf(row.hash)}`, row]));
  const byLength = new Map<number, VectorRow[]>();
  // In the order of their hashes: of two who store the same texts, one waits for the other, and never both.
  for (const [, row] of [...sound].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const some = byLength.get(row.dimensions);
    if (some === undefined) byLength.set(row.dimensions, [row]);
    else some.push(row);
  }
  const refused = rows.filter((row) => !isSound(row)).map(({ hash }) => hash);
  if (!isStorable(source)) return rows.map(({ hash }) => hash);
  if (sound.size === 0) return refused;
  const work = async (transaction: Transaction): Promise<void> => {
    const repo = context.names.isSpread ? await writtenRepository(context, transaction) : undefined;
    for (const [dimensions, some] of byLength)
      await putOfLength(context, transaction, { source, dimensions, repo }, some);
  };
  await context.server.transaction(signal, work, { settings: settingsOf(context, `SET LOCAL work_mem = '64MB'`) });
  return refused;
}

/** Vectors come by COPY into a temporary table, as COPY itself knows no rows that are there already. */
async function putOfLength(
  { names }: StoreContext,
  transaction: Transaction,
  { source, dimensions, repo }: { source: string; dimensions: number; repo: number | undefined },
  rows: readonly VectorRow[],
): Promise<void> {
  const add = `SELECT ${names.schema}.add_source($1, $2)`;
  const [added] = await transaction.rows(add, [source, dimensions], { id: 'integer' });
  const id = added?.id ?? 0;
  const columns = repo === undefined ? 'hash, tail, v' : 'repo, hash, tail, v';
  const coming = `pg_temp.put_${id}`;
  await transaction.run(
    `CREATE TEMP TABLE put_${id} (${repo === undefined ? '' : 'repo int, '}hash uuid, tail uuid, v ${names.extension}.halfvec)
      ON COMMIT DROP${dimensions > mostPlain ? '' : `; ALTER TABLE ${coming} ALTER v SET STORAGE PLAIN`}`,
  );
  const pieces = copyPieces(rows, (to, row) => {
    to.row(repo === undefined ? 3 : 4);
    if (repo !== undefined) to.integer(repo);
    to.bytes(headOf(row.hash));
    to.bytes(tailOf(row.hash));
    to.halfvec(row);
  });
  await transaction.copy(`COPY ${coming} (${columns}) FROM STDIN (FORMAT binary)`, pieces);
  await transaction.run(
    `INSERT INTO ${vectorTable(names, id)} (${columns}) SELECT ${columns} FROM ${coming} ORDER BY hash ON CONFLICT DO NOTHING`,
  );
}

/** The most numbers of a vector that fits into a page with its row. */
const mostPlain = 4_000;

function isSound({ hash, dimensions, scale, values, rest }: VectorRow): boolean {
  const isSized = dimensions >= 1 && dimensions <= mostDimensions;
  return (
    isHash(hash) && isSized && scale > 0 && scale < 1e6 && values.length >= dimensions && rest.length >= dimensions
  );
}

const headsOf = (hashes: readonly Uint8Array[]): string => `{${hashes.map((hash) => keyOf(headOf(hash))).join(',')}}`;
