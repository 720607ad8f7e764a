import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createJobs } from '../../../../src/audio/jobs/jobs.ts';
import { ServiceError } from '../../../../src/base/errors.ts';

const never = new AbortController().signal;

describe('the queue of recordings', () => {
  it('tells of each change, and what a reload would interrupt', () => {
    let changes = 0;
    const jobs = createJobs(() => changes++);
    const [a, b] = [jobs.add('/r/a.mp3', never), jobs.add('/r/b.mp3', never)];
    a.update({ state: 'sending', since: 1 });
    assert.deepEqual(jobs.open, ['/r/a.mp3', '/r/b.mp3']);
    a.end();
    b.end(new ServiceError('server'));
    assert.deepEqual(
      jobs.all.map(({ fileName, state }) => [fileName, state]),
      [
        ['a.mp3', 'done'],
        ['b.mp3', 'failed'],
      ],
    );
    assert.deepEqual(jobs.open, []);
    assert.equal(changes, 5);
  });

  it('has a recording once: a job that goes on, or is paused, gives way to a new one of it', () => {
    const jobs = createJobs(() => {});
    const before = jobs.add('/r/a.mp3', never);
    before.update({ state: 'sending' });
    jobs.pause('/r/a.mp3');
    const after = jobs.add('/r/a.mp3', never);
    assert.deepEqual([before.signal.aborted, after.signal.aborted], [true, false]);
    before.end(new ServiceError('cancelled'));
    assert.deepEqual(
      jobs.all.map(({ state }) => state),
      ['waiting'],
    );
  });

  it('holds what is not sent yet while a job is paused, until it is resumed or cancelled', async () => {
    const jobs = createJobs(() => {});
    const job = jobs.add('/r/a.mp3', never);
    job.update({ state: 'sending' });
    await job.untilGoing(job.signal);
    jobs.pause('/r/a.mp3');
    const held = job.untilGoing(job.signal);
    job.update({ state: 'sending' });
    assert.equal(jobs.all[0]?.state, 'paused');
    jobs.resume('/r/a.mp3');
    await held;
    jobs.pause('/r/a.mp3');
    const given = job.untilGoing(job.signal);
    jobs.cancel('/r/a.mp3');
    await assert.rejects(given, { kind: 'cancelled' });
    await assert.rejects(job.untilGoing(job.signal), { kind: 'cancelled' });
    job.end(new ServiceError('cancelled'));
    assert.equal(jobs.all[0]?.state, 'cancelled');
  });

  it('has one job for a recording, and no longer those that were taken off the list', () => {
    const jobs = createJobs(() => {});
    jobs.addInterrupted(['/r/a.mp3', '/r/b.mp3']);
    assert.deepEqual(jobs.open, ['/r/a.mp3', '/r/b.mp3']);
    const job = jobs.add('/r/a.mp3', never);
    assert.deepEqual(
      jobs.all.map(({ path, state }) => [path, state]),
      [
        ['/r/b.mp3', 'interrupted'],
        ['/r/a.mp3', 'waiting'],
      ],
    );
    jobs.remove('/r/a.mp3');
    assert.equal(jobs.all.length, 2);
    job.end();
    jobs.remove();
    assert.deepEqual(jobs.all, []);
  });

  it('ends once: a job that is done is not cancelled by what comes after', () => {
    const jobs = createJobs(() => {});
    const [done, waiting] = [jobs.add('/r/a.mp3', never), jobs.add('/r/b.mp3', never)];
    done.end();
    for (const job of [done, waiting]) job.end(new ServiceError('cancelled'));
    assert.deepEqual(
      jobs.all.map(({ state }) => state),
      ['done', 'cancelled'],
    );
  });

  it('is bounded', () => {
    const jobs = createJobs(() => {});
    for (let at = 0; at < 1_000; at++) jobs.add(`/r/${at}.mp3`, never).end();
    assert.ok(jobs.all.length <= 101);
  });
});
