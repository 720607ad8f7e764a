import { isCancelled, ServiceError } from '../../base/errors.ts';

/** Milliseconds that a search may take, and that it may take to stop when cancelled. */
const searchLimits = { workMs: 60_000, stopMs: 2_000 } as const;

/** Schedules a function; the returned function cancels it. */
export type Later = (work: () => void, ms: number) => () => void;

export const later: Later = (work, ms) => {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
};

/** Means of a piece of work under a deadline. */
export interface Limited {
  /** Fires when the caller cancels, or when the time is up. */
  signal: AbortSignal;
  /** Does work whose time does not count: a request to a service has limits of its own. */
  outside<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * Does work that is cancelled when its time is up, and is ended by `end` if it does not stop.
 * @param end ends what the work runs in, after which `work` rejects
 * @throws ServiceError `timeout` with the hint `search` when the time was up
 */
export async function withDeadline<T>(
  work: (limited: Limited) => Promise<T>,
  end: () => void,
  wait: Later,
  signal?: AbortSignal,
): Promise<T> {
  const controller = new AbortController();
  const cancel = (): void => controller.abort();
  let isOver = false;
  let outsiders = 0;
  let stop = (): void => undefined;
  const start = (): void => {
    stop = wait(() => {
      isOver = true;
      cancel();
      stop = wait(end, searchLimits.stopMs);
    }, searchLimits.workMs);
  };
  const outside = async <R>(work: () => Promise<R>): Promise<R> => {
    if (outsiders++ === 0 && !isOver) stop();
    return work().finally(() => {
      if (--outsiders === 0 && !isOver) start();
    });
  };
  if (signal?.aborted) cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  start();
  try {
    return await work({ signal: controller.signal, outside });
  } catch (error) {
    throw isOver && isCancelled(error) ? new ServiceError('timeout', { hint: 'search' }) : error;
  } finally {
    stop();
    isOver = true;
    signal?.removeEventListener('abort', cancel);
  }
}
