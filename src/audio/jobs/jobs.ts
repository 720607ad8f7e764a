import type { ServiceError } from '../../base/errors.ts';
import {
  type AudioJob,
  createJobEntry,
  type EndedJob,
  isEnded,
  type JobEntry,
  type JobState,
  keyOf,
  type RunningJob,
} from './audioJob.ts';

/**
 * The jobs of a window, by their keys (audioJob.ts). A recording has one at most for each task; once it is over, another one takes its place.
 */
export interface AudioJobs<T = unknown> {
  readonly all: readonly AudioJob[];
  /** Whether a job of this recording goes on, which `run` would join. */
  isRunning(key: string): boolean;
  /**
   * Does the work on a recording, or joins the job of it that goes on: what is on its way is not sent twice. A job ends as what it gave
   * says: with the `error` in it, or well.
   * @param signal leaves the job; it is cancelled when all have left
   * @throws ServiceError `cancelled`, when others stay in the job that was left
   */
  run(key: string, signal: AbortSignal, work: (job: RunningJob) => Promise<T>): Promise<T>;
  /** Lists recordings as they were before the window was loaded anew: all that are over. */
  addEnded(jobs: readonly EndedJob[]): void;
  /** Lists a recording that failed before it had a job. */
  addFailed(key: string, error: ServiceError): void;
  pause(key: string): void;
  resume(key: string): void;
  cancel(key: string): void;
  /** Takes jobs that are over off the list. @param key of one; without it, all */
  remove(key?: string): void;
}

/** Jobs that are over and still listed; older ones go. */
const mostEnded = 100;

/** @param onChange called when a job comes, goes, or is another now */
export function createJobs<T = unknown>(onChange: () => void): AudioJobs<T> {
  const entries = new Map<string, JobEntry<T>>();

  /** @param key of a recording that has no job, or one that is over */
  function list(key: string, state: JobState, given?: Omit<EndedJob, 'path' | 'task' | 'state'>): JobEntry<T> {
    const entry = createJobEntry<T>(key, state, onChange, given);
    // The newest stands last.
    entries.delete(key);
    entries.set(key, entry);
    const over = [...entries.values()].filter(({ job }) => isEnded(job));
    for (const { job } of over.slice(0, -mostEnded)) entries.delete(keyOf(job));
    return entry;
  }

  function running(key: string): JobEntry<T> | undefined {
    const entry = entries.get(key);
    return entry === undefined || isEnded(entry.job) ? undefined : entry;
  }

  return {
    get all() {
      return [...entries.values()].map(({ job }) => job);
    },
    isRunning: (key) => running(key) !== undefined,
    async run(key, signal, work) {
      const before = running(key);
      // One that is being cancelled is waited for, and its place taken.
      if (before?.isCancelled) await Promise.allSettled([before.outcome]);
      const entry = running(key) ?? list(key, 'waiting');
      return entry.join(signal, work);
    },
    addEnded(jobs) {
      for (const { path, task, state, ...given } of jobs) {
        const key = keyOf({ path, task });
        if (!entries.has(key)) list(key, state, given);
      }
      onChange();
    },
    addFailed(key, error) {
      if (running(key) === undefined) list(key, 'failed', { error });
      onChange();
    },
    pause: (key) => running(key)?.pause(),
    resume: (key) => running(key)?.resume(),
    cancel: (key) => entries.get(key)?.cancel(),
    remove(key) {
      for (const [each, { job }] of entries)
        if (isEnded(job) && (key === undefined || key === each)) entries.delete(each);
      onChange();
    },
  };
}
