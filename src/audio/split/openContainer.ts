import type { AudioFormat } from '../recording/formats.ts';
import type { Container, OnProgress } from './container.ts';
import { flacFormat } from './frames/flacFrames.ts';
import { type FrameFormat, openFrames } from './frames/frameContainer.ts';
import { adtsFormat, mp3Format } from './frames/mpegFrames.ts';
import { openPcm } from './pcm/pcmContainer.ts';
import { notAudio, openSource, type SourceFile } from './sourceFile.ts';
import type { TrackWish } from './tracks/chooseTrack.ts';
import { openTrack } from './tracks/trackContainer.ts';

const frameFormats: Partial<Record<AudioFormat['name'], (file: SourceFile) => Promise<FrameFormat>>> = {
  mp3: mp3Format,
  aac: adtsFormat,
  flac: flacFormat,
};

/**
 * Opens the sound of a recording and looks at its packets, without holding more than some of them. For most formats the file is
 * read through once.
 * @param format as its first bytes show it
 * @param wish which of several tracks is opened
 * @param signal ends the opening, and later all that is done with what was opened
 * @throws ServiceError `not-audio` for a damaged file, with its name as hint; `param` is the codec where no service takes any
 * file with it (`alac`, `ac3`), and `none` for pictures without sound. `file-missing`, `cancelled`
 */
export async function openContainer(
  path: string,
  { name }: Pick<AudioFormat, 'name'>,
  signal: AbortSignal,
  onProgress: OnProgress = () => undefined,
  wish: TrackWish = {},
): Promise<Container> {
  const file = await openSource(path, signal);
  try {
    if (name === 'wav' || name === 'aiff') return await openPcm(file);
    const frames = frameFormats[name];
    if (frames !== undefined) return await openFrames(file, await frames(file), onProgress, signal);
    // A stream of MPEG-1 or 2, as on old discs.
    if (name === 'mpeg') throw notAudio(file.fileName, 'mpeg');
    return await openTrack(file, wish, onProgress, signal);
  } catch (error) {
    await file.close();
    throw error;
  }
}
