import { type Recording, stampAt } from '../recording/recording.ts';
import type { Splitter } from '../split/splitter.ts';
import type { MissingSound } from '../split/thread/splitMethods.ts';

/** Has no other use than that nobody else can make a `SoundAlone`. */
const proof: unique symbol = Symbol('looked through');

/** A recording that was looked through: its file holds one sound that can be read, and nothing else. Only such a file is sent as it is. */
export interface SoundAlone {
  readonly recording: Recording;
  /** The state of the file that was looked through; undefined where it was gone by then. */
  readonly stamp: string | undefined;
  readonly missing?: MissingSound | undefined;
  /** Its length, where it could be read. */
  readonly seconds?: number | undefined;
  /** Whether its samples take half the bytes, or less, as FLAC. */
  readonly isHalved: boolean;
  readonly [proof]: true;
}

/** What looks through a file. */
export interface Looker {
  of(...recording: Parameters<Splitter['of']>): Pick<ReturnType<Splitter['of']>, 'look' | 'close'>;
}

/**
 * Looks through the file of a recording.
 * @returns undefined where there is anything beside its sound, or nobody knows
 * @throws ServiceError as `RecordingSplitter` does: one that cannot be read is not sent
 */
export async function proveSoundAlone(
  splitter: Looker,
  recording: Recording,
  signal: AbortSignal,
): Promise<SoundAlone | undefined> {
  const { path, format } = recording;
  const opened = splitter.of(path, format);
  try {
    const stamp = await stampAt(path);
    const { isAlone, missing, seconds, isEncoded = false } = await opened.look({ signal });
    return isAlone ? { recording, stamp, missing, seconds, isHalved: isEncoded, [proof]: true } : undefined;
  } finally {
    await opened.close();
  }
}
