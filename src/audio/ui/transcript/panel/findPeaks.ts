import { mostBars } from '../../../../webview/shared/soundScale.ts';
import type { ChosenTracks } from '../../../recording/chosenTracks.ts';
import { openRecording } from '../../../recording/recording.ts';
import type { Splitter } from '../../../split/splitter.ts';

/**
 * How loud a recording is from start to end, from 0 to 1, in the track that was chosen where it has several; undefined where that cannot be told, or the signal
 * fires.
 */
export async function findPeaks(
  path: string,
  { splitter, tracks }: { readonly splitter: Splitter; readonly tracks: Pick<ChosenTracks, 'get'> },
  signal: AbortSignal,
): Promise<readonly number[] | undefined> {
  try {
    const file = await openRecording(path);
    await file.close();
    const opened = splitter.of(path, file.recording.format, { track: tracks.get(file.recording) });
    try {
      return await opened.peaks(mostBars, { signal });
    } finally {
      await opened.close();
    }
  } catch {
    // A picture is all that is missing.
    return undefined;
  }
}
