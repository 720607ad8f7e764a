import { createKernel, type Kernel, reserve } from './kernel/kernel.ts';
import { bitStrideOf, quantiseQuery, signBits, strideOf } from './quantise.ts';
import type { VectorFiles } from './vectorFiles.ts';

/** A slot with its cosine to the query. */
export interface Near {
  slot: number;
  cosine: number;
}

/** Finds the nearest vectors of a space: signs of all, values of some hundreds, finer values of the best fifty. */
export interface NearestSearch {
  /**
   * The `limit` nearest of the first `count` slots, the nearest first.
   * @param allowed a byte for each slot, 0 where it is not to be looked at; all are when absent
   * @param onDamage told of a slot whose row does not fit its checksum
   */
  find(
    query: Float32Array,
    limit: number,
    count: number,
    allowed?: Uint8Array,
    onDamage?: (slot: number) => void,
  ): Near[];
  /** Reads the signs from this slot on again: they were mended. */
  reload(first: number): void;
}

/** Slots are scanned in blocks, so that the memory grows without moving anything. A multiple of 16. */
const blockSlots = 65_536;
/**
 * How many slots come through by their signs: at least so many, and so many for each that is wanted. Measured on clustered
 * vectors: 32 times as many leave nothing out that matters (`npm run bench -- search`).
 */
const leastCandidates = 320;
const candidatesPerHit = 12;
/** Of these the finer values are read: at least so many, and twice as many as are wanted. */
const leastFine = 50;

export function createNearestSearch(files: VectorFiles, kernel: Kernel = createKernel()): NearestSearch {
  const { dimensions } = files;
  const stride = strideOf(dimensions);
  const bitStride = bitStrideOf(dimensions);
  const { memory } = kernel;
  const fixed = layOut([bitStride, stride * 2, (dimensions + 1) * 4]);
  const [queryBits, queryValues, counts] = fixed.at as [number, number, number];
  /** Per block: allowed, distances, signs. */
  const blockBytes = blockSlots * (1 + 2 + bitStride);
  const blockAt = (block: number): number => fixed.end + block * blockBytes;
  let loaded = 0;

  /** Signs of slots that were written since the last time, by this window or another. */
  function load(count: number): void {
    while (loaded < count) {
      const block = Math.floor(loaded / blockSlots);
      reserve(memory, blockAt(block + 1));
      const first = loaded - block * blockSlots;
      const end = Math.min(count, (block + 1) * blockSlots);
      const at = blockAt(block) + blockSlots * 3 + first * bitStride;
      const rows = files.readBits(loaded, end, new Uint8Array(memory.buffer, at, (end - loaded) * bitStride));
      if (rows === 0) return;
      loaded += rows;
    }
  }

  function writeQuery(query: Float32Array): number {
    const { scale, values } = quantiseQuery(query);
    new Int16Array(memory.buffer, queryValues, stride).set(values);
    const signs = signBits(Int8Array.from(values, Math.sign), dimensions);
    new Uint8Array(memory.buffer, queryBits, bitStride).set(signs);
    return scale;
  }

  /** The slots whose signs are nearest, about `wanted` of them, in their order. */
  function findBySigns(wanted: number, allowed: Uint8Array | undefined): number[] {
    const blocks = Math.ceil(loaded / blockSlots);
    const slotsOf = (block: number): number => Math.min(blockSlots, loaded - block * blockSlots);
    const tallies = new Uint32Array(memory.buffer, counts, dimensions + 1).fill(0);
    for (let block = 0; block < blocks; block++) {
      const at = blockAt(block);
      const mask = new Uint8Array(memory.buffer, at, slotsOf(block));
      if (allowed === undefined) mask.fill(1);
      else mask.fill(0).set(allowed.subarray(block * blockSlots, block * blockSlots + mask.length));
      const [distances, signs] = [at + blockSlots, at + blockSlots * 3];
      kernel.hamming(signs, mask.length, bitStride, queryBits, distances);
      kernel.tally(distances, mask.length, at, counts);
    }
    let limit = 0;
    let below = 0;
    for (; limit <= dimensions && below + (tallies[limit] ?? 0) <= wanted; limit++) below += tallies[limit] ?? 0;
    return collect(blocks, slotsOf, limit, wanted - below, Math.min(wanted, loaded));
  }

  function collect(
    blocks: number,
    slotsOf: (block: number) => number,
    limit: number,
    ties: number,
    most: number,
  ): number[] {
    const out = blockAt(blocks);
    reserve(memory, out + (most + 16) * 4);
    const slots: number[] = [];
    let left = ties;
    for (let block = 0; block < blocks; block++) {
      const found = kernel.collect(blockAt(block) + blockSlots, slotsOf(block), limit, left, out);
      const distances = new Uint16Array(memory.buffer, blockAt(block) + blockSlots, blockSlots);
      for (const place of new Uint32Array(memory.buffer, out, found)) {
        slots.push(block * blockSlots + place);
        if (distances[place] === limit) left--;
      }
    }
    return slots;
  }

  /** Reads rows into the memory behind the blocks and gives their dot products with the query. */
  function dots(rows: number, read: (index: number, target: Uint8Array) => void): Int32Array {
    const at = blockAt(Math.ceil(loaded / blockSlots));
    const out = at + rows * stride;
    reserve(memory, out + rows * 4);
    const stage = new Uint8Array(memory.buffer, at, rows * stride);
    for (let index = 0; index < rows; index++) read(index, stage.subarray(index * stride, (index + 1) * stride));
    kernel.dots(at, rows, stride, queryValues, out);
    return new Int32Array(memory.buffer, out, rows).slice();
  }

  return {
    find(query, limit, count, allowed, onDamage) {
      if (count === 0) return [];
      load(count);
      const queryScale = writeQuery(query);
      const slots = findBySigns(Math.max(leastCandidates, candidatesPerHit * limit), allowed);
      const scales = new Float64Array(slots.length);
      const coarse = dots(slots.length, (index, target) => {
        const slot = slots[index] as number;
        const scale = files.readValues(slot, target);
        if (scale === undefined) onDamage?.(slot);
        scales[index] = scale ?? Number.NaN;
      });
      const best = slots
        .map((slot, index) => ({ slot, sum: coarse[index] as number, scale: (scales[index] as number) * queryScale }))
        .filter((each) => !Number.isNaN(each.scale))
        .sort((a, b) => b.sum * b.scale - a.sum * a.scale || a.slot - b.slot)
        .slice(0, Math.max(leastFine, limit * 2));
      const fine = dots(best.length, (index, target) => {
        const { slot } = best[index] as { slot: number };
        if (files.readRest(slot, target)) return;
        target.fill(0);
        onDamage?.(slot);
      });
      return best
        .map(({ slot, sum, scale }, index) => ({ slot, cosine: (sum + (fine[index] as number) / 254) * scale }))
        .sort((a, b) => b.cosine - a.cosine || a.slot - b.slot)
        .slice(0, limit);
    },
    reload(first) {
      loaded = Math.min(loaded, first);
    },
  };
}

/** Places for parts one after the other, each at a multiple of 64 bytes. */
function layOut(sizes: readonly number[]): { at: number[]; end: number } {
  let end = 0;
  const at = sizes.map((size) => {
    const place = end;
    end += Math.ceil(size / 64) * 64;
    return place;
  });
  return { at, end };
}
