import { basename } from 'node:path';
import { isCancelled, ServiceError } from '../../base/errors.ts';
import type { PieceProgress } from './pieces.ts';

/** `interrupted`: it was not done when its window was closed. */
export type JobState = 'waiting' | 'cutting' | 'sending' | 'paused' | 'done' | 'failed' | 'cancelled' | 'interrupted';

/** The translation of one recording, as the queue shows it. */
export interface AudioJob {
  readonly path: string;
  readonly fileName: string;
  readonly state: JobState;
  readonly progress?: PieceProgress;
  /** When it was sent first, in milliseconds since 1970. */
  readonly since?: number;
  readonly error?: ServiceError;
}

/** A job for those who do its work. */
export interface RunningJob {
  /** Fires when the user cancels this job, or nobody wants it any more. */
  readonly signal: AbortSignal;
  update(change: Pick<AudioJob, 'state'> & Partial<Pick<AudioJob, 'progress' | 'since'>>): void;
  isPaused(): boolean;
  /** Resolves at once, or when a pause ends. @throws ServiceError `cancelled` */
  untilGoing(): Promise<void>;
}

/** The jobs of a window. A recording has one at most; once it is over, another one takes its place. */
export interface AudioJobs<T = unknown> {
  readonly all: readonly AudioJob[];
  /** Paths of recordings that are not done: what a reload of the window would interrupt. */
  readonly open: readonly string[];
  /** Whether a job of this recording goes on, which `run` would join. */
  isRunning(path: string): boolean;
  /**
   * Does the work on a recording, or joins the job of it that goes on: what is on its way is not sent twice. A job ends as what it gave
   * says: with the `error` in it, or well.
   * @param signal leaves the job; it is cancelled when all have left
   * @throws ServiceError `cancelled`, when others stay in the job that was left
   */
  run(path: string, signal: AbortSignal, work: (job: RunningJob) => Promise<T>): Promise<T>;
  /** Lists recordings that were interrupted. */
  addInterrupted(paths: readonly string[]): void;
  pause(path: string): void;
  resume(path: string): void;
  cancel(path: string): void;
  /** Takes jobs that are over off the list. @param path of one; without it, all */
  remove(path?: string): void;
}

/** Jobs that are over and still listed; older ones go. */
const mostEnded = 100;

/** What a job is made of beside what is shown. */
interface Entry<T> {
  job: AudioJob;
  /** How it is beneath a pause. */
  beneath: JobState;
  readonly controller: AbortController;
  /** Those who want what comes of it. */
  wanting: number;
  outcome?: Promise<T>;
  /** Fires when a pause ends. */
  pause?: AbortController | undefined;
}

/** Whether nothing goes on with a job by itself. */
export const isEnded = ({ state }: AudioJob): boolean =>
  state === 'done' || state === 'failed' || state === 'cancelled' || state === 'interrupted';

/** @param onChange called when a job comes, goes, or is another now */
export function createJobs<T = unknown>(onChange: () => void): AudioJobs<T> {
  const entries = new Map<string, Entry<T>>();

  function change(entry: Entry<T>, next: Partial<AudioJob>): void {
    entry.job = { ...entry.job, ...next };
    onChange();
  }

  /** @param path of a recording that has no job, or one that is over */
  function list(path: string, state: JobState): Entry<T> {
    const job = { path, fileName: basename(path), state };
    const entry: Entry<T> = { job, beneath: state, controller: new AbortController(), wanting: 0 };
    // The newest stands last.
    entries.delete(path);
    entries.set(path, entry);
    const over = [...entries.values()].filter(({ job }) => isEnded(job));
    for (const { job } of over.slice(0, -mostEnded)) entries.delete(job.path);
    return entry;
  }

  function running(path: string): Entry<T> | undefined {
    const entry = entries.get(path);
    return entry === undefined || isEnded(entry.job) ? undefined : entry;
  }

  function jobOf(entry: Entry<T>): RunningJob {
    const { signal } = entry.controller;
    return {
      signal,
      update(next) {
        if (isEnded(entry.job)) return;
        entry.beneath = next.state;
        // What still goes on its way while a job is paused does not end the pause.
        change(entry, entry.job.state === 'paused' ? { ...next, state: 'paused' } : next);
      },
      isPaused: () => entry.job.state === 'paused',
      async untilGoing() {
        const { pause } = entry;
        if (pause !== undefined)
          await new Promise<void>((resolve) => whenFired(AbortSignal.any([pause.signal, signal]), resolve));
        if (signal.aborted) throw new ServiceError('cancelled');
      },
    };
  }

  function end(entry: Entry<T>, error: unknown): void {
    const state = error === undefined ? 'done' : isCancelled(error) ? 'cancelled' : 'failed';
    change(entry, { state, ...(error instanceof ServiceError ? { error } : {}) });
  }

  async function work(entry: Entry<T>, run: (job: RunningJob) => Promise<T>): Promise<T> {
    try {
      const outcome = await run(jobOf(entry));
      end(entry, typeof outcome === 'object' && outcome !== null && 'error' in outcome ? outcome.error : undefined);
      return outcome;
    } catch (error) {
      end(entry, error);
      throw error;
    }
  }

  return {
    get all() {
      return [...entries.values()].map(({ job }) => job);
    },
    get open() {
      return [...entries.values()].flatMap(({ job }) =>
        isEnded(job) && job.state !== 'interrupted' ? [] : [job.path],
      );
    },
    isRunning: (path) => running(path) !== undefined,
    async run(path, signal, run) {
      const before = running(path);
      // One that is being cancelled is waited for, and its place taken.
      if (before?.controller.signal.aborted) await Promise.allSettled([before.outcome]);
      const entry = running(path) ?? list(path, 'waiting');
      entry.outcome ??= work(entry, run);
      onChange();
      entry.wanting++;
      const left = new Promise<never>((_, reject) => {
        whenFired(signal, () => {
          // The last one to leave gets what came until then.
          if (--entry.wanting > 0) reject(new ServiceError('cancelled'));
          else entry.controller.abort();
        });
      });
      return await Promise.race([entry.outcome, left]);
    },
    addInterrupted(paths) {
      for (const path of paths) if (!entries.has(path)) list(path, 'interrupted');
      onChange();
    },
    pause(path) {
      const entry = running(path);
      if (entry === undefined || entry.pause !== undefined) return;
      entry.pause = new AbortController();
      change(entry, { state: 'paused' });
    },
    resume(path) {
      const entry = running(path);
      if (entry?.pause === undefined) return;
      const { pause } = entry;
      entry.pause = undefined;
      change(entry, { state: entry.beneath });
      pause.abort();
    },
    cancel: (path) => entries.get(path)?.controller.abort(),
    remove(path) {
      for (const [key, { job }] of entries)
        if (isEnded(job) && (path === undefined || path === key)) entries.delete(key);
      onChange();
    },
  };
}

function whenFired(signal: AbortSignal, act: () => void): void {
  if (signal.aborted) act();
  else signal.addEventListener('abort', act, { once: true });
}
