import { join } from 'node:path';
import { ServiceError } from '../../base/errors.ts';
import { type FileLock, takeFileLock } from '../../base/fileLock.ts';

/** The turn to send texts, which all windows of this machine share: what one pays for, the others find in the vector cache. */
export interface SendingTurn {
  /** Whether it is time to let another window have the turn: it waits, and this one has had its share. */
  isOver(): Promise<boolean>;
}

const askAgainMs = 500;
/** An update of one file waits no longer than this for a build of many. */
const shareMs = 5_000;

/**
 * Does work in this window's turn. Windows have it in the order in which they ask: the one that is next holds a lock of its own
 * until it has the turn, so that one that gives its turn back, and asks again, comes after it.
 * @param folder of the two lock files, which stay empty
 * @param onWait called now and then while another window has the turn; false: there is nothing left to do
 * @param share milliseconds for which a window goes on while another one waits
 * @returns undefined when there was nothing left to do
 */
export async function withSendingTurn<T>(
  folder: string,
  signal: AbortSignal,
  onWait: () => boolean,
  work: (turn: SendingTurn) => Promise<T>,
  share = shareMs,
): Promise<T | undefined> {
  let isNeeded = true;
  const take = async (name: string): Promise<FileLock | undefined> => {
    const wait = (): boolean => {
      isNeeded = onWait();
      return isNeeded;
    };
    // Where the disk takes no lock, a text may be paid for twice, which is better than no search by meaning.
    const lock = await takeFileLock(join(folder, name), signal, wait, askAgainMs).catch(() => noLock);
    if (lock === undefined && isNeeded) throw new ServiceError('cancelled');
    return lock;
  };
  const next = await take(nextName);
  if (next === undefined) return undefined;
  const turn = await take(turnName).finally(() => next.release());
  if (turn === undefined) return undefined;
  const end = performance.now() + share;
  try {
    return await work({ isOver: async () => performance.now() > end && (await isAwaited(folder)) });
  } finally {
    turn.release();
  }
}

const noLock: FileLock = { release: () => {} };
const turnName = 'turn.lock';
const nextName = 'turn.next.lock';

/** Whether another window is next. */
async function isAwaited(folder: string): Promise<boolean> {
  const never = new AbortController().signal;
  const free = await takeFileLock(join(folder, nextName), never, () => false, 0).catch(() => noLock);
  free?.release();
  return free === undefined;
}
