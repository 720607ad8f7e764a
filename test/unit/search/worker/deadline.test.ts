import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { isCancelled, ServiceError } from '../../../../src/base/errors.ts';
import type { EmbeddingModel } from '../../../../src/search/embedding/embeddingModel.ts';
import { type Later, withDeadline } from '../../../../src/search/worker/deadline.ts';
import { createSearchClient } from '../../../../src/search/worker/searchClient.ts';
import { temporaryFolder } from '../../../support/searchFolder.ts';

const isTooLong = (error: unknown): boolean =>
  error instanceof ServiceError && error.kind === 'timeout' && error.hint === 'search';

/** A clock that moves when it is told to. */
function handClock() {
  const waiting = new Set<() => void>();
  const wait: Later = (work) => {
    const once = (): void => {
      waiting.delete(once);
      work();
    };
    waiting.add(once);
    return () => waiting.delete(once);
  };
  return {
    wait,
    waiting,
    /** All that is waited for now is due. */
    pass: (): void => {
      for (const work of [...waiting]) work();
    },
  };
}

function stuckClient(t: TestContext) {
  const root = temporaryFolder(t);
  const events = new EventTarget();
  const clock = handClock();
  const script = new URL('../../../support/stuckWorker.ts', import.meta.url);
  const heard = (text: string): void => void events.dispatchEvent(new Event(text));
  const client = createSearchClient(script, temporaryFolder(t), undefined, heard, clock.wait);
  t.after(() => client.close());
  writeFileSync(join(root, 'a.ts'), 'const harbour = 1;\n');
  const scope = { roots: [root], maxBytes: 1024 * 1024 };
  const ask = (text: string) => client.search([root], { text, limit: 5, globs: [] }, undefined);
  return { client, scope, clock, events, ask };
}

test('a search that does not end is ended with its worker, and the next one works', async (t) => {
  const { client, scope, clock, events, ask } = stuckClient(t);
  await client.index(scope, undefined);
  const stuck = once(events, 'stuck');
  const refused = assert.rejects(ask('round and round'), isTooLong);
  await stuck;
  // The time is over, and it does not listen to that either.
  clock.pass();
  assert.equal(clock.waiting.size, 1);
  clock.pass();
  await refused;
  assert.deepEqual(
    (await ask('harbour')).hits.map(({ path }) => path),
    ['a.ts'],
  );
  assert.equal(clock.waiting.size, 0);
});

test('an index that is built beside a search without an end goes on in the next worker', async (t) => {
  const { client, scope, clock, events, ask } = stuckClient(t);
  const asked: string[] = [];
  let enter = (): void => undefined;
  const entered = new Promise<void>((resolve) => {
    enter = resolve;
  });
  const embeddingModel: EmbeddingModel = {
    model: 'm',
    embed: async (texts, signal) => {
      asked.push(...texts);
      if (asked.length > 1) return texts.map(() => Float32Array.of(1, 0));
      enter();
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new ServiceError('cancelled')), { once: true });
      });
    },
  };
  const building = client.index(scope, embeddingModel);
  await entered;
  const stuck = once(events, 'stuck');
  const refused = assert.rejects(ask('round and round'), isTooLong);
  await stuck;
  clock.pass();
  clock.pass();
  await refused;
  assert.deepEqual(await building, { files: 1, chunks: 1, embedded: 1, reused: 0, skipped: 0 });
});

test('the time in which a service is waited for does not count', async () => {
  const clock = handClock();
  let reply = (_: string): void => undefined;
  const answered = new Promise<string>((resolve) => {
    reply = resolve;
  });
  const result = withDeadline(
    async ({ outside }) => {
      assert.equal(clock.waiting.size, 1);
      const answer = outside(() => answered);
      assert.equal(clock.waiting.size, 0);
      reply('answer');
      await answer;
      assert.equal(clock.waiting.size, 1);
      return answer;
    },
    () => assert.fail('it ended'),
    clock.wait,
  );
  assert.equal(await result, 'answer');
  assert.equal(clock.waiting.size, 0);
});

test('a search that stops when its time is over keeps its worker, and a cancelled one is cancelled', async () => {
  const untilAborted = (signal: AbortSignal): Promise<never> =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(new ServiceError('cancelled'))));
  const end = (): void => assert.fail('the worker was ended');
  const clock = handClock();
  const late = withDeadline(({ signal }) => untilAborted(signal), end, clock.wait);
  clock.pass();
  await assert.rejects(late, isTooLong);
  const controller = new AbortController();
  const cancelled = withDeadline(({ signal }) => untilAborted(signal), end, clock.wait, controller.signal);
  controller.abort();
  await assert.rejects(cancelled, isCancelled);
  assert.equal(clock.waiting.size, 0);
});
