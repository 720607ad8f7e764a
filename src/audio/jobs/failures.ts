import type { ErrorKind, ServiceError } from '../../base/errors.ts';

/** Errors of the connection or the account: whatever is sent next would only meet them again. */
export const fatalKinds: ReadonlySet<ErrorKind> = new Set([
  'auth',
  'permission',
  'quota',
  'not-found',
  'model-not-found',
  'dns',
  'refused',
  'tls',
  'proxy',
  'redirect',
  'login-page',
]);

/** Errors that another try may not meet: the transport has tried several times by then, so they are tried at the end. */
export const passingKinds: ReadonlySet<ErrorKind> = new Set([
  'server',
  'overloaded',
  'rate-limit',
  'reset',
  'timeout',
  'malformed',
  'truncated',
]);

/** Errors that what was sent may have met alone; those that pass are among them. */
const ownKinds: ReadonlySet<ErrorKind> = new Set([
  ...passingKinds,
  'bad-request',
  'too-large',
  'context-length',
  'content-filter',
  'declined',
  'answer-too-long',
]);

/** Failures of one kind, one after another, after which nothing more is sent. */
const mostInRow = 3;

/** Tells when it is of no use to send more, from how that went which was sent before. */
export interface Failures {
  /** Call when something is sent. @returns what to call when it has failed, which says whether the others would fail, too */
  sending(): (error: ServiceError) => boolean;
  /** Takes in that something went well. */
  passed(): void;
}

export function countFailures(): Failures {
  let kind: ErrorKind | undefined;
  let [counted, inRow] = [0, 0];
  return {
    sending() {
      const before = counted;
      return (error) => {
        // A service that asks to wait asks that of all, and who waits has done so by then.
        if (!ownKinds.has(error.kind) || error.retryAfterMs !== undefined) return true;
        // What was on its way together fails together, which counts once.
        if (before !== counted) return false;
        counted++;
        inRow = kind === error.kind ? inRow + 1 : 1;
        kind = error.kind;
        return inRow >= mostInRow;
      };
    },
    passed() {
      kind = undefined;
      inRow = 0;
    },
  };
}
