import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMeaningShare } from '../../../src/search/engine/meaningShare.ts';
import type { Store } from '../../../src/search/store/store.ts';

/** A store in which some files have vectors, and how often they were counted. */
function counted() {
  const counts = { done: 5, times: 0 };
  const store = {
    knownSpace: () => 1,
    counts: () => ({ files: 10, chunks: 10, tokens: 10 }),
    otherSpace: () => undefined,
    filesDone: () => {
      counts.times++;
      return counts.done;
    },
  };
  return { counts, share: createMeaningShare(() => store as unknown as Store) };
}

test('a question during an update goes by the last count, and one after it by a new one', async () => {
  const { counts, share } = counted();
  assert.equal(share.of({ model: 'm' }).share, 0.5);
  await share.changed(async () => {
    await share.changed(async () => undefined);
    counts.done = 7;
    assert.equal(share.of({ model: 'm' }).share, 0.5);
    assert.equal(counts.times, 1);
  });
  assert.equal(share.of({ model: 'm' }).share, 0.7);
});

test('another model is counted at once, also during an update', async () => {
  const { counts, share } = counted();
  share.of({ model: 'm' });
  await share.changed(async () => {
    await share.changed(async () => undefined);
    share.of({ model: 'next' });
  });
  assert.equal(counts.times, 2);
});
