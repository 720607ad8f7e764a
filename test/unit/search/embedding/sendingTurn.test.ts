import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type SendingTurn, withSendingTurn } from '../../../../src/search/embedding/sendingTurn.ts';
import { temporaryFolder } from '../../../support/searchFolder.ts';

const never = new AbortController().signal;
const goOn = (): boolean => true;

describe('the turn to send', () => {
  test('goes to the one that waits before it comes back to the one that had it', async (t) => {
    const folder = temporaryFolder(t);
    const order: string[] = [];
    let update: Promise<unknown> | undefined;
    const build = async (turn: SendingTurn): Promise<void> => {
      order.push('build');
      update ??= withSendingTurn(folder, never, goOn, async () => order.push('update'));
      while (order.length === 1 && !(await turn.isOver())) await new Promise(setImmediate);
    };
    await withSendingTurn(folder, never, goOn, build, 0);
    await withSendingTurn(folder, never, goOn, build, 0);
    await update;
    assert.deepEqual(order, ['build', 'update', 'build']);
  });

  test('is not over while nobody waits, nor before its share has passed', async (t) => {
    const folder = temporaryFolder(t);
    const asked = await withSendingTurn(folder, never, goOn, (turn) => turn.isOver(), 0);
    assert.equal(asked, false);
    let waiting: Promise<unknown> | undefined;
    const early = await withSendingTurn(folder, never, goOn, async (turn) => {
      let hasAsked = false;
      waiting = withSendingTurn(
        folder,
        never,
        () => {
          hasAsked = true;
          return true;
        },
        async () => {},
      );
      while (!hasAsked) await new Promise(setImmediate);
      return turn.isOver();
    });
    assert.equal(early, false);
    await waiting;
  });

  test('is left where there is nothing to do any more, and where it is cancelled', async (t) => {
    const folder = temporaryFolder(t);
    await withSendingTurn(folder, never, goOn, async () => {
      assert.equal(
        await withSendingTurn(
          folder,
          never,
          () => false,
          async () => 'sent',
        ),
        undefined,
      );
      const controller = new AbortController();
      const cancelled = withSendingTurn(
        folder,
        controller.signal,
        () => {
          controller.abort();
          return true;
        },
        async () => 'sent',
      );
      await assert.rejects(cancelled, { kind: 'cancelled' });
    });
    assert.equal(await withSendingTurn(folder, never, goOn, async () => 'sent'), 'sent');
  });

  test('is not needed where the disk takes no lock', async () => {
    const work = async (turn: SendingTurn): Promise<boolean> => turn.isOver();
    assert.equal(await withSendingTurn('/dev/null/none', never, goOn, work, 0), false);
  });
});
