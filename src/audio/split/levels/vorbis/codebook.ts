import { bitLength, type LowBitReader } from './lowBits.ts';

/** A tree by which the codes of a codebook are read: two numbers for each node, the next node or, negative, an entry. */
export type CodeTree = Int32Array;

/** The most entries of a codebook; those in use have some thousands. */
const mostEntries = 1 << 16;

/** Reads a codebook (Vorbis I, 3.2.1); undefined for one that is damaged, or larger than any in use. */
export function readCodebook(bits: LowBitReader): CodeTree | undefined {
  if (bits.read(24) !== 0x564342) return undefined;
  const dimensions = bits.read(16);
  const entries = bits.read(24);
  if (entries > mostEntries || dimensions === 0) return undefined;
  const lengths = bits.read(1) === 1 ? orderedLengths(bits, entries) : plainLengths(bits, entries);
  const lookup = bits.read(4);
  if (lookup > 2 || lengths === undefined) return undefined;
  if (lookup > 0) {
    bits.skip(64);
    const valueBits = bits.read(4) + 1;
    bits.skip(1);
    bits.skip(valueBits * (lookup === 1 ? rootOf(entries, dimensions) : entries * dimensions));
  }
  return bits.isOver ? undefined : buildTree(lengths);
}

/** The length of each code, 0 for an entry that is not used. */
function plainLengths(bits: LowBitReader, entries: number): Uint8Array {
  const isSparse = bits.read(1) === 1;
  return Uint8Array.from({ length: entries }, () => (isSparse && bits.read(1) === 0 ? 0 : bits.read(5) + 1));
}

function orderedLengths(bits: LowBitReader, entries: number): Uint8Array | undefined {
  const lengths = new Uint8Array(entries);
  let length = bits.read(5) + 1;
  for (let entry = 0; entry < entries; length++) {
    const count = bits.read(bitLength(entries - entry));
    if (length > 32 || entry + count > entries) return undefined;
    lengths.fill(length, entry, entry + count);
    entry += count;
  }
  return lengths;
}

/** The largest whole number of which so many multiplied are not more than a number. */
function rootOf(number: number, count: number): number {
  const root = Math.round(number ** (1 / count));
  return root ** count > number ? root - 1 : root;
}

/** Gives each entry in turn the first code of its length that is free; undefined where there is none. */
function buildTree(lengths: Uint8Array): CodeTree | undefined {
  const nodes = [0, 0];
  // The first free code of each length.
  const free = new Uint32Array(33);
  for (const [entry, length] of lengths.entries()) {
    if (length === 0) continue;
    const code = free[length] ?? 0;
    if (length < 32 && code >>> length !== 0) return undefined;
    takeCode(free, length, code);
    insert(nodes, code, length, entry);
  }
  return Int32Array.from(nodes);
}

/** Marks a code as taken: what begins with it is no longer free, and neither is what it begins with. */
function takeCode(free: Uint32Array, length: number, code: number): void {
  for (let shorter = length; shorter > 0; shorter--) {
    const first = free[shorter] ?? 0;
    if ((first & 1) === 1 && shorter > 1) {
      free[shorter] = (free[shorter - 1] ?? 0) << 1;
      break;
    }
    free[shorter] = first + 1;
    if ((first & 1) === 1) break;
  }
  let taken = code;
  for (let longer = length + 1; longer < 33; longer++) {
    const first = free[longer] ?? 0;
    if (first >>> 1 !== taken) break;
    taken = first;
    free[longer] = (free[longer - 1] ?? 0) << 1;
  }
}

function insert(nodes: number[], code: number, length: number, entry: number): void {
  let node = 0;
  for (let bit = length - 1; bit >= 0; bit--) {
    const at = node * 2 + ((code >>> bit) & 1);
    if (bit === 0) {
      nodes[at] = -1 - entry;
      return;
    }
    if ((nodes[at] ?? 0) <= 0) {
      nodes[at] = nodes.length / 2;
      nodes.push(0, 0);
    }
    node = nodes[at] ?? 0;
  }
}

/** Reads the next entry; undefined where no code is. */
export function readEntry(tree: CodeTree, bits: LowBitReader): number | undefined {
  let node = 0;
  for (let depth = 0; depth < 33; depth++) {
    const next = tree[node * 2 + bits.read(1)] ?? 0;
    if (next < 0) return -1 - next;
    if (next === 0) return undefined;
    node = next;
  }
  return undefined;
}
