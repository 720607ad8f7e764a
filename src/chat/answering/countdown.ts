import type { Clock } from '../../base/clock.ts';
import type { DispatchGrowth } from '../conversation/conversation.ts';

/** The wait for another try, told second by second. */
export interface Countdown {
  /** @param isAsked whether the service asked for it */
  begin(waitMs: number, isAsked: boolean): Promise<void>;
  /** Ends the countdown, however long the wait was said to be: an event came, or none will. */
  end(): void;
}

/**
 * Shows the seconds left of the last wait that was announced for an answer. Waits below half a second are not shown: they end
 * before they are read. Waits of a second are: part of such a wait has passed by the time it is announced.
 */
export function createCountdown(dispatch: DispatchGrowth, clock: Clock): Countdown {
  let running: AbortController | undefined;
  const show = (waitSeconds: number | undefined, isWaitAsked?: true): boolean =>
    dispatch({ type: 'describe', facts: { waitSeconds, isWaitAsked } });

  function end(): void {
    if (running === undefined) return;
    running.abort();
    running = undefined;
    show(undefined);
  }

  return {
    end,
    async begin(waitMs, isAsked) {
      end();
      if (waitMs < 500) return;
      running = new AbortController();
      const { signal } = running;
      for (let left = Math.ceil(waitMs / 1000); left > 0; left--) {
        show(left, isAsked || undefined);
        await clock.sleep(Math.min(1000, waitMs - (Math.ceil(waitMs / 1000) - left) * 1000), signal);
        if (signal.aborted) return;
      }
      end();
    },
  };
}
