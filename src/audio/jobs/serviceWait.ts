import type { Clock } from '../../base/clock.ts';
import { ServiceError } from '../../base/errors.ts';
import { passingKinds } from './failures.ts';

/**
 * The wait that a service asks for with a refusal, longer than the transport sits out: nothing is uploaded before it is over, as it
 * would only be refused.
 */
export interface ServiceWait {
  /** Takes in an error of a request. @returns whether it is worth to send the same again once the wait is over */
  take(error: unknown): boolean;
  /** Takes in that a request went well. */
  passed(): void;
  /** Resolves at once, when the wait is over, or when the signal fires. @param onWait is told until when, in milliseconds since 1970 */
  untilOver(signal: AbortSignal, onWait: (until: number) => void): Promise<void>;
}

/** The longest wait, in milliseconds: an hour. After a longer one, the user is to say when it goes on. */
export const longestWaitMs = 3_600_000;
/** Waits one after another in which nothing went well. */
const mostWaits = 3;

export function createServiceWait(clock: Pick<Clock, 'now' | 'sleep'>): ServiceWait {
  let until = 0;
  let waits = 0;
  return {
    take(error) {
      if (!(error instanceof ServiceError) || !passingKinds.has(error.kind)) return false;
      const wait = error.retryAfterMs;
      if (wait === undefined || wait > longestWaitMs) return false;
      // What was on its way together is refused together, which counts once.
      if (until <= clock.now() && ++waits > mostWaits) return false;
      until = Math.max(until, clock.now() + wait);
      return true;
    },
    passed() {
      waits = 0;
    },
    async untilOver(signal, onWait) {
      while (until > clock.now() && !signal.aborted) {
        onWait(until);
        await clock.sleep(until - clock.now(), signal);
      }
    },
  };
}
