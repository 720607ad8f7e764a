import { createBitReader } from './bits.ts';
import { decibels, silence } from './level.ts';

/**
 * The loudness of a frame of MPEG audio layer III, told without decoding it: the side information gives for each channel the size
 * of the steps its spectrum is quantised by (`global_gain`), and by the Huffman tables how many steps its values have at most
 * (ISO 11172-3, 2.4.1.7). Frames of constant bit rate are all as long, and say nothing by their size.
 * @param frame with its header, at least up to the end of the side information
 * @returns decibels on the scale of layer III; undefined where the frame is too short
 */
export function mp3Level(frame: Uint8Array): number | undefined {
  if (frame.length < 6) return undefined;
  const isVersion1 = (((frame[1] ?? 0) >> 3) & 3) === 3;
  const hasChecksum = ((frame[1] ?? 0) & 1) === 0;
  const channels = (frame[3] ?? 0) >> 6 === 3 ? 1 : 2;
  const bits = createBitReader(frame, hasChecksum ? 6 : 4);
  if (isVersion1) bits.skip((channels === 1 ? 14 : 12) + 4 * channels);
  else bits.skip(channels === 1 ? 9 : 10);
  let energy = 0;
  const granules = isVersion1 ? 2 : 1;
  for (let i = 0; i < granules * channels; i++) {
    const length = bits.read(12);
    const pairs = bits.read(9);
    const gain = bits.read(8);
    bits.skip(isVersion1 ? 4 : 9);
    const tables = readTables(bits, pairs);
    bits.skip(isVersion1 ? 3 : 2);
    if (length > 0) energy += tables * 2 ** ((gain - fullScale) / 2);
  }
  if (bits.isOver) return undefined;
  return energy === 0 ? silence : decibels(energy / (granules * channels));
}

/** The gain at which one step of the quantiser is about the loudest. */
const fullScale = 210;

/** Lines of the spectrum below the borders of its bands, for the 22 bands of a long block at 44.1 kHz; others lie near. */
const bands = [...[4, 8, 12, 16, 20, 24, 30, 36, 44, 52, 62, 74, 90, 110, 134, 162, 196, 238, 288, 342, 418, 576]];

/** The sum of squares that the values of a granule may have, in steps of its quantiser. */
function readTables(bits: ReturnType<typeof createBitReader>, pairs: number): number {
  const isSwitched = bits.read(1) === 1;
  const selected: number[] = [];
  let borders: number[];
  if (isSwitched) {
    bits.skip(3);
    selected.push(bits.read(5), bits.read(5));
    bits.skip(9);
    borders = [36, 576];
  } else {
    selected.push(bits.read(5), bits.read(5), bits.read(5));
    const first = bits.read(4);
    const second = first + bits.read(3) + 1;
    borders = [bands[first] ?? 576, bands[Math.min(second, 21)] ?? 576, 576];
  }
  // The values after the pairs are at most 1; so few are that of their number nothing need be known.
  let sum = 2;
  let from = 0;
  for (const [i, border] of borders.entries()) {
    const to = Math.min(border, pairs * 2);
    if (to > from) sum += (to - from) * (squares[selected[i] ?? 0] ?? 0);
    from = Math.max(from, to);
  }
  return sum;
}

/** The largest value of each Huffman table, and for those from 16 the bits by which it may be larger. */
const largest = [0, 1, 2, 2, 0, 3, 3, 5, 5, 5, 7, 7, 7, 15, 0, 15];
const extraBits = [1, 2, 3, 4, 6, 8, 10, 13, 4, 5, 6, 7, 8, 9, 11, 13];

/** The square of a value for each table: it is half of what the table takes, and a value q stands for q^(4/3). */
const squares = [...largest, ...extraBits.map((bits) => 15 + 2 ** bits)].map((most) => (most / 2) ** (8 / 3));
