import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createTaskQueue, mapConcurrently } from '../../../src/base/taskQueue.ts';

const never = new AbortController().signal;

describe('A queue of tasks', () => {
  test('takes one at a time, and one that waits can be stopped', async () => {
    const turns = createTaskQueue();
    let letGo = (): void => {};
    const gate = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const order: string[] = [];
    const enter = (name: string) => async () => void order.push(name);
    const waits = (name: string) => enter(`${name} waits`);
    const stop = new AbortController();
    const running = turns(() => gate.then(enter('first')), never, waits('first'));
    const stopped = turns(enter('stopped'), stop.signal, waits('stopped'));
    const last = turns(enter('last'), never, waits('last'));
    stop.abort();
    await assert.rejects(stopped, { kind: 'cancelled' });
    letGo();
    await Promise.all([running, last]);
    assert.deepEqual(order, ['stopped waits', 'last waits', 'first', 'last']);
  });

  test('keeps no result in memory once its task is over', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const turns = createTaskQueue();
    const given: WeakRef<object>[] = [];
    for (let i = 0; i < 20; i++) {
      const outcomes = await turns(
        async () => [{ text: `${i}` }],
        never,
        () => {},
      );
      given.push(new WeakRef(outcomes));
    }
    // The last may still stand in a register.
    for (let round = 0; round < 10 && given.slice(0, -1).some((each) => each.deref()); round++) {
      await new Promise((resolve) => setImmediate(resolve));
      collect();
    }
    assert.equal(given.slice(0, -1).filter((each) => each.deref()).length, 0);
    await turns(
      async () => undefined,
      never,
      () => assert.fail('nothing is before it'),
    );
  });

  test('goes on after one that failed', async () => {
    const turns = createTaskQueue();
    const failing = turns(() => Promise.reject(new Error('no room')));
    const next = turns(async () => 'done');
    await assert.rejects(failing, /no room/);
    assert.equal(await next, 'done');
  });
});

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
