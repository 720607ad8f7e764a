import type { ServiceError } from '../../base/errors.ts';
import {
  type AudioJob,
  createJobEntry,
  type EndedJob,
  isEnded,
  type JobEntry,
  type JobState,
  type RunningJob,
} from './audioJob.ts';

/** The jobs of a window. A recording has one at most; once it is over, another one takes its place. */
export interface AudioJobs<T = unknown> {
  readonly all: readonly AudioJob[];
  /** Whether a job of this recording goes on, which `run` would join. */
  isRunning(path: string): boolean;
  /**
   * Does the work on a recording, or joins the job of it that goes on: what is on its way is not sent twice. A job ends as what it gave
   * says: with the `error` in it, or well.
   * @param signal leaves the job; it is cancelled when all have left
   * @throws ServiceError `cancelled`, when others stay in the job that was left
   */
  run(path: string, signal: AbortSignal, work: (job: RunningJob) => Promise<T>): Promise<T>;
  /** Lists recordings as they were before the window was loaded anew: all that are over. */
  addEnded(jobs: readonly EndedJob[]): void;
  /** Lists a recording that failed before it had a job. */
  addFailed(path: string, error: ServiceError): void;
  pause(path: string): void;
  resume(path: string): void;
  cancel(path: string): void;
  /** Takes jobs that are over off the list. @param path of one; without it, all */
  remove(path?: string): void;
}

/** Jobs that are over and still listed; older ones go. */
const mostEnded = 100;

/** @param onChange called when a job comes, goes, or is another now */
export function createJobs<T = unknown>(onChange: () => void): AudioJobs<T> {
  const entries = new Map<string, JobEntry<T>>();

  /** @param path of a recording that has no job, or one that is over */
  function list(path: string, state: JobState, given?: Omit<EndedJob, 'path' | 'state'>): JobEntry<T> {
    const entry = createJobEntry<T>(path, state, onChange, given);
    // The newest stands last.
    entries.delete(path);
    entries.set(path, entry);
    const over = [...entries.values()].filter(({ job }) => isEnded(job));
    for (const { job } of over.slice(0, -mostEnded)) entries.delete(job.path);
    return entry;
  }

  function running(path: string): JobEntry<T> | undefined {
    const entry = entries.get(path);
    return entry === undefined || isEnded(entry.job) ? undefined : entry;
  }

  return {
    get all() {
      return [...entries.values()].map(({ job }) => job);
    },
    isRunning: (path) => running(path) !== undefined,
    async run(path, signal, work) {
      const before = running(path);
      // One that is being cancelled is waited for, and its place taken.
      if (before?.isCancelled) await Promise.allSettled([before.outcome]);
      const entry = running(path) ?? list(path, 'waiting');
      return entry.join(signal, work);
    },
    addEnded(jobs) {
      for (const { path, state, ...given } of jobs) if (!entries.has(path)) list(path, state, given);
      onChange();
    },
    addFailed(path, error) {
      if (running(path) === undefined) list(path, 'failed', { error });
      onChange();
    },
    pause: (path) => running(path)?.pause(),
    resume: (path) => running(path)?.resume(),
    cancel: (path) => entries.get(path)?.cancel(),
    remove(path) {
      for (const [key, { job }] of entries)
        if (isEnded(job) && (path === undefined || path === key)) entries.delete(key);
      onChange();
    },
  };
}
