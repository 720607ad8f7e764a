/**
 * The kinds of error, as data. The sentence a person reads and the action it offers are chosen from `kind` alone, in
 * `editor/sentences/errorText.ts`.
 */
export const errorKinds = [
  // before anything is sent
  'no-address',
  'bad-address',
  'no-key',
  /** A key would go over plain http to another machine. */
  'insecure',
  'no-model',
  /** A field of the request has a value it cannot have: `param` names it, `hint` says what it takes. */
  'invalid-request',
  'file-missing',
  'file-empty',
  'not-audio',
  'git-lfs-pointer',
  /** Git does not say what changed; `hint` says why: `missing`, `no-repository`, `endless`, `failed`, or `not-owned` with the folder as the message. */
  'git',
  /** Parley's files on the disk could not be read or written; `hint` says why: `full`, `read-only`, `damaged`, `busy`, `sqlite`. */
  'storage',
  /** A shared file of vectors was not written or not taken; `hint` says why (search/team/sharedFile/sharedLayout.ts), the message what it is about. */
  'shared-file',
  /** The store of a team cannot be used; `hint` says why (search/team/indexStoreError.ts), the message has a version or a code. */
  'team-store',
  // what the service said
  /** The key was refused, or, with the hint `no-key`, none was sent; `param` names the variable in which none was found. */
  'auth',
  'permission',
  'not-found',
  'model-not-found',
  'context-length',
  'rate-limit',
  'quota',
  'too-large',
  'bad-request',
  'content-filter',
  /** The model itself declines to do what it was asked; `message` is what it said. */
  'declined',
  'overloaded',
  'server',
  // what happened on the way
  'dns',
  'refused',
  'tls',
  'proxy',
  'reset',
  'timeout',
  'redirect',
  'cancelled',
  // an answer that is not what it should be
  'truncated',
  /** The answer was longer than the setting allows; `hint` is the limit in MB. The text that came before is good. */
  'answer-too-long',
  'malformed',
  'login-page',
] as const;
export type ErrorKind = (typeof errorKinds)[number];

export interface ErrorDetails {
  /** HTTP status, where there was an answer. */
  status?: number | undefined;
  /** The service's own words, shortened and scrubbed of keys. */
  message?: string | undefined;
  /** The request field the service objects to. */
  param?: string | undefined;
  /** How long the service asks to wait, in milliseconds. */
  retryAfterMs?: number | undefined;
  requestId?: string | undefined;
  /** The address that was called (never with a query or a key). */
  url?: string | undefined;
  /**
   * A detail only some kinds have: the place a redirect points to, the base URL to try in place of one where nothing
   * was found, the title of a login page, a file's name, the code of a network failure.
   */
  hint?: string | undefined;
}

/** Facts of a ServiceError that are not part of its data. */
export interface ErrorContext {
  /** The model's text that the service could not use (a tool call, JSON), so that it can be offered to the user. */
  failedGeneration?: string | undefined;
  /** The service's own word on whether to retry. */
  shouldRetry?: boolean | undefined;
  /** The service's word for the error, such as `unsupported_value`; empty where it has none. */
  code?: string | undefined;
}

export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly kind: ErrorKind;
  readonly status: number | undefined;
  readonly param: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly requestId: string | undefined;
  readonly url: string | undefined;
  readonly hint: string | undefined;
  readonly #context: ErrorContext;

  constructor(kind: ErrorKind, details: ErrorDetails = {}, context: ErrorContext = {}) {
    super(details.message ?? '');
    this.kind = kind;
    this.status = details.status;
    this.param = details.param;
    this.retryAfterMs = details.retryAfterMs;
    this.requestId = details.requestId;
    this.url = details.url === undefined ? undefined : bareAddress(details.url);
    this.hint = details.hint;
    this.#context = context;
  }

  get failedGeneration(): string | undefined {
    return this.#context.failedGeneration;
  }

  get shouldRetry(): boolean | undefined {
    return this.#context.shouldRetry;
  }

  get code(): string {
    return this.#context.code ?? '';
  }

  /** The error as plain data, for a log or a message: what a reader may see, nothing else. */
  toJSON(): ErrorDetails & { kind: ErrorKind } {
    const { kind, status, message, param, retryAfterMs, requestId, url, hint } = this;
    return { kind, status, message, param, retryAfterMs, requestId, url, hint };
  }
}

/** Whether the user stopped it: such an error is shown nowhere. */
export function isCancelled(error: unknown): boolean {
  return error instanceof ServiceError && error.kind === 'cancelled';
}

/** An address without query, fragment, user name and password. */
function bareAddress(url: string): string {
  return url.replace(/[?#].*$/s, '').replace(/\/\/[^/]*@/, '//');
}
