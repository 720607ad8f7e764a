import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { createPieceStore, type PieceStore } from '../../../../src/audio/jobs/pieceStore.ts';
import { type PieceProgress, type SplitRecording, timeLeft } from '../../../../src/audio/jobs/pieces.ts';
import type { PieceWork } from '../../../../src/audio/jobs/pieceWork.ts';
import { createServiceWait, longestWaitMs } from '../../../../src/audio/jobs/serviceWait.ts';
import { translatePieces } from '../../../../src/audio/jobs/translatePieces.ts';
import { envelopeBytes } from '../../../../src/audio/jobs/uploadLimit.ts';
import type { AudioPiece } from '../../../../src/audio/split/plan/planPieces.ts';
import { isCancelled, ServiceError } from '../../../../src/base/errors.ts';
import { createFakeClock, type FakeClock } from '../../../support/fakeClock.ts';

const sha256 = 'a'.repeat(64);
/** Bytes of a second of the recording. */
const rate = 256 * 1024;

let folder: string;
let store: PieceStore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-pieces-'));
  store = createPieceStore(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A recording that is cut at whole seconds. */
function recordingOf(durationSeconds: number): SplitRecording {
  return {
    durationSeconds,
    soundBytes: durationSeconds * rate,
    hasPictures: false,
    async plan(
      mostBytes,
      _signal,
      { start, end }: { start: number; end: number } = { start: 0, end: durationSeconds },
    ) {
      const each = Math.max(1, Math.floor((mostBytes - envelopeBytes) / rate));
      const pieces: AudioPiece[] = [];
      for (let at = start; at < end; at += each)
        pieces.push({
          start: at,
          end: Math.min(end, at + each),
          from: at,
          to: Math.min(end, at + each),
          index: 0,
          startsQuiet: true,
          endsQuiet: true,
        });
      return pieces;
    },
    async write({ from, to }, path) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, '');
      truncateSync(path, (to - from) * rate);
      return { contentType: 'audio/wav', bytes: (to - from) * rate, isOriginal: true };
    },
    async close() {},
  };
}

interface Asked {
  readonly from: number;
  readonly size: number;
  readonly prompt: string;
}

/** A service that answers with what it was asked, and the work that asks it. */
function workOf(parts: Partial<PieceWork> & { answer?: (asked: Asked, index: number) => void | Promise<void> } = {}) {
  const clock = createFakeClock();
  const asked: Asked[] = [];
  const came: Asked[] = [];
  const limit = {
    bytes: 10 * rate + envelopeBytes,
    learn(bytes: number) {
      limit.bytes = bytes;
    },
  };
  const split = recordingOf(95);
  /** Where the piece began that is written last to each path. */
  const begins = new Map<string, number>();
  const progress: PieceProgress[] = [];
  const work: PieceWork = {
    sha256,
    split: {
      ...split,
      write(piece, path, signal) {
        begins.set(path, piece.from);
        return split.write(piece, path, signal);
      },
    },
    store,
    limit,
    request: { baseUrl: 'https://a.example/v1', model: 'm', options: { temperature: 0 } },
    parallel: 3,
    wait: createServiceWait(clock),
    prompt: '',
    carryOver: (_prompt, before) => before.map(({ translation }) => translation.text).join(' '),
    async send({ path, prompt }, signal) {
      const one = { from: begins.get(path) ?? -1, size: statSync(path).size, prompt };
      asked.push(one);
      await parts.answer?.(one, asked.length - 1);
      if (signal.aborted) throw new ServiceError('cancelled');
      came.push(one);
      return { text: `said at ${one.from}`, segments: undefined };
    },
    isPaused: () => false,
    now: clock.now,
    report: (each) => progress.push(each),
    ...parts,
  };
  return { work, asked, came, limit, progress, clock };
}

const never = new AbortController().signal;
const textsOf = (pieces: readonly { translation: { text: string } }[] | undefined): string[] | undefined =>
  pieces?.map(({ translation }) => translation.text);
const everyTen = Array.from({ length: 10 }, (_, at) => `said at ${at * 10}`);
/** Waits until so many wait for the clock to go on. */
async function untilAsleep(clock: FakeClock, count: number): Promise<void> {
  while (clock.sleeping < count) await new Promise(setImmediate);
}
const bytesLeft = (): string[] => readdirSync(join(folder, sha256)).filter((name) => name.endsWith('.piece'));

describe('a recording in pieces', () => {
  it('is sent once, its pieces in order, and leaves no audio on the disk', async () => {
    const { work, asked, progress } = workOf();
    assert.deepEqual(textsOf(await translatePieces(work, never)), everyTen);
    assert.deepEqual(
      asked.map(({ from }) => from).sort((a, b) => a - b),
      [0, 10, 20, 30, 40, 50, 60, 70, 80, 90],
    );
    assert.deepEqual(bytesLeft(), []);
    const last = progress.at(-1);
    assert.deepEqual([last?.done, last?.pieces, last?.secondsDone, last?.failedAt], [10, 10, 95, []]);
  });

  it('goes on where it was ended: no piece that came back is sent again', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(9), { maxLength: 4 }), async (stops) => {
        await store.remove(sha256);
        const came: number[] = [];
        for (const stop of stops) {
          const controller = new AbortController();
          const run = workOf({ answer: (_, index) => (index === stop ? controller.abort() : undefined) });
          await translatePieces(run.work, controller.signal).catch((error: unknown) => assert.ok(isCancelled(error)));
          came.push(...run.came.map(({ from }) => from));
        }
        const last = workOf();
        assert.deepEqual(textsOf(await translatePieces(last.work, never)), everyTen);
        came.push(...last.came.map(({ from }) => from));
        assert.deepEqual(
          came.sort((a, b) => a - b),
          [0, 10, 20, 30, 40, 50, 60, 70, 80, 90],
        );
        assert.deepEqual(bytesLeft(), []);
      }),
      { numRuns: 30 },
    );
  });

  it('tries a piece that failed once more, alone', async () => {
    const failed = new Set<number>();
    const { work, asked } = workOf({
      answer({ from }) {
        if (from % 30 !== 0 || failed.has(from)) return;
        failed.add(from);
        throw new ServiceError('server', { status: 500 });
      },
    });
    assert.deepEqual(textsOf(await translatePieces(work, never)), everyTen);
    assert.equal(asked.length, 10 + failed.size);
    assert.equal(failed.size, 4);
  });

  it('goes on with the others where one piece fails, and names it; only that one is sent again', async () => {
    for (const kind of ['server', 'bad-request', 'content-filter'] as const) {
      await store.remove(sha256);
      let inFlight = 0;
      const { work, asked, came, progress } = workOf({
        answer: async ({ from }) => {
          inFlight++;
          await new Promise(setImmediate);
          inFlight--;
          if (from === 40) throw new ServiceError(kind);
        },
      });
      await assert.rejects(translatePieces(work, never), { kind });
      assert.equal(inFlight, 0);
      assert.equal(came.length, 9, 'what was on its way came back');
      // Where another try may not meet the error, there is one at the end.
      assert.equal(asked.filter(({ from }) => from === 40).length, kind === 'server' ? 2 : 1);
      assert.deepEqual(progress.at(-1)?.failedAt, [40]);
      const again = workOf();
      assert.deepEqual(textsOf(await translatePieces(again.work, never)), everyTen);
      assert.deepEqual(
        again.asked.map(({ from }) => from),
        [40],
      );
    }
  });

  it('ends with what all would meet; what is on its way by then is kept', async () => {
    for (const kind of ['auth', 'quota', 'model-not-found', 'dns'] as const) {
      await store.remove(sha256);
      const { work, asked, came } = workOf({
        answer: async ({ from }) => {
          if (from === 10) throw new ServiceError(kind);
          await new Promise(setImmediate);
        },
      });
      await assert.rejects(translatePieces(work, never), { kind });
      assert.deepEqual(asked.map(({ from }) => from).toSorted(), [0, 10, 20]);
      assert.deepEqual(came.map(({ from }) => from).toSorted(), [0, 20]);
      const again = workOf();
      await translatePieces(again.work, never);
      assert.equal(again.asked.length, 8);
    }
  });

  it('sends no other piece where one is refused for what the recording is', async () => {
    for (const status of [400, 415]) {
      await store.remove(sha256);
      const { work, asked, progress } = workOf({
        answer: async ({ from }) => {
          if (from > 0) await new Promise(setImmediate);
          throw new ServiceError('bad-request', { status });
        },
      });
      await assert.rejects(translatePieces(work, never), { kind: 'bad-request', status });
      assert.equal(asked.length, 3, 'those that were on their way together');
      assert.deepEqual([progress.at(-1)?.pieces, progress.at(-1)?.done], [10, 0]);
    }
    const late = workOf({
      answer({ from }) {
        if (from === 70) throw new ServiceError('bad-request', { status: 415 });
      },
      parallel: 1,
    });
    await assert.rejects(translatePieces(late.work, never), { status: 415 });
    assert.equal(late.asked.length, 8);
  });

  it('goes on where one is refused that others were taken before, which is no matter of what the recording is', async () => {
    for (const kind of ['bad-request', 'content-filter'] as const) {
      await store.remove(sha256);
      const { work, asked, came } = workOf({
        parallel: 1,
        answer({ from }) {
          if (from === 40) throw new ServiceError(kind, { status: 400 });
        },
      });
      await assert.rejects(translatePieces(work, never), { kind, status: 400 });
      assert.deepEqual([asked.length, came.length], [10, 9]);
    }
    await store.remove(sha256);
    const first = workOf({
      parallel: 1,
      answer({ from }) {
        if (from === 0) throw new ServiceError('content-filter', { status: 400 });
      },
    });
    await assert.rejects(translatePieces(first.work, never), { kind: 'content-filter' });
    assert.equal(first.came.length, 9);
  });

  it('ends when a second one has failed all its tries, whatever the reasons, and what is on its way by then is kept', async () => {
    const { work, asked, progress } = workOf({
      answer: ({ from }) => {
        if (from >= 30) throw new ServiceError(from % 20 === 0 ? 'server' : 'timeout');
      },
    });
    await assert.rejects(translatePieces(work, never));
    assert.ok(asked.length <= 9, `${asked.length} of ten`);
    assert.equal(progress.at(-1)?.done, 3);
    // Of a service that fails now and then, all are sent once, and of those that failed two are tried again.
    await store.remove(sha256);
    const shaky = workOf({
      parallel: 1,
      answer: ({ from }) => {
        if (from % 20 === 0) throw new ServiceError('server', { status: 500 });
      },
    });
    await assert.rejects(translatePieces(shaky.work, never), { kind: 'server' });
    assert.deepEqual([shaky.asked.length, shaky.came.length], [12, 5]);
  });

  it('ends where piece after piece fails alike', async () => {
    const { work, asked } = workOf({
      parallel: 1,
      answer: () => {
        throw new ServiceError('server', { status: 500 });
      },
    });
    await assert.rejects(translatePieces(work, never), { kind: 'server' });
    assert.equal(asked.length, 2);
  });

  it('sends nothing while the service asks to wait, and says until when', async () => {
    const wait = 12 * 60_000;
    let isHeld = true;
    const { work, asked, progress, clock } = workOf({
      answer: () => {
        if (isHeld) throw new ServiceError('rate-limit', { status: 429, retryAfterMs: wait });
      },
    });
    const until = clock.now() + wait;
    const running = translatePieces(work, never);
    await untilAsleep(clock, 3);
    await clock.advance(wait - 1);
    assert.equal(asked.length, 3, 'those that were on their way together');
    assert.equal(progress.at(-1)?.waitsUntil, until);
    assert.equal(progress.at(-1)?.isWaitAsked, true);
    isHeld = false;
    await clock.advance(1);
    assert.deepEqual(textsOf(await running), everyTen);
    assert.equal(asked.length, 13);
  });

  it('ends where the service asks to wait again and again, or for longer than an hour', async () => {
    const refused = (retryAfterMs: number) =>
      workOf({
        parallel: 1,
        answer: () => {
          throw new ServiceError('rate-limit', { status: 429, retryAfterMs });
        },
      });
    const { work, asked, clock } = refused(60_000);
    const failing = assert.rejects(translatePieces(work, never), { kind: 'rate-limit' });
    for (let at = 0; at < 3; at++) {
      await untilAsleep(clock, 1);
      await clock.advance(60_000);
    }
    await failing;
    assert.equal(asked.length, 4);
    const day = refused(longestWaitMs + 1);
    await assert.rejects(translatePieces(day.work, never), { kind: 'rate-limit' });
    assert.equal(day.asked.length, 1);
  });

  it('is cancelled while the service asks to wait', async () => {
    const stop = new AbortController();
    const { work, clock } = workOf({
      answer: () => {
        throw new ServiceError('overloaded', { status: 503, retryAfterMs: 600_000 });
      },
    });
    const running = assert.rejects(translatePieces(work, stop.signal), { kind: 'cancelled' });
    await untilAsleep(clock, 3);
    stop.abort();
    await running;
    assert.equal(clock.sleeping, 0);
  });

  it('goes on with the prompt that it was begun with', async () => {
    const stop = new AbortController();
    const first = workOf({ prompt: 'Anna', answer: (_, index) => (index === 4 ? stop.abort() : undefined) });
    await assert.rejects(translatePieces(first.work, stop.signal), { kind: 'cancelled' });
    const { work, asked } = workOf({ prompt: 'Anna, Boris' });
    assert.deepEqual(textsOf(await translatePieces(work, never)), everyTen);
    assert.equal(asked.length, 10 - first.came.length);
    assert.ok(asked.every(({ prompt }) => prompt === 'Anna'));
  });

  it('is cut smaller where the service takes less, once that is known', async () => {
    const most = 4 * rate + envelopeBytes;
    const tooLarge = ({ size }: Asked): void => {
      if (size + envelopeBytes > most)
        throw new ServiceError('too-large', { status: 413, message: `at most ${most} bytes` });
    };
    const { work, asked, came, limit } = workOf({ answer: tooLarge, parallel: 1 });
    const pieces = (await translatePieces(work, never)) ?? [];
    assert.equal(limit.bytes, most);
    assert.deepEqual([pieces[0]?.start, pieces.at(-1)?.end], [0, 95]);
    for (const [at, { end }] of pieces.slice(0, -1).entries()) assert.equal(pieces[at + 1]?.start, end);
    assert.equal(came.length, pieces.length);
    // The first refusal tells, and the others are cut before they are sent.
    assert.equal(asked.length - came.length, 1);
  });

  it('follows the lowest of the limits it was told, also where a higher one comes late', async () => {
    const { work, limit } = workOf({
      parallel: 2,
      limit: {
        get bytes() {
          return lowest;
        },
        learn(bytes) {
          lowest = Math.min(lowest, bytes);
        },
      },
      async answer({ size, from }) {
        if (size <= 4 * rate) return;
        // The first piece is refused last, when more is known.
        for (let turn = 0; from === 0 && turn < 50; turn++) await new Promise(setImmediate);
        throw new ServiceError('too-large', { status: 413, message: from === 0 ? '' : `limit: ${4 * rate} bytes` });
      },
    });
    let lowest = limit.bytes;
    const pieces = (await translatePieces(work, never)) ?? [];
    assert.equal(lowest, 4 * rate);
    assert.ok(pieces.every(({ from, to }) => (to - from) * rate + envelopeBytes <= 4 * rate));
  });

  it('is cut smaller where the limit is lower than when it was cut first', async () => {
    const stop = new AbortController();
    const first = workOf({ parallel: 1, answer: (_, index) => (index === 2 ? stop.abort() : undefined) });
    await assert.rejects(translatePieces(first.work, stop.signal), { kind: 'cancelled' });
    const { work, asked, limit } = workOf({ parallel: 1 });
    limit.bytes = 5 * rate + envelopeBytes;
    const pieces = (await translatePieces(work, never)) ?? [];
    assert.deepEqual([pieces[0]?.end, pieces[2]?.start, pieces[2]?.end], [10, 20, 25]);
    assert.ok(asked.every(({ from, size }) => from >= 20 && size <= 5 * rate));
  });

  it('asks no piece again for a text before it that came late', async () => {
    const run = (fails: boolean) =>
      workOf({
        parallel: 1,
        answer: ({ from }) => {
          if (fails && from === 20) throw new ServiceError('server', { status: 503 });
        },
      });
    const first = run(true);
    await assert.rejects(translatePieces(first.work, never), { kind: 'server' });
    assert.match(first.asked[1]?.prompt ?? '', /said at 0/);
    const again = run(false);
    await translatePieces(again.work, never);
    assert.deepEqual(
      again.asked.map(({ from }) => from),
      [20],
    );
  });

  it('says so where a service takes nothing', async () => {
    const { work, asked } = workOf({
      answer: () => {
        throw new ServiceError('too-large', { status: 413 });
      },
    });
    await assert.rejects(translatePieces(work, never), { kind: 'too-large' });
    assert.ok(asked.length < 20, `${asked.length} were sent`);
  });

  it('loses no answer of this run where the disk takes none', async () => {
    const { work, asked } = workOf();
    const full = {
      ...work.store,
      savePlan: () => Promise.reject(new Error('ENOSPC')),
      save: () => Promise.reject(new Error('ENOSPC')),
    };
    assert.deepEqual(textsOf(await translatePieces({ ...work, store: full }, never)), everyTen);
    assert.equal(asked.length, 10);
  });

  it('keeps no answer for a piece of a recording that was overwritten meanwhile', async () => {
    const { work, asked } = workOf();
    const overwritten: SplitRecording = {
      ...work.split,
      write: async (piece, path, signal) => ({
        ...(await work.split.write(piece, path, signal)),
        isOriginal: piece.from < 50,
      }),
    };
    await translatePieces({ ...work, split: overwritten }, never);
    asked.length = 0;
    await translatePieces(work, never);
    assert.deepEqual(asked.map(({ from }) => from).toSorted(), [50, 60, 70, 80, 90]);
  });

  it('gives on the text before where it is sent in order', async () => {
    const { work, asked } = workOf({ parallel: 1 });
    await translatePieces(work, never);
    assert.equal(asked[2]?.prompt, 'said at 0 said at 10');
    await store.remove(sha256);
    const beside = workOf();
    await translatePieces(beside.work, never);
    assert.deepEqual([...new Set(beside.asked.map(({ prompt }) => prompt))], ['']);
  });

  it('is left while it is paused, once what is on its way has come back', async () => {
    let isPaused = false;
    const { work, asked, came } = workOf({
      isPaused: () => isPaused,
      answer: () => {
        isPaused = true;
      },
    });
    assert.equal(await translatePieces(work, never), undefined);
    assert.equal(asked.length, 3);
    assert.equal(came.length, 3);
    assert.deepEqual(bytesLeft(), []);
    const again = workOf();
    assert.deepEqual(textsOf(await translatePieces(again.work, never)), everyTen);
    assert.equal(again.asked.length, 7);
  });

  it('is asked anew with another model, another address or other options', async () => {
    await translatePieces(workOf().work, never);
    for (const other of [{ model: 'n' }, { baseUrl: 'https://b.example/v1' }, { options: { temperature: 1 } }]) {
      const { work, asked } = workOf();
      await translatePieces({ ...work, request: { ...work.request, ...other } }, never);
      assert.equal(asked.length, 10);
    }
  });
});

describe('answers for pieces', () => {
  it('are for their user alone, and gone when nobody goes on with them', async () => {
    await translatePieces(workOf().work, never);
    const files = readdirSync(join(folder, sha256));
    assert.ok(files.length === 11);
    for (const name of files) assert.equal(statSync(join(folder, sha256, name)).mode & 0o777, 0o600);
    await store.removeOld(60_000, Date.now());
    assert.ok(existsSync(join(folder, sha256)));
    await store.removeOld(60_000, Date.now() + 120_000);
    assert.ok(!existsSync(join(folder, sha256)));
  });

  it('that are damaged are asked for again', async () => {
    await translatePieces(workOf().work, never);
    const names = readdirSync(join(folder, sha256)).filter((name) => name !== 'plan.json');
    for (const [at, name] of names.entries())
      writeFileSync(join(folder, sha256, name), ['', '{', '{"version":2}', '{"version":1}', 'null'][at % 5] ?? '');
    const { work, asked } = workOf();
    assert.deepEqual(textsOf(await translatePieces(work, never)), everyTen);
    assert.equal(asked.length, 10);
  });
});

describe('the time left', () => {
  it('is told by what was sent in this run, once something came back', () => {
    const progress = { pieces: 4, done: 2, failedAt: [], seconds: 400, bytes: 0, bytesSent: 0 };
    assert.equal(timeLeft({ ...progress, secondsDone: 100, secondsSent: 0 }, 1_000), undefined);
    assert.equal(timeLeft({ ...progress, secondsDone: 200, secondsSent: 100 }, 1_000), 2_000);
  });
});
