import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../../src/search/store/store.ts';
import { queryWords } from '../../../src/search/store/words.ts';
import type { IndexedChunk, IndexedFile, IndexStore } from '../../../src/search/team/indexStore.ts';
import { createLocalIndexStore } from '../../../src/search/team/localIndexStore.ts';
import { openPostgresStore } from '../../../src/search/team/postgres/postgresStore.ts';
import { quantise } from '../../../src/search/vectors/quantise.ts';
import { namedPostgres, startPglite } from '../../contract/postgresServers.ts';
import { type Row, toRow } from '../row.ts';
import { createRandom, createVectors } from '../search/vectors.ts';
import { hex, inChunks, readChunks } from './teamChunks.ts';

const chunkCount = 12_000;
const questionCount = 60;
const asked = 10;
const leastRecall = 0.98;
const leastOverlap = 0.95;
const source = 'https://example.com\nmodel';
const calm = new AbortController().signal;

/** The same chunks and the same questions in the index of this machine and in PostgreSQL, with real pgvector. */
export async function sideBySideRows(tell: (text: string) => void): Promise<Row[]> {
  const named = namedPostgres();
  const server = named ?? (await startPglite());
  const name = named === undefined ? server.name : 'the named server';
  const schema = `parley_bench_${process.pid}`;
  const directory = mkdtempSync(join(tmpdir(), 'parley-bench-local-'));
  const store = openStore(directory);
  const open = { address: server.address, repository: 'bench', schema, statementMs: 600_000 };
  try {
    tell(`team: ${chunkCount} chunks in the index of this machine and in PostgreSQL`);
    const corpus = makeCorpus();
    const team = await openPostgresStore(open, calm);
    const sides: Sides = { team, local: createLocalIndexStore(() => store, 'bench'), name };
    for (const side of [sides.local, sides.team]) await load(side, corpus);
    await team.buildIndexes(calm);
    const rows = [
      ...(await nearRows(sides, corpus, 'nearest of all')),
      ...(await wordRows(sides, corpus)),
      ...(server.hasIndexes
        ? await indexedRows(sides, corpus, () => openPostgresStore({ ...open, exactRows: 1 }, calm))
        : []),
    ];
    await team.close();
    return rows;
  } finally {
    store.close();
    rmSync(directory, { recursive: true, force: true });
    await server.run(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
    await server.stop();
  }
}

interface Sides {
  readonly local: IndexStore;
  readonly team: IndexStore;
  /** Which server it is. */
  readonly name: string;
}

/** Chunks with vectors, and what is asked. */
interface Corpus {
  readonly files: readonly IndexedFile[];
  /** Of each text, by its hash. */
  readonly vectors: ReadonlyMap<string, { readonly hash: Uint8Array; readonly vector: Float32Array }>;
  readonly near: readonly Float32Array[];
  readonly words: readonly (readonly string[])[];
}

/** Vectors in topics, questions near some of them; and questions that are lines of the code. */
function makeCorpus(): Corpus {
  const files = readChunks(chunkCount);
  const made = createVectors(11);
  const chunks = files.flatMap((file) => file.chunks);
  const vectors = new Map(chunks.map(({ hash }) => [hex(hash), { hash, vector: made.next() }]));
  const random = createRandom(12);
  const some = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const all = [...vectors.values()];
  const near = Array.from({ length: questionCount }, () => made.questionFor(some(all).vector));
  const words: string[][] = [];
  while (words.length < questionCount) {
    const line = queryWords(some((some(chunks) as IndexedChunk).text?.split('\n') ?? []));
    if (line.length >= 3) words.push(line.slice(0, 8));
  }
  return { files, vectors, near, words };
}

async function load(store: IndexStore, { files, vectors }: Corpus): Promise<void> {
  for (const some of inChunks(files, 2_000)) {
    const rows = some
      .flatMap((file) => file.chunks)
      .map(({ hash }) => ({ hash, ...quantise(vectors.get(hex(hash))?.vector as Float32Array) }));
    await store.putVectors(source, rows, calm);
    await store.putFiles(some, calm);
  }
}

/** What both sides found for each question, by hashes, and the milliseconds of each. */
interface Answers {
  readonly local: readonly string[][];
  readonly team: readonly string[][];
  readonly localMs: number;
  readonly teamMs: number;
}

/** Both sides take turns, after a question that does not count. */
async function askBoth<Q>(
  { local, team }: Sides,
  questions: readonly Q[],
  ask: (store: IndexStore, question: Q) => Promise<readonly { readonly hash: Uint8Array }[]>,
): Promise<Answers> {
  const found = { local: [] as string[][], team: [] as string[][] };
  const times = { local: [] as number[], team: [] as number[] };
  const timed = async (side: 'local' | 'team', question: Q): Promise<void> => {
    const started = performance.now();
    const texts = await ask(side === 'local' ? local : team, question);
    times[side].push(performance.now() - started);
    found[side].push(texts.map(({ hash }) => hex(hash)));
  };
  for (const store of [local, team]) await ask(store, questions[0] as Q);
  for (const question of questions) {
    await timed('local', question);
    await timed('team', question);
  }
  return { ...found, localMs: middle(times.local), teamMs: middle(times.team) };
}

async function nearRows(sides: Sides, { near, vectors }: Corpus, form: string): Promise<Row[]> {
  const answers = await askBoth(sides, near, (store, vector) => store.nearest(source, vector, asked, undefined, calm));
  const best = near.map((vector) => nearestExactly(vector, vectors));
  const row = (metric: string, value: number, bound: number): Row =>
    toRow({
      ...{ bench: 'team', metric: `${form}, ${chunkCount} chunks: ${metric}`, unit: 'share', value },
      goal: { of: 'value', is: '>=', bound },
    });
  return [
    row('recall@10 of the index of this machine', shareOf(answers.local, best), leastRecall),
    row(`recall@10 of PostgreSQL, ${sides.name}`, shareOf(answers.team, best), leastRecall),
    row(`the ten first in both, ${sides.name}`, shareOf(answers.team, answers.local), leastOverlap),
    timeRow(sides, form, answers),
  ];
}

/** The form for more chunks than a question goes through: an index of signs, and the best of its candidates. */
async function indexedRows(
  sides: Sides,
  corpus: Corpus,
  open: () => ReturnType<typeof openPostgresStore>,
): Promise<Row[]> {
  const team = await open();
  await team.buildIndexes(calm, 1);
  const rows = await nearRows({ ...sides, team }, corpus, 'nearest of all by an index of vectors');
  await team.close();
  // This machine has no other form.
  return rows.filter(({ metric }) => !metric.includes('of this machine'));
}

async function wordRows(sides: Sides, { words }: Corpus): Promise<Row[]> {
  const form = 'words of a line of code';
  const answers = await askBoth(sides, words, (store, some) => store.findWords(some, asked, undefined, calm));
  return [
    toRow({
      ...{
        bench: 'team',
        metric: `${form}, ${chunkCount} chunks: the ten first in both, ${sides.name}`,
        unit: 'share',
      },
      ...{ value: shareOf(answers.team, answers.local), goal: { of: 'value', is: '>=', bound: leastOverlap } },
    }),
    timeRow(sides, form, answers),
  ];
}

function timeRow({ name }: Sides, form: string, { localMs, teamMs }: Answers): Row {
  return toRow({
    ...{ bench: 'team', metric: `${form}, ${chunkCount} chunks: p50 of PostgreSQL, ${name}`, unit: 'ms' },
    ...{ value: teamMs, peer: { name: 'the index of this machine', value: localMs } },
  });
}

/** The nearest by the cosine, in double precision. */
function nearestExactly(question: Float32Array, vectors: Corpus['vectors']): string[] {
  return [...vectors]
    .map(([hash, { vector }]) => ({ hash, cosine: cosineOf(question, vector) }))
    .sort((a, b) => b.cosine - a.cosine)
    .slice(0, asked)
    .map(({ hash }) => hash);
}

function cosineOf(a: Float32Array, b: Float32Array): number {
  let [product, ofA, ofB] = [0, 0, 0];
  for (let at = 0; at < a.length; at++) {
    const [x, y] = [a[at] as number, b[at] as number];
    product += x * y;
    ofA += x * x;
    ofB += y * y;
  }
  return product / Math.sqrt(ofA * ofB);
}

/** The share of what is wanted that was found, over all questions. */
function shareOf(found: readonly string[][], wanted: readonly string[][]): number {
  const all = wanted.reduce((sum, { length }) => sum + length, 0);
  const both = wanted.reduce((sum, some, at) => sum + some.filter((hash) => found[at]?.includes(hash)).length, 0);
  return both / all;
}

const middle = (times: number[]): number => times.sort((a, b) => a - b)[times.length >> 1] ?? 0;
