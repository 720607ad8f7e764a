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
import { fileMode } from '../../base/privateFiles.ts';
import { strideOf, type VectorRow } from './quantise.ts';
import { createRowCache } from './rowCache.ts';
import { packSlots, type RowBuffer, restBuffer, slotSizes, valuesBuffer } from './rowCodec.ts';

/**
 * The vectors of a space in three flat files, one row a slot (rowCodec.ts). `bits`: signs, which fit in memory.
 * `values`: the numbers, read only for slots whose signs are near. `rest`: their rounding errors, read only for the
 * best of those.
 */
export interface VectorFiles {
  readonly dimensions: number;
  /** Writes vectors from this slot on, and returns when they are on disk. */
  write(firstSlot: number, items: readonly VectorRow[]): void;
  /** How many whole rows the files have by their size. */
  rows(): { bits: number; vectors: number };
  /** Reads the rows of signs from `first` to before `end` into `target`; gives how many rows there were. */
  readBits(first: number, end: number, target: Uint8Array): number;
  /**
   * Copies the row of a slot to this place in `target` and returns its scale; undefined when it is corrupted or
   * missing.
   */
  readValues(slot: number, target: Uint8Array, at: number): number | undefined;
  /** Copies the `rest` row of a slot to this place in `target`; false when it is corrupted or missing. */
  readRest(slot: number, target: Uint8Array, at: number): boolean;
  /** The hash in a slot's row; undefined when one of its rows is corrupted or missing. */
  readHash(slot: number): Uint8Array | undefined;
  /** Checks a slot's rows. Signs that do not fit the values are computed again, as they can be without loss. */
  check(slot: number): 'sound' | 'mended' | 'damaged';
  close(): void;
}

const endings = ['.bits', '.values', '.rest'] as const;

/**
 * Opens the files of a space.
 * @param path without an ending: each file has its own
 * @param canWrite false: the files are only read, and have to exist
 */
export function openVectorFiles(path: string, dimensions: number, canWrite = true): VectorFiles {
  const sizes = slotSizes(dimensions);
  const [bits, values, rest] = endings.map((ending) => openFile(path + ending, canWrite)) as [number, number, number];
  const [valuesRow, restRow, signs] = [valuesBuffer(dimensions), restBuffer(dimensions), Buffer.alloc(sizes.bits)];
  const rowsOf = (file: number, size: number): number => Math.floor(fstatSync(file).size / size);
  const kept = createRowCache(strideOf(dimensions), rowsOf(values, sizes.values));
  const areSound = (slot: number): boolean => readRow(values, valuesRow, slot) && readRow(rest, restRow, slot);

  return {
    dimensions,
    write(firstSlot, items) {
      const rows = packSlots(firstSlot, dimensions, items);
      writeAll(bits, rows.bits, firstSlot * sizes.bits);
      writeAll(values, rows.values, firstSlot * sizes.values);
      writeAll(rest, rows.rest, firstSlot * sizes.rest);
      for (const file of [values, rest, bits]) fdatasyncSync(file);
    },
    rows: () => ({
      bits: rowsOf(bits, sizes.bits),
      vectors: Math.min(rowsOf(values, sizes.values), rowsOf(rest, sizes.rest)),
    }),
    readBits(first, end, target) {
      const read = readSync(bits, target, 0, (end - first) * sizes.bits, first * sizes.bits);
      return Math.floor(read / sizes.bits);
    },
    readValues(slot, target, at) {
      const known = kept.read(slot, target, at);
      if (known !== undefined) return known;
      if (!readRow(values, valuesRow, slot)) return undefined;
      target.set(valuesRow.body, at);
      const scale = valuesRow.scale();
      kept.keep(slot, scale, valuesRow.body);
      return scale;
    },
    readRest(slot, target, at) {
      if (!readRow(rest, restRow, slot)) return false;
      target.set(restRow.body, at);
      return true;
    },
    readHash: (slot) => (areSound(slot) ? valuesRow.hash() : undefined),
    check(slot) {
      if (!areSound(slot)) return 'damaged';
      kept.keep(slot, valuesRow.scale(), valuesRow.body);
      const right = valuesRow.signs();
      const read = readSync(bits, signs, 0, sizes.bits, slot * sizes.bits);
      if (read === sizes.bits && signs.equals(right)) return 'sound';
      writeAll(bits, Buffer.from(right), slot * sizes.bits);
      return 'mended';
    },
    close() {
      for (const file of [bits, values, rest]) closeSync(file);
    },
  };
}

/** Whether a file has a valid row of this slot; it is in the buffer then. */
function readRow(file: number, row: RowBuffer, slot: number): boolean {
  const { bytes } = row;
  return readSync(file, bytes, 0, bytes.length, slot * bytes.length) === bytes.length && row.isOf(slot);
}

/** Empties files left by an index that no longer exists. */
export function resetVectorFiles(path: string): void {
  for (const ending of endings) if (existsSync(path + ending)) truncateSync(path + ending);
}

function openFile(path: string, canWrite: boolean): number {
  // Another window may create the file at the same moment, so it is not truncated.
  return openSync(path, canWrite ? constants.O_RDWR | constants.O_CREAT : constants.O_RDONLY, fileMode);
}

function writeAll(file: number, bytes: Buffer, position: number): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, position + done);
}
