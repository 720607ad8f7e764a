import { ServiceError } from '../../base/errors.ts';

export type StorageReason = 'full' | 'read-only' | 'damaged' | 'busy' | 'sqlite' | 'failed';

const byCode: Readonly<Record<string, StorageReason>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EFBIG: 'full',
  EROFS: 'read-only',
  EACCES: 'read-only',
  EPERM: 'read-only',
  // A file stands where a folder has to be.
  EEXIST: 'read-only',
  ENOTDIR: 'read-only',
  EIO: 'failed',
  ERR_UNKNOWN_BUILTIN_MODULE: 'sqlite',
};

/** SQLite's result codes (https://sqlite.org/rescode.html): for most, the low byte of an extended code is enough. */
const byResult: Readonly<Record<number, StorageReason>> = {
  5: 'busy',
  8: 'read-only',
  10: 'failed',
  11: 'damaged',
  13: 'full',
  14: 'read-only',
  15: 'busy',
  26: 'damaged',
  // SQLITE_IOERR_SHMSIZE: there is no room for the memory that windows share.
  4874: 'full',
};

/** Converts an error of the disk or the database to a `storage` error with its reason; returns any other as it is. */
export function storageError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ServiceError) return error;
  const reason = storageReason(error);
  return reason === undefined ? error : new ServiceError('storage', { hint: reason });
}

/** The reason why reading or writing failed; undefined for an error of another kind. */
export function storageReason(error: unknown): StorageReason | undefined {
  if (!(error instanceof Error)) return undefined;
  if (/no such module: fts5|node:sqlite/.test(error.message)) return 'sqlite';
  if ('errcode' in error && typeof error.errcode === 'number') {
    return byResult[error.errcode] ?? byResult[error.errcode & 0xff];
  }
  return 'code' in error && typeof error.code === 'string' ? byCode[error.code] : undefined;
}
