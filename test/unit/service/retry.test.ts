import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { systemClock } from '../../../src/base/clock.ts';
import { type ErrorDetails, type ErrorKind, ServiceError } from '../../../src/base/errors.ts';
import { readLimits, readReset, resetMs, retryAfterMs, waitInWords } from '../../../src/service/errors/rateLimits.ts';
import { withRetry } from '../../../src/service/transport/retry.ts';

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

  test('tells with each wait what is tried again, but where the service asked for the wait', async () => {
    const errors = [
      new ServiceError('server', { status: 500 }),
      new ServiceError('rate-limit', { status: 429 }),
      new ServiceError('overloaded', { status: 503, retryAfterMs: 2_000 }),
      new ServiceError('rate-limit', { status: 429, retryAfterMs: 1_000 }),
    ];
    const told: unknown[] = [];
    let tries = 0;
    const answer = await withRetry(
      async () => {
        const error = errors[tries++];
        if (error !== undefined) throw error;
        return 'well';
      },
      { ...policy, retries: 4, onWait: (_waitMs, failed) => void told.push(failed) },
      clockOf([]),
      signal,
    );
    assert.equal(answer, 'well');
    assert.deepEqual(told, [errors[0], errors[1], undefined, undefined]);
  });

  test('doubles up to a bound, with up to a quarter taken off at random', async () => {
    for (const [random, expected] of [
      [0, [500, 1000, 2000, 2000]],
      [0.99999, [375, 750, 1500, 1500]],
    ] as const) {
      const slept: number[] = [];
      const failing = withRetry(
        () => Promise.reject(new ServiceError('server', { status: 502 })),
        { retries: 4, baseMs: 500, maxMs: 2_000 },
        { ...clockOf(slept), random: () => random },
        signal,
      );
      await assert.rejects(failing);
      assert.deepEqual(slept.map(Math.round), expected);
    }
  });

  test('happens only where it is safe and of use', async () => {
    const triesOf = async (error: Error): Promise<number> => {
      let tries = 0;
      const attempt = (): Promise<never> => {
        tries += 1;
        return Promise.reject(error);
      };
      await assert.rejects(withRetry(attempt, policy, clockOf([]), signal), (thrown) => thrown === error);
      return tries;
    };
    const unsent = (kind: ErrorKind, hint?: string) =>
      Object.assign(new ServiceError(kind, { hint }), { beforeSending: true });
    assert.equal(await triesOf(unsent('refused')), 3);
    assert.equal(await triesOf(unsent('timeout')), 3);
    assert.equal(await triesOf(unsent('dns', 'EAI_AGAIN')), 3);
    assert.equal(await triesOf(unsent('dns', 'ENOTFOUND')), 1);
    assert.equal(await triesOf(unsent('tls')), 1);
    assert.equal(await triesOf(unsent('proxy', '407')), 1);
    assert.equal(await triesOf(new ServiceError('reset')), 1, 'it may have been carried out');
    assert.equal(await triesOf(new ServiceError('timeout')), 1);
    assert.equal(await triesOf(new ServiceError('context-length', { status: 500 })), 1);
    assert.equal(await triesOf(new ServiceError('quota', { status: 429 }, { shouldRetry: true })), 1);
    assert.equal(await triesOf(new ServiceError('bad-request', { status: 400 }, { shouldRetry: true })), 3);
    assert.equal(await triesOf(new ServiceError('server', { status: 500 }, { shouldRetry: false })), 1);
    assert.equal(await triesOf(new TypeError('a slip of our own')), 1);
  });

  test('leaves the wait to the gate where every try passes one', async () => {
    const slept: number[] = [];
    const asking = (details: ErrorDetails) =>
      withRetry(
        () => Promise.reject(new ServiceError('overloaded', details)),
        { ...policy, isGated: true },
        clockOf(slept),
        signal,
      );
    await assert.rejects(asking({ status: 503, retryAfterMs: 4_000 }));
    assert.deepEqual(slept, []);
    await assert.rejects(asking({ status: 498, retryAfterMs: 4_000 }));
    assert.deepEqual(slept, [4_000, 4_000]);
    await assert.rejects(asking({ status: 503 }));
    assert.deepEqual(slept, [4_000, 4_000, 500, 1_000]);
  });
});

describe('what a service says of its limits', () => {
  const now = Date.parse('2026-11-20T12:00:00Z');

  test('quirk 29: the wait is read in each of its forms', () => {
    const waitOf = (value: string) => retryAfterMs({ 'retry-after': value }, now);
    assert.equal(waitOf('2'), 2000);
    assert.equal(waitOf('0'), 0);
    assert.equal(waitOf('0.5'), 500);
    assert.equal(waitOf(' 7 '), 7000);
    assert.equal(waitOf('Fri, 20 Nov 2026 12:00:03 GMT'), 3000);
    assert.equal(waitOf('2026-11-20T12:00:03Z'), 3000);
    assert.equal(waitOf('Fri, 20 Nov 2026 11:00:00 GMT'), 0, 'a time that has passed');
    assert.equal(waitOf('7.66s'), 7660, 'as Go writes a duration');
    for (const garbage of ['', 'soon', '-5', 'NaN', 'Infinity', '1e999', 'May 5']) {
      assert.equal(waitOf(garbage), undefined, garbage);
    }
    assert.equal(retryAfterMs({ 'retry-after-ms': '40', 'retry-after': '9' }, now), 40);
    assert.equal(retryAfterMs({ 'retry-after-ms': '0' }, now), 0);
    assert.equal(retryAfterMs({ 'retry-after-ms': 'x', 'retry-after': '9' }, now), 9000);
    assert.equal(retryAfterMs({}, now), undefined);
  });

  test('quirk 29: a reset is a duration of Go, seconds, the epoch or a date', () => {
    for (const [text, ms] of [
      ['7.66s', 7_660],
      ['2m59.56s', 179_560],
      ['20ms', 20],
      ['1h2m', 3_720_000],
      ['1h0m0.5s', 3_600_500],
      ['500µs', 1],
      ['0s', 0],
      ['1d2h', 93_600_000],
      ['1m 30s', 90_000],
      ['1m30', undefined],
      ['12', 12_000],
      ['0.25', 250],
      [String(now / 1000 + 30), 30_000],
      [String(now + 1_500), 1_500],
      [String(now / 1000 - 30), 0],
      ['2026-11-20T12:01:00Z', 60_000],
      ['', undefined],
      ['-3', 0],
      ['later', undefined],
      ['5 apples', undefined],
    ] as const) {
      assert.equal(readReset(text, now), ms, text);
    }
  });

  test('a 429 without retry-after waits for the limit that is used up', () => {
    const headers = {
      'x-ratelimit-remaining-requests': '14369',
      'x-ratelimit-reset-requests': '2m59.56s',
      'x-ratelimit-remaining-tokens': '0',
      'x-ratelimit-reset-tokens': '7.66s',
    };
    assert.equal(resetMs(headers, now), 7_660);
    assert.equal(resetMs({ ...headers, 'x-ratelimit-remaining-requests': '0' }, now), 179_560);
    assert.equal(resetMs({ ...headers, 'x-ratelimit-remaining-tokens': '90' }, now), 7_660);
    assert.equal(resetMs({ 'x-ratelimit-reset': String(now + 900), 'x-ratelimit-remaining': '0' }, now), 900);
    assert.equal(resetMs({ 'x-ratelimit-reset': '4' }, now), 4_000);
    assert.equal(resetMs({ 'x-ratelimit-remaining-tokens': '0' }, now), undefined);
    assert.equal(resetMs({}, now), undefined);
  });

  test('what is left of a limit is read by the names of each service, also where nothing says when it resets', () => {
    const azure = { 'x-ratelimit-remaining-requests': '9', 'x-ratelimit-limit-requests': '10' };
    assert.deepEqual(readLimits(azure, now), { requests: { remaining: 9, limit: 10 } });
    assert.equal(resetMs({ ...azure, 'x-ratelimit-remaining-requests': '0' }, now), undefined);
    const cerebras = {
      'x-ratelimit-remaining-requests-day': '14',
      'x-ratelimit-reset-requests-day': '33011.382867',
      'x-ratelimit-remaining-tokens-minute': '0',
      'x-ratelimit-reset-tokens-minute': '11.38',
    };
    assert.deepEqual(readLimits(cerebras, now), {
      requests: { remaining: 14, resetMs: 33_011_382.867 },
      tokens: { remaining: 0, resetMs: 11_380 },
    });
    assert.equal(resetMs(cerebras, now), 11_380);
    const mistral = { 'x-ratelimit-remaining-req-minute': '59', 'x-ratelimit-limit-req-minute': '60' };
    assert.deepEqual(readLimits(mistral, now), { requests: { remaining: 59, limit: 60 } });
    for (const odd of ['-1', '', 'unlimited', '0x10', 'Infinity', '5, 5', '1e3'])
      assert.deepEqual(
        readLimits({ 'x-ratelimit-remaining-requests': odd, 'x-ratelimit-reset-requests': '1s' }, now),
        {},
      );
  });

  test('the words of an error tell a wait, as the last resort', () => {
    for (const [words, ms] of [
      ['Please try again in 7m12.5s. Need more?', 432_500],
      ['Please try again in 1.5s.', 1_500],
      ['Please try again in 20ms.', 20],
      ['Try again in 5 seconds.', 5_000],
      ['Please retry after 1 minute 30 seconds', 90_000],
      ['Please retry in 21.053s.', 21_053],
      ['please wait for 2 hours', 7_200_000],
      ['Please try again later.', undefined],
      ['try again in a moment', undefined],
      ['It took 5s.', undefined],
    ] as const) {
      assert.equal(waitInWords(words), ms, words);
    }
  });

  test('any header at all gives a wait that is a number from 0 on, or none', () => {
    const value = fc.oneof(fc.string(), fc.stringMatching(/^[\d.hmsu: eT+-]{0,12}$/), fc.double().map(String));
    fc.assert(
      fc.property(value, value, (one, other) => {
        const headers = {
          'retry-after': one,
          'retry-after-ms': other,
          'x-ratelimit-reset-tokens': one,
          'x-ratelimit-remaining-tokens': other,
        };
        const waits = [retryAfterMs(headers, now), resetMs(headers, now), waitInWords(`try again in ${one}`)];
        for (const wait of waits) assert.ok(wait === undefined || (wait >= 0 && Number.isFinite(wait)), `${wait}`);
      }),
      { numRuns: 2_000 },
    );
  });
});
