import { ServiceError } from '../../base/errors.ts';
import { takeFileLock } from '../../base/fileLock.ts';

const askAgainMs = 1_000;

/**
 * Does work under a lock that the windows of one folder share, one after the other.
 * @param path of the lock file; it stays empty
 * @param onWait called now and then while another window holds the lock; false: there is nothing left to do
 * @returns undefined when there was nothing left to do
 */
export async function withWindowLock<T>(
  path: string,
  signal: AbortSignal,
  onWait: () => boolean,
  work: () => Promise<T>,
): Promise<T | undefined> {
  let isNeeded = true;
  const wait = (): boolean => {
    isNeeded = onWait();
    return isNeeded;
  };
  const lock = await takeFileLock(path, signal, wait, askAgainMs);
  if (lock === undefined) {
    if (isNeeded) throw new ServiceError('cancelled');
    return undefined;
  }
  try {
    return await work();
  } finally {
    lock.release();
  }
}
