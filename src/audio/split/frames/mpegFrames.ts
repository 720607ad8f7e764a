import { type FrameHeader, readAdtsHeader, readMp2Header, readMp3Header } from '../../recording/frameHeaders.ts';
import { aacLevel } from '../levels/aacLevel.ts';
import { mp3Level } from '../levels/mp3Level.ts';
import { pieceForms } from '../pieceForms.ts';
import type { SourceFile } from '../sourceFile.ts';
import type { FrameFormat } from './frameContainer.ts';
import { readFrames, skipTags } from './readFrames.ts';
import { isInfoFrame, leadingSamples, promisedFrames } from './xing.ts';

/** MPEG audio, layer III. */
export async function mp3Format(file: SourceFile): Promise<FrameFormat> {
  return {
    codec: 'mp3',
    form: pieceForms.mp3,
    // Frames take bits from those before them, which lie up to 511 bytes back.
    preRoll: 0.25,
    from: await skipTags(file),
    read: (from, kind, signal) => readFrames(file, readMp3Header, { from, kind }, signal),
    soundOf: ({ bytes }) => bytes,
    level: mp3Level,
    info({ bytes, header: { samples, rate } }) {
      if (!isInfoFrame(bytes)) return undefined;
      const frames = promisedFrames(bytes);
      return { lead: leadingSamples(bytes) / rate, ...(frames && { seconds: (frames * samples) / rate }) };
    },
  };
}

/** MPEG audio, layer II. What reads MP3 reads it, too, and tells it by each frame. */
export async function mp2Format(file: SourceFile): Promise<FrameFormat> {
  return {
    codec: 'mp2',
    form: pieceForms.mp3,
    preRoll: 0.05,
    from: await skipTags(file),
    read: (from, kind, signal) => readFrames(file, readMp2Header, { from, kind }, signal),
    soundOf: ({ bytes }) => bytes,
    // Of a constant bit rate all are as long, and the scale factors stand where only a decoder finds them.
    level: () => undefined,
  };
}

/** AAC as ADTS. */
export async function adtsFormat(file: SourceFile): Promise<FrameFormat> {
  return {
    codec: 'aac',
    form: pieceForms.m4a,
    preRoll: 0.05,
    from: await skipTags(file),
    read: (from, kind, signal) => readFrames(file, readAdtsHeader, { from, kind }, signal),
    soundOf: ({ bytes, header }) => bytes.subarray(header.headerLength),
    level: aacLevel,
    config: aacConfig,
    // Frames that hold more than one packet are not taken apart, and channels that the sound itself describes are not found.
    isPacket: ({ samples, channels }) => samples === 1024 && channels > 0,
  };
}

/** What a decoder of AAC is told (ISO 14496-3, 1.6.2.1): profile, rate and channels, as each header of ADTS has them. */
function aacConfig({ kind, rate, channels }: FrameHeader): AudioDecoderConfig {
  const profile = (kind >> 14) + 1;
  const rateIndex = (kind >> 10) & 15;
  const configuration = (kind >> 6) & 7;
  const description = Buffer.from([(profile << 3) | (rateIndex >> 1), ((rateIndex & 1) << 7) | (configuration << 3)]);
  return { codec: `mp4a.40.${profile}`, sampleRate: rate, numberOfChannels: channels, description };
}
