import { ServiceError } from './errors.ts';

export interface PhaseTimer {
  readonly signal: AbortSignal;
  start(ms: number): void;
  stop(): void;
  /** Why the signal fired: cancelled by the user, or out of time. Undefined when it did not. */
  failure(url: string): ServiceError | undefined;
}

/** One abort signal for both the user's Stop and our timers. Who fired is decided here, never from an error's name. */
export function createPhaseTimer(userSignal: AbortSignal): PhaseTimer {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let timedOut = false;
  const onUserAbort = (): void => controller.abort();
  if (userSignal.aborted) controller.abort();
  else userSignal.addEventListener('abort', onUserAbort, { once: true });
  return {
    signal: controller.signal,
    start(ms) {
      clearTimeout(timer);
      timer = setTimeout(() => {
        timedOut = true;
        controller.abort();
      }, ms);
    },
    stop() {
      clearTimeout(timer);
      userSignal.removeEventListener('abort', onUserAbort);
    },
    failure(url) {
      if (userSignal.aborted) return new ServiceError('cancelled', { url });
      return timedOut ? new ServiceError('timeout', { url }) : undefined;
    },
  };
}
