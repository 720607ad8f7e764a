import type { DatabaseSync } from 'node:sqlite';
import { ServiceError } from '../../../base/errors.ts';
import type { Nearest } from '../../types.ts';
import { strideOf, type VectorRow } from '../../vectors/quantise.ts';
import { query } from '../rows.ts';
import { inTransaction } from '../transaction.ts';
import { createFindChunks } from './nearestChunks.ts';
import { createSpaceFiles } from './spaceFiles.ts';
import { openSpaceTable } from './spaceTable.ts';
import { countVectors, type VectorCounts } from './vectorCounts.ts';
import { createVectorRepair } from './vectorRepair.ts';
import { createVectorWriter } from './vectorWriter.ts';

/**
 * Vectors, content-addressed: a vector is kept under the key of its space and the SHA-256 of the chunk's text (without
 * path), so a moved line, a renamed file, a branch switch or a change of model and back sends no text twice.
 */
export interface Spaces extends VectorCounts {
  /** The space of a key (model, and all else that determines its vectors), created on first use. */
  space(key: string): number;
  /** Whether a space is one of a key: another vector database, made after damage, counts its spaces anew. */
  isSpaceOf(key: string, space: number): boolean;
  /** The space of a key that has had a vector; opens its files, which detects missing vectors. */
  knownSpace(key: string): number | undefined;
  /** The space of another key that received vectors last. */
  otherSpace(key: string): { id: number; key: string } | undefined;
  /** The length of the space's vectors, once there are any. */
  dimensions(space: number): number | undefined;
  /** Whether there are vectors of this length in the space, or in another of its key. */
  hasLength(space: number, length: number): boolean;
  /** Checks all vectors at once: those that are damaged are removed, and their texts are without one then. */
  inspectVectors(): void;
  /** Whether a check of the vectors found their database corrupted: its indexes contradict each other. */
  isCorrupted(): boolean;
  /** Whether a text has a vector. */
  has(space: number, hash: Uint8Array): boolean;
  /**
   * Stores vectors: on disk in the flat files, then in one transaction. Throws `malformed` when they differ in length,
   * or have another length than before: in that case they are stored, in a space of their own that replaces this one
   * when its key is requested next.
   */
  putVectors(space: number, rows: readonly VectorRow[]): void;
  /** Chunks of these files, or of all, with their cosine to the query, the nearest first. */
  findNearest(space: number, vector: Float32Array, limit: number, files?: readonly number[]): Nearest[];
  /** The stored vector of a text, by its hash; rounded, of length 1. Undefined when it is missing or corrupted. */
  vectorOf(space: number, hash: Uint8Array): Float32Array | undefined;
  /** The same as it is stored, with the rounding errors. */
  rowOf(space: number, hash: Uint8Array): VectorRow | undefined;
  closeFiles(): void;
}

/** @param canWrite false: corrupted vectors are skipped and not removed */
export function openSpaces(database: DatabaseSync, directory: string, canWrite: boolean): Spaces {
  const table = openSpaceTable(database, directory);
  const repair = createVectorRepair(database, canWrite);
  const spaceFiles = createSpaceFiles(directory, repair, canWrite);
  const put = createVectorWriter(database, directory, table, spaceFiles);
  const findChunks = createFindChunks(database);
  const findVector = query(database, 'SELECT slot FROM vectors WHERE space = ? AND hash = ?', { slot: 'number' });

  return {
    ...countVectors(database),
    space(key) {
      const known = (): number | undefined => table.find(key)?.id;
      return known() ?? inTransaction(database, () => known() ?? table.add(key));
    },
    isSpaceOf: (key, space) => table.get(space)?.key === key,
    knownSpace(key) {
      const found = table.find(key);
      if (found === undefined || found.dimensions === null) return undefined;
      // Opening detects lost vectors, which must not be counted as present.
      if (canWrite) spaceFiles.open(found.id, found.dimensions, found.count);
      return found.id;
    },
    otherSpace: table.findOther,
    dimensions: (space) => table.get(space)?.dimensions ?? undefined,
    hasLength: (space, length) => table.findOfLength(space, length) !== undefined,
    inspectVectors() {
      for (const { id, dimensions, count } of table.all()) {
        if (dimensions !== null) repair.inspectNow(id, spaceFiles.open(id, dimensions, count), count);
      }
    },
    isCorrupted: repair.isCorrupted,
    has: (space, hash) => findVector.get(space, hash) !== undefined,
    putVectors(space, rows) {
      const dimensions = rows[0]?.dimensions;
      if (dimensions === undefined) return;
      const isMixed = rows.some((row) => row.dimensions !== dimensions);
      if (isMixed) throw new ServiceError('malformed', { hint: 'dimensions' });
      const target = inTransaction(database, () => put(space, dimensions, rows));
      if (target !== space) throw new ServiceError('malformed', { hint: 'another length' });
    },
    findNearest(space, vector, limit, files) {
      // Vectors of another length stay, in case the service returns to that length.
      const found = table.findOfLength(space, vector.length);
      if (found === undefined) return [];
      const { nearest } = spaceFiles.open(found.id, vector.length, found.count);
      const searched = { space: found.id, nearest, count: found.count };
      return findChunks(searched, vector, limit, files, (slot) => repair.forget(found.id, slot));
    },
    vectorOf(space, hash) {
      const slot = findVector.get(space, hash)?.slot;
      const found = table.get(space);
      if (slot === undefined || found === undefined || found.dimensions === null) return undefined;
      const values = new Int8Array(strideOf(found.dimensions));
      const { files } = spaceFiles.open(space, found.dimensions, found.count);
      const scale = files.readValues(slot, new Uint8Array(values.buffer), 0);
      return scale === undefined
        ? undefined
        : Float32Array.from(values.subarray(0, found.dimensions), (v) => v * scale);
    },
    rowOf(space, hash) {
      const slot = findVector.get(space, hash)?.slot;
      const found = table.get(space);
      if (slot === undefined || found === undefined || found.dimensions === null) return undefined;
      const { dimensions, count } = found;
      const [values, rest] = [new Int8Array(strideOf(dimensions)), new Int8Array(strideOf(dimensions))];
      const { files } = spaceFiles.open(space, dimensions, count);
      const scale = files.readValues(slot, new Uint8Array(values.buffer), 0);
      if (scale === undefined || !files.readRest(slot, new Uint8Array(rest.buffer), 0)) return undefined;
      return { hash, dimensions, scale, values, rest };
    },
    closeFiles: spaceFiles.close,
  };
}
