import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createDelivery, type Piece } from '../../../src/models/requests/delivery.ts';
import { createFakeClock } from '../../support/fakeClock.ts';

const text = (value: string): Piece => ({ kind: 'text', text: value });
const call: Piece = { kind: 'tool-call', id: '1', name: 'look', input: {} };

/**
 * VS Code as it handles pieces: they are held for 30 ms after the latest, or until there are 31; each round trip lets the
 * asker take one batch. An error drops what the asker has not taken.
 */
function createWindow() {
  const clock = createFakeClock();
  const signal = new AbortController();
  let held: Piece[] = [];
  let flushAt = Number.POSITIVE_INFINITY;
  const batches: Piece[][] = [];
  const taken: Piece[] = [];
  let trips = 0;
  const flush = (): void => {
    if (held.length > 0) batches.push(held);
    held = [];
    flushAt = Number.POSITIVE_INFINITY;
  };
  const delivery = createDelivery(
    {
      report(piece) {
        if (clock.now() >= flushAt) flush();
        flushAt = clock.now() + 30;
        if (held.push(piece) > 30) flush();
      },
      async roundTrip() {
        trips++;
        if (clock.now() >= flushAt) flush();
        taken.push(...(batches.shift() ?? []));
      },
    },
    clock,
    signal.signal,
  );
  const textOf = (pieces: Piece[]): string =>
    pieces.map((each) => ('text' in each ? each.text : `<${each.kind}>`)).join('');
  return {
    clock,
    delivery,
    signal,
    reported: () => [...taken, ...batches.flat(), ...held],
    taken: () => textOf(taken),
    trips: () => trips,
  };
}

/** Lets time pass until a promise is settled. */
async function settleIn(clock: ReturnType<typeof createFakeClock>, promise: Promise<void>): Promise<void> {
  let over = false;
  void promise.then(() => {
    over = true;
  });
  for (let i = 0; i < 100 && !over; i++) await clock.advance(10);
  assert.ok(over, 'it settles');
}

describe('what is brought to VS Code', () => {
  test('has all come before an error may be thrown, however fast it came', async () => {
    for (const [count, every] of [
      [1, 0],
      [31, 0],
      [500, 0],
      [50, 5],
      [50, 29],
      [50, 31],
      [20, 100],
    ] as const) {
      const { clock, delivery, taken } = createWindow();
      const words = Array.from({ length: count }, (_, index) => `${index} `);
      for (const word of words) {
        delivery.pass(text(word));
        await clock.advance(every);
      }
      await settleIn(clock, delivery.settle());
      assert.equal(taken(), words.join(''), `${count} pieces every ${every} ms`);
    }
  });

  test('keeps its order: texts are joined, and nothing is joined across another piece', async () => {
    const { clock, delivery, taken } = createWindow();
    for (const piece of [
      text('a'),
      text('b'),
      text('c'),
      call,
      text('d'),
      { kind: 'thought', text: 'e' } as const,
      text('f'),
    ]) {
      delivery.pass(piece);
    }
    await settleIn(clock, delivery.settle());
    assert.equal(taken(), 'abc<tool-call>def');
  });

  test('with more calls than fit in a batch has come as well', async () => {
    const { clock, delivery, taken } = createWindow();
    for (let i = 0; i < 128; i++) delivery.pass(call);
    await settleIn(clock, delivery.settle());
    assert.equal(taken(), '<tool-call>'.repeat(128));
  });

  test('goes at once, first, and all at the end; later pieces are few, whatever the service sends', async () => {
    const { clock, delivery, reported } = createWindow();
    delivery.pass(text('first'));
    assert.equal(reported().length, 1);
    for (let i = 0; i < 100_000; i++) delivery.pass(text('x'));
    assert.equal(reported().length, 1);
    delivery.end();
    assert.equal(reported().length, 2);
    await clock.advance(100);
    assert.equal(reported().length, 2);
  });

  test('is not waited for where nothing was passed on, or where it is no longer wanted', async () => {
    const nothing = createWindow();
    await nothing.delivery.settle();
    assert.equal(nothing.trips(), 0);
    const stopped = createWindow();
    stopped.delivery.pass(text('a'));
    stopped.delivery.pass(text('b'));
    stopped.signal.abort();
    await stopped.delivery.settle();
    assert.deepEqual(stopped.reported(), [text('a')]);
  });
});
