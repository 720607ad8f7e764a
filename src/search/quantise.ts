/** A vector as it is kept: twice eight bits a dimension, the second for what the first leaves over. */
export interface Quantised {
  /** Of the vector at length 1, `values × scale`, plus `rest × scale / 254`, is it again. */
  scale: number;
  values: Int8Array;
  rest: Int8Array;
}

/** Rows are padded with zeros to whole SIMD registers. */
export function strideOf(dimensions: number): number {
  return Math.ceil(dimensions / 16) * 16;
}

/** Bytes of a row of sign bits, padded in the same way. */
export function bitStrideOf(dimensions: number): number {
  return Math.ceil(dimensions / 128) * 16;
}

// Plain loops, here and below: a build does this with three million numbers a second.
export function quantise(vector: Float32Array): Quantised {
  const unit = normalise(vector);
  const scale = largestOf(unit) / 127;
  const values = new Int8Array(strideOf(vector.length));
  const rest = new Int8Array(values.length);
  for (let i = 0; i < unit.length; i++) {
    const exact = (unit[i] as number) / scale;
    const rounded = round(exact);
    values[i] = rounded;
    // What is left over is at most a half, so 127 steps of it reach 1/508.
    rest[i] = round((exact - rounded) * 254);
  }
  return { scale, values, rest };
}

/** Four times as fast as `Math.round`. */
function round(value: number): number {
  return Math.floor(value + 0.5);
}

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

/** The largest of a query's whole numbers: small enough that the sum over 4,096 dimensions fits 32 bits. */
const querySteps = 2047;

/** A query at length 1 as whole numbers, and the scale that turns them back. */
export function quantiseQuery(query: Float32Array): { scale: number; values: Int16Array } {
  const unit = normalise(query);
  const scale = largestOf(unit) / querySteps;
  const values = new Int16Array(strideOf(query.length));
  for (let i = 0; i < unit.length; i++) values[i] = Math.round((unit[i] as number) / scale);
  return { scale, values };
}

/** Together the weights of the four bits of a query's number that are held against signs: 8 + 4 + 2 + 1. */
export const mostWeight = 15;

/**
 * The four highest bits of a query's numbers (of `quantiseQuery`): rows of bits like those of signs, the first the signs
 * themselves. The Hamming distances of a row of signs to them, by weight, go down as the sum of the query's numbers under
 * these signs goes up (RaBitQ asks its codes in this way, https://arxiv.org/abs/2405.12497).
 */
export function queryPlanes(values: Int16Array, dimensions: number): Uint8Array {
  const stride = bitStrideOf(dimensions);
  const planes = new Uint8Array(stride * 4);
  for (let i = 0; i < dimensions; i++) {
    const level = ((values[i] as number) + querySteps + 1) >> 8;
    for (let plane = 0; plane < 4; plane++) {
      const at = plane * stride + (i >> 3);
      planes[at] = (planes[at] as number) | (((level >> (3 - plane)) & 1) << (i & 7));
    }
  }
  return planes;
}
