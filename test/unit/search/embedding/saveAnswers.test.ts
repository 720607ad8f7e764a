import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { createAnswerSaver } from '../../../../src/search/embedding/saveAnswers.ts';
import { openStore, type Store } from '../../../../src/search/store/store.ts';
import { spaceKey } from '../../../../src/search/types.ts';
import { temporaryFolder } from '../../../support/searchFolder.ts';

const source = { model: 'm', documentPrefix: '', origin: 'https://model.test' };
const other = { ...source, model: 'n' };
const batch = (space: number, text: string) => {
  const hash = createHash('sha256').update(text).digest();
  return { space, source, vectors: [{ hash, vector: Float32Array.of(1, 2, 3) }] };
};

function openIn(t: TestContext): Store {
  const store = openStore(temporaryFolder(t), false);
  t.after(() => store.close());
  return store;
}

test('an answer whose vectors were made anew meanwhile goes to the space of its own model', async (t) => {
  const [before, after] = [openIn(t), openIn(t)];
  before.space(spaceKey(other));
  const space = before.space(spaceKey(source));
  let store = before;
  const saver = createAnswerSaver(() => store, undefined);
  await saver.save(batch(space, 'one'));
  // Damage was found: the new database counts its spaces anew, and there the other model comes second.
  store = after;
  after.space(spaceKey(source));
  assert.equal(after.space(spaceKey(other)), space);
  await saver.save(batch(space, 'two'));
  const [vector] = batch(space, 'two').vectors;
  assert.ok(vector);
  assert.equal(after.has(after.space(spaceKey(source)), vector.hash), true);
  assert.equal(after.has(space, vector.hash), false);
});

test('an answer for a space that is not there any more is kept, and is none of another length', async (t) => {
  const store = openIn(t);
  await createAnswerSaver(() => store, undefined).save(batch(17, 'one'));
  const [vector] = batch(17, 'one').vectors;
  assert.equal(store.has(store.space(spaceKey(source)), vector?.hash ?? new Uint8Array()), true);
});
