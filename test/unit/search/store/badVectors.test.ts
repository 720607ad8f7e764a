import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { EmbeddingModel } from '../../../../src/search/embedding/embeddingModel.ts';
import { stateOf } from '../../../../src/search/ui/shared/state.ts';
import { createSearchClient } from '../../../../src/search/worker/searchClient.ts';
import { readEmbeddings } from '../../../../src/service/embeddings/embeddingAnswer.ts';
import { temporaryFolder } from '../../../support/searchFolder.ts';
import { sentenceOf, stateText } from '../../../support/vscodeStub.ts';

const script = new URL('../../../../src/search/worker/worker.ts', import.meta.url);

/** A workspace, its index, and a model whose vector for a text is what `numbersFor` says, read as an answer is. */
function opened(t: TestContext, count: number, numbersFor: (text: string) => unknown[]) {
  const root = temporaryFolder(t);
  for (let i = 0; i < count; i++) writeFileSync(join(root, `f${i}.ts`), `export const ship${i} = ${i};\n`);
  const search = createSearchClient(script, temporaryFolder(t));
  t.after(() => search.close());
  const sent: string[] = [];
  const model = { numbersFor };
  const embeddingModel: EmbeddingModel = {
    model: 'm',
    url: 'https://model.test/v1',
    embed: async (texts) => {
      sent.push(...texts);
      const data = texts.map((text, index) => ({ embedding: model.numbersFor(text), index }));
      return readEmbeddings({ data }, texts.length, undefined, 'https://model.test/v1').vectors;
    },
  };
  return { root, scope: { roots: [root], maxBytes: 1024 * 1024 }, search, sent, embeddingModel, model };
}

/** What the status bar says after a run that ended with this error. */
async function shown(error: unknown): Promise<string> {
  const state = stateOf(
    { phase: { kind: 'failed', error }, status: undefined, paused: undefined, waitUntil: undefined },
    0,
  );
  return stateText({ state, status: undefined } as Parameters<typeof stateText>[0]) ?? '';
}

const good = (text: string): number[] => [Number(/\d+/.exec(text)?.[0] ?? 0) + 1, 1, 1];

for (const [name, bad] of Object.entries({
  'not finite': [Number.NaN, 1, 1],
  'not finite, as JSON has it': [null, 1, 1],
  'too large to be finite': [1e39, 1, 1],
  zero: [0, 0, 0],
})) {
  test(`a vector that is ${name} costs its text alone, whatever batch it is in, and is said`, async (t) => {
    const poison = (text: string): boolean => text.includes('ship70 ');
    const { root, scope, search, sent, embeddingModel, model } = opened(t, 150, (text) =>
      poison(text) ? bad : good(text),
    );
    const { embedded, refused } = await search.index(scope, embeddingModel);
    assert.deepEqual([embedded, refused], [149, 1]);
    const [place, ...more] = (await search.contents(embeddingModel)).refused;
    assert.deepEqual([place?.path, place?.startLine, place?.reason, more], ['f70.ts', 1, 'no-vector', []]);
    // It is done as far as it can be.
    assert.equal((await search.status(embeddingModel)).filesDone, 150);
    const answer = await search.search(scope.roots, { text: 'ship70', limit: 9, globs: [] }, embeddingModel);
    assert.equal(answer.by, 'both');
    assert.ok(answer.hits.some(({ path }) => path === 'f70.ts'));
    // It is not paid again, until it is another text.
    sent.length = 0;
    model.numbersFor = good;
    assert.equal((await search.index(scope, embeddingModel)).embedded, 0);
    assert.deepEqual(sent, []);
    writeFileSync(join(root, 'f70.ts'), 'export const ship70 = 71;\n');
    assert.deepEqual(await search.index(scope, embeddingModel).then((done) => [done.embedded, done.refused]), [
      1,
      undefined,
    ]);
  });
}

test('a model that gives nothing but zeros ends the run soon; words are found', async (t) => {
  const { scope, search, sent, embeddingModel } = opened(t, 300, () => [0, 0, 0]);
  const error = await search.index(scope, embeddingModel).catch((failure: unknown) => failure);
  assert.match(sentenceOf(error), /^model\.test gave vectors that cannot be used \(zero\)\.$/);
  assert.match(await shown(error), /^The last update failed: model\.test gave vectors/);
  assert.deepEqual((await search.contents(embeddingModel)).refused, [], 'no text is blamed');
  assert.ok(new Set(sent).size < 300, 'it went on to the end');
  const answer = await search.search(scope.roots, { text: 'ship7', limit: 1, globs: [] }, embeddingModel);
  assert.deepEqual([answer.by, answer.hits[0]?.path], ['keywords', 'f7.ts']);
});

test('a model that gives vectors of another length than before is said; words are found, and meaning as far as it is new', async (t) => {
  const { scope, search, embeddingModel, model } = opened(t, 20, good);
  await search.index(scope, embeddingModel);
  writeFileSync(join(scope.roots[0] ?? '', 'new.ts'), 'export const ship20 = 1;\n');
  model.numbersFor = (text) => [...good(text), 1];
  const error = await search.index(scope, embeddingModel).catch((failure: unknown) => failure);
  assert.match(sentenceOf(error), /^The vectors of model\.test have another length than before/);
  const during = await search.search(scope.roots, { text: 'ship7', limit: 1, globs: [] }, embeddingModel);
  assert.deepEqual([during.by, during.hits[0]?.path], ['both', 'f7.ts']);
  assert.equal((await search.index(scope, embeddingModel)).embedded, 20);
  // And back: nothing is asked for again.
  model.numbersFor = good;
  await search.index(scope, embeddingModel);
  assert.equal((await search.status(embeddingModel)).filesDone, 21);
});

test('vectors of another length for a moment are said; the next run goes on with those that are there', async (t) => {
  const { root, scope, search, sent, embeddingModel, model } = opened(t, 300, good);
  await search.index(scope, embeddingModel);
  writeFileSync(join(root, 'new.ts'), 'export const ship300 = 300;\n');
  model.numbersFor = (text) => [...good(text), 1];
  await assert.rejects(search.index(scope, embeddingModel), { kind: 'malformed', hint: 'another length' });
  model.numbersFor = good;
  sent.length = 0;
  await search.index(scope, embeddingModel);
  assert.ok(sent.length < 300, `${sent.length} were sent`);
  assert.equal((await search.status(embeddingModel)).filesDone, 301);
});

test('one odd answer is asked for again, and costs neither the index nor its vectors', async (t) => {
  const { root, scope, search, sent, embeddingModel, model } = opened(t, 30, good);
  await search.index(scope, embeddingModel);
  writeFileSync(join(root, 'new.ts'), 'export const ship30 = 30;\n');
  let odd = 1;
  model.numbersFor = (text) => (odd-- > 0 ? [...good(text), 1] : good(text));
  sent.length = 0;
  assert.equal((await search.index(scope, embeddingModel)).embedded, 1);
  assert.equal(sent.length, 2, 'its own text, once more');
  const { filesDone } = await search.status(embeddingModel);
  const { pending, isAnew } = await search.plan(scope, embeddingModel);
  assert.deepEqual([filesDone, pending.chunks, isAnew], [31, 0, false]);
});

test('a question whose vector has another length is asked again, then answered by words, and says so', async (t) => {
  const { scope, search, sent, embeddingModel, model } = opened(t, 20, good);
  await search.index(scope, embeddingModel);
  const ask = (text: string) => search.search(scope.roots, { text, limit: 3, globs: [] }, embeddingModel);
  let odd = 1;
  model.numbersFor = (text) => (odd-- > 0 ? [...good(text), 1] : good(text));
  assert.deepEqual([(await ask('ship7')).by, (await ask('ship7')).fault], ['both', undefined]);
  odd = 2;
  sent.length = 0;
  const answer = await ask('ship8');
  assert.deepEqual([answer.by, answer.fault, answer.hits[0]?.path, sent.length], ['failed', 'length', 'f8.ts', 2]);
  assert.equal((await ask('ship8')).by, 'both', 'the odd one is not kept');
});
