import { crc32 } from 'node:zlib';
import { bitStrideOf, type Quantised, signBits, strideOf, type VectorRow } from './quantise.ts';

/**
 * Quantised vectors as bytes on the disk, in two layouts, both of which existing vector files have:
 *
 * - whole (the vector cache): checksum, scale, values, rest; one number after the other, without padding.
 * - by slot (the files of a space), in three rows, padded to whole SIMD registers. `bits`: the signs. `values`:
 *   checksum, scale, hash of the text, values. `rest`: checksum, rest.
 *
 * A checksum is a CRC-32 of all that follows it in its row; that of a slot goes on from the slot's number, so that a
 * row written to another place is corrupted there. A scale is a float32, values and rest a signed byte a dimension.
 */
const checksumBytes = 4;
const scaleAt = checksumBytes;
const scaleBytes = 4;
const hashAt = scaleAt + scaleBytes;
const hashBytes = 32;
const valuesHead = hashAt + hashBytes;
const restHead = checksumBytes;
/** The whole layout has no hash: its values follow the scale. */
const wholeHead = scaleAt + scaleBytes;

/** A vector in the whole layout. */
export function packWhole({ dimensions, scale, values, rest }: Quantised): Uint8Array {
  const row = Buffer.alloc(wholeHead + dimensions * 2);
  row.writeFloatLE(scale, scaleAt);
  row.set(asBytes(values).subarray(0, dimensions), wholeHead);
  row.set(asBytes(rest).subarray(0, dimensions), wholeHead + dimensions);
  return seal(row);
}

/** The vector of a row in the whole layout; undefined when it is corrupted. */
export function unpackWhole(bytes: Uint8Array): Quantised | undefined {
  const row = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const dimensions = (row.length - wholeHead) / 2;
  if (dimensions < 1 || row.readUInt32LE(0) !== crc32(row.subarray(checksumBytes))) return undefined;
  const scale = row.readFloatLE(scaleAt);
  // A row of zeros alone has no scale: it is not a vector, and would fail every build that read it.
  if (!(scale > 0)) return undefined;
  const values = new Int8Array(strideOf(dimensions));
  const rest = new Int8Array(values.length);
  values.set(new Int8Array(row.buffer, row.byteOffset + wholeHead, dimensions));
  rest.set(new Int8Array(row.buffer, row.byteOffset + wholeHead + dimensions, dimensions));
  return { dimensions, scale, values, rest };
}

/** The length of the vector of a row in the whole layout, without its rounding errors; undefined when it is corrupted. Copies nothing. */
export function lengthOfWhole(row: Buffer): number | undefined {
  const dimensions = (row.length - wholeHead) / 2;
  if (dimensions < 1 || row.readUInt32LE(0) !== crc32(row.subarray(checksumBytes))) return undefined;
  const values = new Int8Array(row.buffer, row.byteOffset + wholeHead, dimensions);
  let sum = 0;
  for (let at = 0; at < dimensions; at++) sum += (values[at] as number) ** 2;
  return Math.sqrt(sum) * row.readFloatLE(scaleAt);
}

/** The rows of one slot. */
export interface SlotBytes<T> {
  bits: T;
  values: T;
  rest: T;
}

/** Sizes of a slot's rows in bytes. */
export function slotSizes(dimensions: number): SlotBytes<number> {
  const stride = strideOf(dimensions);
  return { bits: bitStrideOf(dimensions), values: valuesHead + stride, rest: restHead + stride };
}

/** The rows of vectors of one length, for the slots from `firstSlot` on; those of each file one after the other. */
export function packSlots(firstSlot: number, dimensions: number, items: readonly VectorRow[]): SlotBytes<Buffer> {
  const sizes = slotSizes(dimensions);
  const bits = Buffer.alloc(items.length * sizes.bits);
  const values = Buffer.alloc(items.length * sizes.values);
  const rest = Buffer.alloc(items.length * sizes.rest);
  for (const [index, item] of items.entries()) {
    bits.set(signBits(item.values, dimensions), index * sizes.bits);
    const row = values.subarray(index * sizes.values, (index + 1) * sizes.values);
    row.writeFloatLE(item.scale, scaleAt);
    row.set(item.hash, hashAt);
    row.set(asBytes(item.values), valuesHead);
    seal(row, firstSlot + index);
    const finer = rest.subarray(index * sizes.rest, (index + 1) * sizes.rest);
    finer.set(asBytes(item.rest), restHead);
    seal(finer, firstSlot + index);
  }
  return { bits, values, rest };
}

/** A reusable buffer for rows of one kind. Its views are created once, as a question reads hundreds of rows. */
export interface RowBuffer {
  readonly bytes: Buffer;
  /** The quantised numbers, padded. */
  readonly body: Buffer;
  /** Whether the buffer holds the row that was written for this slot. */
  isOf(slot: number): boolean;
}

/** A buffer for a row of `values`. */
export interface ValuesBuffer extends RowBuffer {
  scale(): number;
  /** A copy of the hash. */
  hash(): Uint8Array;
  signs(): Uint8Array;
}

/** Creates a buffer for rows of `values`. */
export function valuesBuffer(dimensions: number): ValuesBuffer {
  const buffer = rowBuffer(slotSizes(dimensions).values, valuesHead);
  const { bytes, body } = buffer;
  const values = new Int8Array(body.buffer, body.byteOffset, body.length);
  return {
    ...buffer,
    scale: () => bytes.readFloatLE(scaleAt),
    hash: () => Uint8Array.from(bytes.subarray(hashAt, valuesHead)),
    signs: () => signBits(values, dimensions),
  };
}

/** Creates a buffer for rows of `rest`. */
export function restBuffer(dimensions: number): RowBuffer {
  return rowBuffer(slotSizes(dimensions).rest, restHead);
}

function rowBuffer(size: number, head: number): RowBuffer {
  const bytes = Buffer.alloc(size);
  const covered = bytes.subarray(checksumBytes);
  return { bytes, body: bytes.subarray(head), isOf: (slot) => bytes.readUInt32LE(0) === crc32(covered, slot) };
}

/** Writes the checksum of a row into it. */
function seal(row: Buffer, from = 0): Buffer {
  row.writeUInt32LE(crc32(row.subarray(checksumBytes), from), 0);
  return row;
}

function asBytes(values: Int8Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.length);
}
