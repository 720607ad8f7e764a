import { createKernel, type Kernel, reserve } from './kernel/kernel.ts';
import { quantiseQuery, strideOf } from './quantise.ts';
import { createSignIndex, layOut, type NearBySigns } from './signIndex.ts';
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

/** How many slots are weighed by their signs, and the values of how many of these are read at most. */
interface Effort {
  weighed: number;
  read: number;
}

/** What is wanted, and the scale of the query's whole numbers. */
interface Search {
  limit: number;
  scale: number;
  onDamage: ((slot: number) => void) | undefined;
}

/** The slots whose values were read are the first ones. A cosine that is not a number: the slot is damaged. */
interface Reading {
  slots: Uint32Array;
  scales: Float64Array;
  cosines: Float64Array;
  /** Whether one that was not read may be among the nearest. */
  mayMiss: boolean;
}

/** Number of slots whose values are read first: a base, and as many for each wanted hit. */
const leastRead = 64;
const readPerHit = 2;
/** How many standard deviations a cosine may be above what its signs say, for its values to be read. */
const deviations = 3.5;
/** Enough for most questions: those that something is near to. */
const quick = (limit: number, count: number): Effort => {
  const read = Math.max(256 + Math.ceil(count / 1_000), 4 * limit);
  return { weighed: Math.max(2_048, 4 * read), read };
};
/** For the others. A larger space has more that is about as near. Recall is held by `npm run bench -- search`. */
const thorough = (limit: number, count: number): Effort => {
  const read = Math.max(2_048 + Math.ceil(count / 1_000), 12 * limit);
  return { weighed: 4 * read, read };
};
/** Extra candidates whose finer values are read: below them, the coarse values are right. */
const spareFine = 20;

/**
 * Whether a slot with this estimate may be among the `limit` nearest, by how far the cosines read so far are from what their
 * signs said (a bound as in RaBitQ, https://arxiv.org/abs/2405.12497, taken from the query's own candidates).
 */
function mayBeNearer(estimate: number, cosines: Float64Array, estimates: Float64Array, limit: number): boolean {
  const known: number[] = [];
  let sum = 0;
  let squares = 0;
  for (let index = 0; index < cosines.length; index++) {
    const cosine = cosines[index] as number;
    if (Number.isNaN(cosine)) continue;
    const error = cosine - (estimates[index] as number);
    known.push(cosine);
    sum += error;
    squares += error * error;
  }
  const worst = Float64Array.from(known).sort()[known.length - limit];
  if (worst === undefined) return true;
  const mean = sum / known.length;
  const variance = Math.max(0, squares / known.length - mean * mean);
  return estimate + mean + deviations * Math.sqrt(variance) >= worst;
}

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

  /** Reads the values of slots, the nearest by their signs first, while there may be a nearer one. */
  function read({ slots, estimates }: NearBySigns, { limit, scale, onDamage }: Search, most: number): Reading {
    const end = Math.min(most, slots.length);
    const scales = new Float64Array(end);
    const cosines = new Float64Array(end);
    let done = 0;
    let mayMiss = true;
    for (let next = Math.max(leastRead, readPerHit * limit); done < end && mayMiss; next *= 2) {
      const first = done;
      done = Math.min(end, next);
      const sums = dots(done - first, (index, target, at) => {
        const slot = slots[first + index] as number;
        const found = files.readValues(slot, target, at);
        if (found === undefined) onDamage?.(slot);
        scales[first + index] = (found ?? Number.NaN) * scale;
      });
      for (let at = first; at < done; at++) cosines[at] = (sums[at - first] as number) * (scales[at] as number);
      const following = estimates[done];
      mayMiss = following !== undefined && mayBeNearer(following, cosines.subarray(0, done), estimates, limit);
    }
    return { slots, scales, cosines: cosines.subarray(0, done), mayMiss };
  }

  /** The nearest of what was read, by their finer values. */
  function refine({ slots, scales, cosines }: Reading, { limit, onDamage }: Search): Near[] {
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
        const rest = ((fine[place] as number) / 254) * (scales[index] as number);
        return { slot: slots[index] as number, cosine: (cosines[index] as number) + rest };
      })
      .sort((a, b) => b.cosine - a.cosine || a.slot - b.slot)
      .slice(0, limit);
  }

  return {
    find(vector, limit, count, allowed, onDamage) {
      if (count === 0) return [];
      signs.load(count);
      const query = quantiseQuery(vector);
      new Int16Array(memory.buffer, queryAt, stride).set(query.values);
      const search: Search = { limit, scale: query.scale, onDamage };
      const scan = signs.scan(query, allowed);
      const look = ({ weighed, read: most }: Effort): Reading => read(scan.nearest(weighed), search, most);
      const found = look(quick(limit, count));
      return refine(found.mayMiss ? look(thorough(limit, count)) : found, search);
    },
    reload(first) {
      signs.forget(first);
    },
  };
}
