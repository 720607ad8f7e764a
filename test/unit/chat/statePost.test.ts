import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createStatePost } from '../../../src/chat/ui/panel/page/statePost.ts';
import type { PanelState, ToChatPanel } from '../../../src/webview/shared/protocol/protocol.ts';

/** Readings that end when the test says so, in any order. */
function begin() {
  const posted: ToChatPanel[] = [];
  const readings: ((state: PanelState) => void)[] = [];
  const view = { isReady: true, post: (message: ToChatPanel) => void posted.push(message) };
  const statePost = createStatePost(view as never, () => new Promise((resolve) => void readings.push(resolve)));
  const models = () => posted.map((message) => (message.type === 'state' ? message.state.model : message.type));
  return { statePost, models, end: (at: number, model: string) => readings[at]?.({ model } as PanelState) };
}

describe('The state of the panel', () => {
  test('a reading that took longer than a newer one does not bring the older state back', async () => {
    const { statePost, models, end } = begin();
    const updates = [statePost.update(), statePost.update()];
    end(1, 'new');
    await updates[1];
    end(0, 'old');
    await updates[0];
    assert.deepEqual(models(), ['new']);
  });

  test('of readings that end in their order, the newest is sent', async () => {
    const { statePost, models, end } = begin();
    const updates = [statePost.update(), statePost.update()];
    end(0, 'old');
    end(1, 'new');
    await Promise.all(updates);
    assert.deepEqual(models(), ['new']);
  });

  test('a page that is shown all gets what changed while it was read', async () => {
    const { statePost, models, end } = begin();
    const read = statePost.read();
    const update = statePost.update();
    end(1, 'new');
    await update;
    end(0, 'old');
    await new Promise((resolve) => setImmediate(resolve));
    end(2, 'newest');
    assert.equal((await read).model, 'newest');
    assert.deepEqual(models(), ['new']);
  });

  test('two pages that are shown all at once wait for no more than their own reading', async () => {
    const { statePost, end } = begin();
    const reads = [statePost.read(), statePost.read()];
    end(1, 'same');
    end(0, 'same');
    assert.deepEqual(
      (await Promise.all(reads)).map(({ model }) => model),
      ['same', 'same'],
    );
  });

  test('one that is as it was is not sent again, one that follows is', async () => {
    const { statePost, models, end } = begin();
    for (const [at, model] of ['a', 'a', 'b'].entries()) {
      const update = statePost.update();
      end(at, model);
      await update;
    }
    assert.deepEqual(models(), ['a', 'b']);
  });
});
