import type { IndexedFile } from '../../../src/search/team/indexStore.ts';
import { openPostgresStore, type PostgresStore } from '../../../src/search/team/postgres/postgresStore.ts';
import { quantise, type VectorRow } from '../../../src/search/vectors/quantise.ts';
import { namedPostgres, startDebianPostgres, startPglite, type TestPostgres } from '../../contract/postgresServers.ts';
import { type Row, toRow } from '../row.ts';
import { hex, inChunks, readChunks, sha } from './teamChunks.ts';

const dimensions = 1024;
const loaded = 24_000;
const filtered = 200_000;
const questions = 40;
const calm = new AbortController().signal;

/**
 * The store of a team: how fast chunks are loaded, and how soon a filter of one in a hundred is answered. With
 * `PARLEY_TEST_POSTGRES` on that server; without, the load is on Debian's PostgreSQL, whose vectors are bytes without pgvector and which writes
 * each transaction to the disk, and the questions are on PGlite, which is PostgreSQL and pgvector as WebAssembly.
 */
export async function storeRows(tell: (text: string) => void): Promise<Row[]> {
  const named = namedPostgres();
  const rows: Row[] = [];
  for (const [start, measure] of [
    [() => startDebianPostgres({ settings: ['fsync=on'] }), loadRows],
    [startPglite, filterRows],
  ] as const) {
    const server: TestPostgres = named ?? (await start());
    const schemas: string[] = [];
    const open = async (): Promise<OpenIndex> => {
      const schema = `parley_bench_${process.pid}_${schemas.length}`;
      schemas.push(schema);
      const options = { address: server.address, repository: 'bench', schema, statementMs: 600_000 };
      return { schema, store: await openPostgresStore(options, calm) };
    };
    try {
      rows.push(
        ...(await measure(open, { ...server, name: named === undefined ? server.name : 'the named server' }, tell)),
      );
    } finally {
      for (const schema of schemas) await server.run(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
      await server.stop();
    }
  }
  return rows;
}

/** An index in a schema of its own. */
interface OpenIndex {
  readonly schema: string;
  readonly store: PostgresStore;
}

/** With the index of words there, as it is in the product, and without it, which is made afterwards. */
async function loadRows(
  open: () => Promise<OpenIndex>,
  { name, run }: TestPostgres,
  tell: (text: string) => void,
): Promise<Row[]> {
  tell(`team: reading ${loaded} chunks`);
  const parts = [...inChunks(readChunks(loaded).map(withoutTexts), 2_000)].map((files) => ({
    files,
    vectors: files.flatMap((file) => file.chunks).map(({ hash }) => rowOf(hash)),
  }));
  const chunks = parts.reduce((sum, { vectors }) => sum + vectors.length, 0);
  const load = async ({ store }: OpenIndex): Promise<number> => {
    const started = performance.now();
    // As a build does: vectors of one answer, and files of the next.
    for (const { files, vectors } of parts) {
      await Promise.all([store.putVectors('source', vectors, calm), store.putFiles(files, calm)]);
    }
    return (performance.now() - started) / 1000;
  };
  tell('team: loading them');
  const [indexed, bare] = [await open(), await open()];
  const seconds = await load(indexed);
  const words = `${bare.schema}.chunks_words`;
  const [[makeIndex] = []] = await run(`SELECT pg_get_indexdef('${words}'::regclass)`);
  await run(`DROP INDEX ${words}`);
  const bareSeconds = await load(bare);
  const started = performance.now();
  await run(makeIndex ?? '');
  const indexSeconds = (performance.now() - started) / 1000;
  for (const { store } of [indexed, bare]) await store.close();
  const row = (form: string, value: number): Row =>
    toRow({
      ...{ bench: 'team', metric: `PostgreSQL: load of ${chunks} chunks, vectors and words${form}, ${name}` },
      ...{ unit: 'chunks/s', value, goal: { of: 'value', is: '>=', bound: 8_000 } },
    });
  return [
    row('', chunks / seconds),
    row(', without the index of words', chunks / bareSeconds),
    row(', the index of words made afterwards', chunks / (bareSeconds + indexSeconds)),
  ];
}

async function filterRows(
  open: () => Promise<OpenIndex>,
  server: TestPostgres,
  tell: (text: string) => void,
): Promise<Row[]> {
  tell(`team: ${filtered} vectors`);
  const { store } = await open();
  const hashes: Uint8Array[] = [];
  const perFile = 20;
  for (let at = 0; at < filtered; at += 2_000) {
    const some = Array.from({ length: 2_000 }, (_, index) => sha(`chunk ${at + index}`));
    hashes.push(...some);
    await store.putVectors('source', some.map(rowOf), calm);
    const files = Array.from({ length: 2_000 / perFile }, (_, index) =>
      bareFile(`${at / perFile + index}.ts`, some.slice(index * perFile, (index + 1) * perFile)),
    );
    await store.putFiles(files, calm);
  }
  // The statistics that a server makes by itself after a while. A filter of so few needs no index of vectors.
  await store.buildIndexes(calm, Number.MAX_SAFE_INTEGER);
  const inFilter = hashes.length / 100;
  const paths = Array.from({ length: inFilter / perFile }, (_, index) => `${index * 100}.ts`);
  const right = paths.flatMap((_, index) => hashes.slice(index * 100 * perFile, index * 100 * perFile + perFile));
  const vectors = right.map((hash) => ({ hash, vector: vectorOf(hash) }));
  const times: number[] = [];
  let [found, wanted, rows] = [0, 0, 0];
  for (let question = 0; question < questions; question++) {
    const asked = vectorOf(sha(`question ${question}`));
    const started = performance.now();
    const near = await store.nearest('source', asked, 10, paths, calm);
    times.push(performance.now() - started);
    rows += near.length;
    const best = vectors
      .map(({ hash, vector }) => ({ hash: hex(hash), cosine: dot(asked, vector) }))
      .sort((a, b) => b.cosine - a.cosine)
      .slice(0, 10)
      .map(({ hash }) => hash);
    wanted += best.length;
    found += near.filter(({ hash }) => best.includes(hex(hash))).length;
  }
  await store.close();
  const of = `PostgreSQL: a filter of 1 % of ${hashes.length} vectors, ${server.name}`;
  return [
    toRow({
      ...{ bench: 'team', metric: `${of}: p50`, unit: 'ms' },
      ...{ value: times.sort((a, b) => a - b)[questions >> 1] ?? 0, goal: { of: 'value', is: '<=', bound: 10 } },
    }),
    toRow({
      ...{ bench: 'team', metric: `${of}: recall@10`, unit: 'share' },
      ...{ value: found / wanted, goal: { of: 'value', is: '>=', bound: 0.98 } },
    }),
    toRow({
      ...{ bench: 'team', metric: `${of}: rows of those asked for`, unit: 'share' },
      ...{ value: rows / (questions * 10), goal: { of: 'value', is: '=', bound: 1 } },
    }),
  ];
}

/** As a team keeps files whose texts are not stored. Each chunk counts as another text, so that each has a vector. */
const withoutTexts = ({ chunks, ...file }: IndexedFile): IndexedFile => ({
  ...file,
  chunks: chunks.map((chunk, at) => ({ ...chunk, hash: sha(`${file.path} ${at}`), text: undefined })),
});

const bareFile = (path: string, hashes: readonly Uint8Array[]): IndexedFile => ({
  ...{ path, hash: sha(path), pathWords: '' },
  chunks: hashes.map((hash, at) => ({
    ...{ hash, startLine: at + 1, endLine: at + 1, names: [], enclosing: [], nameWords: '', bodyWords: '' },
  })),
});

/** A vector of the length 1 that a hash alone decides. */
function vectorOf(hash: Uint8Array): Float32Array {
  let state = Buffer.from(hash).readUInt32LE(0) | 1;
  const vector = new Float32Array(dimensions);
  for (let at = 0; at < dimensions; at++) {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) ^ at;
    state ^= state << 13;
    vector[at] = (state | 0) / 2 ** 31;
  }
  const length = Math.sqrt(dot(vector, vector));
  return vector.map((value) => value / length);
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}

const rowOf = (hash: Uint8Array): VectorRow => ({ hash, ...quantise(vectorOf(hash)) });
