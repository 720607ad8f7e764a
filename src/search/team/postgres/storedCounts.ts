import type { StoredCounts, VectorCount } from '../indexStore.ts';
import { quoteText, vectorTable } from './schema/schemaNames.ts';
import { findRepository, type StoreContext, settingsOf } from './storeContext.ts';

/** Rows up to which vectors are counted; above it the server knows about how many it has. */
const mostCounted = 100_000;

/** What is stored of a repository, and the vectors of all. */
export function readCounts(context: StoreContext, signal: AbortSignal): Promise<StoredCounts> {
  const { names, repository, server } = context;
  return server.transaction(
    signal,
    async (transaction) => {
      const sources = await transaction.rows(
        `SELECT id, name, dimensions FROM ${names.schema}.sources ORDER BY name, dimensions`,
        [],
        { id: 'integer', name: 'text', dimensions: 'integer' },
      );
      const vectors: VectorCount[] = [];
      for (const { id, name, dimensions } of sources) {
        const table = vectorTable(names, id);
        // Citus joins no table of its own with one that it has spread: each is asked alone.
        const [count] = await transaction.rows(
          `SELECT count(*) FROM (SELECT 1 FROM ${table} LIMIT ${mostCounted}) counted`,
          [],
          { rows: 'integer' },
        );
        const [known] = await transaction.rows(
          `SELECT greatest(0, reltuples)::bigint FROM pg_class WHERE oid = to_regclass(${quoteText(table)})`,
          [],
          { rows: 'integer' },
        );
        const { rows: counted = 0 } = count ?? {};
        const { rows: about = 0 } = known ?? {};
        vectors.push({ source: name, dimensions, texts: counted < mostCounted ? counted : Math.max(counted, about) });
      }
      const repo = await findRepository(names, repository, transaction);
      if (repo === undefined) return { files: 0, chunks: 0, vectors };
      const asked = async (sql: string): Promise<number> =>
        (await transaction.rows(sql, [repo], { count: 'integer' }))[0]?.count ?? 0;
      const files = await asked(`SELECT count(*) FROM ${names.schema}.files WHERE repo = $1`);
      const chunks = await asked(`SELECT chunks FROM ${names.schema}.repositories WHERE id = $1`);
      return { files, chunks, vectors };
    },
    { isReading: true, settings: settingsOf(context) },
  );
}
