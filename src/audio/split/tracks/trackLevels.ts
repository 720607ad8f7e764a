import type { AudioCodec, EncodedPacket } from 'mediabunny';
import { bytesOf } from '../container.ts';
import { aacLevel } from '../levels/aacLevel.ts';
import { mp3Level } from '../levels/mp3Level.ts';
import { flacLevel, sizeLevel } from '../levels/sizeLevel.ts';
import { createLoudnessMeter } from '../pcm/loudness.ts';
import { pcmEncodings } from '../pcm/pcmEncoding.ts';

/** How the loudness of a packet is told, in decibels: from what is in it, or from its length. */
export type LevelOf =
  | { ofPacket(packet: EncodedPacket): number; ofLength?: never }
  | { ofLength(bytes: number, seconds: number): number; ofPacket?: never };

/** AAC as it is common, and with what adds high tones or a second channel to it (object types 2, 5 and 29). */
const plainAac = /^mp4a\.40\.0?(2|5|29)$/;

export function levelFor(codec: AudioCodec, config: AudioDecoderConfig): LevelOf {
  const { sampleRate, numberOfChannels: channels } = config;
  const encoding = pcmEncodings[codec];
  if (encoding !== undefined) {
    const meter = createLoudnessMeter(encoding, channels, sampleRate);
    return { ofPacket: ({ data }) => meter.measure(bytesOf(data)) };
  }
  if (codec === 'aac' && plainAac.test(config.codec)) return { ofPacket: ({ data }) => aacLevel(data) ?? Number.NaN };
  if (codec === 'mp3') return { ofPacket: ({ data }) => mp3Level(data) ?? Number.NaN };
  if (codec === 'flac') return { ofLength: (bytes, seconds) => flacLevel(bytes, seconds * sampleRate * channels) };
  return { ofLength: sizeLevel };
}
