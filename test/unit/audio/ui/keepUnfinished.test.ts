import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Memento } from 'vscode';
import type { RunningJob } from '../../../../src/audio/jobs/audioJob.ts';
import { type AudioJobs, createJobs } from '../../../../src/audio/jobs/jobs.ts';
import { keepUnfinished } from '../../../../src/audio/ui/jobs/keepUnfinished.ts';
import { ServiceError } from '../../../../src/base/errors.ts';

const never = new AbortController().signal;

function memoryOf(start?: unknown): Memento & { now(): unknown } {
  let value = start;
  return {
    keys: () => [],
    get: () => value,
    async update(_key: string, next: unknown) {
      value = next === undefined ? undefined : JSON.parse(JSON.stringify(next));
    },
    now: () => value,
  } as unknown as Memento & { now(): unknown };
}

/** The list after a reload of the window. */
function reloaded(memory: Memento): AudioJobs {
  const jobs = createJobs(() => {});
  keepUnfinished(memory, jobs).restore();
  return jobs;
}

/** Lets a job run that ends with what is given. */
const run = (jobs: AudioJobs, path: string, work: (job: RunningJob) => unknown): Promise<unknown> =>
  jobs.run(path, never, async (job) => work(job)).catch(() => undefined);

describe('the list of translations', () => {
  it('is there after a reload: how each recording ended, and what was interrupted', async () => {
    const memory = memoryOf();
    let changed = (): void => {};
    const jobs = createJobs(() => changed());
    const kept = keepUnfinished(memory, jobs);
    changed = kept.save;
    const transcript = { text: 'Said.', segments: undefined };
    await run(jobs, '/r/done.mp3', (job) => {
      job.update({ state: 'sending', missing: { end: 128, promised: 211 } });
      return { transcript };
    });
    await run(jobs, '/r/silent.mp3', () => ({ transcript: { ...transcript, text: '' } }));
    const error = new ServiceError('auth', { status: 401, message: 'x'.repeat(10_000), hint: 'failed.mp3' });
    const progress = { failedAt: [], seconds: 9, secondsDone: 3, secondsSent: 3, bytes: 0, bytesSent: 0 };
    await run(jobs, '/r/failed.mp3', (job) => {
      job.update({ state: 'sending', progress: { ...progress, pieces: 5, done: 3 } });
      return { error };
    });
    jobs.addFailed('/r/empty.mp3', new ServiceError('file-empty', { hint: 'empty.mp3' }));
    void run(jobs, '/r/going.mp3', () => new Promise(() => {}));
    const all = reloaded(memory).all;
    assert.deepEqual(
      all.map(({ fileName, state, result, error, kept, missing }) => [
        ...[fileName, state, result, error?.kind, error?.status, kept, missing],
      ]),
      [
        ['done.mp3', 'done', 'text', undefined, undefined, undefined, { end: 128, promised: 211 }],
        ['silent.mp3', 'done', 'no-speech', undefined, undefined, undefined, undefined],
        ['failed.mp3', 'failed', undefined, 'auth', 401, { done: 3, pieces: 5 }, undefined],
        ['empty.mp3', 'failed', undefined, 'file-empty', undefined, undefined, undefined],
        ['going.mp3', 'interrupted', undefined, undefined, undefined, undefined, undefined],
      ],
    );
    assert.ok((all[2]?.error?.message.length ?? 0) <= 500);
    // What was cleared stays away, and what ends with the window was interrupted.
    jobs.remove();
    assert.deepEqual(
      reloaded(memory).all.map(({ fileName }) => fileName),
      ['going.mp3'],
    );
    kept.dispose();
    jobs.addFailed('/r/late.mp3', new ServiceError('auth'));
    assert.equal(reloaded(memory).all.length, 1);
  });

  it('reads what older versions kept, keeps no more than some, and takes no harm of anything else', () => {
    const old = ['/r/a.mp3', { path: '/r/b.mp3', done: 3, pieces: 5 }, { path: 4 }, { path: '/r/c.mp3', state: 'odd' }];
    assert.deepEqual(
      reloaded(memoryOf(old)).all.map(({ path, state, kept }) => [path, state, kept]),
      [
        ['/r/a.mp3', 'interrupted', undefined],
        ['/r/b.mp3', 'interrupted', { done: 3, pieces: 5 }],
      ],
    );
    const many = Array.from({ length: 5_000 }, (_, i) => ({ path: `/r/${i}.mp3`, state: 'done' }));
    assert.ok(reloaded(memoryOf(many)).all.length <= 200);
    fc.assert(fc.property(fc.anything(), (value) => void reloaded(memoryOf(value))));
    fc.assert(fc.property(fc.array(fc.anything()), (value) => void reloaded(memoryOf(value))));
  });
});
