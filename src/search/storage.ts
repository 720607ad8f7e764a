import { ServiceError } from '../service/errors.ts';

type Reason = 'full' | 'read-only' | 'damaged' | 'busy' | 'sqlite' | 'failed';

const byCode: Readonly<Record<string, Reason>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EFBIG: 'full',
  EROFS: 'read-only',
  EACCES: 'read-only',
  EPERM: 'read-only',
  EIO: 'failed',
  ERR_UNKNOWN_BUILTIN_MODULE: 'sqlite',
};

/** SQLite's primary result codes (https://sqlite.org/rescode.html): the low byte of what an error says. */
const byResult: Readonly<Record<number, Reason>> = {
  5: 'busy',
  8: 'read-only',
  10: 'failed',
  11: 'damaged',
  13: 'full',
  14: 'read-only',
  26: 'damaged',
};

/** An error of the disk or the database as a `storage` one that says why; any other as it is. */
export function storageError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ServiceError) return error;
  const reason = reasonOf(error);
  return reason === undefined ? error : new ServiceError('storage', { hint: reason });
}

function reasonOf(error: Error): Reason | undefined {
  if (/no such module: fts5|node:sqlite/.test(error.message)) return 'sqlite';
  if ('errcode' in error && typeof error.errcode === 'number') return byResult[error.errcode & 0xff];
  return 'code' in error && typeof error.code === 'string' ? byCode[error.code] : undefined;
}
