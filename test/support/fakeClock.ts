import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../src/base/clock.ts';

export interface FakeClock extends Clock {
  /** Lets time pass: whatever was to wake by then wakes at its own time, one after another. */
  advance(ms: number): Promise<void>;
  /** Sleeps that nobody has ended yet. */
  readonly sleeping: number;
}

/** A clock that stands still until it is told to go on. */
export function createFakeClock(startAt = Date.UTC(2026, 10, 20)): FakeClock {
  let time = startAt;
  const sleeps = new Set<{ at: number; wake: () => void }>();
  return {
    now: () => time,
    random: () => 0,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve();
        const sleep = {
          at: time + ms,
          wake: () => {
            sleeps.delete(sleep);
            signal.removeEventListener('abort', sleep.wake);
            resolve();
          },
        };
        sleeps.add(sleep);
        signal.addEventListener('abort', sleep.wake, { once: true });
      }),
    async advance(ms) {
      const end = time + ms;
      await setImmediate();
      for (;;) {
        const [next] = [...sleeps].filter((each) => each.at <= end).sort((a, b) => a.at - b.at);
        if (next === undefined) break;
        time = Math.max(time, next.at);
        next.wake();
        await setImmediate();
      }
      time = end;
    },
    get sleeping() {
      return sleeps.size;
    },
  };
}
