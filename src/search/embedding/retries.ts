import type { Clock } from '../../base/clock.ts';
import { type ErrorKind, ServiceError } from '../../base/errors.ts';

/** Errors that usually pass by themselves: a laptop that woke up, a network that changed, a service that restarts. */
const passing: ReadonlySet<ErrorKind> = new Set(['reset', 'dns', 'refused', 'timeout', 'truncated', 'overloaded']);

const firstMs = 1_000;
const mostMs = 60_000;
/** Retries of a request. A service that never answered more likely has a wrong address than a passing failure. */
export const retries = { answered: 8, neverAnswered: 2 } as const;

export interface RetryOptions {
  /** The service has answered before. */
  hasAnswered(): boolean;
  /** Called before each wait with the error, and with nothing when the wait is over. */
  onWait(waitMs: number | undefined, error?: ServiceError): void;
  clock: Pick<Clock, 'sleep' | 'random'>;
}

/**
 * Retries a request that failed for a passing reason, with exponential backoff up to a minute: some four minutes in
 * all. A request the service may have processed is sent again, which costs its tokens twice and does no other harm.
 * @throws the last error when all retries failed; `cancelled` when the signal fires in a wait
 */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  { hasAnswered, onWait, clock }: RetryOptions,
  signal: AbortSignal,
): Promise<T> {
  for (let tried = 0; ; tried++) {
    try {
      return await attempt();
    } catch (error) {
      const isPassing = error instanceof ServiceError && passing.has(error.kind);
      if (!isPassing || signal.aborted || tried >= (hasAnswered() ? retries.answered : retries.neverAnswered))
        throw error;
      // Jitter spreads requests that failed together.
      const waitMs = Math.min(mostMs, firstMs * 2 ** tried) * (1 - clock.random() * 0.25);
      onWait(waitMs, error);
      try {
        await clock.sleep(waitMs, signal);
      } finally {
        onWait(undefined);
      }
      if (signal.aborted) throw new ServiceError('cancelled');
    }
  }
}
