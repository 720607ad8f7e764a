import { basename } from 'node:path';
import { isCancelled, ServiceError } from '../../base/errors.ts';
import type { AudioTask } from '../../service/audio/audio.ts';
import type { MissingSound } from '../split/thread/splitMethods.ts';
import { hasSpeech, type Transcript } from '../transcript/transcript.ts';
import type { PieceProgress } from './pieces.ts';

/** What a job is about. */
export interface JobSubject {
  readonly path: string;
  /** Absent for a translation. */
  readonly task?: 'transcribe' | undefined;
}

const taskPrefix = 'transcribe:';

/** The name of a job among all: a recording may be translated and transcribed. That of a translation is the path, as older versions kept it. */
export function jobKey(path: string, task: AudioTask | undefined): string {
  return task === 'transcribe' ? taskPrefix + path : path;
}

/** What a name stands for: a path is absolute, and begins with none such. */
export function readJobKey(key: string): JobSubject {
  return key.startsWith(taskPrefix) ? { path: key.slice(taskPrefix.length), task: 'transcribe' } : { path: key };
}

export const keyOf = ({ path, task }: JobSubject): string => jobKey(path, task);

/** `interrupted`: it was not done when its window was closed. */
export type JobState = 'waiting' | 'cutting' | 'sending' | 'paused' | 'done' | 'failed' | 'cancelled' | 'interrupted';

/** What a translation that is done came to. */
export type JobResult = 'text' | 'no-speech' | 'untranslated';

/** How much of a recording is there, where that is not all of it. */
export type KeptPieces = Pick<PieceProgress, 'done' | 'pieces'>;

/** The translation of one recording, or its transcription, as the queue shows it. */
export interface AudioJob extends JobSubject {
  readonly fileName: string;
  readonly state: JobState;
  readonly progress?: PieceProgress;
  /** When it was sent first, in milliseconds since 1970. */
  readonly since?: number;
  readonly error?: ServiceError;
  readonly result?: JobResult;
  /** Of one that was listed before the window was reloaded; see `progress` for others. */
  readonly kept?: KeptPieces;
  /** What of the recording is not there, where it is not all: its text has nothing of it. */
  readonly missing?: MissingSound;
}

/** A job that is over, as it is kept for a window that is loaded anew. */
export type EndedJob = Pick<AudioJob, 'path' | 'task' | 'state' | 'error' | 'kept' | 'result' | 'missing'>;

/** A job for those who do its work. */
export interface RunningJob {
  /** Fires when the user cancels this job, or nobody wants it any more. */
  readonly signal: AbortSignal;
  /** What of the recording was told to be not there. */
  readonly missing?: MissingSound | undefined;
  update(change: Pick<AudioJob, 'state'> & Partial<Pick<AudioJob, 'progress' | 'since' | 'missing'>>): void;
  isPaused(): boolean;
  /** Resolves at once, or when a pause ends. @throws ServiceError `cancelled` */
  untilGoing(): Promise<void>;
}

/** Whether nothing goes on with a job by itself. */
export const isEnded = ({ state }: AudioJob): boolean =>
  state === 'done' || state === 'failed' || state === 'cancelled' || state === 'interrupted';

/** The pieces of a recording that came back, where some did, and others are missing: they are on the disk. */
export function keptPieces({ state, progress, kept }: AudioJob): KeptPieces | undefined {
  const { done, pieces } = progress ?? kept ?? { done: 0, pieces: 0 };
  return state !== 'done' && done > 0 && done < pieces ? { done, pieces } : undefined;
}

/** A job for the list of them. */
export interface JobEntry<T> {
  readonly job: AudioJob;
  readonly isCancelled: boolean;
  /** What comes of the work, once it was begun. */
  readonly outcome: Promise<T> | undefined;
  /** Begins the work, or joins it, as `AudioJobs.run` says. */
  join(signal: AbortSignal, work: (job: RunningJob) => Promise<T>): Promise<T>;
  pause(): void;
  resume(): void;
  cancel(): void;
}

/**
 * @param key of the recording and the task, as `jobKey` makes it
 * @param onChange called when the job is another now
 * @param given what is known of it from the start
 */
export function createJobEntry<T>(
  key: string,
  state: JobState,
  onChange: () => void,
  given: Pick<AudioJob, 'error' | 'kept' | 'result' | 'missing'> = {},
): JobEntry<T> {
  const controller = new AbortController();
  const { signal: cancelled } = controller;
  const subject = readJobKey(key);
  let job: AudioJob = { ...subject, fileName: basename(subject.path), state, ...given };
  /** How it is beneath a pause. */
  let beneath = state;
  /** Fires when a pause ends. */
  let pausing: AbortController | undefined;
  /** Those who want what comes of it. */
  let wanting = 0;
  let outcome: Promise<T> | undefined;

  function change(next: Partial<AudioJob>): void {
    job = { ...job, ...next };
    onChange();
  }

  const running: RunningJob = {
    signal: cancelled,
    get missing() {
      return job.missing;
    },
    update(next) {
      if (isEnded(job)) return;
      beneath = next.state;
      // What still goes on its way while a job is paused does not end the pause.
      change(job.state === 'paused' ? { ...next, state: 'paused' } : next);
    },
    isPaused: () => job.state === 'paused',
    async untilGoing() {
      if (pausing !== undefined) {
        const going = AbortSignal.any([pausing.signal, cancelled]);
        await new Promise<void>((resolve) => whenFired(going, resolve));
      }
      if (cancelled.aborted) throw new ServiceError('cancelled');
    },
  };

  async function run(work: (job: RunningJob) => Promise<T>): Promise<T> {
    try {
      const result = await work(running);
      change(endOf(errorIn(result), result));
      return result;
    } catch (error) {
      change(endOf(error));
      throw error;
    }
  }

  return {
    get job() {
      return job;
    },
    get isCancelled() {
      return cancelled.aborted;
    },
    get outcome() {
      return outcome;
    },
    async join(signal, work) {
      outcome ??= run(work);
      onChange();
      wanting++;
      const left = new Promise<never>((_, reject) => {
        whenFired(signal, () => {
          // The last one to leave gets what came until then.
          if (--wanting > 0) reject(new ServiceError('cancelled'));
          else controller.abort();
        });
      });
      return await Promise.race([outcome, left]);
    },
    pause() {
      if (pausing !== undefined) return;
      pausing = new AbortController();
      change({ state: 'paused' });
    },
    resume() {
      if (pausing === undefined) return;
      const ended = pausing;
      pausing = undefined;
      change({ state: beneath });
      ended.abort();
    },
    cancel: () => controller.abort(),
  };
}

/** What a job is once its work ended, with an error or well. */
function endOf(error: unknown, result?: unknown): Pick<AudioJob, 'state' | 'error' | 'result'> {
  const state = error === undefined ? 'done' : isCancelled(error) ? 'cancelled' : 'failed';
  if (state === 'done') return { state, result: resultOf(result) };
  return { state, ...(error instanceof ServiceError ? { error } : {}) };
}

function errorIn(result: unknown): unknown {
  return typeof result === 'object' && result !== null && 'error' in result ? result.error : undefined;
}

/** What the transcript of a job says, where it gave one. */
function resultOf(result: unknown): JobResult {
  if (typeof result !== 'object' || result === null || !('transcript' in result)) return 'text';
  const transcript = result.transcript as Transcript;
  if (!hasSpeech(transcript)) return 'no-speech';
  return transcript.untranslated === undefined ? 'text' : 'untranslated';
}

function whenFired(signal: AbortSignal, act: () => void): void {
  if (signal.aborted) act();
  else signal.addEventListener('abort', act, { once: true });
}
