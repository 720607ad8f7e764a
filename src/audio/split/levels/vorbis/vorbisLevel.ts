import { decibels, silence } from '../level.ts';
import { readEntry } from './codebook.ts';
import { bitLength, createLowBitReader, type LowBitReader } from './lowBits.ts';
import type { Floor, VorbisSetup } from './setup.ts';

/**
 * The loudness of a packet of Vorbis, told without decoding it: it begins with the coarse shape of the spectrum of each channel
 * (Vorbis I, 4.3.2). Its length says little: the noise of a room takes as many bits as a vowel.
 * @returns decibels; undefined for a packet that is none
 */
export function vorbisLevel(packet: Uint8Array, { codebooks, modes, channels }: VorbisSetup): number | undefined {
  const bits = createLowBitReader(packet);
  if (bits.read(1) !== 0) return undefined;
  const mode = modes[bits.read(bitLength(modes.length - 1))];
  if (mode === undefined) return undefined;
  if (mode.isLong) bits.skip(2);
  let energy = 0;
  for (const floor of mode.floors) {
    if (bits.read(1) === 0) continue;
    const points = readPoints(bits, floor, codebooks);
    if (points === undefined) return undefined;
    energy += energyOf(points, floor);
  }
  if (bits.isOver) return undefined;
  return energy === 0 ? silence : decibels(energy / channels);
}

/** What the points can be, for each multiplier. */
const ranges = [256, 128, 86, 64];

/** The points as they are coded: the ends of the spectrum, and for the others how far they lie off what is expected there. */
function readPoints(bits: LowBitReader, floor: Floor, codebooks: VorbisSetup['codebooks']): number[] | undefined {
  const endBits = bitLength((ranges[floor.multiplier - 1] ?? 256) - 1);
  const points = [bits.read(endBits), bits.read(endBits)];
  for (const { size, subclassBits, book, books } of floor.groups) {
    let chosen = 0;
    if (subclassBits > 0) {
      const tree = codebooks[book];
      const entry = tree && readEntry(tree, bits);
      if (entry === undefined) return undefined;
      chosen = entry;
    }
    for (let i = 0; i < size; i++) {
      const tree = codebooks[books[chosen & (2 ** subclassBits - 1)] ?? -1];
      chosen >>= subclassBits;
      const point = tree === undefined ? 0 : readEntry(tree, bits);
      if (point === undefined) return undefined;
      points.push(point);
    }
  }
  return points;
}

/** Decibels of one step of a point. */
const step = 140 / 256;

/** The sum of squares of the spectrum at the points (Vorbis I, 7.2.4), without the lowest, where the rumble of a room is. */
function energyOf(coded: readonly number[], { multiplier, places, neighbours }: Floor): number {
  const range = ranges[multiplier - 1] ?? 256;
  const heights = [...coded];
  let energy = 0;
  for (let i = 2; i < coded.length; i++) {
    const place = places[i] ?? 0;
    const [low, high] = neighbours[i] ?? [0, 1];
    const [lowPlace, lowHeight] = [places[low] ?? 0, heights[low] ?? 0];
    const [highPlace, highHeight] = [places[high] ?? 0, heights[high] ?? 0];
    const share = (place - lowPlace) / Math.max(1, highPlace - lowPlace);
    const expected = Math.floor(lowHeight + (highHeight - lowHeight) * share);
    heights[i] = expected + offsetOf(coded[i] ?? 0, expected, range - expected);
    energy += 10 ** ((((heights[i] ?? 0) * multiplier - 256) * step) / 10) * (highPlace - lowPlace);
  }
  return energy;
}

/** Offsets go up and down in turn as long as there is room on both sides, and then to the side that has more. */
function offsetOf(coded: number, below: number, above: number): number {
  const room = 2 * Math.min(below, above);
  if (coded >= room) return above > below ? coded - below : above - coded - 1;
  return coded % 2 === 1 ? -(coded + 1) / 2 : coded / 2;
}
