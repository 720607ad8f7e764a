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
  // A plain loop without calls of `Buffer`: a load does this with ten million numbers a second.
  for (let i = 0, byte = at + head; i < dimensions; i++, byte += 2) {
    const half = toHalf((values[i] as number) * scale + (rest[i] as number) * finer);
    target[byte] = half >> 8;
    target[byte + 1] = half & 0xff;
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

const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

/** The nearest half-precision number, of two equally near the even one; what is too large is the largest. */
function toHalf(value: number): number {
  float[0] = value;
  const all = bits[0] as number;
  const sign = (all >>> 16) & 0x8000;
  const size = all & 0x7fffffff;
  if (size >= 0x477ff000) return sign | 0x7bff;
  // Smaller than the smallest normal number, 2^-14: steps of 2^-24.
  if (size < 0x38800000) return sign | roundEven(Math.abs(value) * 2 ** 24);
  const exponent = (size >>> 13) - 0x1c000;
  const cut = size & 0x1fff;
  return sign | (exponent + (cut > 0x1000 || (cut === 0x1000 && (exponent & 1) === 1) ? 1 : 0));
}

function roundEven(value: number): number {
  const below = Math.floor(value);
  const rest = value - below;
  return rest > 0.5 || (rest === 0.5 && below % 2 === 1) ? below + 1 : below;
}

function fromHalf(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 0x1f;
  const mantissa = half & 0x3ff;
  if (exponent === 0) return sign * mantissa * 2 ** -24;
  if (exponent === 0x1f) return Number.NaN;
  return sign * (1 + mantissa / 1024) * 2 ** (exponent - 15);
}
