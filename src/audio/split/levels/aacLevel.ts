import { type BitReader, createBitReader } from './bits.ts';
import { decibels, silence } from './level.ts';

/**
 * The loudness of a packet of AAC, told without decoding it: its first channel begins with the scale factors of its bands and the
 * Huffman tables of their values (ISO 14496-3, 4.4.2). Encoders that keep to a bit rate make the packets of a pause as long as
 * those of speech, if there is the least noise.
 * @param packet a raw_data_block, or its first hundred bytes
 * @returns decibels on the scale of AAC; undefined for what is coded in another way
 */
export function aacLevel(packet: Uint8Array): number | undefined {
  const bits = createBitReader(packet);
  const element = readElement(bits);
  if (element === undefined) return undefined;
  bits.skip(4);
  const isPair = element === channelPair;
  let windows: Windows | undefined;
  if (isPair && bits.read(1) === 1) {
    windows = readWindows(bits);
    if (windows === undefined) return undefined;
    if (bits.read(2) === 1) bits.skip(windows.groups.length * windows.bands);
  }
  const gain = bits.read(8);
  windows ??= readWindows(bits);
  if (windows === undefined) return undefined;
  const energy = readBands(bits, gain, windows);
  return bits.isOver ? undefined : energy === 0 ? silence : decibels(energy);
}

const [singleChannel, channelPair, dataStream, fill] = [0, 1, 4, 6];

/** Skips to the first channel; undefined where none comes. */
function readElement(bits: BitReader): number | undefined {
  for (let i = 0; i < 8 && !bits.isOver; i++) {
    const element = bits.read(3);
    if (element === singleChannel || element === channelPair) return element;
    if (element === fill) {
      const count = bits.read(4);
      bits.skip(8 * (count === 15 ? 14 + bits.read(8) : count));
    } else if (element === dataStream) {
      bits.skip(4);
      const isAligned = bits.read(1) === 1;
      const count = bits.read(8);
      const length = count === 255 ? count + bits.read(8) : count;
      if (isAligned) bits.align();
      bits.skip(8 * length);
    } else return undefined;
  }
  return undefined;
}

/** The shape of a packet: bands of the spectrum, for each group of windows; there are several where the sound changes fast. */
interface Windows {
  bands: number;
  /** How many windows there are in each group. */
  groups: number[];
}

function readWindows(bits: BitReader): Windows | undefined {
  bits.skip(1);
  const isShort = bits.read(2) === 2;
  bits.skip(1);
  if (!isShort) {
    const bands = bits.read(6);
    // Prediction is of profiles that nobody uses.
    return bits.read(1) === 0 ? { bands, groups: [1] } : undefined;
  }
  const bands = bits.read(4);
  const groups = [1];
  for (let i = 0; i < 7; i++) {
    if (bits.read(1) === 1) groups[groups.length - 1] = (groups.at(-1) ?? 0) + 1;
    else groups.push(1);
  }
  return { bands, groups };
}

/** Codebooks that are none: no values, noise whose energy alone is coded, and what is taken from the other channel. */
const [zero, noise, intensity] = [0, 13, 14];
/** The largest value in each codebook; those of the last may be larger. */
const largest = [0, 1, 1, 2, 2, 4, 4, 7, 7, 12, 12, 32];
/** Bands that hold the rumble of a room, below some 170 Hz. */
const rumble = 1;

/** The scale factor at which one step of the quantiser is about the loudest. */
const fullScale = 160;
/** Lines of the spectrum in a band of speech. */
const bandWidth = 8;

/** The sum of squares of a band for each codebook: values are half of what it takes, and a value q stands for q^(4/3). */
const squares = largest.map((most) => bandWidth * (most / 2) ** (8 / 3));

function readBands(bits: BitReader, gain: number, { bands, groups }: Windows): number {
  const codebooks = groups.map(() => readCodebooks(bits, bands, groups.length > 1 || groups[0] !== 1));
  let scale = gain;
  let noiseScale: number | undefined;
  let energy = 0;
  for (const [group, windows] of groups.entries()) {
    for (let band = 0; band < bands; band++) {
      const codebook = codebooks[group]?.[band] ?? zero;
      if (codebook === zero) continue;
      if (codebook === noise && noiseScale === undefined) {
        noiseScale = gain - 90 + bits.read(9) - 256;
      } else {
        const delta = readDelta(bits);
        if (delta === undefined) return energy;
        if (codebook === noise) noiseScale = (noiseScale ?? 0) + delta;
        else if (codebook < noise) scale += delta;
      }
      if (band < rumble || codebook >= intensity) continue;
      energy +=
        windows *
        (codebook === noise
          ? 2 ** (((noiseScale ?? 0) - fullScale + 100) / 2)
          : (squares[codebook] ?? 0) * 2 ** ((scale - fullScale) / 2));
    }
  }
  return energy;
}

function readCodebooks(bits: BitReader, bands: number, isShort: boolean): number[] {
  const lengthBits = isShort ? 3 : 5;
  const goesOn = 2 ** lengthBits - 1;
  const codebooks: number[] = [];
  while (codebooks.length < bands && !bits.isOver) {
    const codebook = bits.read(4);
    let length = 0;
    let more = bits.read(lengthBits);
    while (more === goesOn && length < bands) {
      length += more;
      more = bits.read(lengthBits);
    }
    length += more;
    for (let i = 0; i < length && codebooks.length < bands; i++) codebooks.push(codebook);
  }
  return codebooks;
}

/** Differences between scale factors by the length of their code, in the order of the codes (ISO 14496-3, table 4.A.1). */
const deltas: readonly (readonly number[])[] = [
  [0],
  [],
  [-1],
  [1, -2, 2],
  [-3, 3],
  [-4, 4, -5, 5],
  [6, -6, 7],
  [-7, 8, -8, 9, -9],
  [10, -10, -11, 11],
  [12, -12, 13, -13, 14, -14],
  [16, 15, 17, 18, -15, -17],
  [-16, 19, -18, -19, 20, -20],
  [21, -21, 22, -22, 23],
];

/** The difference to the scale factor before; undefined for one so large that it hardly ever occurs. */
function readDelta(bits: BitReader): number | undefined {
  let code = 0;
  let first = 0;
  for (const ofLength of deltas) {
    code = code * 2 + bits.read(1);
    first *= 2;
    const delta = ofLength[code - first];
    if (delta !== undefined) return delta;
    first += ofLength.length;
  }
  return undefined;
}
