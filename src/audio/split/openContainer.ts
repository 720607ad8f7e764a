import { ServiceError } from '../../base/errors.ts';
import type { AudioFormat } from '../recording/formats.ts';
import { longestBeginning, unreadName } from '../recording/unreadFormats.ts';
import type { Container, OnProgress } from './container.ts';
import { flacFormat } from './frames/flacFrames.ts';
import { type FrameFormat, openFrames } from './frames/frameContainer.ts';
import { adtsFormat, mp2Format, mp3Format } from './frames/mpegFrames.ts';
import { openCaf } from './packets/cafPackets.ts';
import { joinContainers } from './packets/joinContainers.ts';
import { findSections, type Sections } from './packets/sections/findSections.ts';
import { sectionFile } from './packets/sections/sectionFile.ts';
import { openPcm } from './pcm/pcmContainer.ts';
import { notAudio, openSource, type SourceFile } from './sourceFile.ts';
import type { TrackWish } from './tracks/chooseTrack.ts';
import { openTrack } from './tracks/trackContainer.ts';

const frameFormats: Partial<Record<AudioFormat['name'], (file: SourceFile) => Promise<FrameFormat>>> = {
  mp3: mp3Format,
  mp2: mp2Format,
  aac: adtsFormat,
  flac: flacFormat,
};

/** Which of several tracks is wanted, and how. */
export interface SoundWish extends TrackWish {
  /** Samples stay as they are, for a player: only what is sent has to be short. */
  readonly asSamples?: boolean | undefined;
}

/**
 * Opens the sound of a recording and looks at its packets, without holding more than some of them. For most formats the file is
 * read through once.
 * @param format as its first bytes show it
 * @param wish what is wanted of it
 * @param signal ends the opening, and later all that is done with what was opened
 * @throws ServiceError `not-audio` for a damaged file, with its name as hint; `param` is the codec where no service takes any
 * file with it (`alac`, `ac3`), and `none` for pictures without sound. `file-missing`, `cancelled`
 */
export async function openContainer(
  path: string,
  { name }: Pick<AudioFormat, 'name'>,
  signal: AbortSignal,
  onProgress: OnProgress = () => undefined,
  wish: SoundWish = {},
): Promise<Container> {
  const file = await openSource(path, signal);
  try {
    const { sections, rest } = await findSections(file, name, onProgress, signal);
    const [first, ...others] = sections;
    if (first === undefined || (others.length === 0 && first.to === file.size)) {
      const sound = await openOne(file, name, wish, onProgress, signal);
      return rest > 0 ? { ...sound, rest } : sound;
    }
    return await openJoined(file, { sections, rest }, wish, onProgress, signal);
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function openOne(
  file: SourceFile,
  name: AudioFormat['name'],
  wish: SoundWish,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<Container> {
  if (name === 'wav' || name === 'aiff' || name === 'w64') return openPcm(file, wish.asSamples);
  if (name === 'caf') return openCaf(file, wish.asSamples, onProgress, signal);
  const frames = frameFormats[name];
  if (frames !== undefined) return openFrames(file, await frames(file), onProgress, signal);
  if (name === 'unread') throw notAudio(file.fileName, unreadName(await file.read(0, longestBeginning)));
  return openTrack(file, name, wish, onProgress, signal);
}

/** The shortest sound that is kept, in seconds: services refuse less. */
const shortest = 0.1;

/** Opens what was joined. A part that cannot be read is counted as bytes that nobody can make sense of, unless it is the first. */
async function openJoined(
  file: SourceFile,
  { sections, rest }: Sections,
  wish: SoundWish,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<Container> {
  const sounds: Container[] = [];
  let lost = rest;
  for (const section of sections) {
    const { from, to, name } = section;
    const report: OnProgress = (share) => onProgress((from + share * (to - from)) / file.size);
    try {
      const sound = await openOne(sectionFile(file, section), name, wish, report, signal);
      if (sound.end - sound.start >= shortest) sounds.push(sound);
      else await sound.close();
    } catch (error) {
      if (from === 0 || !(error instanceof ServiceError) || error.kind !== 'not-audio') throw error;
      lost += to - from;
    }
  }
  const [first, ...others] = sounds;
  if (first === undefined) throw notAudio(file.fileName);
  const joined = { ...joinContainers([first, ...others], () => file.close()), gap: undefined };
  return lost > 0 ? { ...joined, rest: lost } : joined;
}
