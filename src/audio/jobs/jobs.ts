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
  /** Fires when the user cancels this job, or all. */
  readonly signal: AbortSignal;
  update(change: Pick<AudioJob, 'state'> & Partial<Pick<AudioJob, 'progress' | 'since'>>): void;
  /** Resolves at once, or when a pause ends. @throws ServiceError `cancelled` */
  untilGoing(signal: AbortSignal): Promise<void>;
  /** The first call counts. @param error why it failed; without it, it is done */
  end(error?: ServiceError): void;
}

/** The jobs of a window. A recording has one at most: another one takes the place of that before. */
export interface AudioJobs {
  readonly all: readonly AudioJob[];
  /** Paths of recordings that are not done: what a reload of the window would interrupt. */
  readonly open: readonly string[];
  /** @param signal cancels it, too */
  add(path: string, signal: AbortSignal): RunningJob;
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
interface Entry {
  job: AudioJob;
  readonly controller: AbortController;
  /** Lets the pieces go that wait for the end of a pause. */
  go: Set<() => void>;
}

/** Whether nothing goes on with a job by itself. */
export const isEnded = ({ state }: AudioJob): boolean =>
  state === 'done' || state === 'failed' || state === 'cancelled' || state === 'interrupted';

/** @param onChange called when a job comes, goes, or is another now */
export function createJobs(onChange: () => void): AudioJobs {
  const entries = new Map<string, Entry>();

  function change(entry: Entry, next: Partial<AudioJob>): void {
    entry.job = { ...entry.job, ...next };
    onChange();
  }

  function list(path: string, state: JobState): Entry {
    const entry = {
      job: { path, fileName: basename(path), state },
      controller: new AbortController(),
      go: new Set<() => void>(),
    };
    // What came back of the one before is on the disk, where the new one finds it.
    entries.get(path)?.controller.abort();
    // The newest stands last.
    entries.delete(path);
    entries.set(path, entry);
    const over = [...entries.values()].filter(({ job }) => isEnded(job));
    for (const { job } of over.slice(0, -mostEnded)) entries.delete(job.path);
    return entry;
  }

  function resume(path: string): void {
    const entry = entries.get(path);
    if (entry?.job.state !== 'paused') return;
    change(entry, { state: 'sending' });
    for (const go of entry.go) go();
    entry.go.clear();
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
    add(path, signal) {
      const entry = list(path, 'waiting');
      const stop = AbortSignal.any([signal, entry.controller.signal]);
      onChange();
      return {
        signal: stop,
        update: (next) => {
          // What still goes on its way while a job is paused does not end the pause.
          if (!isEnded(entry.job)) change(entry, entry.job.state === 'paused' ? { ...next, state: 'paused' } : next);
        },
        untilGoing: (until) => (entry.job.state === 'paused' ? untilResumed(entry.go, until) : Promise.resolve()),
        end(error) {
          if (isEnded(entry.job)) return;
          const state = error === undefined ? 'done' : isCancelled(error) ? 'cancelled' : 'failed';
          change(entry, { state, ...(error === undefined ? {} : { error }) });
        },
      };
    },
    addInterrupted(paths) {
      for (const path of paths) if (!entries.has(path)) list(path, 'interrupted');
      onChange();
    },
    pause(path) {
      const entry = entries.get(path);
      if (entry !== undefined && !isEnded(entry.job)) change(entry, { state: 'paused' });
    },
    resume,
    cancel: (path) => entries.get(path)?.controller.abort(),
    remove(path) {
      for (const [key, { job }] of entries)
        if (isEnded(job) && (path === undefined || path === key)) entries.delete(key);
      onChange();
    },
  };
}

function untilResumed(waiting: Set<() => void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = (): void => {
      waiting.delete(go);
      reject(new ServiceError('cancelled'));
    };
    const go = (): void => {
      signal.removeEventListener('abort', cancel);
      resolve();
    };
    if (signal.aborted) return cancel();
    waiting.add(go);
    signal.addEventListener('abort', cancel, { once: true });
  });
}
