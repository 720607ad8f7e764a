/** Runs at the first call and then at most once in a given time, the last time after the last call. */
export interface Throttled {
  (): void;
  /** Forgets the calls so far. */
  dispose(): void;
}

export function throttle(run: () => void, ms: number): Throttled {
  let timer: NodeJS.Timeout | undefined;
  let isWanted = false;
  const end = (): void => {
    timer = undefined;
    if (isWanted) call();
  };
  const call = (): void => {
    isWanted = timer !== undefined;
    if (isWanted) return;
    timer = setTimeout(end, ms);
    run();
  };
  const dispose = (): void => {
    clearTimeout(timer);
    timer = undefined;
    isWanted = false;
  };
  return Object.assign(call, { dispose });
}
