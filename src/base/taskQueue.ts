import { ServiceError } from './errors.ts';

/**
 * Runs tasks one after another, in the order in which they came, whether those before went well or not. A task whose signal
 * fires while it waits rejects as `cancelled` at once, and lets no other pass those before it.
 * @param onWait called when other tasks come first
 */
export type TaskQueue = <T>(task: () => Promise<T>, signal?: AbortSignal, onWait?: () => void) => Promise<T>;

export function createTaskQueue(): TaskQueue {
  let last: Promise<void> = Promise.resolve();
  let running = 0;
  return (task, signal, onWait) => {
    if (running > 0) onWait?.();
    running++;
    const before = last;
    const run = async () => {
      await (signal === undefined ? before : untilAborted(before, signal));
      if (signal?.aborted) throw new ServiceError('cancelled');
      return task();
    };
    const mine = run();
    // The result is not kept: a chain of results would hold every transcript of the session.
    last = Promise.allSettled([before, mine]).then(() => {
      running--;
    });
    return mine;
  };
}

/** Resolves when the promise does, or as soon as the signal fires. */
async function untilAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  let abort: () => void = () => undefined;
  const aborted = new Promise<void>((resolve) => {
    abort = resolve;
  });
  if (signal.aborted) return;
  signal.addEventListener('abort', abort, { once: true });
  await Promise.race([promise, aborted]);
  signal.removeEventListener('abort', abort);
}

/** What an asynchronous function gives for each item, in the order of the items. @param most how many run at once */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  most: number,
  run: (item: T) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  // All lanes take from one iterator, so that each item is run once.
  const entries = items.entries();
  const lane = async (): Promise<void> => {
    for (const [at, item] of entries) results[at] = await run(item);
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, lane));
  return results;
}
