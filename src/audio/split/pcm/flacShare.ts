import { createFlacEncoder, flacBlock } from '../flac/encodeFlac.ts';
import { integerReader, type PcmEncoding } from './pcmEncoding.ts';

/** Samples as they stand in a file. */
export interface PcmFrames {
  encoding: PcmEncoding;
  channels: number;
  sampleRate: number;
  /** Samples of each channel. */
  frames: number;
}

/** Blocks that are encoded to tell the share. */
const measured = 24;
/** Of fewer samples there is nothing to gain. */
const fewest = 48 * flacBlock;
/** Where each block is after the one before: spread evenly (the golden section), and in step with nothing that comes again and again. */
const step = 0.618_034;
const [mostChannels, mostRate] = [8, 2 ** 20 - 1];

/**
 * What share of their bytes samples would take as FLAC, told from some blocks of them; undefined where they cannot be FLAC without
 * loss, or are few.
 * @param read the bytes of so many samples of each channel, from one on
 */
export async function flacShare(
  { encoding, channels, sampleRate, frames }: PcmFrames,
  read: (frame: number, count: number) => Promise<Buffer>,
): Promise<number | undefined> {
  const isWhole = encoding.kind === 'integer' && encoding.bytes <= 3;
  if (!isWhole || channels > mostChannels || sampleRate > mostRate || frames < fewest) return undefined;
  const encoder = createFlacEncoder(encoding.bytes * 8);
  let [encoded, plain] = [0, 0];
  for (let block = 0; block < measured; block++) {
    const at = Math.floor((((block + 0.5) * step) % 1) * (frames - flacBlock));
    const bytes = await read(at, flacBlock);
    const samples = channelsOf(bytes, encoding, channels);
    encoded += encoder.encode(samples, block).length;
    plain += bytes.length;
  }
  return encoded / plain;
}

/** The samples of each channel as whole numbers around 0; into arrays of at least that length, if given. */
export function channelsOf(
  bytes: Buffer,
  encoding: PcmEncoding,
  channels: number,
  into: readonly Int32Array[] = [],
): Int32Array[] {
  const read = integerReader(encoding);
  const length = Math.floor(bytes.length / encoding.bytes / channels);
  return Array.from({ length: channels }, (_, channel) => {
    const samples = into[channel]?.subarray(0, length) ?? new Int32Array(length);
    for (let i = 0; i < length; i++) samples[i] = read(bytes, (i * channels + channel) * encoding.bytes);
    return samples;
  });
}
