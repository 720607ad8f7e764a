import { bytesOf } from '../container.ts';
import { encodeFlacFrame, flacBlock, flacStreamInfo } from '../flac/encodeFlac.ts';
import { channelsOf } from '../pcm/flacShare.ts';
import { pcmEncodings } from '../pcm/pcmEncoding.ts';
import { flacHead } from './flacPiece.ts';
import type { WritePackets } from './pieceFile.ts';

/** Writes samples as a FLAC, without loss. */
export const writeEncodedFlac: WritePackets = async (file, { codec, channels, sampleRate }, packets) => {
  const encoding = pcmEncodings[codec];
  if (encoding === undefined) throw new Error(`${codec} is no PCM.`);
  const bits = encoding.bytes * 8;
  const info = flacStreamInfo({ channels, bits, rate: sampleRate });
  const written = { frames: 0, samples: 0, shortest: 0xffffff, longest: 0 };
  const blockBytes = flacBlock * channels * encoding.bytes;

  async function writeBlock(block: Buffer): Promise<void> {
    const samples = channelsOf(block, encoding as NonNullable<typeof encoding>, channels);
    const frame = encodeFlacFrame(samples, bits, written.frames);
    written.frames += 1;
    written.samples += samples[0]?.length ?? 0;
    written.shortest = Math.min(written.shortest, frame.length);
    written.longest = Math.max(written.longest, frame.length);
    await file.append(frame);
  }

  await file.append(flacHead(info, written));
  let rest = Buffer.alloc(0);
  for await (const { bytes } of packets) {
    // The bytes are valid until the next packet only: what is left of them is copied.
    const all = Buffer.concat([rest, bytesOf(bytes)]);
    let at = 0;
    for (; at + blockBytes <= all.length; at += blockBytes) await writeBlock(all.subarray(at, at + blockBytes));
    rest = all.subarray(at);
  }
  if (rest.length > 0) await writeBlock(rest);
  await file.writeAt(flacHead(info, written), 0);
};
