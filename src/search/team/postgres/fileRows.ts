import { cutOf } from '../fileCut.ts';
import type { FileVersion, IndexedFile } from '../indexStore.ts';
import { inBatches } from './inBatches.ts';
import {
  findRepository,
  headOf,
  isHash,
  isStorable,
  keyOf,
  type StoreContext,
  settingsOf,
  tailOf,
  withoutNul,
  writtenRepository,
} from './storeContext.ts';
import { type CopyRows, copyPieces } from './wire/copyRows.ts';
import type { Transaction } from './wire/serverConnection.ts';
import { textVector } from './wire/textVector.ts';

const filesAtOnce = 5_000;

/** The paths of those files that are not stored with this content, or are cut in another way. */
export function changedPaths(
  context: StoreContext,
  files: readonly FileVersion[],
  signal: AbortSignal,
): Promise<string[]> {
  const work = async (transaction: Transaction): Promise<string[]> => {
    const repo = await findRepository(context.names, context.repository, transaction);
    if (repo === undefined) return files.map(({ path }) => path);
    const stored = new Map<string, string>();
    const cuts = new Map<string, string>();
    const sql = `SELECT path, hash FROM ${context.names.schema}.files WHERE repo = $1 AND path = ANY ($2)`;
    for (const batch of inBatches(
      files.filter(({ path }) => isStorable(path)),
      filesAtOnce,
    )) {
      const rows = await transaction.rows(sql, [repo, batch.map(({ path }) => path)], { path: 'text', hash: 'bytes' });
      for (const { path, hash } of rows) stored.set(path, keyOf(hash));
      const cut = batch.flatMap((file) => (file.cut === undefined ? [] : file.path));
      for (const [path, of] of await readCuts(context, transaction, repo, cut)) cuts.set(path, of);
    }
    const isSame = ({ path, hash, cut }: FileVersion): boolean =>
      stored.get(path) === keyOf(hash) && (cut === undefined || (cuts.get(path) ?? cutOf([], false)) === cut);
    return files.filter((file) => !isSame(file)).map(({ path }) => path);
  };
  return context.server.transaction(signal, work, { isReading: true, settings: settingsOf(context) });
}

/** Into which chunks files are cut, as `cutOf` gives it; none for files without chunks. */
async function readCuts(
  { names }: StoreContext,
  transaction: Transaction,
  repo: number,
  paths: readonly string[],
): Promise<[path: string, cut: string][]> {
  if (paths.length === 0) return [];
  const sql = `SELECT path, md5(string_agg(encode(uuid_send(hash), 'hex'), '' ORDER BY part)),
      bool_or(body IS NOT NULL) FROM ${names.schema}.chunks WHERE repo = $1 AND path = ANY ($2) GROUP BY path`;
  const rows = await transaction.rows(sql, [repo, paths], { path: 'text', cut: 'text', hasTexts: 'boolean' });
  return rows.map(({ path, cut, hasTexts }) => [path, `${cut}${hasTexts ? '+' : ''}`]);
}

/** Replaces files, in one transaction. Gives the paths of those that no row can hold. */
export async function putFileRows(
  context: StoreContext,
  files: readonly IndexedFile[],
  signal: AbortSignal,
): Promise<string[]> {
  const sound = new Map(files.filter(isSound).map((file) => [file.path, file]));
  // In the order of their paths, so that two who store the same files wait for each other in turn.
  const sorted = [...sound.values()].sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
  const refused = files.filter((file) => !isSound(file)).map(({ path }) => path);
  if (sorted.length === 0) return refused;
  const work = async (transaction: Transaction): Promise<void> => {
    const repo = await writtenRepository(context, transaction);
    const { schema } = context.names;
    const paths = sorted.map(({ path }) => path);
    // Who holds the row of a file holds its chunks: they are deleted and added by one after the other.
    await transaction.run(
      `INSERT INTO ${schema}.files (repo, path, hash) SELECT $1, f.path, f.hash
        FROM unnest($2::text[], $3::bytea[]) AS f (path, hash) ORDER BY f.path COLLATE "C"
        ON CONFLICT (repo, path) DO UPDATE SET hash = excluded.hash`,
      [repo, paths, sorted.map(({ hash }) => Buffer.from(hash))],
    );
    const gone = await deleteChunks(context, transaction, repo, paths);
    const come = await addChunks(context, transaction, repo, sorted);
    await addToCounts(context, transaction, repo, come.chunks - gone.chunks, come.words - gone.words);
  };
  // New words are sorted into their index as many at once as memory has room for.
  await context.server.transaction(signal, work, { settings: settingsOf(context, `SET LOCAL work_mem = '64MB'`) });
  return refused;
}

/** Forgets files and their chunks. */
export async function removeFileRows(
  context: StoreContext,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const stored = paths.filter(isStorable);
  if (stored.length === 0) return;
  const work = async (transaction: Transaction): Promise<void> => {
    const { schema } = context.names;
    const repo = await findRepository(context.names, context.repository, transaction);
    if (repo === undefined) return;
    const lock = `SELECT path FROM ${schema}.files WHERE repo = $1 AND path = ANY ($2) ORDER BY path FOR UPDATE`;
    const locked = await transaction.rows(lock, [repo, stored], { path: 'text' });
    // A file that somebody has stored since is his: to wait for its row, out of order, may be to wait for each other.
    const ours = locked.map(({ path }) => path);
    const gone = await deleteChunks(context, transaction, repo, ours);
    await transaction.run(`DELETE FROM ${schema}.files WHERE repo = $1 AND path = ANY ($2)`, [repo, ours]);
    await addToCounts(context, transaction, repo, -gone.chunks, -gone.words);
  };
  await context.server.transaction(signal, work, { settings: settingsOf(context) });
}

/** How many chunks, and how many words they have. */
interface ChunkSums {
  readonly chunks: number;
  readonly words: number;
}

async function deleteChunks(
  { names }: StoreContext,
  transaction: Transaction,
  repo: number,
  paths: readonly string[],
): Promise<ChunkSums> {
  const sql = `WITH gone AS (DELETE FROM ${names.schema}.chunks WHERE repo = $1 AND path = ANY ($2) RETURNING length)
    SELECT count(*), coalesce(sum(length), 0) FROM gone`;
  const [sums] = await transaction.rows(sql, [repo, paths], { chunks: 'integer', words: 'integer' });
  return sums ?? { chunks: 0, words: 0 };
}

const columns = 'repo, path, part, hash, tail, first_line, last_line, length, names, enclosing, body, words';

async function addChunks(
  { names, hasRowChecks }: StoreContext,
  transaction: Transaction,
  repo: number,
  files: readonly IndexedFile[],
): Promise<ChunkSums> {
  const all = files.flatMap((file) => file.chunks.map((chunk, part) => ({ file, chunk, part })));
  let words = 0;
  const write = (rows: CopyRows, row: ChunkOfFile): void => {
    words += writeChunk(rows, repo, row);
  };
  const table = `${names.schema}.chunks`;
  const copy = (into: string): Promise<void> =>
    transaction.copy(`COPY ${into} (${columns}) FROM STDIN (FORMAT binary)`, copyPieces(all, write));
  if (!hasRowChecks) {
    await copy(table);
  } else {
    await transaction.run(`CREATE TEMP TABLE put_chunks (LIKE ${table}) ON COMMIT DROP`);
    await copy('pg_temp.put_chunks');
    await transaction.run(`INSERT INTO ${table} (${columns}) SELECT ${columns} FROM pg_temp.put_chunks`);
  }
  return { chunks: all.length, words };
}

/** A chunk with its file and its number in there. */
interface ChunkOfFile {
  readonly file: IndexedFile;
  readonly chunk: IndexedFile['chunks'][number];
  readonly part: number;
}

/** Writes the row of a chunk; gives the number of its words. */
function writeChunk(rows: CopyRows, repo: number, { file, chunk, part }: ChunkOfFile): number {
  const vector = textVector({ path: file.pathWords, names: chunk.nameWords, body: chunk.bodyWords });
  rows.row(12);
  rows.integer(repo);
  rows.text(file.path);
  rows.integer(part);
  rows.bytes(headOf(chunk.hash));
  rows.bytes(tailOf(chunk.hash));
  rows.integer(chunk.startLine);
  rows.integer(chunk.endLine);
  rows.integer(vector.length);
  rows.text(withoutNul(chunk.names.join('\n')));
  rows.text(withoutNul(chunk.enclosing.join('\n')));
  if (chunk.text === undefined) rows.null();
  // A text with a NUL would come back as another one; an empty one says that the file was stored with its texts.
  else rows.text(chunk.text.includes('\0') ? '' : chunk.text);
  rows.bytes(vector.bytes);
  return vector.length;
}

/** Last of all, as everybody who writes to this repository waits for that row. */
async function addToCounts(
  { names }: StoreContext,
  transaction: Transaction,
  repo: number,
  chunks: number,
  words: number,
): Promise<void> {
  const sql = `UPDATE ${names.schema}.repositories SET chunks = chunks + $2, words = words + $3 WHERE id = $1`;
  await transaction.run(sql, [repo, chunks, words]);
}

function isSound({ path, hash, chunks }: IndexedFile): boolean {
  const isPlaced = ({ startLine, endLine }: { startLine: number; endLine: number }): boolean =>
    [startLine, endLine].every((line) => Number.isInteger(line) && line >= 0 && line <= 0x7fffffff);
  return isStorable(path) && isHash(hash) && chunks.every((chunk) => isHash(chunk.hash) && isPlaced(chunk));
}
