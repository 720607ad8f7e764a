import type { ServiceError } from '../../../../base/errors.ts';

/** A wait of the requests to a service, until a time in milliseconds since the epoch. */
export interface Wait {
  readonly origin: string;
  readonly until: number;
  /** The error that is retried; undefined where the service asks for the wait. */
  readonly error?: ServiceError | undefined;
}

/** The waits of the requests that are running. */
export interface RequestWaits {
  /** The longest wait that is not over. */
  readonly longest: Wait | undefined;
  /** Sets the wait of a request; undefined when it waits no more. */
  set(request: object, wait: Wait | undefined): void;
  dispose(): void;
}

/** @param onChange called when the longest wait may have changed */
export function createRequestWaits(onChange: () => void): RequestWaits {
  const waits = new Map<object, Wait>();
  let timer: NodeJS.Timeout | undefined;

  function longest(): Wait | undefined {
    const [first] = [...waits.values()].sort((a, b) => b.until - a.until);
    return first !== undefined && first.until > Date.now() ? first : undefined;
  }

  return {
    get longest() {
      return longest();
    },
    set(request, wait) {
      if (wait === undefined && !waits.has(request)) return;
      if (wait === undefined) waits.delete(request);
      else waits.set(request, wait);
      clearTimeout(timer);
      const until = longest()?.until;
      // The end of a wait is no event of its own, so a timer reports it.
      if (until !== undefined) timer = setTimeout(onChange, until - Date.now());
      onChange();
    },
    dispose: () => clearTimeout(timer),
  };
}
