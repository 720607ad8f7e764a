/** Time and chance, passed in so that tests need no sleeping. */
export interface Clock {
  /** The time in milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`, or as soon as the signal fires. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** A random number, 0 ≤ x < 1. */
  random(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal.addEventListener('abort', done, { once: true });
    }),
};
