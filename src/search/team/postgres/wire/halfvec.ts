import { type Quantised, quantise } from '../../../vectors/quantise.ts';

/**
 * Vectors as pgvector sends and takes them in binary: the number of dimensions, an unused number, and a half-precision
 * float for each (IEEE 754 binary16), all big-endian.
 */
const head = 4;
/** The most dimensions of a `halfvec`. */
export const mostDimensions = 16_000;

export const halfvecBytes = (dimensions: number): number => head + dimensions * 2;

/** Writes a quantised vector at a place in a buffer. */
export function writeHalfvec(target: Buffer, at: number, { dimensions, scale, values, rest }: Quantised): void {
  target.writeUInt16BE(dimensions, at);
  target.writeUInt16BE(0, at + 2);
  const finer = scale / 254;
  // Plain loops over a few numbers that stay in the cache, without calls of `Buffer`: a load does this with ten million numbers a second.
  for (let from = 0, byte = at + head; from < dimensions; from += someNumbers) {
    const count = Math.min(someNumbers, dimensions - from);
    for (let i = 0; i < count; i++) {
      floats[i] = (values[from + i] as number) * scale + (rest[from + i] as number) * finer;
    }
    for (let i = 0; i < count; i++, byte += 2) {
      const half = halfOf(floatBits[i] as number);
      target[byte] = half >> 8;
      target[byte + 1] = half & 0xff;
    }
  }
}

/** A vector as the parameter of a query. */
export function halfvecOf(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(halfvecBytes(vector.length));
  bytes.writeUInt16BE(vector.length, 0);
  for (const [i, value] of vector.entries()) bytes.writeUInt16BE(toHalf(value), head + i * 2);
  return bytes;
}

/** The vector of these bytes; undefined where they are none. */
export function readHalfvec(bytes: Buffer): Quantised | undefined {
  const dimensions = bytes.length >= head ? bytes.readUInt16BE(0) : 0;
  if (dimensions === 0 || bytes.length !== halfvecBytes(dimensions)) return undefined;
  const vector = new Float32Array(dimensions);
  let sum = 0;
  for (let i = 0; i < dimensions; i++) {
    vector[i] = fromHalf(bytes.readUInt16BE(head + i * 2));
    sum += (vector[i] as number) ** 2;
  }
  return Number.isFinite(sum) && sum > 0 ? quantise(vector) : undefined;
}

/** Numbers that are made ready at once, in single precision, and the same as bits. */
const someNumbers = 256;
const floats = new Float32Array(someNumbers);
const floatBits = new Int32Array(floats.buffer);

function toHalf(value: number): number {
  floats[0] = value;
  return halfOf(floatBits[0] as number);
}

/** The nearest half-precision number to one in single precision, of two equally near the even one; what is too large is the largest. */
function halfOf(all: number): number {
  const sign = (all >>> 16) & 0x8000;
  const size = all & 0x7fffffff;
  // Half of the last place is added, less one where the number before it is even, and what comes after that place is cut off.
  if (size >= 0x38800000 && size < 0x477ff000) {
    return sign | (((size + 0xfff + ((size >>> 13) & 1)) >>> 13) - 0x1c000);
  }
  return sign | (size >= 0x477ff000 ? 0x7bff : smallHalf(size));
}

/** Below the smallest normal number, 2^-14, there are steps of 2^-24. */
function smallHalf(size: number): number {
  const exponent = size >>> 23;
  // Below the half of the smallest step.
  if (exponent < 102) return 0;
  const mantissa = (size & 0x7fffff) | 0x800000;
  const cut = 126 - exponent;
  const below = mantissa >>> cut;
  const rest = mantissa & ((1 << cut) - 1);
  const middle = 1 << (cut - 1);
  return rest > middle || (rest === middle && (below & 1) === 1) ? below + 1 : below;
}

function fromHalf(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 0x1f;
  const mantissa = half & 0x3ff;
  if (exponent === 0) return sign * mantissa * 2 ** -24;
  if (exponent === 0x1f) return Number.NaN;
  return sign * (1 + mantissa / 1024) * 2 ** (exponent - 15);
}
