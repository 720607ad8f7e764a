import { ServiceError } from '../../base/errors.ts';

/** A vector and the SHA-256 of the text it stands for. */
export interface HashedVector {
  hash: Uint8Array;
  vector: Float32Array;
}

/** A quantised vector: two signed bytes a dimension, the second for the rounding error of the first. */
export interface Quantised {
  dimensions: number;
  /** `values × scale`, plus `rest × scale / 254`, gives the vector at length 1. */
  scale: number;
  /** Padded with zeros, as `rest` is. */
  values: Int8Array;
  rest: Int8Array;
}

/**
 * A quantised vector and the SHA-256 of its text: made once from the service's answer, and stored unchanged in every
 * file.
 */
export interface VectorRow extends Quantised {
  hash: Uint8Array;
}

/** Quantises vectors. Throws `malformed` when one of them is unusable. */
export function toRows(items: readonly HashedVector[]): VectorRow[] {
  return items.map(({ hash, vector }) => {
    checkVector(vector);
    return { hash, ...quantise(vector) };
  });
}

/** A zero vector has no direction; storing it would match nothing or everything. */
function checkVector(vector: Float32Array): void {
  let isZero = true;
  for (let i = 0; i < vector.length; i++) {
    if (!Number.isFinite(vector[i])) throw new ServiceError('malformed', { hint: 'not finite' });
    if (vector[i] !== 0) isZero = false;
  }
  if (isZero) throw new ServiceError('malformed', { hint: 'zero' });
}

/** Length of a row, padded with zeros to whole SIMD registers. */
export function strideOf(dimensions: number): number {
  return Math.ceil(dimensions / 16) * 16;
}

/** Bytes of a row of sign bits, with the same padding. */
export function bitStrideOf(dimensions: number): number {
  return Math.ceil(dimensions / 128) * 16;
}

// Plain loops, here and below: a build does this with three million numbers a second.
/** Rounds a vector, at length 1, to what is kept of it. It has to have a direction. */
export function quantise(vector: Float32Array): Quantised {
  const unit = normalise(vector);
  const scale = largestOf(unit) / 127;
  const values = new Int8Array(strideOf(vector.length));
  const rest = new Int8Array(values.length);
  for (let i = 0; i < unit.length; i++) {
    const exact = (unit[i] as number) / scale;
    const rounded = round(exact);
    values[i] = rounded;
    // The rounding error is a half at most, so 127 steps of it reach 1/508.
    rest[i] = round((exact - rounded) * 254);
  }
  return { dimensions: vector.length, scale, values, rest };
}

/** Rounds four times as fast as `Math.round`. */
function round(value: number): number {
  return Math.floor(value + 0.5);
}

/** The vector of length 1 in the same direction. */
export function normalise(vector: Float32Array): Float32Array {
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum += (vector[i] as number) ** 2;
  const length = Math.sqrt(sum);
  const unit = new Float32Array(vector.length);
  for (let i = 0; i < vector.length; i++) unit[i] = (vector[i] as number) / length;
  return unit;
}

function largestOf(vector: Float32Array): number {
  let largest = 0;
  for (let i = 0; i < vector.length; i++) largest = Math.max(largest, Math.abs(vector[i] as number));
  return largest;
}

/** Signs of rounded values: a bit is set where the value is not negative. Padding is 0 in every row, so it counts nothing. */
export function signBits(values: Int8Array, dimensions: number): Uint8Array {
  const bits = new Uint8Array(bitStrideOf(dimensions));
  for (let i = 0; i < dimensions; i += 8) {
    let byte = 0;
    for (let bit = Math.min(7, dimensions - 1 - i); bit >= 0; bit--) {
      byte = (byte << 1) | ((values[i + bit] as number) >= 0 ? 1 : 0);
    }
    bits[i >> 3] = byte;
  }
  return bits;
}

/** The largest integer in a quantised query: small enough that the sum over 4,096 dimensions fits 32 bits. */
const querySteps = 2047;
const bitsBelowLevel = 8;
/** Its steps in one level of the four bits that weigh signs. */
export const queryLevel = 1 << bitsBelowLevel;

/** A query at length 1 as integers, and the scale that turns them back. */
export function quantiseQuery(query: Float32Array): { scale: number; values: Int16Array } {
  const unit = normalise(query);
  const scale = largestOf(unit) / querySteps;
  const values = new Int16Array(strideOf(query.length));
  for (let i = 0; i < unit.length; i++) values[i] = Math.round((unit[i] as number) / scale);
  return { scale, values };
}

/** The largest weight of a sign: the four bits of a query's number, 8 + 4 + 2 + 1. */
export const mostWeight = 15;

/**
 * The four highest bits of a query's numbers (of `quantiseQuery`) as four rows of sign bits, the first the signs
 * themselves. The weighted Hamming distances of a vector's signs to these rows fall as the sum of the query's numbers
 * under these signs rises (RaBitQ, https://arxiv.org/abs/2405.12497).
 */
export function queryPlanes(values: Int16Array, dimensions: number): Uint8Array {
  const stride = bitStrideOf(dimensions);
  const planes = new Uint8Array(stride * 4);
  for (let i = 0; i < dimensions; i++) {
    const level = ((values[i] as number) + querySteps + 1) >> bitsBelowLevel;
    for (let plane = 0; plane < 4; plane++) {
      const at = plane * stride + (i >> 3);
      planes[at] = (planes[at] as number) | (((level >> (3 - plane)) & 1) << (i & 7));
    }
  }
  return planes;
}
