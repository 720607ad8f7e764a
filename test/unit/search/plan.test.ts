import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { EmbeddingModel } from '../../../src/search/embedding/embeddingModel.ts';
import type { Plan } from '../../../src/search/engine/engineApi.ts';
import { createEngine } from '../../../src/search/engine.ts';
import { temporaryFolder } from '../../support/searchFolder.ts';

const signal = new AbortController().signal;
const quiet = (): void => undefined;

/** A model that gives vectors of this length. */
const giving = (length: number, model = 'm'): EmbeddingModel => ({
  model,
  embed: async (texts) => texts.map((text) => Float32Array.from({ length }, () => text.length)),
});

function scene(t: TestContext) {
  const root = temporaryFolder(t);
  const scope = { roots: [root], maxBytes: 1e6 };
  const engine = createEngine(temporaryFolder(t));
  t.after(() => engine.close());
  const write = (name: string): void => writeFileSync(join(root, name), `export const ${name.slice(0, -3)} = 1;\n`);
  for (const name of ['one.ts', 'two.ts', 'three.ts']) write(name);
  const plan = async (model = 'm'): Promise<Pick<Plan, 'known' | 'isAnew'> & { pending: number }> => {
    const { known, isAnew, pending } = await engine.plan(scope, { model }, signal, quiet);
    return { known, isAnew: isAnew === true, pending: pending.chunks };
  };
  const index = (embeddingModel: EmbeddingModel) => engine.index(scope, embeddingModel, signal, quiet);
  return { plan, index, write, engine, scope, root };
}

test('a plan before anything was sent names nothing as known, even where texts stand twice', async (t) => {
  const { plan, index, root } = scene(t);
  for (const name of ['a.ts', 'b.ts', 'c.ts']) writeFileSync(join(root, name), 'export const same = 1;\n');
  assert.deepEqual(await plan(), { known: 0, isAnew: false, pending: 4 });
  await index(giving(2));
  assert.deepEqual(await plan(), { known: 4, isAnew: false, pending: 0 });
});

test('a plan says when vectors of another length, or of another model, are to be built anew', async (t) => {
  const { plan, index, write } = scene(t);
  assert.equal((await plan()).isAnew, false, 'a first build is no other one');
  await index(giving(2));
  write('four.ts');
  assert.deepEqual(await plan(), { known: 3, isAnew: false, pending: 1 });
  await assert.rejects(index(giving(3)), { kind: 'malformed', hint: 'another length' });
  assert.deepEqual(await plan(), { known: 1, isAnew: true, pending: 3 });
  assert.equal((await plan('other')).isAnew, true);
  await index(giving(3));
  assert.deepEqual(await plan(), { known: 4, isAnew: false, pending: 0 });
});

test('a question of common words, or of none, is told from others', async (t) => {
  const { engine, index, scope } = scene(t);
  await index(giving(2));
  const ask = async (text: string) =>
    (await engine.search(scope.roots, { text, limit: 5, globs: [] }, undefined, signal)).words;
  assert.equal(await ask('what is the'), 'common');
  assert.equal(await ask('{}'), 'none');
  assert.equal(await ask('lang:ts'), 'none');
  assert.equal(await ask('what is one'), undefined);
});
