import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { isCancelled, ServiceError } from '../../../src/base/errors.ts';
import type { EmbeddingModel } from '../../../src/search/embedding/embeddingModel.ts';
import { openVectorCache } from '../../../src/search/embedding/vectorCache.ts';
import { inTransaction, readTogether } from '../../../src/search/store/transaction.ts';
import { toRows } from '../../../src/search/vectors/quantise.ts';
import { createSearchClient, type SearchClient } from '../../../src/search/worker/searchClient.ts';
import { temporaryFolder } from '../../support/searchFolder.ts';

const script = new URL('../../../src/search/worker/worker.ts', import.meta.url);

/** A service that takes texts of files and never answers. Questions it answers. */
function createSilentService() {
  const service = { requests: 0, embeddingModel: undefined as unknown as EmbeddingModel };
  service.embeddingModel = {
    model: 'm',
    embed: (texts, signal) => {
      if (texts.every((text) => !text.includes('export'))) {
        return Promise.resolve(texts.map(() => Float32Array.of(1, 1)));
      }
      service.requests++;
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new ServiceError('cancelled')));
      });
    },
  };
  return service;
}

function workspace(t: TestContext, count = 30) {
  const [root, directory] = [temporaryFolder(t), join(temporaryFolder(t), 'index')];
  for (let i = 0; i < count; i++) writeFileSync(join(root, `f${i}.ts`), `export const ship${i} = ${i};\n`);
  const clients: SearchClient[] = [];
  t.after(() => Promise.all(clients.map((client) => client.close())));
  const open = (): SearchClient => {
    const client = createSearchClient(script, directory);
    clients.push(client);
    return client;
  };
  const find = async (client: SearchClient, text: string, embeddingModel?: EmbeddingModel): Promise<string[]> => {
    const { hits } = await client.search([root], { text, limit: 5, globs: [] }, embeddingModel);
    return hits.map(({ path }) => path);
  };
  return { root, directory, scope: { roots: [root], maxBytes: 1e6 }, open, find };
}

/** Starts a build and waits until all its lanes have a request out. */
async function startBuild(client: SearchClient, scope: { roots: string[]; maxBytes: number }, t: TestContext) {
  const service = createSilentService();
  const controller = new AbortController();
  let isOver = false;
  const sending = new Promise<void>((resolve) => {
    const onEvent = ({ phase }: { phase: string }): void => (phase === 'embedding' ? resolve() : undefined);
    const over = (): void => {
      isOver = true;
    };
    client.index(scope, service.embeddingModel, { signal: controller.signal, onEvent }).then(over, over);
  });
  t.after(() => controller.abort());
  await sending;
  return { service, isOver: () => isOver };
}

test('a file saved while a service does not answer is found by its words, and searching goes on', async (t) => {
  const { root, scope, open, find } = workspace(t);
  const client = open();
  const { service, isOver } = await startBuild(client, scope, t);
  for (const word of ['harbour', 'lighthouse']) {
    const file = join(root, `${word}.ts`);
    writeFileSync(file, `export const ${word} = 1;\n`);
    const controller = new AbortController();
    // Its own vector waits until the build is over; that its text is in the index is told.
    const update = new Promise<void>((resolve, reject) => {
      const options = { signal: controller.signal, onEvent: () => resolve() };
      client.update(scope, [file], service.embeddingModel, options).then(() => resolve(), reject);
    });
    await update;
    assert.deepEqual(await find(client, word), [`${word}.ts`]);
    assert.deepEqual(await find(client, word, service.embeddingModel), [`${word}.ts`]);
  }
  assert.equal(isOver(), false);
});

test('a plan is made while a service does not answer, and one that waits is cancelled at once', async (t) => {
  const { scope, open } = workspace(t);
  const client = open();
  const { service, isOver } = await startBuild(client, scope, t);
  const { pending } = await client.plan(scope, service.embeddingModel);
  assert.equal(pending.chunks, 30);
  const controller = new AbortController();
  const queued = client.index(scope, service.embeddingModel, { signal: controller.signal });
  const other = client.index(scope, service.embeddingModel, {
    signal: controller.signal,
    onEvent: ({ phase }) => phase === 'embedding' && controller.abort(),
  });
  for (const run of [queued, other]) await assert.rejects(run, isCancelled);
  assert.equal(isOver(), false);
});

test('while another window writes a search is answered, and a build waits and goes on', async (t) => {
  const { root, directory, scope, open, find } = workspace(t);
  await open().index(scope, undefined);
  const lock = new DatabaseSync(join(directory, 'index.db'));
  t.after(() => lock.close());
  lock.exec('BEGIN IMMEDIATE');
  const client = open();
  assert.deepEqual(await find(client, 'ship7'), ['f7.ts'], 'the first question of a window');
  mkdirSync(join(root, 'new'));
  for (let i = 0; i < 60; i++) writeFileSync(join(root, 'new', `g${i}.ts`), `export const crew${i} = ${i};\n`);
  let isOver = false;
  const build = new Promise<void>((resolve, reject) => {
    const onEvent = ({ phase, ...event }: { phase: string; files?: number }): void => {
      if (phase === 'reading' && event.files === 90) resolve();
    };
    client.index(scope, undefined, { onEvent }).then(() => {
      isOver = true;
      resolve();
    }, reject);
  });
  await build;
  assert.deepEqual(await find(client, 'ship8'), ['f8.ts']);
  assert.equal((await client.status()).indexed.files, 30);
  assert.equal(isOver, false);
  lock.exec('ROLLBACK');
  await client.index(scope, undefined);
  assert.equal((await client.status()).indexed.files, 90);
});

test('a saved file is sent once, though two windows see the save', async (t) => {
  const { root, scope, open } = workspace(t, 3);
  const sent: string[] = [];
  let answer: () => void = () => undefined;
  const isReleased = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const embeddingModel: EmbeddingModel = {
    model: 'm',
    embed: async (texts) => {
      sent.push(...texts);
      await isReleased;
      return texts.map(() => Float32Array.of(1, 1));
    },
  };
  const clients = [open(), open()];
  const file = join(root, 'f1.ts');
  for (const client of clients) await client.index(scope, undefined);
  writeFileSync(file, 'export const harbour = 1;\n');
  // The text is in the index of both before either may send it.
  const updates = clients.map((client) => {
    let update: Promise<unknown> = Promise.resolve();
    const isRead = new Promise<void>((resolve) => {
      update = client.update(scope, [file], embeddingModel, { onEvent: () => resolve() });
    });
    return { update, isRead };
  });
  await Promise.all(updates.map(({ isRead, update }) => Promise.race([isRead, update])));
  answer();
  await Promise.all(updates.map(({ update }) => update));
  assert.equal(sent.length, 1);
});

test('vectors for the whole machine are kept as soon as another window has written its own', async (t) => {
  const path = join(temporaryFolder(t), 'vectorCache.db');
  const paid = openVectorCache(path);
  t.after(() => paid.close());
  const vectors = toRows([{ hash: Buffer.alloc(32, 1), vector: Float32Array.of(1, 2) }]);
  assert.equal(paid.keep('a', []), undefined);
  const lock = new DatabaseSync(path);
  lock.exec('BEGIN IMMEDIATE');
  assert.equal(paid.keep('a', vectors), 'busy');
  lock.close();
  assert.equal(paid.keep('a', vectors), undefined);
  assert.equal(paid.has(vectors[0]?.hash ?? new Uint8Array()), true);
});

test('what SQLite undid by itself fails with the error it failed with', (t) => {
  const database = new DatabaseSync(':memory:');
  t.after(() => database.close());
  database.exec(`CREATE TABLE cargo (name TEXT);
    CREATE TRIGGER full BEFORE INSERT ON cargo BEGIN SELECT RAISE (ROLLBACK, 'the hold is full'); END;`);
  const load = (): void => database.exec("INSERT INTO cargo VALUES ('tea')");
  assert.throws(() => inTransaction(database, load), /the hold is full/);
  assert.equal(database.isTransaction, false);
});

test('reads of one turn are one transaction, which ends with the turn, and before a write', async (t) => {
  const path = join(temporaryFolder(t), 'hold.db');
  const [database, other] = [new DatabaseSync(path), new DatabaseSync(path)];
  for (const each of [database, other]) t.after(() => each.close());
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE cargo (name TEXT)');
  const count = database.prepare('SELECT count(*) AS count FROM cargo');
  const read = (): unknown => {
    readTogether(database);
    return count.get()?.['count'];
  };
  assert.equal(read(), 0);
  other.exec("INSERT INTO cargo VALUES ('tea')");
  assert.equal(read(), 0, 'what another window writes meanwhile is seen in the next turn');
  assert.equal(database.isTransaction, true);
  await Promise.resolve();
  assert.equal(database.isTransaction, false);
  assert.equal(read(), 1);
  inTransaction(database, () => database.exec("INSERT INTO cargo VALUES ('rum')"));
  assert.equal(database.isTransaction, false, 'a write in the same turn is whole by itself');
  assert.equal(read(), 2);
});
