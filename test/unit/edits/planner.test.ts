import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPlanner } from '../../../src/edits/planner.ts';

/** A thread that answers each call with the name of its method. */
const thread = new URL(
  `data:text/javascript,${encodeURIComponent(
    `import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ id, method }) => parentPort.postMessage({ type: 'result', id, result: [method] }));`,
  )}`,
);

describe('The planner', () => {
  it('plans in a thread, which it may start before', async () => {
    const planner = createPlanner(thread);
    try {
      planner.prepare();
      assert.deepEqual(await planner.plan('paths', { text: '`src/a.ts`' }), ['paths']);
    } finally {
      planner.dispose();
    }
  });

  it('gives each plan its own time, and up those behind one that does not end', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const planner = createPlanner(new URL('data:text/javascript,setInterval(() => {}, 1000)'));
    const long = { text: 'word '.repeat(10_000) };
    const givenUp = { kind: 'unresolved', reason: 'not-found' };
    try {
      const first = planner.plan('paths', long);
      t.mock.timers.tick(20_000);
      const second = planner.plan('paths', long);
      t.mock.timers.tick(10_000);
      assert.deepEqual([await first, await second], [givenUp, givenUp]);
      const third = planner.plan('paths', long);
      t.mock.timers.tick(30_000);
      assert.deepEqual(await third, givenUp);
    } finally {
      planner.dispose();
    }
  });
});
