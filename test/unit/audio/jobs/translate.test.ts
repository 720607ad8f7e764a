import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { createJobs } from '../../../../src/audio/jobs/jobs.ts';
import { type Batch, prepare, type TranslationOutcome, translateBatch } from '../../../../src/audio/jobs/translate.ts';
import { createJournal, type Journal } from '../../../../src/audio/transcript/journal.ts';
import { ServiceError } from '../../../../src/base/errors.ts';
import { createTaskQueue } from '../../../../src/base/taskQueue.ts';

const never = new AbortController().signal;

let folder: string;
let journal: Journal;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-batch-'));
  journal = createJournal(join(folder, 'translations'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The recordings of a window, and the batches that translate them. */
function openWindow() {
  const parts = { jobs: createJobs<TranslationOutcome>(() => {}), turns: createTaskQueue() };
  return {
    jobs: parts.jobs,
    async translate(names: string[], more: Partial<Batch> = {}, signal = never): Promise<TranslationOutcome[]> {
      const paths = names.map((name) => join(folder, name));
      for (const path of paths) writeFileSync(path, `fLaC${path}`);
      const candidates = await Promise.all(paths.map((path) => prepare(path, journal, never)));
      return translateBatch(
        {
          ...parts,
          candidates,
          journal,
          model: 'a-model',
          send: async ({ fileName }) => ({ text: fileName, segments: undefined }),
          onSaved: () => {},
          report: () => {},
          reportWait: () => {},
          now: () => 0,
          ...more,
        },
        signal,
      );
    },
  };
}

const saidIn = (outcomes: readonly TranslationOutcome[]): string[] =>
  outcomes.map((outcome) => ('transcript' in outcome ? outcome.transcript.text : outcome.error.kind));

describe('recordings of a window', () => {
  it('go on while one of them is paused, whose lock is free by then', async () => {
    const { jobs, translate } = openWindow();
    const path = join(folder, 'a.flac');
    const sent: string[] = [];
    const outcomes = await translate(['a.flac', 'b.flac'], {
      async send({ fileName }, sha256, job) {
        sent.push(fileName);
        if (sent.length === 1) {
          jobs.pause(path);
          return undefined;
        }
        if (sent.length === 2) {
          assert.equal(jobs.all.find((each) => each.path === path)?.state, 'paused');
          jobs.resume(path);
        }
        if (job.isPaused()) return undefined;
        assert.match(sha256, /^[0-9a-f]{64}$/);
        return { text: fileName, segments: undefined };
      },
    });
    assert.deepEqual(sent, ['a.flac', 'b.flac', 'a.flac']);
    assert.deepEqual(saidIn(outcomes), ['a.flac', 'b.flac']);
  });

  it('that are paused hold no lock: another window may translate them, whose text is taken then', async () => {
    const [here, there] = [openWindow(), openWindow()];
    const path = join(folder, 'a.flac');
    let sentHere = 0;
    let paused: () => void = () => {};
    const isPaused = new Promise<void>((resolve) => {
      paused = resolve;
    });
    const running = here.translate(['a.flac'], {
      send: async () => {
        sentHere++;
        here.jobs.pause(path);
        paused();
        return undefined;
      },
    });
    await isPaused;
    await there.translate(['a.flac'], {
      send: async () => ({ text: 'Said there.', segments: undefined }),
      now: () => 1,
    });
    here.jobs.resume(path);
    assert.deepEqual(saidIn(await running), ['Said there.']);
    assert.equal(sentHere, 1);
  });

  it('are shown as waiting where they are paused and resumed before their turn', async () => {
    const { jobs, translate } = openWindow();
    const path = join(folder, 'b.flac');
    const states: (string | undefined)[] = [];
    const stateOf = () => jobs.all.find((each) => each.path === path)?.state;
    await translate(['a.flac', 'b.flac'], {
      async send({ fileName }) {
        if (fileName === 'a.flac') {
          jobs.pause(path);
          states.push(stateOf());
          jobs.resume(path);
          states.push(stateOf());
        }
        return { text: fileName, segments: undefined };
      },
    });
    assert.deepEqual(states, ['paused', 'waiting']);
  });

  it('are sent once for all who ask for them meanwhile, and one of these who leaves stops no other', async () => {
    const { translate } = openWindow();
    let sent = 0;
    let answer: () => void = () => {};
    const send: Batch['send'] = (_recording, _sha256, { signal }) => {
      sent++;
      return new Promise((resolve, reject) => {
        answer = () => resolve({ text: 'Once.', segments: undefined });
        signal.addEventListener('abort', () => reject(new ServiceError('cancelled')));
      });
    };
    const first = translate(['a.flac'], { send });
    while (sent === 0) await new Promise(setImmediate);
    const stop = new AbortController();
    let joined = 0;
    const reportWait: Batch['reportWait'] = (_recording, of) => {
      if (of === 'same') joined++;
    };
    const second = translate(['a.flac'], { send, reportWait });
    const third = translate(['a.flac'], { send, reportWait }, stop.signal);
    while (joined < 2) await new Promise(setImmediate);
    stop.abort();
    assert.deepEqual(await third, []);
    answer();
    assert.deepEqual([saidIn(await first), saidIn(await second)], [['Once.'], ['Once.']]);
    assert.equal(sent, 1);
  });

  it('are not sent to a service that asked to wait for longer than it is waited for', async () => {
    let sent = 0;
    const outcomes = await openWindow().translate(['a.flac', 'b.flac', 'c.flac'], {
      send: async () => {
        sent++;
        throw new ServiceError('rate-limit', { status: 429, retryAfterMs: 7_200_000 });
      },
    });
    assert.equal(sent, 1);
    assert.deepEqual(saidIn(outcomes), ['rate-limit', 'rate-limit', 'rate-limit']);
  });
});
