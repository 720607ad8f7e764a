import { quoteText, vectorTable } from './schema/schemaNames.ts';
import { type StoreContext, settingsOf } from './storeContext.ts';
import type { Transaction } from './wire/serverConnection.ts';

/** Below so many vectors a question goes through all of its repository; an index would cost each insert 5 ms. */
const leastRows = 50_000;
/** Memory that building the graph takes for a vector, and the most that is asked for. */
const bytesPerRow = 1_000;
const mostMegabytes = 2_048;
/** Building takes a minute for 250,000 vectors on one core. */
const buildMs = 12 * 3_600_000;

/**
 * Indexes the vectors of each source that has enough of them, sorts the last words into theirs, and counts how common words are. It is for the owner of the
 * schema, after a load: a load into an index takes ten times as long. Whoever writes waits meanwhile; searches do not.
 */
export async function buildNearIndexes(context: StoreContext, signal: AbortSignal, least = leastRows): Promise<void> {
  const { names, server } = context;
  const sources = await server.transaction(
    signal,
    (transaction) =>
      transaction.rows(`SELECT id, dimensions FROM ${names.schema}.sources`, [], {
        id: 'integer',
        dimensions: 'integer',
      }),
    { isReading: true },
  );
  for (const { id, dimensions } of sources) {
    const work = (transaction: Transaction) => buildOf(context, transaction, id, dimensions, least);
    await server.transaction(signal, work, { settings: settingsOf(context), statementMs: buildMs });
  }
  const finish = async (transaction: Transaction): Promise<void> => {
    // What came last stands in a list before the index of words, which every question goes through.
    await transaction.run(`SELECT gin_clean_pending_list(to_regclass(${quoteText(`${names.schema}.chunks_words`)}))`);
    await transaction.run(`ANALYZE ${names.schema}.chunks`);
  };
  await server.transaction(signal, finish, { statementMs: buildMs });
}

async function buildOf(
  { names }: StoreContext,
  transaction: Transaction,
  id: number,
  dimensions: number,
  least: number,
): Promise<void> {
  const table = vectorTable(names, id);
  // Of two who build, the second finds it built.
  await transaction.run(`LOCK TABLE ${table} IN SHARE UPDATE EXCLUSIVE MODE`);
  const [found] = await transaction.rows(`SELECT to_regclass(${quoteText(`${table}_near`)}) IS NOT NULL`, [], {
    isThere: 'boolean',
  });
  const [count] = await transaction.rows(`SELECT count(*) FROM ${table}`, [], { rows: 'integer' });
  await transaction.run(`ANALYZE ${table}`);
  if (found === undefined || count === undefined || found.isThere || count.rows < least) return;
  const megabytes = Math.min(mostMegabytes, Math.max(64, Math.ceil((count.rows * bytesPerRow) / 1e6)));
  await transaction.run(`SET LOCAL maintenance_work_mem = '${megabytes}MB'`);
  await transaction.run(
    `CREATE INDEX vectors_${id}_near ON ${table} USING hnsw
      ((${names.extension}.binary_quantize(v)::bit(${dimensions})) ${names.extension}.bit_hamming_ops)`,
  );
}
