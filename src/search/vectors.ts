import { closeSync, existsSync, fsyncSync, openSync, readSync, truncateSync, writeSync } from 'node:fs';

/**
 * A flat file of vectors, one record each: a float32 scale, then `dimensions` signed bytes. Vectors are brought to length 1
 * before they are rounded, so the dot product of a query with `bytes × scale` is the cosine.
 */
export interface VectorFile {
  /** Writes vectors at these places on, and returns when they are on disk. */
  write(firstSlot: number, vectors: readonly Float32Array[]): void;
  /** Cosine of the query with each of the slots, in their order. `count`: how many records the file has by now. */
  score(query: Float32Array, slots: Int32Array, count: number): Float32Array;
  close(): void;
}

const scaleBytes = 4;

/** The vector at length 1, as bytes and the scale that turns them back. */
export function quantise(vector: Float32Array): { values: Int8Array; scale: number } {
  const unit = normalise(vector);
  const largest = unit.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
  const scale = largest / 127;
  return { values: Int8Array.from(unit, (value) => Math.round(value / scale)), scale };
}

export function normalise(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return vector.map((value) => value / length);
}

export function openVectorFile(path: string, dimensions: number): VectorFile {
  const recordBytes = scaleBytes + dimensions;
  const file = openSync(path, existsSync(path) ? 'r+' : 'w+');
  /** What was read so far; other windows append, so there may be more. */
  let loaded = Buffer.alloc(0);

  function load(count: number): Buffer {
    const missing = count * recordBytes - loaded.length;
    if (missing > 0) {
      const more = Buffer.alloc(missing);
      const read = readSync(file, more, 0, missing, loaded.length);
      loaded = Buffer.concat([loaded, more.subarray(0, read - (read % recordBytes))]);
    }
    return loaded;
  }

  return {
    write(firstSlot, vectors) {
      const records = Buffer.alloc(vectors.length * recordBytes);
      vectors.forEach((vector, index) => {
        const { values, scale } = quantise(vector);
        const at = index * recordBytes;
        records.writeFloatLE(scale, at);
        Buffer.from(values.buffer, values.byteOffset, values.length).copy(records, at + scaleBytes);
      });
      writeSync(file, records, 0, records.length, firstSlot * recordBytes);
      fsyncSync(file);
      // A run that was killed may have left other bytes at these places.
      loaded = loaded.subarray(0, firstSlot * recordBytes);
    },
    score(query, slots, count) {
      const bytes = load(count);
      const values = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
      const unit = normalise(query);
      const scores = new Float32Array(slots.length).fill(-1);
      for (let i = 0; i < slots.length; i++) {
        const at = (slots[i] ?? 0) * recordBytes;
        if (at + recordBytes > bytes.length) continue;
        let sum = 0;
        for (let d = 0; d < dimensions; d++) sum += (unit[d] ?? 0) * (values[at + scaleBytes + d] ?? 0);
        scores[i] = sum * bytes.readFloatLE(at);
      }
      return scores;
    },
    close: () => closeSync(file),
  };
}

/** Empties the file of vectors that is there from an index that is not. */
export function resetVectorFile(path: string): void {
  if (existsSync(path)) truncateSync(path);
}
