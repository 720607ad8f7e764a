import { createKernel, type Kernel, reserve } from './kernel/kernel.ts';
import { quantiseQuery, strideOf } from './quantise.ts';
import { createSignIndex, layOut } from './signIndex.ts';
import type { VectorFiles } from './vectorFiles.ts';

/** A slot with its cosine similarity to the query. */
export interface Near {
  slot: number;
  cosine: number;
}

/**
 * Finds the nearest vectors of a space. Each step compares fewer vectors more precisely: signs of all, the same signs
 * with a finer query, values of some hundreds, finer values of a few.
 */
export interface NearestSearch {
  /**
   * The `limit` nearest of the first `count` slots, the nearest first.
   * @param allowed a byte for each slot, 0 where it is to be skipped; absent: all slots
   * @param onDamage called with a slot whose row does not fit its checksum
   */
  find(
    query: Float32Array,
    limit: number,
    count: number,
    allowed?: Uint8Array,
    onDamage?: (slot: number) => void,
  ): Near[];
  /** Reads the signs from this slot on again, after a repair. */
  reload(first: number): void;
}

/**
 * Number of slots whose values are read: a base, plus one for every `slotsPerRead` slots of the space (a larger space
 * has more near candidates), and at least `readPerHit` for each wanted hit. With these the goals for recall hold, with
 * some to spare (`npm run bench -- search`).
 */
const leastRead = 256;
const slotsPerRead = 1_000;
const readPerHit = 12;
/**
 * Number of slots, nearest by sign, that are weighed to choose those: at least the first, and the second for each one
 * read.
 */
const leastWeighed = 2_560;
const weighedPerRead = 3;
/** Extra candidates whose finer values are read: below them, the coarse values are right. */
const spareFine = 20;

/** @param kernel replaced in tests */
export function createNearestSearch(files: VectorFiles, kernel: Kernel = createKernel()): NearestSearch {
  const stride = strideOf(files.dimensions);
  const { memory } = kernel;
  const { at, end } = layOut(0, [stride * 2]);
  const [queryAt] = at as [number];
  const signs = createSignIndex(files, kernel, end);

  /**
   * Reads rows into the memory behind the signs and gives their dot products with the query.
   * @param read puts the row of an index at a place in the target
   */
  function dots(rows: number, read: (index: number, target: Uint8Array, at: number) => void): Int32Array {
    const free = layOut(signs.end(), [rows * stride, rows * 4]);
    const [values, out] = free.at as [number, number];
    reserve(memory, free.end);
    const target = new Uint8Array(memory.buffer, values, rows * stride);
    for (let index = 0; index < rows; index++) read(index, target, index * stride);
    kernel.dots(values, rows, stride, queryAt, out);
    return new Int32Array(memory.buffer, out, rows).slice();
  }

  return {
    find(query, limit, count, allowed, onDamage) {
      if (count === 0) return [];
      signs.load(count);
      const { scale: queryScale, values } = quantiseQuery(query);
      new Int16Array(memory.buffer, queryAt, stride).set(values);
      const read = Math.max(leastRead + Math.ceil(count / slotsPerRead), readPerHit * limit);
      const slots = signs.nearest(values, Math.max(leastWeighed, weighedPerRead * read), read, allowed);
      const scales = new Float64Array(slots.length);
      const coarse = dots(slots.length, (index, target, at) => {
        const slot = slots[index] as number;
        const scale = files.readValues(slot, target, at);
        if (scale === undefined) onDamage?.(slot);
        scales[index] = scale ?? Number.NaN;
      });
      const cosines = Float64Array.from(coarse, (sum, index) => sum * (scales[index] as number) * queryScale);
      const best = [...cosines.keys()]
        .filter((index) => !Number.isNaN(cosines[index]))
        .sort((a, b) => (cosines[b] as number) - (cosines[a] as number) || a - b)
        .slice(0, limit + spareFine);
      const fine = dots(best.length, (index, target, at) => {
        const slot = slots[best[index] as number] as number;
        if (files.readRest(slot, target, at)) return;
        target.fill(0, at, at + stride);
        onDamage?.(slot);
      });
      return best
        .map((index, place) => {
          const rest = ((fine[place] as number) / 254) * (scales[index] as number) * queryScale;
          return { slot: slots[index] as number, cosine: (cosines[index] as number) + rest };
        })
        .sort((a, b) => b.cosine - a.cosine || a.slot - b.slot)
        .slice(0, limit);
    },
    reload(first) {
      signs.forget(first);
    },
  };
}
