import { Worker } from 'node:worker_threads';
import { createRpc, type Rpc } from '../../../base/rpc.ts';
import type { SplitMethods } from './splitMethods.ts';

/** A thread that splits, which works for one recording at a time. */
export interface SplitThread {
  readonly rpc: Rpc<SplitMethods>;
  readonly hasEnded: boolean;
  /** Ends it at once; what it was called for fails with the error. */
  end(error: Error): Promise<void>;
}

/** Threads that are started when they are needed. A new one takes its time, and runs its code slowly at first. */
export interface ThreadPool {
  /**
   * Gives a thread that nobody else has.
   * @param failure the error of what is called when it ends by itself, as for lack of memory
   */
  take(failure: () => Error): SplitThread;
  /** Gives a thread back for whoever comes next; it ends when nobody does. */
  give(thread: SplitThread): void;
  /** Ends the threads that nobody has. */
  dispose(): void;
}

/** The most memory of a thread for objects, in MB: a day of sound takes half of it. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8 };
/** A thread ends when it was not needed for so long, in milliseconds. */
const idleTime = 30_000;

/** @param script of the threads (or, in tests, its source) */
export function createThreadPool(script: string | URL): ThreadPool {
  const idle = new Map<SplitThread, NodeJS.Timeout>();
  const failures = new WeakMap<SplitThread, () => Error>();

  function start(): SplitThread {
    const worker = new Worker(script, { resourceLimits });
    const rpc = createRpc<SplitMethods>(worker, {});
    let hasEnded = false;
    const thread: SplitThread = {
      rpc,
      get hasEnded() {
        return hasEnded;
      },
      async end(error) {
        hasEnded = true;
        forget(thread);
        rpc.fail(error);
        await worker.terminate();
      },
    };
    const fail = (): void => {
      hasEnded = true;
      forget(thread);
      rpc.fail(failures.get(thread)?.() ?? new Error('The thread has ended.'));
    };
    worker.on('error', fail);
    worker.on('exit', fail);
    return thread;
  }
  function forget(thread: SplitThread): void {
    clearTimeout(idle.get(thread));
    idle.delete(thread);
  }
  const end = (thread: SplitThread): void => void thread.end(new Error('Nobody waits for it.'));

  return {
    take(failure) {
      const [waiting] = idle.keys();
      const thread = waiting ?? start();
      forget(thread);
      failures.set(thread, failure);
      return thread;
    },
    give(thread) {
      idle.set(thread, setTimeout(end, idleTime, thread).unref());
    },
    dispose() {
      for (const thread of [...idle.keys()]) end(thread);
    },
  };
}
