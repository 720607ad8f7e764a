import { type CodeTree, readCodebook } from './codebook.ts';
import { bitLength, createLowBitReader, type LowBitReader } from './lowBits.ts';

/** What the headers of Vorbis say that is needed to read the floors of packets: the coarse shape of their spectrum. */
export interface VorbisSetup {
  channels: number;
  codebooks: readonly CodeTree[];
  /** For each mode of a packet: whether its block is long, and the floor of each channel. */
  modes: readonly { isLong: boolean; floors: readonly Floor[] }[];
}

/** How the points of a spectrum are coded (Vorbis I, 7.2.2). */
export interface Floor {
  /** The class of each group of points. */
  groups: readonly FloorClass[];
  multiplier: number;
  /** Places in the spectrum, for each point in the order in which they are coded; the first two are its ends. */
  places: readonly number[];
  /** The nearest points on both sides of each, among those that come before it. */
  neighbours: readonly (readonly [low: number, high: number])[];
}

export interface FloorClass {
  size: number;
  subclassBits: number;
  /** The codebook that says which books the points have. */
  book: number;
  /** The codebook for each subclass, -1 for points that are 0. */
  books: readonly number[];
}

/**
 * Reads the headers of Vorbis.
 * @param description the three of them, as Matroska has them: their number less one, the lengths of all but the last, the headers
 * @returns undefined where they are damaged, or have floors of the kind that no encoder makes since 2001
 */
export function readSetup(description: Uint8Array): VorbisSetup | undefined {
  const [identification, setup] = splitHeaders(description);
  const channels = identification?.[11] ?? 0;
  if (setup === undefined || channels === 0) return undefined;
  const bits = createLowBitReader(setup.subarray(7));
  const codebooks: CodeTree[] = [];
  let treeNumbers = 0;
  for (let left = bits.read(8) + 1; left > 0; left--) {
    const codebook = readCodebook(bits);
    treeNumbers += codebook?.length ?? 0;
    if (codebook === undefined || treeNumbers > mostTreeNumbers) return undefined;
    codebooks.push(codebook);
  }
  bits.skip(16 * (bits.read(6) + 1));
  const floors = list(bits.read(6) + 1, () => readFloor(bits));
  list(bits.read(6) + 1, () => skipResidue(bits));
  const mappings = list(bits.read(6) + 1, () => readMapping(bits, channels));
  const modes = list(bits.read(6) + 1, () => {
    const isLong = bits.read(1) === 1;
    bits.skip(32);
    const mapping = mappings[bits.read(8)] ?? [];
    return { isLong, floors: mapping.map((floor) => floors[floor]) };
  });
  const isSound = modes.every((mode) => mode.floors.length === channels && !mode.floors.includes(undefined));
  return bits.isOver || !isSound ? undefined : { channels, codebooks, modes: modes as VorbisSetup['modes'] };
}

/** The most numbers of all trees; those in use have some ten thousand. */
const mostTreeNumbers = 1 << 20;

function list<T>(count: number, read: () => T): T[] {
  return Array.from({ length: count }, read);
}

/** The first header and the last. */
function splitHeaders(description: Uint8Array): [Uint8Array?, Uint8Array?] {
  if (description[0] !== 2) return [];
  const lengths: number[] = [];
  let at = 1;
  while (lengths.length < 2) {
    let length = 0;
    while (description[at] === 255) length += description[at++] ?? 0;
    length += description[at++] ?? 0;
    lengths.push(length);
  }
  const [first = 0, second = 0] = lengths;
  return [description.subarray(at, at + first), description.subarray(at + first + second)];
}

function readFloor(bits: LowBitReader): Floor | undefined {
  if (bits.read(16) !== 1) return undefined;
  const classOf = list(bits.read(5), () => bits.read(4));
  const classes = list(Math.max(-1, ...classOf) + 1, () => readClass(bits));
  const multiplier = bits.read(2) + 1;
  const placeBits = bits.read(4);
  const groups = classOf.flatMap((index) => classes[index] ?? []);
  const points = groups.reduce((sum, { size }) => sum + size, 0);
  const places = [0, 2 ** placeBits, ...list(points, () => bits.read(placeBits))];
  return { groups, multiplier, places, neighbours: places.map((_, i) => neighboursOf(places, i)) };
}

function neighboursOf(places: readonly number[], index: number): [low: number, high: number] {
  const place = places[index] ?? 0;
  let [low, high] = [0, 1];
  for (let i = 2; i < index; i++) {
    const other = places[i] ?? 0;
    if (other < place && other > (places[low] ?? 0)) low = i;
    if (other > place && other < (places[high] ?? 0)) high = i;
  }
  return [low, high];
}

function readClass(bits: LowBitReader): FloorClass {
  const size = bits.read(3) + 1;
  const subclassBits = bits.read(2);
  const book = subclassBits > 0 ? bits.read(8) : -1;
  return { size, subclassBits, book, books: list(2 ** subclassBits, () => bits.read(8) - 1) };
}

function skipResidue(bits: LowBitReader): void {
  bits.skip(16 + 3 * 24);
  const classes = bits.read(6) + 1;
  bits.skip(8);
  const cascades = list(classes, () => bits.read(3) + (bits.read(1) === 1 ? bits.read(5) * 8 : 0));
  for (const cascade of cascades) {
    for (let left = cascade; left > 0; left >>= 1) if ((left & 1) === 1) bits.skip(8);
  }
}

/** The floor of each channel. */
function readMapping(bits: LowBitReader, channels: number): number[] {
  bits.skip(16);
  const submaps = bits.read(1) === 1 ? bits.read(4) + 1 : 1;
  if (bits.read(1) === 1) bits.skip((bits.read(8) + 1) * 2 * bitLength(channels - 1));
  bits.skip(2);
  const submapOf = list(channels, () => (submaps > 1 ? bits.read(4) : 0));
  const floors = list(submaps, () => {
    bits.skip(8);
    const floor = bits.read(8);
    bits.skip(8);
    return floor;
  });
  return submapOf.map((submap) => floors[submap] ?? -1);
}
