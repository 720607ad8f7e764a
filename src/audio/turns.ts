import { ServiceError } from '../service/errors.ts';

/**
 * Runs tasks one after another, in the order in which they came; `onWait` is called where others come first. A task that
 * is stopped while it waits rejects as `cancelled`.
 */
export type Turns = <T>(task: () => Promise<T>, signal: AbortSignal, onWait: () => void) => Promise<T>;

/** One batch at a time: what the first one saved need not be sent by the second. */
export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  let running = 0;
  return (task, signal, onWait) => {
    if (running > 0) onWait();
    running++;
    const aborted = new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve(), { once: true });
    });
    const before = last;
    const run = async () => {
      await Promise.race([before, aborted]);
      if (signal.aborted) throw new ServiceError('cancelled');
      return task();
    };
    const mine = run();
    // The next one waits for those before this one too, even when this one was stopped while it waited.
    last = Promise.allSettled([before, mine]);
    void last.then(() => running--);
    return mine;
  };
}
