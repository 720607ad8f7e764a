import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { EmbeddingModel } from '../../../src/search/embedding/embeddingModel.ts';
import { createSearchClient } from '../../../src/search/worker/searchClient.ts';
import { temporaryFolder } from '../../support/searchFolder.ts';

const script = new URL('../../../src/search/worker/worker.ts', import.meta.url);

/** A folder that is indexed with the model `m`, another model, and what either was asked for. */
async function indexed(t: TestContext) {
  const root = temporaryFolder(t);
  for (let i = 0; i < 40; i++) writeFileSync(join(root, `f${i}.ts`), `export const ship${i} = ${i};\n`);
  const search = createSearchClient(script, temporaryFolder(t));
  t.after(() => search.close());
  const sent: string[] = [];
  const modelOf = (model: string): EmbeddingModel => ({
    model,
    embed: async (texts) => {
      sent.push(...texts.map((text) => `${model}: ${text}`));
      return texts.map((text) => Float32Array.of(Number(/\d+/.exec(text)?.[0] ?? 0) + 1, 1, 1));
    },
  });
  const [before, next] = [modelOf('m'), modelOf('next')];
  const scope = { roots: [root], maxBytes: 1e6 };
  await search.index(scope, before);
  sent.length = 0;
  const ask = async (text: string, model: EmbeddingModel, similarTo?: { path: string }) => {
    const place = similarTo && { root, startLine: 1, endLine: 1, ...similarTo };
    const query = { text, limit: 3, globs: [], ...(place && { similarTo: place }) };
    const { by, otherModel, indexed: share, hits } = await search.search([root], query, model);
    return { by, otherModel, share, paths: hits.map(({ path }) => path) };
  };
  return { root, scope, search, sent, before, next, ask };
}

test('after a change of the model the one before is not asked: words answer, and it is said whose the index is', async (t) => {
  const { sent, next, ask } = await indexed(t);
  const found = await ask('ship7', next);
  assert.deepEqual([found.by, found.otherModel, found.paths[0]], ['keywords', 'm', 'f7.ts']);
  const similar = await ask('', next, { path: 'f7.ts' });
  assert.deepEqual([similar.by, similar.otherModel], ['keywords', 'm']);
  assert.deepEqual(sent, [], 'no question was sent');
});

test('as soon as the new model has vectors, questions go to it, and it is said how much it has', async (t) => {
  const { search, scope, sent, next, ask } = await indexed(t);
  const { tokens } = (await search.plan(scope, next)).pending;
  await search.index(scope, { ...next, allowance: tokens / 2 });
  sent.length = 0;
  const during = await ask('again', next);
  assert.ok(during.by === 'both' && during.share !== undefined && during.share < 1);
  assert.equal(during.otherModel, undefined);
  await search.index(scope, next);
  sent.length = 0;
  const after = await ask('once more', next);
  assert.deepEqual([after.by, after.share, after.otherModel], ['both', undefined, undefined]);
  assert.deepEqual(sent, ['next: once more']);
});

test('back at the model before, its vectors answer, and nothing else is sent', async (t) => {
  const { sent, before, next, ask } = await indexed(t);
  await ask('ship7', next);
  const found = await ask('again', before);
  assert.deepEqual([found.by, found.share, found.otherModel], ['both', undefined, undefined]);
  assert.deepEqual(sent, ['m: again']);
});

test('a save after the change begins no index of the new model; its words are found', async (t) => {
  const { root, search, scope, sent, next, ask } = await indexed(t);
  const file = join(root, 'f7.ts');
  writeFileSync(file, 'export const lighthouse = 7;\n');
  assert.equal((await search.update(scope, [file], next)).embedded, 0);
  assert.deepEqual(sent, []);
  const found = await ask('lighthouse', next);
  assert.deepEqual([found.by, found.otherModel, found.paths], ['keywords', 'm', ['f7.ts']]);
});

test('another instruction before texts is another model; a folder that has no vectors at all is not said to have them', async (t) => {
  const { ask, before, scope } = await indexed(t);
  assert.equal((await ask('ship7', { ...before, documentPrefix: 'passage: ' })).otherModel, 'm');
  const search = createSearchClient(script, temporaryFolder(t));
  t.after(() => search.close());
  await search.index(scope, undefined);
  const { by, otherModel } = await search.search(scope.roots, { text: 'ship7', limit: 3, globs: [] }, before);
  assert.deepEqual([by, otherModel], ['keywords', undefined]);
});
