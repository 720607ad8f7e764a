import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ServiceError } from '../../src/service/errors.ts';
import { retryAfterMs } from '../../src/service/rateLimits.ts';
import { systemClock, withRetry } from '../../src/service/retry.ts';

const { signal } = new AbortController();
const policy = { retries: 2, baseMs: 500, maxMs: 8_000 };
const clockOf = (slept: number[]) => ({
  ...systemClock,
  random: () => 0,
  sleep: async (ms: number) => void slept.push(ms),
});

describe('asking again', () => {
  test('doubles the wait and stops after the last try', async () => {
    const slept: number[] = [];
    let tries = 0;
    const failing = withRetry(
      async () => {
        tries += 1;
        throw new ServiceError('server', { status: 500 });
      },
      policy,
      clockOf(slept),
      signal,
    );
    await assert.rejects(failing, { kind: 'server' });
    assert.deepEqual([tries, slept], [3, [500, 1000]]);
  });

  test('waits as long as the service asks, and gives up rather than wait for minutes', async () => {
    const slept: number[] = [];
    const limited = (ms: number) =>
      withRetry(
        async () => {
          throw new ServiceError('rate-limit', { status: 429, retryAfterMs: ms });
        },
        policy,
        clockOf(slept),
        signal,
      );
    await assert.rejects(limited(0));
    assert.deepEqual(slept, [0, 0]);
    await assert.rejects(limited(600_000));
    assert.equal(slept.length, 2);
  });

  test('ends at once when it is stopped during a wait', async () => {
    const controller = new AbortController();
    const waiting = withRetry(
      async () => {
        throw new ServiceError('overloaded', { status: 503, retryAfterMs: 50_000 });
      },
      { ...policy, onWait: () => controller.abort() },
      systemClock,
      controller.signal,
    );
    await assert.rejects(waiting, { kind: 'cancelled' });
  });

  test('reads the wait in each of its forms', () => {
    const now = Date.parse('2026-11-20T12:00:00Z');
    assert.equal(retryAfterMs({ 'retry-after': '2' }, now), 2000);
    assert.equal(retryAfterMs({ 'retry-after': '0' }, now), 0);
    assert.equal(retryAfterMs({ 'retry-after': '0.5' }, now), 500);
    assert.equal(retryAfterMs({ 'retry-after-ms': '40', 'retry-after': '9' }, now), 40);
    assert.equal(retryAfterMs({ 'retry-after': 'Fri, 20 Nov 2026 12:00:03 GMT' }, now), 3000);
    assert.equal(retryAfterMs({ 'retry-after': 'soon' }, now), undefined);
    assert.equal(retryAfterMs({}, now), undefined);
  });
});
