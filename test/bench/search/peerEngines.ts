import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { loadPeer } from '../peers.ts';
import { dimensions } from './vectors.ts';

/** An engine beside ours, with an index already built. */
export interface Engine {
  name: string;
  buildMs: number;
  query(question: Float32Array, k: number): Promise<number[]> | number[];
  close(): void;
}

const batch = 1_000;

/** What people write first: a loop over all numbers, in memory. */
export function plainLoop(vectors: Float32Array): Engine {
  return {
    name: 'a plain loop over float32',
    buildMs: 0,
    query(question, k) {
      const best: { place: number; score: number }[] = [];
      for (let place = 0, at = 0; at < vectors.length; place++) {
        let score = 0;
        for (let d = 0; d < dimensions; d++, at++) score += (vectors[at] as number) * (question[d] as number);
        if (best.length < k || score > (best[k - 1]?.score ?? 0)) {
          best.push({ place, score });
          best.sort((a, b) => b.score - a.score);
          best.length = Math.min(best.length, k);
        }
      }
      return best.map((each) => each.place);
    },
    close: () => undefined,
  };
}

type SqliteKind = 'float32' | 'int8' | 'bits + int8';

/** sqlite-vec as its documentation has it; bits first, then int8 over 32 times as many, is its guide to binary vectors. */
export async function sqliteVec(vectors: Float32Array, kind: SqliteKind, directory: string): Promise<Engine> {
  const { getLoadablePath } = await loadPeer<{ getLoadablePath(): string }>('sqlite-vec');
  const database = new DatabaseSync(join(directory, `${kind.replaceAll(/\W/g, '')}.db`), { allowExtension: true });
  database.loadExtension(getLoadablePath());
  const started = performance.now();
  const columns = {
    float32: `v float[${dimensions}]`,
    int8: `v int8[${dimensions}]`,
    'bits + int8': `v int8[${dimensions}], b bit[${dimensions}]`,
  };
  const quantised = "vec_quantize_int8(?, 'unit')";
  // Numbers of a vector at length 1 are small: as much of the eight bits as they can use.
  const scaled = (vector: Float32Array): Uint8Array => {
    const larger = vector.map((value) => Math.max(-1, Math.min(1, value * 8)));
    return new Uint8Array(larger.buffer);
  };
  database.exec(`PRAGMA journal_mode = OFF; CREATE VIRTUAL TABLE t USING vec0(${columns[kind]})`);
  const values = { float32: '?', int8: quantised, 'bits + int8': `${quantised}, vec_quantize_binary(?)` }[kind];
  const insert = database.prepare(
    `INSERT INTO t (rowid, v${kind === 'bits + int8' ? ', b' : ''}) VALUES (?, ${values})`,
  );
  const asBytes = (vector: Float32Array): Uint8Array =>
    new Uint8Array(vector.buffer, vector.byteOffset, dimensions * 4);
  database.exec('BEGIN');
  for (let place = 0; place * dimensions < vectors.length; place++) {
    const vector = vectors.subarray(place * dimensions, (place + 1) * dimensions);
    const parameters = {
      float32: [asBytes(vector)],
      int8: [scaled(vector)],
      'bits + int8': [scaled(vector), asBytes(vector)],
    };
    insert.run(BigInt(place), ...parameters[kind]);
  }
  database.exec('COMMIT');
  const sql = {
    float32: 'SELECT rowid FROM t WHERE v MATCH ? AND k = ?',
    int8: `SELECT rowid FROM t WHERE v MATCH ${quantised} AND k = ?`,
    'bits + int8': `WITH near AS (SELECT rowid, v FROM t WHERE b MATCH vec_quantize_binary(?1) AND k = ?2 * 32)
      SELECT rowid FROM near ORDER BY vec_distance_l2(v, vec_quantize_int8(?3, 'unit')) LIMIT ?2`,
  };
  const select = database.prepare(sql[kind]);
  return {
    name: `sqlite-vec, ${kind}`,
    buildMs: performance.now() - started,
    query(question, k) {
      const parameters = {
        float32: [asBytes(question), k],
        int8: [scaled(question), k],
        'bits + int8': [asBytes(question), k, scaled(question)],
      };
      return select.all(...parameters[kind]).map((row) => Number(row['rowid']));
    },
    close: () => database.close(),
  };
}

interface LanceQuery {
  distanceType(type: string): LanceQuery;
  limit(k: number): LanceQuery;
  select(columns: string[]): LanceQuery;
  ef(ef: number): LanceQuery;
  nprobes(count: number): LanceQuery;
  refineFactor(factor: number): LanceQuery;
  bypassVectorIndex(): LanceQuery;
  toArray(): Promise<{ id: number }[]>;
}
interface LanceTable {
  add(rows: unknown): Promise<unknown>;
  createIndex(column: string, options: { config: unknown; waitTimeoutSeconds?: number }): Promise<unknown>;
  dropIndex(name: string): Promise<void>;
  listIndices(): Promise<{ name: string }[]>;
  vectorSearch(question: Float32Array): LanceQuery;
  close(): void;
}
interface Lance {
  connect(path: string): Promise<{ createTable(name: string, rows: unknown): Promise<LanceTable> }>;
  Index: Record<'hnswSq' | 'ivfRq', (options: object) => unknown>;
}

/** LanceDB, with the settings that gave the best of speed and recall in its own documentation's range; one after the other. */
export async function* lanceDb(vectors: Float32Array, directory: string): AsyncGenerator<Engine> {
  const lance = await loadPeer<Lance>('@lancedb/lancedb');
  mkdirSync(directory, { recursive: true });
  const database = await lance.connect(directory);
  const rowsFrom = (first: number): object[] =>
    Array.from({ length: Math.min(batch, vectors.length / dimensions - first) }, (_, index) => ({
      id: first + index,
      vector: vectors.subarray((first + index) * dimensions, (first + index + 1) * dimensions),
    }));
  const started = performance.now();
  const table = await database.createTable('t', rowsFrom(0));
  for (let first = batch; first * dimensions < vectors.length; first += batch) await table.add(rowsFrom(first));
  const insertMs = performance.now() - started;
  const engine = (name: string, buildMs: number, tune: (query: LanceQuery) => LanceQuery): Engine => ({
    name: `LanceDB, ${name}`,
    buildMs,
    async query(question, k) {
      const query = tune(table.vectorSearch(question)).limit(k).select(['id', '_distance']);
      return (await query.toArray()).map((row) => Number(row.id));
    },
    close: () => undefined,
  });
  yield engine('flat', insertMs, (query) => query.distanceType('cosine').bypassVectorIndex());
  const build = async (config: unknown): Promise<number> => {
    for (const { name } of await table.listIndices()) await table.dropIndex(name);
    const before = performance.now();
    await table.createIndex('vector', { config, waitTimeoutSeconds: 240 });
    return performance.now() - before;
  };
  const rq = await build(lance.Index.ivfRq({ distanceType: 'cosine' }));
  yield engine('IVF-RQ, 20 probes, refined × 10', rq, (query) => query.nprobes(20).refineFactor(10));
  const hnsw = await build(lance.Index.hnswSq({ distanceType: 'cosine', numPartitions: 1 }));
  yield engine('HNSW-SQ, ef 100', hnsw, (query) => query.ef(100));
  yield engine('HNSW-SQ, ef 300, refined × 3', hnsw, (query) => query.ef(300).refineFactor(3));
  table.close();
}

/** Bytes of all files in a folder. */
export function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
