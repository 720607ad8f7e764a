import type { PcmEncoding } from './pcmEncoding.ts';

/** Samples as a WAV has them. */
export interface WavFormat {
  encoding: PcmEncoding;
  channels: number;
  /** Samples a second, for each channel. */
  sampleRate: number;
}

/** The bytes of a WAV before its samples. */
export function wavHeader({ encoding, channels, sampleRate }: WavFormat, dataBytes: number): Buffer {
  const tag = { integer: 1, float: 3, alaw: 6, ulaw: 7 }[encoding.kind];
  const header = Buffer.alloc(44);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(36 + dataBytes, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(tag, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * channels * encoding.bytes, 28);
  header.writeUInt16LE(channels * encoding.bytes, 32);
  header.writeUInt16LE(encoding.bytes * 8, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(dataBytes, 40);
  return header;
}
