/**
 * What can go wrong, as data. The sentence a person reads and the action it offers are chosen from `kind` alone, in
 * `editor/errorText.ts`.
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
  // what the service said
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
  /** A detail only some kinds have: the place a redirect points to, the title of a login page, a file's name. */
  hint?: string | undefined;
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

  constructor(kind: ErrorKind, details: ErrorDetails = {}) {
    super(details.message ?? '');
    this.kind = kind;
    this.status = details.status;
    this.param = details.param;
    this.retryAfterMs = details.retryAfterMs;
    this.requestId = details.requestId;
    this.url = details.url;
    this.hint = details.hint;
  }

  /** The error as plain data, for a log or a message: what a reader may see, nothing else. */
  toJSON(): ErrorDetails & { kind: ErrorKind } {
    const { kind, status, message, param, retryAfterMs, requestId, url, hint } = this;
    return { kind, status, message, param, retryAfterMs, requestId, url, hint };
  }
}

/** The user stopped it: shown nowhere. */
export function isCancelled(error: unknown): boolean {
  return error instanceof ServiceError && error.kind === 'cancelled';
}

/** Patterns of keys and tokens that a service may echo in its error text. */
const secretShapes = [
  /\bBearer\s+[^\s"',;]+/gi,
  /\b(sk|gsk|pk|rk|hf|xai|key|api[-_]?key|token)[-_][A-Za-z0-9_\-*.]{6,}/gi,
  /\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*/g,
];

/** The text of a service, fit to be shown: one line, at most 300 characters, without anything that looks like a key. */
export function scrub(text: string, key?: string): string {
  let clean = text.replace(/\s+/g, ' ').trim();
  if (key) clean = clean.replaceAll(key, '[API key]');
  for (const shape of secretShapes) clean = clean.replace(shape, '[API key]');
  return clean.length > 300 ? `${clean.slice(0, 299)}…` : clean;
}
