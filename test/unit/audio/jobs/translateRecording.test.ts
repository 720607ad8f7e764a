import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { createJobs } from '../../../../src/audio/jobs/jobs.ts';
import { createPieceStore } from '../../../../src/audio/jobs/pieceStore.ts';
import type { RecordingWork } from '../../../../src/audio/jobs/sending/sendingWork.ts';
import { createServiceWait } from '../../../../src/audio/jobs/serviceWait.ts';
import { translateRecording } from '../../../../src/audio/jobs/translateRecording.ts';
import { buildTranslationPrompt } from '../../../../src/audio/prompt/translationPrompt.ts';
import type { Recording } from '../../../../src/audio/recording/recording.ts';
import { ServiceError } from '../../../../src/base/errors.ts';
import type { Translation } from '../../../../src/service/audio/audio.ts';
import { createFakeClock } from '../../../support/fakeClock.ts';
import { proveAlone } from '../../../support/proveAlone.ts';

const MB = 1024 ** 2;
const sha256 = 'b'.repeat(64);
const never = new AbortController().signal;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-recording-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function recordingOf(size: number, name: Recording['format']['name'] = 'mp3'): Recording {
  const format = { name, contentType: `audio/${name}`, playerType: `audio/${name}` };
  return { path: '/r/a.mp3', fileName: 'a.mp3', size, mtimeMs: 0, change: '', stamp: '', format };
}

/** A service that takes requests of so many bytes, and the work that asks it; pieces are as large as they may be. */
function workOf(most: number, isAlone = true) {
  const sent: { path: string; bytes: number }[] = [];
  const sizes = new Map<string, number>();
  const clock = createFakeClock();
  const limit = {
    bytes: 25 * MB,
    learn(bytes: number) {
      limit.bytes = bytes;
    },
  };
  let closed = 0;
  const work: RecordingWork = {
    store: createPieceStore(folder),
    limit,
    request: { baseUrl: 'https://a.example/v1', model: 'm', options: {} },
    parallel: 2,
    wait: createServiceWait(clock),
    promptFor: async () => buildTranslationPrompt({ instruction: 'names', glossary: [] }),
    carryOver: (prompt) => prompt,
    async send({ path }) {
      const bytes = sizes.get(path) ?? 0;
      sent.push({ path, bytes });
      if (bytes > most) throw new ServiceError('too-large', { status: 413 });
      return { text: 'said', segments: undefined };
    },
    openSplit: async ({ size }) => ({
      durationSeconds: size / MB,
      soundBytes: size,
      hasPictures: !isAlone,
      async plan(mostBytes, _signal, { start, end }: { start: number; end: number } = { start: 0, end: size / MB }) {
        const count = Math.ceil(((end - start) * MB) / mostBytes);
        const each = (end - start) / count;
        return Array.from({ length: count }, (_, at) => {
          const [from, to] = [start + at * each, start + (at + 1) * each];
          return { start: from, end: to, from, to, index: 0, startsQuiet: true, endsQuiet: true };
        });
      },
      async write({ from, to }, path) {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, '');
        sizes.set(path, (to - from) * MB);
        return { contentType: 'audio/mpeg', bytes: (to - from) * MB, isOriginal: true };
      },
      close: async () => {
        closed++;
      },
    }),
    proveAlone: proveAlone(isAlone),
    merge: async (pieces) => ({
      text: pieces.map(({ translation }) => translation.text).join(' '),
      segments: undefined,
    }),
    now: clock.now,
  };
  return { work, sent, limit, sizes, clock, closed: () => closed };
}

async function run(recording: Recording, work: RecordingWork, signal = never) {
  const jobs = createJobs<Translation | undefined>(() => {});
  const translation = await jobs.run(recording.path, signal, (job) => translateRecording(recording, sha256, work, job));
  return translation ?? assert.fail('it is paused');
}

describe('a recording', () => {
  it('that the service takes is sent as it is', async () => {
    const { work, sent, sizes } = workOf(25 * MB);
    sizes.set('/r/a.mp3', 20 * MB);
    assert.equal((await run(recordingOf(20 * MB), work)).text, 'said');
    assert.deepEqual(sent, [{ path: '/r/a.mp3', bytes: 20 * MB }]);
  });

  it('that was sent as it is has its answer on the disk in the turn in which it came, and is not sent again', async () => {
    const { work, sent } = workOf(25 * MB);
    let inTurn: readonly string[] = [];
    const answering: RecordingWork = {
      ...work,
      async send(...given) {
        const answer = await work.send(...given);
        setImmediate(() => {
          inTurn = readdirSync(join(folder, sha256));
        });
        return answer;
      },
    };
    assert.equal((await run(recordingOf(2 * MB), answering)).text, 'said');
    assert.equal(inTurn.filter((name) => name.endsWith('.json')).length, 1);
    assert.equal((await run(recordingOf(2 * MB), answering)).text, 'said');
    assert.equal(sent.length, 1);
    // Another prompt asks for another text.
    const prompted = async () => buildTranslationPrompt({ instruction: 'harbours', glossary: [] });
    await run(recordingOf(2 * MB), { ...answering, promptFor: prompted });
    assert.equal(sent.length, 2);
  });

  it('that was changed while it was sent keeps no answer: whose it is cannot be told', async () => {
    const { work, sent } = workOf(25 * MB);
    const path = join(folder, 'a.mp3');
    writeFileSync(path, 'changed');
    const recording = { ...recordingOf(2 * MB), path };
    await run(recording, work);
    await run(recording, work);
    assert.equal(sent.length, 2);
  });

  it('waits for a service that asks for it before it is sent again', async () => {
    const { work, sent, clock } = workOf(25 * MB);
    let refusals = 0;
    let refused = (): void => {};
    const untilRefused = new Promise<void>((resolve) => {
      refused = resolve;
    });
    const refusing: RecordingWork = {
      ...work,
      send(...given) {
        if (refusals++ > 0) return work.send(...given);
        refused();
        throw new ServiceError('rate-limit', { status: 429, retryAfterMs: 600_000 });
      },
    };
    const running = run(recordingOf(2 * MB), refusing);
    await untilRefused;
    await clock.advance(599_999);
    assert.deepEqual([refusals, sent.length], [1, 0]);
    await clock.advance(1);
    assert.equal((await running).text, 'said');
  });

  it('quirk 47: that is too large is not tried whole', async () => {
    const { work, sent, closed } = workOf(25 * MB);
    assert.equal((await run(recordingOf(60 * MB), work)).text, 'said said said');
    assert.ok(sent.every(({ path }) => path !== '/r/a.mp3'));
    assert.equal(closed(), 1);
  });

  it('quirk 47: that the service refuses as too large is cut, and the limit is learned', async () => {
    const { work, sent, sizes, limit } = workOf(6 * MB);
    sizes.set('/r/a.mp3', 20 * MB);
    await run(recordingOf(20 * MB), work);
    assert.equal(sent[0]?.path, '/r/a.mp3');
    assert.ok(limit.bytes < 6 * MB);
    assert.ok(sent.filter(({ bytes }) => bytes <= 6 * MB).length >= 4);
  });

  it('quirk 47: whose connection breaks while it is sent goes in pieces, once', async () => {
    for (const sentBefore of [3 * MB, 20 * MB]) {
      const { work, sent, limit } = workOf(25 * MB);
      await work.store.remove(sha256);
      const breaking: RecordingWork = {
        ...work,
        async send(file, signal, events) {
          if (file.path !== '/r/a.mp3') return work.send(file, signal, events);
          events.onSent(sentBefore, 20 * MB);
          throw new ServiceError('reset');
        },
      };
      const running = run(recordingOf(20 * MB), breaking);
      // Where all of it was sent, it may have been taken.
      if (sentBefore === 20 * MB) await assert.rejects(running, { kind: 'reset' });
      else await running;
      assert.equal(sent.length, sentBefore === 20 * MB ? 0 : 2);
      assert.equal(limit.bytes, 25 * MB, 'nothing is learned from it');
    }
  });

  it('that is not known to be sound alone gives the service its sound alone', async () => {
    const withPictures = workOf(25 * MB, false);
    await run(recordingOf(2 * MB), withPictures.work);
    assert.equal(withPictures.sent.length, 1);
    assert.notEqual(withPictures.sent[0]?.path, '/r/a.mp3');
  });

  it('that cannot be looked through is not sent, and says why', async () => {
    const { work, sent } = workOf(25 * MB);
    const proving: RecordingWork = {
      ...work,
      proveAlone: () => Promise.reject(new ServiceError('not-audio', { param: 'none' })),
    };
    await assert.rejects(run(recordingOf(2 * MB), proving), { kind: 'not-audio', param: 'none' });
    assert.deepEqual(sent, []);
  });

  it('that became another one after it was looked through goes by its sound', async () => {
    const { work, sent } = workOf(25 * MB);
    const path = join(folder, 'a.mp3');
    writeFileSync(path, 'as it was');
    const changing: RecordingWork = {
      ...work,
      async proveAlone(...given) {
        const alone = await work.proveAlone(...given);
        writeFileSync(path, 'a film by now');
        return alone;
      },
    };
    await run({ ...recordingOf(2 * MB), path }, changing);
    assert.equal(sent.length, 1);
    assert.notEqual(sent[0]?.path, path);
  });

  it('of several tracks keeps the texts of each apart, and goes on with the one it was begun with', async () => {
    const { work, sent } = workOf(25 * MB, false);
    let chosen: number | undefined = 1;
    const asked: (number | undefined)[] = [];
    const tracked: RecordingWork = {
      ...work,
      chosenTrack: () => chosen,
      async openSplit(recording, signal, track) {
        asked.push(track);
        return { ...(await work.openSplit(recording, signal)), track: track ?? 3 };
      },
    };
    await run(recordingOf(2 * MB), tracked);
    await run(recordingOf(2 * MB), tracked);
    assert.equal(sent.length, 1);
    chosen = 2;
    await run(recordingOf(2 * MB), tracked);
    assert.equal(sent.length, 2);
    // In another window nobody chose one.
    chosen = undefined;
    await run(recordingOf(2 * MB), tracked);
    assert.deepEqual([sent.length, asked], [2, [1, 1, 2, 2]]);
  });

  it('of a kind that services do not take is put into another container', async () => {
    const { work, sent } = workOf(25 * MB);
    await run(recordingOf(2 * MB, 'aac'), work);
    assert.equal(sent.length, 1);
    assert.notEqual(sent[0]?.path, '/r/a.mp3');
  });

  it('is closed where a piece fails, or it is cancelled', async () => {
    const failing = workOf(0);
    await assert.rejects(run(recordingOf(60 * MB), failing.work), { kind: 'too-large' });
    assert.equal(failing.closed(), 1);
    const { work, sent } = workOf(25 * MB);
    await assert.rejects(run(recordingOf(60 * MB), work, AbortSignal.abort()), { kind: 'cancelled' });
    assert.deepEqual(sent, []);
  });
});
