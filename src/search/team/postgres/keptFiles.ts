import { removeFileRows } from './fileRows.ts';
import { findRepository, type StoreContext, settingsOf } from './storeContext.ts';

/** Paths that are read at once, and files that are forgotten in one transaction. */
const pathsAtOnce = 10_000;
const filesAtOnce = 1_000;

/**
 * Forgets all files of the repository but these. The paths of the server are read page by page: to send it all that stay, it would take
 * as long to compare them, and hold the rows meanwhile.
 * @returns how many were forgotten
 */
export async function keepFileRows(
  context: StoreContext,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  const kept = new Set(paths);
  let forgotten = 0;
  let last = '';
  for (;;) {
    const page = await readPage(context, last, signal);
    const others = page.filter((path) => !kept.has(path));
    for (let at = 0; at < others.length; at += filesAtOnce) {
      const some = others.slice(at, at + filesAtOnce);
      await removeFileRows(context, some, signal);
      forgotten += some.length;
    }
    if (page.length < pathsAtOnce) return forgotten;
    last = page.at(-1) ?? '';
  }
}

/** The next paths behind one; no path is empty. */
function readPage(context: StoreContext, last: string, signal: AbortSignal): Promise<string[]> {
  const { server, names, repository } = context;
  return server.transaction(
    signal,
    async (transaction) => {
      const repo = await findRepository(names, repository, transaction);
      if (repo === undefined) return [];
      const sql = `SELECT path FROM ${names.schema}.files WHERE repo = $1 AND path > $2 ORDER BY path LIMIT ${pathsAtOnce}`;
      const rows = await transaction.rows(sql, [repo, last], { path: 'text' });
      return rows.map(({ path }) => path);
    },
    { isReading: true, settings: settingsOf(context) },
  );
}
