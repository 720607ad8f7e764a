import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mapConcurrently } from '../../../../src/chat/history/mapConcurrently.ts';

test('runs no more than the most at once, each item once, and gives the results in order', async () => {
  let [running, highest] = [0, 0];
  const results = await mapConcurrently([5, 1, 4, 0, 3, 2], 2, async (turns) => {
    highest = Math.max(highest, ++running);
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    running--;
    return turns * 10;
  });
  assert.deepEqual(results, [50, 10, 40, 0, 30, 20]);
  assert.equal(highest, 2);
});

test('gives nothing for nothing, and passes on an error', async () => {
  assert.deepEqual(await mapConcurrently([], 4, async () => 1), []);
  const failing = mapConcurrently([1, 2], 4, async (item) => {
    if (item === 2) throw new Error('two');
  });
  await assert.rejects(failing, /two/);
});
