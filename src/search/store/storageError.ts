import { type DiskReason, diskReason } from '../../base/diskReason.ts';
import { ServiceError } from '../../base/errors.ts';

export type StorageReason = DiskReason | 'damaged' | 'busy' | 'sqlite';

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
  return diskReason(error);
}
