/** The index of a team, on every server that there is, in each form that its statements have. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { Chunk } from '../../src/search/chunker/chunker.ts';
import { openStore } from '../../src/search/store/store.ts';
import { indexedWords, queryWords } from '../../src/search/store/words.ts';
import { createLocalIndexStore } from '../../src/search/team/localIndexStore.ts';
import { openPostgresStore, type PostgresOptions } from '../../src/search/team/postgres/postgresStore.ts';
import { root } from '../host/paths.ts';
import { citusDouble } from './citusDouble.ts';
import { calm, fileOf, hashOf, indexStoreContract, rowsOf, type TriedStores, vectorOf } from './indexStoreContract.ts';
import { namedPostgres, startDebianPostgres, startPglite, type TestPostgres } from './postgresServers.ts';
import { vectorDouble } from './vectorDouble.ts';

let schemas = 0;
const servers = { debian: startDebianPostgres(), pglite: startPglite(), named: Promise.resolve(namedPostgres()) };
after(async () => {
  for (const server of Object.values(servers)) await (await server)?.stop();
});

const newSchema = (): string => `parley_${process.pid}_${schemas++}`;

/** Stores in a schema of their own. */
async function on(server: Promise<TestPostgres>, others: Partial<PostgresOptions> = {}): Promise<TriedStores> {
  const { address, run } = await server;
  const schema = newSchema();
  return {
    open: (repository) => openPostgresStore({ address, repository, schema, ...others }, calm),
    stop: async () => void (await run(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)),
  };
}

/** The same, with every vector in an index, and every question by it. */
async function onIndexes(server: Promise<TestPostgres>): Promise<TriedStores> {
  const stores = await on(server, { exactRows: 0 });
  return {
    ...stores,
    open: (repository) => openIndexed(stores, repository),
  };
}

async function openIndexed(stores: TriedStores, repository: string) {
  const store = (await stores.open(repository)) as Awaited<ReturnType<typeof openPostgresStore>>;
  return {
    ...store,
    async putVectors(...args: Parameters<typeof store.putVectors>) {
      const refused = await store.putVectors(...args);
      if (args[1].length > 0) await store.buildIndexes(calm, 1);
      return refused;
    },
  };
}

/** Stores in a database that is spread by repository, as far as it says itself. */
async function onSpread(): Promise<TriedStores> {
  const server = await servers.debian;
  await server.run('CREATE DATABASE spread');
  const address = server.address.replace(/postgres$/, 'spread');
  await server.run(vectorDouble + citusDouble, address);
  return on(Promise.resolve({ ...server, address, run: (sql: string) => server.run(sql, address) }));
}

indexStoreContract('Debian’s PostgreSQL', () => on(servers.debian));
indexStoreContract('PGlite', () => on(servers.pglite));
indexStoreContract('PGlite, by an index of vectors', () => onIndexes(servers.pglite));
indexStoreContract('a server that is spread by repository', onSpread);
const named = namedPostgres();
if (named !== undefined) {
  indexStoreContract(named.name, () => on(Promise.resolve(named)));
  indexStoreContract(`${named.name}, by an index of vectors`, () => onIndexes(Promise.resolve(named)));
}

describe('an index of vectors', () => {
  test('is made where there are enough of them, and does not leave a filter of one in a hundred short', async () => {
    const server = named ?? (await servers.pglite);
    const schema = newSchema();
    const open = (exactRows: number) =>
      openPostgresStore({ address: server.address, repository: 'large', schema, exactRows }, calm);
    const [store, exact] = [await open(100), await open(1e6)];
    const texts = Array.from({ length: 3_000 }, (_, at) => `text ${at}`);
    await store.putVectors('source', rowsOf(texts, 32), calm);
    const files = Array.from({ length: 100 }, (_, at) => fileOf(`${at}.ts`, texts.slice(at * 30, at * 30 + 30)));
    await store.putFiles(files, calm);
    const indexes = `SELECT count(*) FROM pg_indexes WHERE schemaname = '${schema}' AND indexname LIKE '%near'`;
    await store.buildIndexes(calm, 3_001);
    assert.deepEqual(await server.run(indexes), [['0']]);
    await store.buildIndexes(calm, 3_000);
    await store.buildIndexes(calm, 3_000);
    assert.deepEqual(await server.run(indexes), [['1']]);
    const ask = async (asked: typeof store, at: number, paths?: string[]) =>
      (await asked.nearest('source', vectorOf(`question ${at}`, 32), 10, paths, calm)).map(({ hash }) =>
        Buffer.from(hash).toString('hex'),
      );
    let [same, all] = [0, 0];
    for (let at = 0; at < 20; at++) {
      // Under the bound: exact, all of them.
      assert.deepEqual(await ask(store, at, ['7.ts']), await ask(exact, at, ['7.ts']));
      // Over it, for a part of the repository and for all of it.
      for (const paths of [files.slice(0, 6).map(({ path }) => path), undefined]) {
        const [found, right] = [await ask(store, at, paths), await ask(exact, at, paths)];
        assert.equal(found.length, 10);
        same += found.filter((hash) => right.includes(hash)).length;
        all += right.length;
      }
    }
    assert.ok(same / all >= 0.85, `${same} of ${all}`);
    await Promise.all([store, exact].map((each) => each.close()));
    await server.run(`DROP SCHEMA ${schema} CASCADE`);
  });

  test('takes vectors of every length that there is', async () => {
    const stores = await on(servers.pglite);
    const store = await stores.open('lengths');
    for (const dimensions of [1, 2, 1_024, 3_072, 4_000, 4_096, 13_000]) {
      const source = `of ${dimensions}`;
      assert.deepEqual(await store.putVectors(source, rowsOf(['a', 'b'], dimensions), calm), [], source);
      await store.putFiles([fileOf('a.ts', ['a', 'b'])], calm);
      const near = await store.nearest(source, vectorOf('b', dimensions), 2, undefined, calm);
      assert.equal(near.length, 2, source);
      if (dimensions > 2) assert.deepEqual([...(near[0]?.hash ?? [])], [...hashOf('b')], source);
    }
    await store.close();
    await stores.stop();
  });

  test('a vector without a direction is found by no question, and fails none', async () => {
    const { address, run } = await servers.pglite;
    const schema = newSchema();
    const store = await openPostgresStore({ address, repository: 'zero', schema }, calm);
    await store.putVectors('source', rowsOf(['a', 'b', 'c'], 8), calm);
    await store.putFiles([fileOf('a.ts', ['a', 'b', 'c'])], calm);
    const found = async (paths?: readonly string[]) =>
      (await store.nearest('source', vectorOf('a', 8), 10, paths, calm)).map(({ hash }) => Buffer.from(hash));
    const all = await found();
    assert.equal(all.length, 3);
    // As somebody else's client may give it.
    const head = hashOf('b').subarray(0, 16);
    await run(
      `UPDATE ${schema}.vectors_1 SET v = '[0,0,0,0,0,0,0,0]' WHERE hash = '${Buffer.from(head).toString('hex')}'`,
    );
    for (const paths of [undefined, ['a.ts']])
      assert.deepEqual(
        await found(paths),
        all.filter((hash) => !hash.equals(hashOf('b'))),
      );
    await store.close();
    await run(`DROP SCHEMA ${schema} CASCADE`);
  });
});

test('after a load all words are in their index, and none in the list before it', async () => {
  const { address, run } = await servers.debian;
  const schema = newSchema();
  const store = await openPostgresStore({ address, repository: 'loaded', schema }, calm);
  const clean = `SELECT gin_clean_pending_list('${schema}.chunks_words')`;
  const texts = Array.from({ length: 200 }, (_, at) => `gate${at} opens`);
  await store.putFiles([fileOf('a.ts', texts)], calm);
  assert.notEqual((await run(clean))[0]?.[0], '0');
  await store.putFiles([fileOf('b.ts', texts)], calm);
  await store.buildIndexes(calm);
  assert.equal((await run(clean))[0]?.[0], '0');
  await store.close();
  await run(`DROP SCHEMA ${schema} CASCADE`);
});

test('a word that stands in every chunk is counted and found by the index of words', async () => {
  const { address, run } = await servers.debian;
  const schema = newSchema();
  const store = await openPostgresStore({ address, repository: 'common', schema }, calm);
  const texts = Array.from({ length: 300 }, (_, at) => `gate${at} opens`);
  await store.putFiles([fileOf('a.ts', texts)], calm);
  await store.buildIndexes(calm);
  const questions = 20;
  for (let at = 0; at < questions; at++)
    assert.equal((await store.findWords(['opens'], 400, undefined, calm)).length, 300);
  // What a connection has read is told when it ends.
  await store.close();
  const told = `SELECT (SELECT seq_tup_read FROM pg_stat_user_tables t WHERE t.schemaname = '${schema}' AND relname = 'chunks'),
    (SELECT idx_scan FROM pg_stat_user_indexes i WHERE i.schemaname = '${schema}' AND indexrelname = 'chunks_words')
    WHERE NOT EXISTS (SELECT 1 FROM pg_stat_activity WHERE application_name = 'parley')`;
  let [figures] = await run(told);
  while (figures === undefined) [figures] = await run(told);
  const [read, scans] = figures.map(Number);
  assert.ok((read ?? 0) < questions * texts.length, `${read} rows without an index`);
  assert.ok((scans ?? 0) >= questions * 2, `${scans} times the index`);
  await run(`DROP SCHEMA ${schema} CASCADE`);
});

test('words are ranked as the index of this machine ranks them', async () => {
  const stores = await on(servers.debian);
  const team = await stores.open('ranked');
  const folder = mkdtempSync(join(tmpdir(), 'parley-ranked-'));
  const local = openStore(folder);
  const paths = [
    'store/store.ts',
    'store/words.ts',
    'store/wordIndex.ts',
    'query/finder.ts',
    'chunker/chunker.ts',
    'types.ts',
  ];
  const sources = paths.map((path) => ({
    path,
    lines: readFileSync(join(root, 'src/search', path), 'utf8').split('\n'),
  }));
  const files = sources.map(({ path, lines }) => {
    const chunks: Chunk[] = [];
    for (let at = 0; at < lines.length; at += 12) {
      const text = lines.slice(at, at + 12).join('\n');
      const names = [...text.matchAll(/(?:function|const|interface) (\w+)/g)].map(([, name = '']) => name);
      chunks.push({ startLine: at + 1, endLine: Math.min(at + 12, lines.length), text, names, enclosing: ['outer'] });
    }
    return { path, chunks };
  });
  const stamp = { size: 1, mtimeMs: 1 };
  local.putFiles(
    'root',
    files.map(({ path, chunks }) => ({ path, stamp, content: { hash: path, chunks, lines: 1 } })),
  );
  await team.putFiles(
    files.map(({ path, chunks }) => ({
      ...{ path, hash: hashOf(path), pathWords: indexedWords(path) },
      chunks: chunks.map(({ startLine, endLine, text, names, enclosing }) => ({
        ...{ hash: hashOf(text), startLine, endLine, names, enclosing, text, bodyWords: indexedWords(text) },
        nameWords: indexedWords(`${enclosing.join('\n')}\n${names.join('\n')}`),
      })),
    })),
    calm,
  );
  for (const question of [
    'count the words of chunks',
    'open the store',
    'findWords',
    'limit',
    'quoted expression of FTS5',
    'compoundsOf others',
  ]) {
    const words = queryWords(question);
    const here = local.findWords(words, 10).map(({ relevance }) => relevance.toFixed(4));
    const there = (await team.findWords(words, 10, undefined, calm)).map(({ relevance }) => relevance.toFixed(4));
    assert.deepEqual(there, here, question);
    assert.deepEqual((await team.countWords(words, calm)).withWord, local.countWords(words).withWord, question);
  }
  await team.close();
  await stores.stop();
  local.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a word that stands in most chunks counts as little as in the index of this machine, without statistics, too', async () => {
  const stores = await on(servers.debian);
  const team = await stores.open('common');
  const folder = mkdtempSync(join(tmpdir(), 'parley-common-'));
  const store = openStore(folder);
  const local = createLocalIndexStore(() => store, 'common');
  const textOf = (at: number): string =>
    [
      `gate${at}`,
      'export '.repeat(1 + (at % 7)),
      at % 40 === 0 ? '' : 'node '.repeat(1 + (at % 5)),
      at % 150 === 0 ? 'hinge '.repeat(1 + (at % 4)) : '',
    ]
      .concat(at % 3 === 0 ? `latch ${'word '.repeat(at % 11)}` : '')
      .join(' ');
  const files = Array.from({ length: 45 }, (_, file) =>
    fileOf(
      `${file}.ts`,
      Array.from({ length: 100 }, (_, at) => textOf(file * 100 + at)),
    ),
  );
  for (const each of [local, team]) await each.putFiles(files, calm);
  // The rarest of them alone, one of two common ones with it, all of them; and common ones of which too few are found without the others.
  for (const question of [
    'hinge',
    'hinge node',
    'hinge node export',
    'latch hinge node export',
    'gate7 gate11 export',
  ]) {
    const words = queryWords(question);
    const [here, there] = [
      await local.findWords(words, 5, undefined, calm),
      await team.findWords(words, 5, undefined, calm),
    ];
    const figures = (found: typeof here): string[] => found.map(({ relevance }) => relevance.toFixed(4));
    assert.deepEqual(figures(there), figures(here), question);
  }
  await team.close();
  await stores.stop();
  store.close();
  rmSync(folder, { recursive: true, force: true });
});
