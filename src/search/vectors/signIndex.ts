import { type Kernel, reserve } from './kernel/kernel.ts';
import { bitStrideOf, mostWeight, queryLevel, queryPlanes } from './quantise.ts';
import type { VectorFiles } from './vectorFiles.ts';

/** The sign bits of all vectors of a space, in the kernel's memory, and the search by them. */
export interface SignIndex {
  /** Reads the missing signs of slots before `count`, written by this window or another. */
  load(count: number): void;
  /** Drops the signs from this slot on, after a repair. */
  forget(first: number): void;
  /**
   * Compares the signs of a query (of `quantiseQuery`) with those of all slots. What it gives is good until the next scan.
   * @param allowed a byte for each slot, 0 where it is to be skipped
   */
  scan(query: { scale: number; values: Int16Array }, allowed?: Uint8Array): SignScan;
  /** Start of the memory that is free for others between two calls. */
  end(): number;
}

/** The distances of all slots to a query. */
export interface SignScan {
  /** The best `most` of these, ordered by the signs of the vector and four bits of each number of the query. */
  nearest(most: number): NearBySigns;
}

/** Slots in the order of what their signs say, the nearest first. */
export interface NearBySigns {
  slots: Uint32Array;
  /** For each slot the cosine that its signs stand for, but for a sum that is the same for all of a query. */
  estimates: Float64Array;
}

/** Slots are scanned in blocks, so that the memory grows without moving anything. A multiple of 16. */
const blockSlots = 65_536;

/** What the signs of a vector of length 1, whose numbers are spread normally, have in common with it, beside 1 for all. */
const signsOfUnit = Math.sqrt(2 / Math.PI);

/** @param from start of its part of the kernel's memory, a multiple of 16 */
export function createSignIndex(files: VectorFiles, { memory, ...kernel }: Kernel, from: number): SignIndex {
  const { dimensions } = files;
  const stride = bitStrideOf(dimensions);
  // A distance is 16 bits, and the largest one marks an excluded slot. Longer vectors do without weights.
  const canWeigh = dimensions * mostWeight < 65_535;
  const tallySize = (canWeigh ? dimensions * mostWeight : dimensions) + 1;
  const { at, end } = layOut(from, [stride * 4, tallySize * 4]);
  const [planes, talliesAt] = at as [number, number];
  const tallies = createTallies(memory, talliesAt, tallySize);
  const blocks = createBlocks(files, memory, end);

  function tallyAll(allowed: Uint8Array | undefined): void {
    tallies.clear();
    for (let block = 0; block < blocks.count(); block++) {
      const mask = new Uint8Array(memory.buffer, blocks.maskOf(block), blocks.slotsIn(block));
      if (allowed === undefined) mask.fill(1);
      else mask.fill(0).set(allowed.subarray(block * blockSlots, block * blockSlots + mask.length));
      kernel.hamming(blocks.signsOf(block), mask.length, stride, planes, blocks.distancesOf(block));
      kernel.tally(blocks.distancesOf(block), mask.length, blocks.maskOf(block), talliesAt);
    }
  }

  /** The best `wanted` of the last scan. @param scale of the query's whole numbers */
  function nearest(wanted: number, scale: number): NearBySigns {
    const most = Math.min(wanted, blocks.loaded());
    const free = layOut(blocks.end(), [most * 4, most * 2]);
    const [places, weights] = free.at as [number, number];
    reserve(memory, free.end);
    const slots = new Uint32Array(most);
    const distances = new Uint16Array(most);
    let filled = 0;
    let { limit, ties } = tallies.cut(most);
    for (let block = 0; block < blocks.count(); block++) {
      const distancesAt = blocks.distancesOf(block);
      const found = kernel.collect(distancesAt, blocks.slotsIn(block), limit, ties, places);
      const near = new Uint32Array(memory.buffer, places, found);
      const all = new Uint16Array(memory.buffer, distancesAt, blockSlots);
      for (let index = 0; index < found; index++) {
        const place = near[index] as number;
        const distance = all[place] as number;
        slots[filled + index] = block * blockSlots + place;
        distances[filled + index] = distance;
        if (distance === limit) ties--;
      }
      if (canWeigh) {
        kernel.weigh(blocks.signsOf(block), places, found, stride, planes, weights);
        distances.set(new Uint16Array(memory.buffer, weights, found), filled);
      }
      filled += found;
    }
    const order = orderOf(distances.subarray(0, filled), tallySize);
    const step = canWeigh ? (queryLevel * scale) / (signsOfUnit * Math.sqrt(dimensions)) : Math.PI / dimensions;
    const near: NearBySigns = { slots: new Uint32Array(filled), estimates: new Float64Array(filled) };
    for (let index = 0; index < filled; index++) {
      const from = order[index] as number;
      near.slots[index] = slots[from] as number;
      near.estimates[index] = -step * (distances[from] as number);
    }
    return near;
  }

  return {
    load: blocks.load,
    forget: blocks.forget,
    scan({ scale, values }, allowed) {
      new Uint8Array(memory.buffer, planes, stride * 4).set(queryPlanes(values, dimensions));
      tallyAll(allowed);
      return { nearest: (most) => nearest(most, scale) };
    },
    end: blocks.end,
  };
}

/** The indexes of these whole numbers below `end`, the smallest first: a sort by counting, of thousands in no time. */
function orderOf(numbers: Uint16Array, end: number): Uint32Array {
  const starts = new Uint32Array(end + 1);
  const order = new Uint32Array(numbers.length);
  const placeOf = (number: number): number => {
    const place = starts[number] as number;
    starts[number] = place + 1;
    return place;
  };
  for (let index = 0; index < numbers.length; index++) placeOf((numbers[index] as number) + 1);
  for (let number = 0; number < end; number++) {
    starts[number + 1] = (starts[number + 1] as number) + (starts[number] as number);
  }
  for (let index = 0; index < numbers.length; index++) order[placeOf(numbers[index] as number)] = index;
  return order;
}

/** Counts of rows for each distance. */
interface Tallies {
  clear(): void;
  /** The distance below which there are at most `wanted` rows, and how many rows at that distance fit, too. */
  cut(wanted: number): { limit: number; ties: number };
}

function createTallies(memory: WebAssembly.Memory, at: number, size: number): Tallies {
  // The view is recreated each time, because growing the memory replaces its buffer.
  const counts = (): Uint32Array => new Uint32Array(memory.buffer, at, size);
  return {
    clear() {
      counts().fill(0);
    },
    cut(wanted) {
      const all = counts();
      let limit = 0;
      let ties = wanted;
      for (; limit < size && (all[limit] as number) <= ties; limit++) ties -= all[limit] as number;
      return { limit, ties };
    },
  };
}

/** The blocks in the kernel's memory. Each holds, one after the other: mask, distances, signs. */
interface Blocks {
  load(count: number): void;
  forget(first: number): void;
  /** Number of slots loaded. */
  loaded(): number;
  /** Number of blocks with slots. */
  count(): number;
  slotsIn(block: number): number;
  /** Start of each part of a block. */
  maskOf(block: number): number;
  distancesOf(block: number): number;
  signsOf(block: number): number;
  /** End of the last block. */
  end(): number;
}

function createBlocks(files: VectorFiles, memory: WebAssembly.Memory, from: number): Blocks {
  const stride = bitStrideOf(files.dimensions);
  const maskOf = (block: number): number => from + block * blockSlots * (1 + 2 + stride);
  const signsOf = (block: number): number => maskOf(block) + blockSlots * 3;
  let loaded = 0;
  const count = (): number => Math.ceil(loaded / blockSlots);
  return {
    load(wanted) {
      while (loaded < wanted) {
        const block = Math.floor(loaded / blockSlots);
        reserve(memory, maskOf(block + 1));
        const first = loaded - block * blockSlots;
        const end = Math.min(wanted, (block + 1) * blockSlots);
        const target = new Uint8Array(memory.buffer, signsOf(block) + first * stride, (end - loaded) * stride);
        const rows = files.readBits(loaded, end, target);
        if (rows === 0) return;
        loaded += rows;
      }
    },
    forget(first) {
      loaded = Math.min(loaded, first);
    },
    loaded: () => loaded,
    count,
    slotsIn: (block) => Math.min(blockSlots, loaded - block * blockSlots),
    maskOf,
    distancesOf: (block) => maskOf(block) + blockSlots,
    signsOf,
    end: () => maskOf(count()),
  };
}

/** Addresses for parts one after the other, each at a multiple of 64 bytes. */
export function layOut(from: number, sizes: readonly number[]): { at: number[]; end: number } {
  let end = from;
  const at = sizes.map((size) => {
    const place = end;
    end += Math.ceil(size / 64) * 64;
    return place;
  });
  return { at, end };
}
