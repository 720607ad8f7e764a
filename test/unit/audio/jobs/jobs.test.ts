import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isEnded, type RunningJob } from '../../../../src/audio/jobs/audioJob.ts';
import { type AudioJobs, createJobs } from '../../../../src/audio/jobs/jobs.ts';
import { ServiceError } from '../../../../src/base/errors.ts';
import { transcriptWith } from '../segments.ts';

const never = new AbortController().signal;

interface Outcome {
  error?: ServiceError;
}

/** A job whose work ends when it is told to, or cancelled. */
function begin(jobs: AudioJobs<Outcome>, path: string, signal = never) {
  let job: RunningJob | undefined;
  let end: (outcome: Outcome) => void = () => {};
  const outcome = jobs.run(path, signal, (running) => {
    job = running;
    return new Promise<Outcome>((resolve) => {
      end = resolve;
      running.signal.addEventListener('abort', () => resolve({ error: new ServiceError('cancelled') }));
    });
  });
  return {
    outcome,
    get job() {
      return job ?? assert.fail('the work was not begun');
    },
    get hasBegun() {
      return job !== undefined;
    },
    async end(outcome: Outcome = {}) {
      end(outcome);
      await this.outcome;
    },
  };
}

const statesOf = (jobs: AudioJobs<Outcome>): string[] => jobs.all.map(({ state }) => state);

const openIn = (jobs: AudioJobs<Outcome>): string[] => jobs.all.filter((job) => !isEnded(job)).map(({ path }) => path);

describe('the queue of recordings', () => {
  it('tells of each change, and what a reload would interrupt', async () => {
    let changes = 0;
    const jobs = createJobs<Outcome>(() => changes++);
    const [a, b] = [begin(jobs, '/r/a.mp3'), begin(jobs, '/r/b.mp3')];
    a.job.update({ state: 'sending', since: 1 });
    assert.deepEqual(openIn(jobs), ['/r/a.mp3', '/r/b.mp3']);
    await a.end();
    await b.end({ error: new ServiceError('server') });
    assert.deepEqual(
      jobs.all.map(({ fileName, state }) => [fileName, state]),
      [
        ['a.mp3', 'done'],
        ['b.mp3', 'failed'],
      ],
    );
    assert.deepEqual(openIn(jobs), []);
    assert.equal(changes, 5);
  });

  it('tells what came of a recording: text, no speech, or words in another language', async () => {
    const jobs = createJobs<Outcome>(() => {});
    const results = async (outcome: object): Promise<unknown> => {
      await begin(jobs, '/r/a.mp3').end(outcome);
      return jobs.all.at(-1)?.result;
    };
    assert.equal(await results({ transcript: transcriptWith({ text: 'Hello.' }) }), 'text');
    for (const text of ['', '[BLANK_AUDIO]', '(Musik) [Musik]'])
      assert.equal(await results({ transcript: transcriptWith({ text }) }), 'no-speech');
    assert.equal(await results({ transcript: transcriptWith({ text: '[Anna]: hello' }) }), 'text');
    const untranslated = { language: 'german' };
    assert.equal(await results({ transcript: transcriptWith({ text: 'Hallo.', untranslated }) }), 'untranslated');
    assert.equal(await results({ error: new ServiceError('server') }), undefined);
  });

  it('lists what failed before it had a job, but for one that is on its way', async () => {
    const jobs = createJobs<Outcome>(() => {});
    const error = new ServiceError('not-audio', { hint: 'a.mp3' });
    const job = begin(jobs, '/r/a.mp3');
    for (const path of ['/r/a.mp3', '/r/b.mp3']) jobs.addFailed(path, error);
    assert.deepEqual(
      jobs.all.map(({ state, error: met }) => [state, met]),
      [
        ['waiting', undefined],
        ['failed', error],
      ],
    );
    await job.end();
  });

  it('has a recording once: who asks for one that is on its way, or paused, gets what comes of it', async () => {
    const jobs = createJobs<Outcome>(() => {});
    const first = begin(jobs, '/r/a.mp3');
    first.job.update({ state: 'sending' });
    jobs.pause('/r/a.mp3');
    const second = begin(jobs, '/r/a.mp3');
    assert.deepEqual([second.hasBegun, first.job.signal.aborted], [false, false]);
    assert.deepEqual(statesOf(jobs), ['paused']);
    const outcome = {};
    await first.end(outcome);
    assert.equal(await second.outcome, outcome);
    const third = begin(jobs, '/r/a.mp3');
    assert.ok(third.hasBegun, 'one that is over is begun anew');
  });

  it('goes on while somebody wants what comes of it', async () => {
    const jobs = createJobs<Outcome>(() => {});
    const [one, two] = [new AbortController(), new AbortController()];
    const [first, second] = [begin(jobs, '/r/a.mp3', one.signal), begin(jobs, '/r/a.mp3', two.signal)];
    one.abort();
    await assert.rejects(first.outcome, { kind: 'cancelled' });
    assert.equal(first.job.signal.aborted, false);
    two.abort();
    assert.equal((await second.outcome).error?.kind, 'cancelled');
    assert.deepEqual(statesOf(jobs), ['cancelled']);
  });

  it('begins one anew that is being cancelled', async () => {
    const jobs = createJobs<Outcome>(() => {});
    const first = begin(jobs, '/r/a.mp3');
    jobs.cancel('/r/a.mp3');
    const second = begin(jobs, '/r/a.mp3');
    assert.equal((await first.outcome).error?.kind, 'cancelled');
    await new Promise(setImmediate);
    assert.ok(second.hasBegun);
  });

  it('holds what is not sent yet while a job is paused, until it is resumed or cancelled', async () => {
    const jobs = createJobs<Outcome>(() => {});
    const { job, outcome } = begin(jobs, '/r/a.mp3');
    job.update({ state: 'sending' });
    await job.untilGoing();
    jobs.pause('/r/a.mp3');
    assert.ok(job.isPaused());
    const held = job.untilGoing();
    job.update({ state: 'sending' });
    assert.deepEqual(statesOf(jobs), ['paused']);
    jobs.resume('/r/a.mp3');
    await held;
    assert.ok(!job.isPaused());
    jobs.pause('/r/a.mp3');
    const given = job.untilGoing();
    jobs.cancel('/r/a.mp3');
    await assert.rejects(given, { kind: 'cancelled' });
    await assert.rejects(job.untilGoing(), { kind: 'cancelled' });
    await outcome;
    assert.deepEqual(statesOf(jobs), ['cancelled']);
  });

  it('shows a job that is resumed as it is beneath the pause', () => {
    const jobs = createJobs<Outcome>(() => {});
    const { job } = begin(jobs, '/r/a.mp3');
    jobs.pause('/r/a.mp3');
    jobs.resume('/r/a.mp3');
    assert.deepEqual(statesOf(jobs), ['waiting']);
    job.update({ state: 'cutting' });
    jobs.pause('/r/a.mp3');
    job.update({ state: 'sending' });
    jobs.resume('/r/a.mp3');
    assert.deepEqual(statesOf(jobs), ['sending']);
  });

  it('has one job for a recording, and no longer those that were taken off the list', async () => {
    const jobs = createJobs<Outcome>(() => {});
    jobs.addEnded(['/r/a.mp3', '/r/b.mp3'].map((path) => ({ path, state: 'interrupted' })));
    const a = begin(jobs, '/r/a.mp3');
    assert.deepEqual(
      jobs.all.map(({ path, state }) => [path, state]),
      [
        ['/r/b.mp3', 'interrupted'],
        ['/r/a.mp3', 'waiting'],
      ],
    );
    jobs.remove('/r/a.mp3');
    assert.equal(jobs.all.length, 2);
    await a.end();
    jobs.remove();
    assert.deepEqual(jobs.all, []);
  });

  it('ends once: a job that is done is not cancelled by what comes after', async () => {
    const jobs = createJobs<Outcome>(() => {});
    const stop = new AbortController();
    const [done, waiting] = [begin(jobs, '/r/a.mp3', stop.signal), begin(jobs, '/r/b.mp3', stop.signal)];
    await done.end();
    stop.abort();
    await waiting.outcome;
    assert.deepEqual(statesOf(jobs), ['done', 'cancelled']);
  });

  it('is failed where the work ends with an error of its own', async () => {
    const jobs = createJobs<Outcome>(() => {});
    await assert.rejects(
      jobs.run('/r/a.mp3', never, () => Promise.reject(new Error('a defect'))),
      /a defect/,
    );
    assert.deepEqual(statesOf(jobs), ['failed']);
  });

  it('is bounded', async () => {
    const jobs = createJobs<Outcome>(() => {});
    for (let at = 0; at < 1_000; at++) await jobs.run(`/r/${at}.mp3`, never, async () => ({}));
    assert.ok(jobs.all.length <= 101);
  });
});
