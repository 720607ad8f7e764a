import type { SourceFile } from '../sourceFile.ts';

/** What STREAMINFO says of a FLAC (RFC 9639, 8.2). */
export interface StreamInfo {
  /** Samples a second, for each channel. */
  rate: number;
  channels: number;
  /** Samples of the file for each channel; 0 where it is not known. */
  samples: number;
  /** The most bytes that a frame can have. */
  longestFrame: number;
  /** The block itself. */
  description: Buffer;
}

/** Bytes of STREAMINFO. */
export const streamInfoLength = 34;
/** Blocks before the frames: tags, pictures, a table to seek by. */
const mostBlocks = 128;

/**
 * Reads the blocks before the frames of a FLAC.
 * @param from where `fLaC` stands
 * @returns where the frames begin; no `info` where it is missing or damaged
 */
export async function readStreamInfo(file: SourceFile, from: number): Promise<{ info?: StreamInfo; framesAt: number }> {
  let at = from + 4;
  let info: StreamInfo | undefined;
  for (let i = 0; i < mostBlocks; i++) {
    const block = await file.read(at, 4 + streamInfoLength);
    if (block.length < 4) break;
    if ((block.readUInt8(0) & 0x7f) === 0 && block.length === 4 + streamInfoLength) info ??= parse(block.subarray(4));
    at += 4 + block.readUIntBE(1, 3);
    if (block.readUInt8(0) >= 0x80) break;
  }
  return { ...(info === undefined ? {} : { info }), framesAt: at };
}

function parse(description: Buffer): StreamInfo | undefined {
  const rate = description.readUIntBE(10, 3) >>> 4;
  const channels = ((description.readUInt8(12) >> 1) & 7) + 1;
  const longestBlock = description.readUInt16BE(2);
  if (rate === 0 || longestBlock === 0) return undefined;
  // Samples that could not be made shorter take four bytes at most, and one of a channel that is a difference a bit more.
  const samples = (description.readUInt8(13) & 15) * 2 ** 32 + description.readUInt32BE(14);
  return {
    rate,
    channels,
    samples,
    longestFrame: longestBlock * channels * 5 + 64,
    description: Buffer.from(description),
  };
}
