import {
  EncodedAudioPacketSource,
  EncodedPacket,
  MkvOutputFormat,
  Mp4OutputFormat,
  Output,
  StreamTarget,
  type TrackDisposition,
} from 'mediabunny';
import { aacPacket, aacSeconds, framesOf, turns } from './recordings.ts';

/** A track of AAC. */
export interface MadeTrack {
  /** Whether nothing is heard in it. */
  isSilent?: boolean;
  /** ISO 639-2. */
  language?: string;
  title?: string;
  disposition?: Partial<TrackDisposition>;
  /** The codec, where it is none that can be copied. */
  codec?: 'aac' | 'ac3';
  /** Bytes of each packet, by which tracks are told apart. */
  length?: number;
}

/** A packet of AAC, mono, in which there is nothing: one channel without a band. */
const silentPacket = Buffer.from('00c800802380', 'hex');

/** Puts several tracks of sound into a container, some seconds of each. */
export async function muxTracks(container: 'mp4' | 'mkv', tracks: readonly MadeTrack[], seconds = 1): Promise<Buffer> {
  const writes: { data: Uint8Array; position: number }[] = [];
  const writable = new WritableStream<{ data: Uint8Array; position: number }>({
    write: ({ data, position }) => void writes.push({ data: data.slice(), position }),
  });
  const format = container === 'mp4' ? new Mp4OutputFormat({ fastStart: 'in-memory' }) : new MkvOutputFormat();
  const output = new Output({ format, target: new StreamTarget(writable) });
  const sources = tracks.map(({ codec = 'aac', language, title, disposition }) => {
    const source = new EncodedAudioPacketSource(codec);
    output.addAudioTrack(source, {
      ...(language === undefined ? {} : { languageCode: language }),
      ...(title === undefined ? {} : { name: title }),
      ...(disposition === undefined ? {} : { disposition }),
    });
    return source;
  });
  await output.start();
  const heights = framesOf(turns(Math.ceil(seconds / 3)), aacSeconds, (height) =>
    Buffer.from([Math.round(height * 255)]),
  );
  for (const [i, height] of heights.entries()) {
    for (const [at, { isSilent = false, codec = 'aac', length = 150 }] of tracks.entries()) {
      const sound = aacPacket((height[0] ?? 0) / 255 + 0.001, length);
      const packet = codec === 'ac3' ? Buffer.from('0b77f8c01e40e1df', 'hex') : isSilent ? silentPacket : sound;
      const decoderConfig =
        codec === 'ac3'
          ? { sampleRate: 48_000, numberOfChannels: 1, codec: 'ac-3' }
          : { sampleRate: 44_100, numberOfChannels: 1, codec: 'mp4a.40.2', description: Buffer.from('1208', 'hex') };
      await sources[at]?.add(new EncodedPacket(packet, 'key', i * aacSeconds, aacSeconds), { decoderConfig });
    }
  }
  await output.finalize();
  const file = Buffer.alloc(Math.max(...writes.map(({ data, position }) => position + data.length)));
  for (const { data, position } of writes) file.set(data, position);
  return file;
}
