import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../../../src/base/errors.ts';
import { retries, withRetries } from '../../../../src/search/embedding/retries.ts';

/** Fails so often, each time for this reason, and then answers; keeps what was waited. */
function scene(kind: 'reset' | 'dns' | 'refused' | 'timeout' | 'auth', failures: number, hasAnswered = true) {
  const waits: number[] = [];
  const told: (number | undefined)[] = [];
  let asked = 0;
  const controller = new AbortController();
  const run = (): Promise<string> =>
    withRetries(
      async () => {
        if (asked++ < failures) throw new ServiceError(kind);
        return 'answer';
      },
      {
        hasAnswered: () => hasAnswered,
        onWait: (ms) => told.push(ms),
        clock: { random: () => 0, sleep: async (ms) => void waits.push(ms) },
      },
      controller.signal,
    );
  return { run, waits, told, controller, asked: () => asked };
}

for (const kind of ['reset', 'dns', 'refused', 'timeout'] as const) {
  test(`a service that answered before and then fails with ${kind} is asked again after waits that grow`, async () => {
    const { run, waits, told } = scene(kind, 8);
    assert.equal(await run(), 'answer');
    assert.deepEqual(waits, [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
    assert.deepEqual(told.slice(0, 4), [1_000, undefined, 2_000, undefined]);
  });
}

test('after the last try the error is given, and a service that never answered gets fewer', async () => {
  const often = scene('reset', Number.POSITIVE_INFINITY);
  await assert.rejects(often.run(), { kind: 'reset' });
  assert.equal(often.asked(), retries.answered + 1);
  const seldom = scene('refused', Number.POSITIVE_INFINITY, false);
  await assert.rejects(seldom.run(), { kind: 'refused' });
  assert.equal(seldom.asked(), retries.neverAnswered + 1);
});

test('what waiting does not mend is given at once', async () => {
  const { run, asked } = scene('auth', 1);
  await assert.rejects(run(), { kind: 'auth' });
  assert.equal(asked(), 1);
});

test('a wait ends with the signal, and nothing is sent after it', async () => {
  const { waits, controller } = scene('reset', 1);
  let asked = 0;
  const running = withRetries(
    async () => {
      asked++;
      throw new ServiceError('reset');
    },
    {
      hasAnswered: () => true,
      onWait: () => controller.abort(),
      clock: { random: () => 0, sleep: async (ms) => void waits.push(ms) },
    },
    controller.signal,
  );
  await assert.rejects(running, { kind: 'cancelled' });
  assert.equal(asked, 1);
});
