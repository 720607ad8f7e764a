import {
  type EncodedPacket,
  EncodedPacketSink,
  Input,
  Logging,
  LogLevel,
  MATROSKA,
  MP4,
  OGG,
  QTFF,
  WEBM,
} from 'mediabunny';
import { ServiceError } from '../../../base/errors.ts';
import type { AudioFormat } from '../../recording/formats.ts';
import { type Container, type OnProgress, type Packet, promisedEnd } from '../container.ts';
import { readOggPage } from '../packets/oggPages.ts';
import { endWithWholeBlock } from '../packets/sections/cutCluster.ts';
import { endOfContainer } from '../packets/sections/endOfContainer.ts';
import { tableLookups } from '../packets/tableLookups.ts';
import { notAudio, type SourceFile } from '../sourceFile.ts';
import { boundedSource } from './boundedSource.ts';
import { chooseTrack, type TrackWish } from './chooseTrack.ts';
import { plainConfig } from './plainConfig.ts';
import { levelFor } from './trackLevels.ts';
import { readTable, seekPacket } from './trackPackets.ts';

/**
 * A track of sound of an MP4, MOV, WebM, Matroska or Ogg; see `chooseTrack`.
 * @throws ServiceError `not-audio` (`param` is the codec, or `none`, where that is the reason), `cancelled`
 */
export async function openTrack(
  file: SourceFile,
  name: AudioFormat['name'],
  wish: TrackWish,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<Container> {
  // What it has to say of a file would go to the console of the editor.
  Logging.level = LogLevel.Silent;
  const guard = guardFor(file);
  const isCut = (await endOfContainer(file, 0, name, signal)) > file.size;
  const whole = isCut && (name === 'webm' || name === 'mkv') ? await endWithWholeBlock(file, signal) : file;
  const input = new Input({ source: boundedSource(whole), formats: [MP4, QTFF, MATROSKA, WEBM, OGG] });
  const { track, codec, form, tracks, number } = await guard(() => chooseTrack(input, file, wish, isCut)).catch(
    async (error: ServiceError) => {
      // Streams that the library does not know are none for it.
      const page = name === 'ogg' ? readOggPage(await file.read(0, longestHead), 0) : undefined;
      throw error.param === 'none' && page?.codec !== undefined ? notAudio(file.fileName, `Ogg ${page.codec}`) : error;
    },
  );
  const { sampleRate, channels, config, hasPictures } = await guard(async () => ({
    sampleRate: await track.getSampleRate(),
    channels: await track.getNumberOfChannels(),
    config: await track.getDecoderConfig(),
    hasPictures: (await input.getVideoTracks()).length > 0,
  }));
  if (config === null) throw notAudio(file.fileName, codec);
  // The pictures of a film may go on where its sound has ended: the length that a file gives counts only where it is cut off.
  const seconds = isCut ? ((await track.getDurationFromMetadata().catch(() => null)) ?? undefined) : undefined;
  const sink = new EncodedPacketSink(track);
  const levelOf = levelFor(codec, config);
  // Ogg has no times that packets could be found by.
  const marks = (await guard(() => input.getFormat())) === OGG ? [] : undefined;
  const table = await guard(() => readTable({ sink, file, levelOf, marks, onProgress, signal }));

  async function* packets(from: number, to: number, stop: AbortSignal): AsyncGenerator<Packet> {
    const last = table.indexFrom(to);
    // The first packet of Vorbis that a decoder gets makes no sound, it only prepares the next: the one before goes along.
    const first = Math.max(0, table.indexFrom(from) - (codec === 'vorbis' ? 1 : 0));
    let packet = await guard(() => seekPacket({ sink, table, marks }, first, stop));
    for (let i = first; i < last; i++) {
      if (stop.aborted) throw new ServiceError('cancelled');
      if (packet === null) throw notAudio(file.fileName);
      yield { time: table.time(i), duration: table.time(i + 1) - table.time(i), bytes: packet.data };
      const before: EncodedPacket = packet;
      packet = await guard(() => sink.getNextPacket(before));
    }
  }

  return {
    fileName: file.fileName,
    codec,
    channels,
    sampleRate,
    config: plainConfig(config),
    hasPictures,
    ...(tracks === undefined ? {} : { tracks, track: number }),
    form,
    preRoll: preRolls[codec] ?? 0,
    ...tableLookups(table, levelOf.ofLength),
    promised: isCut ? promisedEnd(table.end, seconds) : undefined,
    packets,
    async close() {
      input.dispose();
      await file.close();
    },
  };
}

/** Bytes of the first page of a stream, at most. */
const longestHead = 4_096;

/** Seconds before a place from which a decoder has to begin to be right there (RFC 7845, 4.6, for Opus). */
const preRolls: Readonly<Record<string, number>> = { mp3: 0.25, opus: 0.1, vorbis: 0.05, aac: 0.05 };

/** Does what the library may fail at: whatever it says of a file, that file is damaged. */
function guardFor({ fileName }: SourceFile): <T>(work: () => Promise<T>) => Promise<T> {
  return async (work) => {
    try {
      return await work();
    } catch (error) {
      throw error instanceof ServiceError ? error : notAudio(fileName);
    }
  };
}
