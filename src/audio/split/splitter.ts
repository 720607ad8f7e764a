import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { ServiceError } from '../../base/errors.ts';
import type { AudioFormat } from '../recording/formats.ts';
import type { OnProgress } from './container.ts';
import type { SoundWish } from './openContainer.ts';
import type { AudioPiece, PlanOptions } from './plan/planPieces.ts';
import { notAudio } from './sourceFile.ts';
import type { Look, Sound, SplitMethods } from './thread/splitMethods.ts';
import { createThreadPool, type SplitThread, type ThreadPool } from './thread/threadPool.ts';
import { type Span, unfinished } from './write/pieceFile.ts';
import type { WrittenPiece } from './write/writePiece.ts';

export interface SplitOptions {
  signal: AbortSignal;
  onProgress?: OnProgress | undefined;
}

/**
 * One recording and its pieces. The work is done in a thread, as anybody may have made the file: the thread ends when it takes
 * too much memory, makes no progress, or is stopped.
 *
 * A call that is stopped ends the thread at once, and with it what else it does for the recording; the next call starts another.
 * All reject with a ServiceError: `not-audio` for a damaged file (`param` is the codec where that is the reason, `none` where it
 * has no sound), `too-large`, `storage`, `file-missing`, `cancelled`.
 */
export interface RecordingSplitter {
  /** What there is to know of its sound. For most formats the file is read through once, by the first call of all. */
  open(options: SplitOptions): Promise<Sound>;
  /** Looks through all of the file for what is not its sound. Also rejects where the sound cannot be read. */
  look(options: SplitOptions): Promise<Look>;
  /** The pieces that it is to be sent in; see `planPieces`. */
  plan(options: PlanOptions): Promise<AudioPiece[]>;
  /** Writes a piece, or any part; see `writePiece`. All of it in one makes of a video the file of its sound. */
  write(span: Span, path: string, options: SplitOptions & { mostBytes?: number | undefined }): Promise<WrittenPiece>;
  /** How loud it is from start to end; see `peaksOf`. */
  peaks(count: number, options: SplitOptions): Promise<number[] | undefined>;
  /** Closes the file, and leaves the thread to the next recording. */
  close(): Promise<void>;
}

export interface Splitter {
  /**
   * Has no costs until something is asked of it.
   * @param wish the track that is wanted, else the one that seems to be meant; whether samples stay as they are
   */
  of(path: string, format: Pick<AudioFormat, 'name'>, wish?: Pick<SoundWish, 'track' | 'asSamples'>): RecordingSplitter;
  /** Ends the threads that wait for a recording; those at work end with theirs. */
  dispose(): void;
}

/** The longest that a thread may do something without getting on, in milliseconds. */
const longestPause = 20_000;

/**
 * @param script of the threads (or, in tests, its source)
 * @param languages of the user, by which one of several tracks is chosen
 * @param pause after which a thread that does not get on is ended, in milliseconds
 */
export function createSplitter(
  script: string | URL,
  pause = longestPause,
  languages: readonly string[] = [],
): Splitter {
  const pool = createThreadPool(script);
  return {
    of: (path, { name }, wish) => splitterOf(pool, { path, format: { name }, ...wish, languages }, pause),
    dispose: pool.dispose,
  };
}

function splitterOf(pool: ThreadPool, recording: SplitMethods['open']['params'], pause: number): RecordingSplitter {
  const fileName = basename(recording.path);
  let thread: SplitThread | undefined;
  let openCalls = 0;
  let ending: Promise<void> = Promise.resolve();

  /** Ends the thread; all open calls of it fail with the error. */
  function stop(error: Error): void {
    if (thread !== undefined) ending = thread.end(error);
    thread = undefined;
  }

  async function call<K extends keyof SplitMethods & string>(
    method: K,
    params: SplitMethods[K]['params'],
    { signal, onProgress }: SplitOptions,
  ): Promise<SplitMethods[K]['result']> {
    if (signal.aborted) throw new ServiceError('cancelled');
    if (thread?.hasEnded) thread = undefined;
    // What ends a thread from within is memory, or an error that the library let go.
    thread ??= pool.take(() => notAudio(fileName));
    const mine = thread;
    const cancel = (): void => stop(new ServiceError('cancelled'));
    signal.addEventListener('abort', cancel, { once: true });
    // Two halves: a computer that slept did not let the thread get on, either.
    let silentHalves = 0;
    const timer = setInterval(() => {
      if (++silentHalves > 1) stop(notAudio(fileName));
    }, pause / 2);
    openCalls += 1;
    try {
      return await mine.rpc.call(method, params, {
        onEvent: (share) => {
          silentHalves = 0;
          onProgress?.(share as number);
        },
      });
    } finally {
      openCalls -= 1;
      clearInterval(timer);
      signal.removeEventListener('abort', cancel);
    }
  }

  return {
    open: (options) => call('open', recording, options),
    look: (options) => call('look', recording, options),
    plan: ({ mostBytes, part, signal, onProgress }) =>
      call('plan', { ...recording, mostBytes, part }, { signal, onProgress }),
    async write({ from, to }, target, { mostBytes, ...options }) {
      try {
        return await call('write', { ...recording, span: { from, to }, target, mostBytes }, options);
      } catch (error) {
        // A thread that was ended could not clean up.
        await ending;
        await rm(unfinished(target), { force: true }).catch(() => undefined);
        throw error;
      }
    },
    peaks: (count, options) => call('peaks', { ...recording, count }, options),
    async close() {
      // A thread that is still at work is no good for the next recording.
      if (openCalls > 0) stop(new ServiceError('cancelled'));
      await ending;
      const closed = thread;
      thread = undefined;
      if (closed === undefined || closed.hasEnded) return;
      await closed.rpc.call('close', undefined).then(
        () => pool.give(closed),
        () => closed.end(new ServiceError('cancelled')),
      );
    },
  };
}
