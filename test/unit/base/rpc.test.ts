import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import { createRpc } from '../../../src/base/rpc.ts';

test('a call that cannot be sent rejects, and leaves nothing behind', async (t) => {
  const { port1, port2 } = new MessageChannel();
  t.after(() => port1.close());
  const here = createRpc(port1, {});
  createRpc(port2, { double: ({ of }: { of: number }) => of * 2 });
  const { signal } = new AbortController();
  await assert.rejects(here.call('double', { of: () => 1 }, { signal }), { name: 'DataCloneError' });
  assert.equal(getEventListeners(signal, 'abort').length, 0);
  assert.equal(await here.call('double', { of: 4 }, { signal }), 8);
  assert.equal(getEventListeners(signal, 'abort').length, 0);
});
