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

/** What was sent was refused for what it says: others may be taken. */
const contentKinds: ReadonlySet<ErrorKind> = new Set([
  'too-large',
  'context-length',
  'content-filter',
  'declined',
  'answer-too-long',
]);

/** Failures one after another after which nothing more is sent; of those of one piece's own content, and of one kind. */
const mostInRow = 2;
const mostOfContent = 3;

/** Tells when it is of no use to send more, from how that went which was sent before. */
export interface Failures {
  /** Whether what was sent last failed: what is on its way by then is to tell whether it is worth to send more. */
  readonly areOpen: boolean;
  /** Call when something is sent. @returns what to call when it has failed, which says whether the others would fail, too */
  sending(): (error: ServiceError) => boolean;
  /** Takes in that something went well. */
  passed(): void;
  /** Takes in that something was taken before. */
  taken(): void;
}

/** @param isLastTry whether each has failed before: then it is enough that as many fail as else in a row */
export function countFailures(isLastTry = false): Failures {
  let kind: ErrorKind | undefined;
  let [counted, inRow] = [0, 0];
  let wasTaken = false;
  return {
    get areOpen() {
      return inRow > 0;
    },
    sending() {
      const before = counted;
      return (error) => {
        // A service that asks to wait asks that of all, and who waits has done so by then.
        if (!ownKinds.has(error.kind) || error.retryAfterMs !== undefined) return true;
        if (isOfAll(error, wasTaken)) return true;
        // What was on its way together fails together, which counts once.
        if (before !== counted && !isLastTry) return false;
        counted++;
        const isOfContent = contentKinds.has(error.kind);
        const isAlike = kind !== undefined && (kind === error.kind || (!isOfContent && !contentKinds.has(kind)));
        inRow = isAlike ? inRow + 1 : 1;
        kind = error.kind;
        return inRow >= (isOfContent ? mostOfContent : mostInRow);
      };
    },
    passed() {
      wasTaken = true;
      if (isLastTry) return;
      kind = undefined;
      inRow = 0;
    },
    taken() {
      wasTaken = true;
    },
  };
}

/** Whether a piece was refused for what the recording is, which the others are, too: of a type that is not taken, or none was. */
function isOfAll({ kind, status }: ServiceError, wasTaken: boolean): boolean {
  return kind === 'bad-request' && (status === 415 || (status === 400 && !wasTaken));
}
