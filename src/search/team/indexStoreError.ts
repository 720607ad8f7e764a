/** Why a store cannot do what it was asked. */
export type IndexStoreReason =
  /** The address of the store is none. `detail` says what is wrong with it. */
  | 'bad-address'
  /** Nobody answers there, or the connection was lost. */
  | 'unreachable'
  /** Name or password were refused. */
  | 'refused-login'
  /** The server has no database of this name. */
  | 'no-database'
  /** The server is not on this machine and encrypts nothing. */
  | 'no-tls'
  /** The certificate of the server proves nothing. */
  | 'bad-certificate'
  /** The server is older than what is needed; `detail` has its version. */
  | 'too-old'
  /** The server has no vectors, or only those of an older version; `detail` has it. */
  | 'no-vectors'
  /** A newer Parley made the index; `detail` has the version of its schema. */
  | 'newer-schema'
  /** There is no index yet, and the user may not make one. */
  | 'no-index'
  | 'read-only'
  /** The disk or the memory of the server is full. */
  | 'full'
  /** The user may not do this. */
  | 'no-rights'
  /** Somebody else is at it, or the server has no connection left. */
  | 'busy'
  /** The server took longer than is waited for. */
  | 'timeout'
  | 'cancelled'
  /** What came is no answer to what was asked; `detail` has the code of the error, if it had one. */
  | 'unexpected';

/**
 * An error of a store as data. It has no words of the server and nothing of its address, as both may hold a password.
 */
export class IndexStoreError extends Error {
  readonly reason: IndexStoreReason;
  /** A version or a code, never a text from outside. */
  readonly detail: string | undefined;

  constructor(reason: IndexStoreReason, detail?: string) {
    super(detail === undefined ? reason : `${reason} (${detail})`);
    this.name = 'IndexStoreError';
    this.reason = reason;
    this.detail = detail;
  }
}
