import { ServiceError } from '../../base/errors.ts';

/** The phases of a request; the time each may take is a setting. */
export type Phase = 'connect' | 'first-byte' | 'idle' | 'total';

export interface PhaseTimer {
  /** Fires when the user stops, or when a phase or the whole is out of time. */
  readonly signal: AbortSignal;
  /** Begins a phase, in place of the one before, and not held. 0 ms: no limit. */
  start(phase: Phase, ms: number): void;
  /** Gives the phase its whole time again. */
  touch(): void;
  /** A held phase does not run out: the time is taken by the reader of the answer, not by the service. */
  hold(held: boolean): void;
  /** Ends the phase; the total time goes on. */
  pause(): void;
  stop(): void;
  /** Why the signal fired: cancelled by the user, or out of time (`hint` names the phase). Undefined when it did not. */
  failure(url: string): ServiceError | undefined;
}

/** One abort signal for both the user's Stop and our timers. The cause is decided here, never from an error's name. */
export function createPhaseTimer(userSignal: AbortSignal, totalMs = 0): PhaseTimer {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let timedOut: Phase | undefined;
  let isHeld = false;
  const fireAfter = (phase: Phase, ms: number): NodeJS.Timeout | undefined =>
    ms === 0
      ? undefined
      : setTimeout(() => {
          if (isHeld && phase !== 'total') return;
          timedOut ??= phase;
          // For those who are given the signal alone.
          controller.abort(new DOMException(phase, 'TimeoutError'));
        }, ms);
  const total = fireAfter('total', totalMs);
  const onUserAbort = (): void => controller.abort();
  if (userSignal.aborted) controller.abort();
  else userSignal.addEventListener('abort', onUserAbort, { once: true });
  const pause = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  return {
    signal: controller.signal,
    start(phase, ms) {
      pause();
      // The reader of the answer before may have left in the middle.
      isHeld = false;
      timer = fireAfter(phase, ms);
    },
    touch: () => timer?.refresh(),
    hold(held) {
      isHeld = held;
      if (!held) timer?.refresh();
    },
    pause,
    stop() {
      pause();
      clearTimeout(total);
      userSignal.removeEventListener('abort', onUserAbort);
    },
    failure(url) {
      if (userSignal.aborted) return new ServiceError('cancelled', { url });
      return timedOut === undefined ? undefined : new ServiceError('timeout', { url, hint: timedOut });
    },
  };
}
