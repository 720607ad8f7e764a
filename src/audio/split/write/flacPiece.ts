import { bytesOf } from '../container.ts';
import { renumberFrame } from '../flac/flacFrame.ts';
import { streamInfoLength } from '../flac/streamInfo.ts';
import type { WritePackets } from './pieceFile.ts';

/**
 * Writes frames of FLAC as a file of their own. Each frame has its number in it: they are counted from 0 again, since a decoder
 * takes a file that begins with a later one for a damaged one whose start is lost.
 */
export const writeFlac: WritePackets = async (file, { config, sampleRate }, packets) => {
  const info = streamInfo(config?.description);
  const written: WrittenFrames = { frames: 0, samples: 0, shortest: 0xffffff, longest: 0 };
  await file.append(flacHead(info, written));
  for await (const { bytes, duration } of packets) {
    const frame = renumberFrame(bytes, written.frames, written.samples);
    written.frames += 1;
    written.samples += Math.round(duration * sampleRate);
    written.shortest = Math.min(written.shortest, frame.length);
    written.longest = Math.max(written.longest, frame.length);
    await file.append(frame);
  }
  await file.writeAt(flacHead(info, written), 0);
};

/** What is counted while frames are written: their number, samples, and lengths in bytes. */
export interface WrittenFrames {
  frames: number;
  samples: number;
  shortest: number;
  longest: number;
}

/** The STREAMINFO of a track: as it is, or after `fLaC` and the header of a block, as a FLAC file has it. */
function streamInfo(description: AudioDecoderConfig['description']): Buffer {
  const bytes = bytesOf(description);
  const at = bytes.toString('latin1', 0, 4) === 'fLaC' ? 8 : 0;
  return Buffer.from(bytes.subarray(at, at + streamInfoLength));
}

/** What stands before the frames: the STREAMINFO of the whole file, but for what is counted, and the checksum of its sound. */
export function flacHead(info: Buffer, { samples, shortest, longest }: WrittenFrames): Buffer {
  const block = Buffer.alloc(8 + streamInfoLength);
  block.write('fLaC', 0, 'latin1');
  block.writeUInt32BE(0x80000000 + streamInfoLength, 4);
  info.copy(block, 8);
  block.writeUIntBE(Math.min(shortest, longest), 8 + 4, 3);
  block.writeUIntBE(longest, 8 + 7, 3);
  block.writeUInt8((block.readUInt8(8 + 13) & 0xf0) | Math.floor(samples / 2 ** 32), 8 + 13);
  block.writeUInt32BE(samples % 2 ** 32, 8 + 14);
  // No checksum of the sound: 0 for not known.
  block.fill(0, 8 + 18);
  return block;
}
