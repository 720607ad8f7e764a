import {
  closeSync,
  constants,
  existsSync,
  fdatasyncSync,
  fstatSync,
  openSync,
  readSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { crc32 } from 'node:zlib';
import { createKeptRows } from './keptRows.ts';
import { bitStrideOf, quantise, signBits, strideOf } from './quantise.ts';

/** A vector and the SHA-256 it is kept under. */
export interface HashedVector {
  hash: Uint8Array;
  vector: Float32Array;
}

/**
 * The vectors of a space in three flat files, one row a slot. `bits`: signs, which fit in memory. `values`: a checksum, a
 * scale (float32), the hash of the text and a signed byte a dimension, read only for slots whose signs are near. `rest`: a
 * checksum and the byte that makes the value finer, read only for the best of those.
 */
export interface VectorFiles {
  readonly dimensions: number;
  /** Writes vectors from this slot on, and returns when they are on disk. */
  write(firstSlot: number, items: readonly HashedVector[]): void;
  /** How many whole rows the files have by their size. */
  rows(): { bits: number; vectors: number };
  /** Reads the rows of signs from `first` to before `end` into `target`; gives how many rows there were. */
  readBits(first: number, end: number, target: Uint8Array): number;
  /** Copies the row of a slot to this place in `target` and gives its scale; undefined when it is damaged or missing. */
  readValues(slot: number, target: Uint8Array, at: number): number | undefined;
  /** Copies the finer row of a slot to this place in `target`; false when it is damaged or missing. */
  readRest(slot: number, target: Uint8Array, at: number): boolean;
  /** The hash a slot was written under; undefined when one of its rows is damaged or missing. */
  readHash(slot: number): Uint8Array | undefined;
  /** Looks at a slot's rows. Signs that do not fit the values are made again, since nothing is lost with them. */
  check(slot: number): 'sound' | 'mended' | 'damaged';
  close(): void;
}

const hashBytes = 32;
const scaleAt = 4;
const hashAt = 8;
const valuesHead = hashAt + hashBytes;
const restHead = 4;
const endings = ['.bits', '.values', '.rest'] as const;

/**
 * @param path without an ending: each of the files has its own
 * @param canWrite without it the files are only read, and have to be there
 */
export function openVectorFiles(path: string, dimensions: number, canWrite = true): VectorFiles {
  const stride = strideOf(dimensions);
  const bitStride = bitStrideOf(dimensions);
  const [bits, values, rest] = endings.map((ending) => openFile(path + ending, canWrite)) as [number, number, number];
  const valuesRow = Buffer.alloc(valuesHead + stride);
  const restRow = Buffer.alloc(restHead + stride);
  // Hundreds of rows are read for a question: their parts are named once.
  const checked = new Map<Buffer, Uint8Array>([valuesRow, restRow].map((row) => [row, row.subarray(4)]));
  const [valuesBody, restBody] = [valuesRow.subarray(valuesHead), restRow.subarray(restHead)];
  const signs = Buffer.alloc(bitStride);

  function readRow(file: number, row: Buffer, slot: number): boolean {
    if (readSync(file, row, 0, row.length, slot * row.length) < row.length) return false;
    return row.readUInt32LE(0) === crc32(checked.get(row) as Uint8Array, slot);
  }
  const rowsOf = (file: number, bytes: number): number => Math.floor(fstatSync(file).size / bytes);
  const kept = createKeptRows(stride, rowsOf(values, valuesRow.length));

  return {
    dimensions,
    write(firstSlot, items) {
      const all = {
        bits: Buffer.alloc(items.length * bitStride),
        values: Buffer.alloc(items.length * valuesRow.length),
        rest: Buffer.alloc(items.length * restRow.length),
      };
      items.forEach(({ hash, vector }, index) => {
        const slot = firstSlot + index;
        const quantised = quantise(vector);
        all.bits.set(signBits(quantised.values, dimensions), index * bitStride);
        const row = all.values.subarray(index * valuesRow.length, (index + 1) * valuesRow.length);
        row.writeFloatLE(quantised.scale, scaleAt);
        row.set(hash, hashAt);
        row.set(asBytes(quantised.values), valuesHead);
        row.writeUInt32LE(crc32(row.subarray(4), slot), 0);
        const finer = all.rest.subarray(index * restRow.length, (index + 1) * restRow.length);
        finer.set(asBytes(quantised.rest), restHead);
        finer.writeUInt32LE(crc32(finer.subarray(4), slot), 0);
      });
      writeAll(bits, all.bits, firstSlot * bitStride);
      writeAll(values, all.values, firstSlot * valuesRow.length);
      writeAll(rest, all.rest, firstSlot * restRow.length);
      for (const file of [values, rest, bits]) fdatasyncSync(file);
    },
    rows: () => ({
      bits: rowsOf(bits, bitStride),
      vectors: Math.min(rowsOf(values, valuesRow.length), rowsOf(rest, restRow.length)),
    }),
    readBits(first, end, target) {
      const read = readSync(bits, target, 0, (end - first) * bitStride, first * bitStride);
      return Math.floor(read / bitStride);
    },
    readValues(slot, target, at) {
      const known = kept.read(slot, target, at);
      if (known !== undefined) return known;
      if (!readRow(values, valuesRow, slot)) return undefined;
      target.set(valuesBody, at);
      const scale = valuesRow.readFloatLE(scaleAt);
      kept.keep(slot, scale, valuesBody);
      return scale;
    },
    readRest(slot, target, at) {
      if (!readRow(rest, restRow, slot)) return false;
      target.set(restBody, at);
      return true;
    },
    readHash(slot) {
      if (!readRow(values, valuesRow, slot) || !readRow(rest, restRow, slot)) return undefined;
      return Uint8Array.from(valuesRow.subarray(hashAt, valuesHead));
    },
    check(slot) {
      if (!readRow(values, valuesRow, slot) || !readRow(rest, restRow, slot)) return 'damaged';
      kept.keep(slot, valuesRow.readFloatLE(scaleAt), valuesBody);
      const right = signBits(new Int8Array(valuesRow.buffer, valuesRow.byteOffset + valuesHead, stride), dimensions);
      const read = readSync(bits, signs, 0, bitStride, slot * bitStride);
      if (read === bitStride && signs.equals(right)) return 'sound';
      writeAll(bits, Buffer.from(right), slot * bitStride);
      return 'mended';
    },
    close() {
      for (const file of [bits, values, rest]) closeSync(file);
    },
  };
}

/** Empties the files that are there from an index that is not. */
export function resetVectorFiles(path: string): void {
  for (const ending of endings) if (existsSync(path + ending)) truncateSync(path + ending);
}

function openFile(path: string, canWrite: boolean): number {
  // Another window may make it at the same moment: nothing that is there is cut off.
  return openSync(path, canWrite ? constants.O_RDWR | constants.O_CREAT : constants.O_RDONLY);
}

function writeAll(file: number, bytes: Buffer, position: number): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, position + done);
}

function asBytes(values: Int8Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.length);
}
