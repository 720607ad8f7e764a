import { type AudioCodec, type EncodedPacket, EncodedPacketSink, type InputAudioTrack } from 'mediabunny';
import { ServiceError } from '../../../base/errors.ts';
import type { TrackInfo } from '../../recording/trackInfo.ts';
import { silence } from '../levels/level.ts';
import { levelFor } from './trackLevels.ts';

/** Tracks beyond these are not looked at; nobody has as many. */
const mostTracks = 64;
/** Bytes of a title that are kept. */
const longestTitle = 80;

/**
 * Describes tracks of sound without reading them: of each, some packets are looked at for whether there is anything to hear.
 * @param canCopy whether there is a file for a codec that services take
 */
export async function listTracks(
  tracks: readonly InputAudioTrack[],
  canCopy: (codec: AudioCodec) => boolean,
): Promise<(TrackInfo & { track: InputAudioTrack })[]> {
  const listed: (TrackInfo & { track: InputAudioTrack })[] = [];
  for (const [i, track] of tracks.slice(0, mostTracks).entries()) {
    const codec = await track.getCodec();
    const [language, title, seconds] = [
      await track.getLanguageCode(),
      (await track.getName())?.trim(),
      await track.getDurationFromMetadata().catch(() => null),
    ];
    const { default: isDefault, commentary, visuallyImpaired } = await track.getDisposition();
    const isCopied = codec !== null && canCopy(codec);
    listed.push({
      track,
      number: i + 1,
      codec: codec ?? codecName(await track.getInternalCodecId()),
      ...(language && !/^(und|zxx|mis)$/.test(language) ? { language } : {}),
      ...(title ? { title: title.slice(0, longestTitle) } : {}),
      ...(seconds !== null && seconds > 0 && Number.isFinite(seconds) ? { seconds } : {}),
      isDefault,
      isAside: commentary || visuallyImpaired,
      isSilent: isCopied && !(await isHeard(track, codec, seconds ?? 0)),
      canCopy: isCopied,
    });
  }
  return listed;
}

/** A codec that the library does not know, by its name in the file: `alac`, `A_TRUEHD`. */
export function codecName(id: string | number | Uint8Array | null): string {
  return typeof id === 'string' ? id : 'unknown';
}

/** Places of a track that are looked at, packets at each, and packets of one whose length is not known. */
const [places, packetsAtEach, packetsOfUnknown] = [60, 4, 600];
/**
 * Levels up to which there is nothing to hear: about -75 dB of samples, on the scale that each codec has. A pure tone takes hardly more of
 * FLAC than silence does.
 */
const quietest: Readonly<Record<string, number>> = { aac: -15, flac: -94 };
const quietestOfOthers = -75;
/** Bytes a second that a pause takes at most of a codec whose packets have no level. */
const fewestBytes = 900;
/** A packet of so few bytes holds no sound. */
const leastPacket = 16;

/** Whether there is anything to hear at some place of a track. What cannot be told counts as heard. */
async function isHeard(track: InputAudioTrack, codec: AudioCodec, seconds: number): Promise<boolean> {
  try {
    const config = await track.getDecoderConfig();
    if (config === null) return true;
    const isLoud = loudnessOf(codec, config);
    const sink = new EncodedPacketSink(track);
    const start = await track.getFirstTimestamp();
    const length = seconds - start;
    for (let place = 0; place < (length > 0 ? places : 1); place++) {
      const at = start + (length * (place + 0.5)) / places;
      const packets: EncodedPacket[] = [];
      let packet = length > 0 ? await sink.getPacket(at) : await sink.getFirstPacket();
      for (; packet !== null && packets.length < (length > 0 ? packetsAtEach : packetsOfUnknown); ) {
        packets.push(packet);
        packet = await sink.getNextPacket(packet);
      }
      if (isLoud(packets)) return true;
    }
    return false;
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    return true;
  }
}

/** Tells from packets that follow one another whether there is anything to hear in them. */
function loudnessOf(codec: AudioCodec, config: AudioDecoderConfig): (packets: readonly EncodedPacket[]) => boolean {
  const levelOf = levelFor(codec, config);
  const most = quietest[codec] ?? quietestOfOthers;
  if (levelOf.ofPacket === undefined && codec !== 'flac') {
    const sum = (packets: readonly EncodedPacket[], of: 'byteLength' | 'duration'): number =>
      packets.reduce((all, packet) => all + packet[of], 0);
    return (packets) => sum(packets, 'byteLength') > fewestBytes * sum(packets, 'duration');
  }
  return (packets) => {
    const levels = packets.flatMap((packet, i) => {
      const { byteLength, duration, timestamp } = packet;
      // Some containers do not say how long a packet is.
      const seconds = duration > 0 ? duration : (packets[i + 1]?.timestamp ?? Number.NaN) - timestamp;
      const level = levelOf.ofPacket?.(packet) ?? levelOf.ofLength?.(byteLength, seconds) ?? Number.NaN;
      return byteLength <= leastPacket ? [silence] : Number.isNaN(level) ? [] : [level];
    });
    // Where no level can be told, that says nothing of silence.
    return levels.some((level) => level > most) || (levels.length === 0 && packets.length > 0);
  };
}
