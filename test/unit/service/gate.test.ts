import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type Answered, createGate, type Gate, type Head } from '../../../src/service/transport/gate.ts';
import { createFakeClock } from '../../support/fakeClock.ts';

const id = 'https://host #1';
const never = new AbortController().signal;
const good = { status: 200, headers: {} };
const refused = (headers: Record<string, string> = { 'retry-after': '5' }) => ({ status: 429, headers });

function setUp() {
  const clock = createFakeClock();
  const start = clock.now();
  const changes: (number | undefined)[] = [];
  const gate = createGate(clock, { onChange: (_, until) => changes.push(until && until - start) });
  return { clock, changes, ...follow(gate) };
}

/** A gate whose requests are answered by `answer`: the one that went first, or the one at a place among those not answered. */
function follow(inner: Gate) {
  const open: Answered[] = [];
  const gate: Gate = {
    async enter(...args) {
      const answered = await inner.enter(...args);
      open.push(answered);
      return answered;
    },
  };
  return { gate, answer: (head: Head | undefined, place = 0): void => open.splice(place, 1)[0]?.(head) };
}

/** Enters, and notes the name once it may go. */
function send(gate: Gate, name: string, gone: string[], signal = never, waits: number[] = []): Promise<void> {
  return gate
    .enter(id, signal, (ms) => waits.push(ms))
    .then(
      () => void gone.push(name),
      (error) => void gone.push(`${name} ${error.kind}`),
    );
}

describe('the gate', () => {
  test('lets all go while the service says nothing', async () => {
    const { clock, gate } = setUp();
    const gone: string[] = [];
    for (const name of ['a', 'b', 'c']) void send(gate, name, gone);
    await clock.advance(0);
    assert.deepEqual([gone, clock.sleeping], [['a', 'b', 'c'], 0]);
  });

  test('quirk 33: requests that meet a limit together wait together; one goes first, the others once it got through', async () => {
    const { clock, gate, answer, changes } = setUp();
    const gone: string[] = [];
    const waits: number[] = [];
    await send(gate, 'first', gone);
    answer(refused());
    assert.deepEqual(changes, [], 'nobody waits yet');
    for (const name of ['a', 'b', 'c', 'd']) void send(gate, name, gone, never, waits);
    await clock.advance(4_999);
    assert.deepEqual(gone, ['first']);
    assert.deepEqual([waits, changes], [[5_000, 5_000, 5_000, 5_000], [5_000]]);
    await clock.advance(1);
    assert.deepEqual(gone, ['first', 'a']);
    assert.deepEqual(changes, [5_000, undefined]);
    answer(good);
    await clock.advance(0);
    assert.deepEqual(gone, ['first', 'a', 'b', 'c']);
    answer(good);
    await clock.advance(0);
    assert.deepEqual(gone, ['first', 'a', 'b', 'c', 'd']);
    assert.equal(clock.sleeping, 0);
  });

  test('closes again when the one that went first is refused, and says so to those who wait', async () => {
    const { clock, gate, answer } = setUp();
    const gone: string[] = [];
    const waits: number[] = [];
    await send(gate, 'first', gone);
    answer(refused());
    void send(gate, 'a', gone);
    void send(gate, 'b', gone, never, waits);
    await clock.advance(5_000);
    answer(refused({ 'retry-after-ms': '700' }));
    await clock.advance(699);
    assert.deepEqual(
      [gone, waits],
      [
        ['first', 'a'],
        [5_000, 700],
      ],
    );
    await clock.advance(1);
    assert.deepEqual(gone, ['first', 'a', 'b']);
  });

  test('lets the next go when the one that went first has no answer', async () => {
    const { clock, gate, answer } = setUp();
    const gone: string[] = [];
    await send(gate, 'first', gone);
    answer(refused());
    void send(gate, 'a', gone);
    void send(gate, 'b', gone);
    await clock.advance(5_000);
    answer(undefined);
    await clock.advance(0);
    assert.deepEqual(gone, ['first', 'a', 'b']);
  });

  test('is not held up by slow requests from before the refusal', async () => {
    const { clock, gate, answer } = setUp();
    const gone: string[] = [];
    await send(gate, 'slow', gone);
    await send(gate, 'first', gone);
    answer(refused());
    void send(gate, 'a', gone);
    await clock.advance(5_000);
    assert.deepEqual(gone, ['slow', 'first', 'a']);
  });

  test('takes an answer to a request from before the refusal for no sign that more may go', async () => {
    const { clock, gate, answer } = setUp();
    const gone: string[] = [];
    for (const name of ['slow', 'slower', 'first']) await send(gate, name, gone);
    answer(refused(), 2);
    for (const name of ['a', 'b', 'c', 'd']) void send(gate, name, gone);
    await clock.advance(5_000);
    assert.deepEqual(gone.slice(3), ['a']);
    const limits = { 'x-ratelimit-remaining-requests': '50', 'x-ratelimit-reset-requests': '10s' };
    answer(good);
    answer({ status: 200, headers: limits });
    await clock.advance(0);
    assert.deepEqual(gone.slice(3), ['a'], 'nothing is known yet of what the service takes now');
    answer(good);
    await clock.advance(0);
    assert.deepEqual(gone.slice(3), ['a', 'b', 'c']);
  });

  test('takes several refusals of requests that went together for one', async () => {
    const { clock, gate, answer } = setUp();
    const gone: string[] = [];
    for (const name of ['1', '2', '3', '4']) await send(gate, name, gone);
    answer(refused({}));
    for (const name of ['a', 'b', 'c']) void send(gate, name, gone);
    for (let others = 0; others < 3; others++) answer(refused({}));
    await clock.advance(0);
    assert.deepEqual(gone.slice(4), ['a']);
  });

  test('is closed by 503 only where the service says for how long, and by no other answer', async () => {
    const { clock, gate, answer } = setUp();
    const gone: string[] = [];
    const answers = [500, 503, 400, 529].map((status) => ({ status, headers: {} }));
    for (const head of [...answers, { status: 500, headers: { 'retry-after': '9' } }]) {
      await send(gate, `${head.status}`, gone);
      answer(head);
    }
    await send(gate, 'last', gone);
    assert.equal(gone.length, 6);
    answer({ status: 503, headers: { 'retry-after': '1' } });
    void send(gate, 'held', gone);
    await clock.advance(999);
    assert.equal(gone.length, 6);
    await clock.advance(1);
    assert.equal(gone.length, 7);
  });

  test('announces a second of which some has passed, and not what is left of it at its end', async () => {
    const { clock, gate, answer, changes } = setUp();
    await send(gate, 'first', []);
    answer(refused({ 'retry-after': '1' }));
    await clock.advance(20);
    const stopped = new AbortController();
    const waiting = send(gate, 'second', [], stopped.signal);
    assert.deepEqual(changes, [1_000]);
    stopped.abort();
    await waiting;
    await clock.advance(900);
    void send(gate, 'third', []);
    assert.deepEqual(changes, [1_000, undefined]);
  });

  test('holds nobody for longer than a minute: each then hears from the service, one at a time', async () => {
    const { clock, gate, answer, changes } = setUp();
    const gone: string[] = [];
    await send(gate, 'first', gone);
    answer(refused({ 'retry-after': '600' }));
    void send(gate, 'a', gone);
    void send(gate, 'b', gone);
    await clock.advance(0);
    assert.deepEqual([gone, changes], [['first', 'a'], []]);
  });

  test('takes the wait from the reset of the limit that is used up, and from the words of the error', async () => {
    const { clock, gate, answer } = setUp();
    const gone: string[] = [];
    await send(gate, 'first', gone);
    answer(
      refused({
        'x-ratelimit-remaining-requests': '14000',
        'x-ratelimit-reset-requests': '2h1m',
        'x-ratelimit-remaining-tokens': '0',
        'x-ratelimit-reset-tokens': '7.66s',
      }),
    );
    void send(gate, 'a', gone);
    await clock.advance(7_659);
    assert.deepEqual(gone, ['first']);
    await clock.advance(1);
    answer({ ...refused({}), retryAfterMs: 300 });
    void send(gate, 'b', gone);
    await clock.advance(299);
    assert.deepEqual(gone, ['first', 'a']);
    await clock.advance(1);
    assert.deepEqual(gone, ['first', 'a', 'b']);
  });

  test('holds before the limit is met: nothing left, nobody goes until it is whole again', async () => {
    const { clock, gate, answer } = setUp();
    const gone: string[] = [];
    await send(gate, 'first', gone);
    const headers = { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '12s' };
    answer({ status: 200, headers });
    for (const name of ['a', 'b']) void send(gate, name, gone);
    await clock.advance(11_999);
    assert.deepEqual(gone, ['first']);
    await clock.advance(1);
    assert.deepEqual([gone, clock.sleeping], [['first', 'a', 'b'], 0]);
  });

  test('spreads many requests over the time of the few that are left', async () => {
    const { clock, gate, answer } = setUp();
    const gone: string[] = [];
    await send(gate, 'first', gone);
    const headers = { 'x-ratelimit-remaining-requests': '2', 'x-ratelimit-reset-requests': '10s' };
    answer({ status: 200, headers });
    for (const name of ['a', 'b', 'c']) void send(gate, name, gone);
    const times: number[] = [];
    for (let second = 0; second <= 11; second++) {
      await clock.advance(second === 0 ? 0 : 1_000);
      times.push(gone.length - 1);
    }
    assert.deepEqual(times, [1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3]);
  });

  test('learns how many tokens a request takes, and slows down when they run out', async () => {
    const { clock, gate, answer } = setUp();
    const gone: string[] = [];
    const left = (tokens: number) => ({
      status: 200,
      headers: { 'x-ratelimit-remaining-tokens': String(tokens), 'x-ratelimit-reset-tokens': '20s' },
    });
    for (const tokens of [6_000, 4_000, 2_000, 500]) {
      await send(gate, 'early', gone);
      answer(left(tokens));
    }
    // The next alone may be a small one; two at once would be too much.
    void send(gate, 'late', gone);
    void send(gate, 'later', gone);
    await clock.advance(19_999);
    assert.deepEqual(gone.slice(4), ['late']);
    await clock.advance(1);
    assert.deepEqual(gone.slice(4), ['late', 'later']);
  });

  test('leaves the limit of a day to the service', async () => {
    const { clock, gate, answer } = setUp();
    const gone: string[] = [];
    await send(gate, 'first', gone);
    const headers = { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '3h' };
    answer({ status: 200, headers });
    void send(gate, 'a', gone);
    await clock.advance(0);
    assert.deepEqual(gone, ['first', 'a']);
  });

  test('lets a waiter leave at once, and leaves no timer behind', async () => {
    const { clock, gate, answer, changes } = setUp();
    const gone: string[] = [];
    const stop = new AbortController();
    await send(gate, 'first', gone);
    answer(refused());
    const waiting = send(gate, 'a', gone, stop.signal);
    await clock.advance(1_000);
    assert.equal(clock.sleeping, 1);
    stop.abort();
    await waiting;
    assert.deepEqual([gone, clock.sleeping, changes], [['first', 'a cancelled'], 0, [5_000, undefined]]);
    await assert.rejects(gate.enter(id, stop.signal, undefined), { kind: 'cancelled' });
  });

  test('keeps one service apart from another, and forgets those not met for long', async () => {
    const { clock, gate, answer } = setUp();
    await gate.enter(id, never, undefined);
    answer(refused());
    for (let other = 0; other < 100; other++) {
      await gate.enter(`other ${other}`, never, undefined);
      answer(good);
    }
    await gate.enter(id, never, undefined);
    assert.equal(clock.sleeping, 0);
  });

  test('opens where the clock of the machine was set back', async () => {
    let shift = 0;
    const clock = createFakeClock();
    const { gate, answer } = follow(createGate({ ...clock, now: () => clock.now() - shift }));
    const gone: string[] = [];
    await send(gate, 'first', gone);
    answer(refused({ 'retry-after': '30' }));
    shift = 3_600_000;
    await send(gate, 'a', gone);
    assert.deepEqual(gone, ['first', 'a']);
  });

  test('loses no waiter, keeps their order and ends with no timer, whatever happens in whatever order', async () => {
    const event = fc.oneof(
      { weight: 4, arbitrary: fc.constant({ type: 'enter' as const }) },
      fc.record({ type: fc.constant('abort' as const), which: fc.nat(30) }),
      fc.record({ type: fc.constant('advance' as const), ms: fc.nat(20_000) }),
      fc.record({
        type: fc.constant('answer' as const),
        which: fc.nat(5),
        head: fc.oneof(
          fc.constant(undefined),
          fc.record({
            status: fc.constantFrom(200, 200, 429, 500, 503),
            headers: fc.dictionary(
              fc.constantFrom('retry-after', 'x-ratelimit-remaining-requests', 'x-ratelimit-reset-requests'),
              fc.constantFrom('0', '1', '3', '20', '90', 'x'),
            ),
          }),
        ),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 60 }), async (events) => {
        const clock = createFakeClock();
        const { gate, answer } = follow(createGate(clock));
        const controllers: AbortController[] = [];
        const gone: number[] = [];
        let [ended, answers] = [0, 0];
        for (const each of events) {
          if (each.type === 'enter') {
            const number = controllers.push(new AbortController()) - 1;
            void gate.enter(id, (controllers[number] as AbortController).signal, undefined).then(
              () => gone.push(number),
              () => (ended += 1),
            );
          } else if (each.type === 'abort') controllers[each.which]?.abort();
          else if (each.type === 'advance') await clock.advance(each.ms);
          else {
            await clock.advance(0);
            if (answers < gone.length) {
              answers += 1;
              answer(each.head, each.which % (gone.length - answers + 1));
            }
          }
        }
        // From here on the service is well: everybody gets through within a bounded time.
        for (let round = 0; round < 200 && gone.length + ended < controllers.length; round++) {
          for (; answers < gone.length; answers++) answer(good);
          await clock.advance(1_000);
        }
        assert.equal(gone.length + ended, controllers.length);
        assert.deepEqual(
          gone,
          gone.toSorted((a, b) => a - b),
        );
        assert.equal(clock.sleeping, 0);
      }),
      { numRuns: 300 },
    );
  });
});
