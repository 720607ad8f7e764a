import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ServiceError } from '../../../src/base/errors.ts';
import type { EmbeddingModel } from '../../../src/search/embedding/embeddingModel.ts';
import { createSearchClient } from '../../../src/search/worker/searchClient.ts';
import { temporaryFolder } from '../../support/searchFolder.ts';

const script = new URL('../../../src/search/worker/worker.ts', import.meta.url);
const count = 220;

/** Ten functions; the branch has a line of its own in each. */
function codeOf(file: number, branch: string): string {
  return Array.from({ length: 10 }, (_, at) => {
    const lines = Array.from({ length: 12 }, (_, line) => `  wind += tide[${line + at}] * ${file};\n`).join('');
    return `export function sail${file}x${at}(wind: number, tide: number[]): number {\n  // ${branch}mark${file}x${at}\n${lines}  return wind;\n}\n`;
  }).join('\n');
}

/** An indexed folder of 220 files, and a model that can be told to keep texts of files waiting. */
async function indexed(t: TestContext) {
  const root = temporaryFolder(t);
  const paths = Array.from({ length: count }, (_, file) => join(root, `f${file}.ts`));
  const checkOut = (branch: string): void =>
    paths.forEach((path, file) => void writeFileSync(path, codeOf(file, branch)));
  checkOut('main');
  const client = createSearchClient(script, temporaryFolder(t));
  t.after(() => client.close());
  const sent: string[] = [];
  const service = { answers: Promise.resolve() };
  const embeddingModel: EmbeddingModel = {
    model: 'm',
    embed: async (texts, signal) => {
      const isOfFiles = texts.some((text) => text.includes('export function'));
      if (isOfFiles) {
        sent.push(...texts);
        const isCancelled = new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new ServiceError('cancelled')));
        });
        await Promise.race([service.answers, isCancelled]);
      }
      return texts.map((text) => Float32Array.of(text.length % 7, 1, 1));
    },
  };
  const scope = { roots: [root], maxBytes: 1e6 };
  await client.index(scope, embeddingModel);
  sent.length = 0;
  const ask = (text: string, model?: EmbeddingModel) =>
    client.search([root], { text, limit: 5, globs: [] }, model).then(({ by, hits }) => ({ by, path: hits[0]?.path }));
  return { paths, checkOut, client, service, sent, embeddingModel, scope, ask };
}

test('while 200 files of another branch are taken in, questions are answered: before all are read, and before the service has answered', async (t) => {
  const { paths, checkOut, client, service, sent, embeddingModel, scope, ask } = await indexed(t);
  let answer: () => void = () => undefined;
  service.answers = new Promise((resolve) => {
    answer = resolve;
  });
  checkOut('branch');
  const state = { isRead: false, isOver: false };
  let updating: Promise<{ embedded: number }> | undefined;
  const isRead = new Promise<void>((resolve) => {
    const onEvent = (): void => {
      state.isRead = true;
      resolve();
    };
    updating = client.update(scope, paths, embeddingModel, { onEvent }).finally(() => {
      state.isOver = true;
    });
  });
  let answered = 0;
  while (!state.isRead) {
    const { by, path } = await ask(`sail${answered % count}x3`, answered % 2 === 0 ? undefined : embeddingModel);
    assert.deepEqual([by, path], [answered % 2 === 0 ? 'keywords' : 'both', `f${answered % count}.ts`]);
    answered++;
  }
  await isRead;
  assert.ok(answered >= 5, `${answered} were answered while files were read`);
  for (const model of [undefined, embeddingModel]) {
    assert.equal((await ask('branchmark7x3', model)).path, 'f7.ts', 'what is new is found by its words');
  }
  assert.equal(state.isOver, false, 'the service has not answered yet');
  answer();
  const { embedded } = (await updating) ?? {};
  assert.equal(embedded, sent.length);
  assert.equal((await client.status(embeddingModel)).filesDone, count);
});

test('back on the branch before, nothing of 200 files is sent again', async (t) => {
  const { paths, checkOut, client, sent, embeddingModel, scope } = await indexed(t);
  checkOut('branch');
  await client.update(scope, paths, embeddingModel);
  assert.ok(sent.length >= count, 'each file has something new');
  sent.length = 0;
  for (const branch of ['main', 'branch']) {
    checkOut(branch);
    assert.equal((await client.update(scope, paths, embeddingModel)).embedded, 0);
    assert.equal((await client.status(embeddingModel)).filesDone, count);
  }
  assert.deepEqual(sent, []);
});

test('texts whose vectors failed in one update are sent by the next, and those that came are not', async (t) => {
  const { paths, checkOut, client, sent, embeddingModel, scope } = await indexed(t);
  checkOut('branch');
  let requests = 0;
  const came: string[] = [];
  const failing: EmbeddingModel = {
    ...embeddingModel,
    batchSize: { taken: 20, refused: 21 },
    embed: async (texts, signal) => {
      if (++requests > 3) throw new ServiceError('server', { status: 500 });
      came.push(...texts);
      return embeddingModel.embed(texts, signal);
    },
  };
  await assert.rejects(client.update(scope, paths, failing));
  const { filesDone = 0 } = await client.status(embeddingModel);
  assert.ok(filesDone < count, 'some have no vectors');
  sent.length = 0;
  await client.update(scope, paths.slice(0, 1), embeddingModel, {}, paths);
  assert.equal((await client.status(embeddingModel)).filesDone, count);
  assert.ok(came.length > 0 && sent.length > 0);
  assert.deepEqual(
    sent.filter((text) => came.includes(text)),
    [],
    'a text that had its vector was sent again',
  );
});
