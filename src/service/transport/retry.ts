import type { Clock } from '../../base/clock.ts';
import { type ErrorKind, ServiceError } from '../../base/errors.ts';
import type { OnWait } from '../request.ts';
import { isHeldAtGate, longestHoldMs } from './gate.ts';

export interface RetryPolicy {
  retries: number;
  /** Delay before the first retry, doubled each time, in milliseconds. */
  baseMs: number;
  maxMs: number;
  onWait?: OnWait | undefined;
  /** Called before each further try, with why there is one. */
  onRetry?: ((error: ServiceError) => void) | undefined;
  /** Every try passes a gate, which keeps the waits that hold for all requests: they are not waited for again here. */
  isGated?: boolean;
}
export const defaultRetry: RetryPolicy = { retries: 2, baseMs: 500, maxMs: 8_000 };

/** Besides 5xx. 498 is Groq's "no capacity for this tier at the moment". */
const retryableStatus = new Set([408, 409, 425, 429, 498]);
const finalKinds: ReadonlySet<ErrorKind> = new Set([
  'quota',
  'too-large',
  'cancelled',
  'context-length',
  'content-filter',
  'model-not-found',
  'login-page',
  'proxy',
  'tls',
]);

/** Whether a retry cannot help with an error of this kind, whatever its status. */
export const isFinal = (kind: ErrorKind): boolean => finalKinds.has(kind);

/**
 * Retries where that is safe: the connection was never made, or the service answered with a status that says "later",
 * in both cases before any of an answer was read. A request that may have been carried out is never sent twice.
 */
export async function withRetry<T>(
  attempt: (signal: AbortSignal) => Promise<T>,
  policy: RetryPolicy = defaultRetry,
  clock: Clock,
  signal: AbortSignal,
): Promise<T> {
  for (let tries = 0; ; tries++) {
    if (signal.aborted) throw new ServiceError('cancelled');
    try {
      return await attempt(signal);
    } catch (error) {
      if (!(error instanceof ServiceError) || tries >= policy.retries || !isRetryable(error)) throw error;
      const wait = error.retryAfterMs ?? backoff(tries, policy, clock);
      // A longer wait is not sat out in silence: the error is shown with the time, and a Retry button.
      if (wait > longestHoldMs) throw error;
      policy.onRetry?.(error);
      if (policy.isGated && error.retryAfterMs !== undefined && isHeldAtGate(error.status)) continue;
      policy.onWait?.(wait, error.retryAfterMs === undefined ? error : undefined);
      await clock.sleep(wait, signal);
    }
  }
}

function isRetryable(error: ServiceError): boolean {
  // Some servers say 500 of a request that they can never take.
  if (isFinal(error.kind) || (error.kind === 'bad-request' && (error.status ?? 0) >= 500)) return false;
  if (error.shouldRetry !== undefined) return error.shouldRetry;
  if (error.status !== undefined)
    return (error.status >= 500 && error.status < 600) || retryableStatus.has(error.status);
  // A name that does not exist will not exist in a second; a name server that was busy may answer.
  const isNameless = error.kind === 'dns' && error.hint !== 'EAI_AGAIN';
  return 'beforeSending' in error && error.beforeSending === true && !isNameless;
}

/** Doubling, with up to a quarter taken off at random so that parallel callers do not meet again. */
function backoff(tries: number, policy: RetryPolicy, clock: Clock): number {
  return Math.min(policy.maxMs, policy.baseMs * 2 ** tries) * (1 - clock.random() * 0.25);
}
