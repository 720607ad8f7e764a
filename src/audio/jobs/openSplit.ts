import { type Recording, stampAt } from '../recording/recording.ts';
import type { Splitter } from '../split/splitter.ts';
import type { SplitRecording } from './pieces.ts';

/**
 * Opens a recording to be cut.
 * @param track the number of the track that is wanted; without it, the one that seems to be meant
 * @throws ServiceError as `Splitter` in split/ does
 */
export async function openSplit(
  splitter: Splitter,
  { path, format, stamp }: Recording,
  signal: AbortSignal,
  track?: number,
): Promise<SplitRecording> {
  const opened = splitter.of(path, format, { track });
  try {
    const { start, end, bytes, hasPictures, ...sound } = await opened.open({ signal });
    return {
      durationSeconds: end - start,
      soundBytes: bytes,
      hasPictures,
      isEncoded: sound.isEncoded,
      parts: sound.parts,
      missing: sound.missing,
      tracks: sound.tracks,
      track: sound.track,
      plan: (mostBytes, stop, part) => opened.plan({ mostBytes, part, signal: stop }),
      async write(piece, target, stop) {
        const written = await opened.write(piece, target, { signal: stop });
        const now = await stampAt(path);
        // One that was moved or deleted by now is still read as it was.
        return { ...written, isOriginal: now === undefined || now === stamp };
      },
      close: opened.close,
    };
  } catch (error) {
    await opened.close();
    throw error;
  }
}
