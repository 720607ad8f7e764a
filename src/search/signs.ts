import { type Kernel, reserve } from './kernel/kernel.ts';
import { bitStrideOf, mostWeight, queryPlanes } from './quantise.ts';
import type { VectorFiles } from './vectorFiles.ts';

/** The sign bits of all vectors of a space, in the memory of the kernel, and what is near by them. */
export interface Signs {
  /** Reads the signs of slots before `count` that are not here yet: this window wrote them, or another. */
  load(count: number): void;
  /** Forgets those from this slot on: they were mended. */
  forget(first: number): void;
  /**
   * The `wanted` slots nearest to a query (of `quantiseQuery`), in their order. First by the signs of both, for all; then,
   * for the best `weighed` of these, by the signs of the vector and four bits of each number of the query.
   * @param allowed a byte for each slot, 0 where it is not to be looked at
   */
  nearest(query: Int16Array, weighed: number, wanted: number, allowed?: Uint8Array): number[];
  /** Where the memory begins that is free for others between two calls. */
  end(): number;
}

/** Slots are scanned in blocks, so that the memory grows without moving anything. A multiple of 16. */
const blockSlots = 65_536;

/** @param from where its part of the kernel's memory begins, a multiple of 16 */
export function createSigns(files: VectorFiles, { memory, ...kernel }: Kernel, from: number): Signs {
  const { dimensions } = files;
  const stride = bitStrideOf(dimensions);
  // A distance is 16 bits, and the largest of them marks what is not allowed. Longer vectors do without weights.
  const canWeigh = dimensions * mostWeight < 65_535;
  const tallySize = (canWeigh ? dimensions * mostWeight : dimensions) + 1;
  const { at, end: blocksAt } = layOut(from, [stride * 4, tallySize * 4]);
  const [planes, tallies] = at as [number, number];
  /** Per block: allowed, distances, signs. */
  const blockBytes = blockSlots * (1 + 2 + stride);
  const maskOf = (block: number): number => blocksAt + block * blockBytes;
  const distancesOf = (block: number): number => maskOf(block) + blockSlots;
  const signsOf = (block: number): number => maskOf(block) + blockSlots * 3;
  let loaded = 0;
  const blocks = (): number => Math.ceil(loaded / blockSlots);
  const slotsIn = (block: number): number => Math.min(blockSlots, loaded - block * blockSlots);
  const tallied = (): Uint32Array => new Uint32Array(memory.buffer, tallies, tallySize);

  /** The distance up to which there are no more than `wanted`, by the tallies, and how many of that distance fit, too. */
  function cut(wanted: number): { limit: number; ties: number } {
    const counts = tallied();
    let limit = 0;
    let ties = wanted;
    for (; limit < tallySize && (counts[limit] as number) <= ties; limit++) ties -= counts[limit] as number;
    return { limit, ties };
  }

  function tallyAll(allowed: Uint8Array | undefined): void {
    tallied().fill(0);
    for (let block = 0; block < blocks(); block++) {
      const mask = new Uint8Array(memory.buffer, maskOf(block), slotsIn(block));
      if (allowed === undefined) mask.fill(1);
      else mask.fill(0).set(allowed.subarray(block * blockSlots, block * blockSlots + mask.length));
      kernel.hamming(signsOf(block), mask.length, stride, planes, distancesOf(block));
      kernel.tally(distancesOf(block), mask.length, maskOf(block), tallies);
    }
  }

  return {
    load(count) {
      while (loaded < count) {
        const block = Math.floor(loaded / blockSlots);
        reserve(memory, maskOf(block + 1));
        const first = loaded - block * blockSlots;
        const end = Math.min(count, (block + 1) * blockSlots);
        const target = new Uint8Array(memory.buffer, signsOf(block) + first * stride, (end - loaded) * stride);
        const rows = files.readBits(loaded, end, target);
        if (rows === 0) return;
        loaded += rows;
      }
    },
    forget(first) {
      loaded = Math.min(loaded, first);
    },
    nearest(query, weighed, wanted, allowed) {
      new Uint8Array(memory.buffer, planes, stride * 4).set(queryPlanes(query, dimensions));
      tallyAll(allowed);
      const most = Math.min(canWeigh ? weighed : wanted, loaded);
      const free = layOut(maskOf(blocks()), [most * 4, most * 2, most]);
      const [places, weights, mask] = free.at as [number, number, number];
      reserve(memory, free.end);
      const slots: number[] = [];
      let { limit, ties } = cut(most);
      for (let block = 0; block < blocks(); block++) {
        const found = kernel.collect(distancesOf(block), slotsIn(block), limit, ties, places);
        const distances = new Uint16Array(memory.buffer, distancesOf(block), blockSlots);
        kernel.weigh(signsOf(block), places, found, stride, planes, weights + slots.length * 2);
        for (const place of new Uint32Array(memory.buffer, places, found)) {
          slots.push(block * blockSlots + place);
          if (distances[place] === limit) ties--;
        }
      }
      if (slots.length <= wanted) return slots;
      tallied().fill(0);
      new Uint8Array(memory.buffer, mask, slots.length).fill(1);
      kernel.tally(weights, slots.length, mask, tallies);
      const near = cut(wanted);
      const found = kernel.collect(weights, slots.length, near.limit, near.ties, places);
      return [...new Uint32Array(memory.buffer, places, found)].map((index) => slots[index] as number);
    },
    end: () => maskOf(blocks()),
  };
}

/** Places for parts one after the other, each at a multiple of 64 bytes. */
export function layOut(from: number, sizes: readonly number[]): { at: number[]; end: number } {
  let end = from;
  const at = sizes.map((size) => {
    const place = end;
    end += Math.ceil(size / 64) * 64;
    return place;
  });
  return { at, end };
}
