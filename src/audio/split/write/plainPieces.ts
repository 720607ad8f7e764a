import { readMp3Header } from '../../recording/frameHeaders.ts';
import { bytesOf } from '../container.ts';
import { infoFrame } from '../frames/xing.ts';
import { pcmEncodings, toWavSamples } from '../pcm/pcmEncoding.ts';
import { wavHeader } from '../pcm/wavHeader.ts';
import type { WritePackets } from './pieceFile.ts';

/** Writes samples as a WAV. */
export const writeWav: WritePackets = async (file, container, packets) => {
  const encoding = pcmEncodings[container.codec];
  if (encoding === undefined) throw new Error(`${container.codec} is no PCM.`);
  const format = {
    encoding: { ...encoding, isBigEndian: false },
    channels: container.channels,
    sampleRate: container.sampleRate,
  };
  await file.append(wavHeader(format, 0));
  let length = 0;
  for await (const packet of packets) {
    const samples = toWavSamples(bytesOf(packet.bytes), encoding);
    length += samples.length;
    await file.append(samples);
  }
  // Chunks have an even length.
  if (length % 2 === 1) await file.append(Buffer.alloc(1));
  await file.writeAt(wavHeader(format, length), 0);
};

/** Writes frames of MPEG layer III one after another, and before them how many they are. */
export const writeMp3: WritePackets = async (file, _container, packets) => {
  let first: Buffer | undefined;
  let [frames, bytes] = [0, 0];
  for await (const packet of packets) {
    const frame = bytesOf(packet.bytes);
    if (first === undefined && readMp3Header(frame, 0) !== undefined) {
      first = Buffer.from(frame.subarray(0, 4));
      await file.append(infoFrame(first, 0, 0));
    }
    frames += 1;
    bytes += frame.length;
    await file.append(frame);
  }
  if (first !== undefined) await file.writeAt(infoFrame(first, frames, bytes), 0);
};
