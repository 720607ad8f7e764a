import { ServiceError } from '../service/errors.ts';

/** Runs tasks one after another, in the order in which they came. */
export type Turns = <T>(task: () => Promise<T>, signal: AbortSignal) => Promise<T>;

/** One batch at a time: what the first one saved need not be sent by the second. */
export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return (task, signal) => {
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
    return mine;
  };
}
