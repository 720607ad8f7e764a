import { bytesOf } from '../container.ts';
import { createFlacEncoder, flacBlock, flacStreamInfo } from '../flac/encodeFlac.ts';
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

  const encoder = createFlacEncoder(bits);
  const arrays = Array.from({ length: channels }, () => new Int32Array(flacBlock));

  async function writeBlock(block: Buffer): Promise<void> {
    const samples = channelsOf(block, encoding as NonNullable<typeof encoding>, channels, arrays);
    const frame = encoder.encode(samples, written.frames);
    written.frames += 1;
    written.samples += samples[0]?.length ?? 0;
    written.shortest = Math.min(written.shortest, frame.length);
    written.longest = Math.max(written.longest, frame.length);
    await file.append(frame);
  }

  await file.append(flacHead(info, written));
  // Packets are valid until the next one only, and end anywhere in a block.
  const block = Buffer.allocUnsafe(blockBytes);
  let filled = 0;
  for await (const packet of packets) {
    const bytes = bytesOf(packet.bytes);
    for (let at = 0; at < bytes.length; ) {
      const end = Math.min(bytes.length, at + blockBytes - filled);
      block.set(bytes.subarray(at, end), filled);
      filled += end - at;
      at = end;
      if (filled < blockBytes) break;
      await writeBlock(block);
      filled = 0;
    }
  }
  if (filled > 0) await writeBlock(block.subarray(0, filled));
  await file.writeAt(flacHead(info, written), 0);
};
