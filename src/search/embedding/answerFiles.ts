import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { VectorSource } from '../types.ts';

/** Path of an answer until its vectors are in the index, and the hashes of its texts. Goes between threads. */
export interface AnswerPlace {
  path: string;
  source: VectorSource;
  /** Hashes of the texts, in their order. */
  hashes: readonly Uint8Array[];
}

/** Vectors that were received but may not be in the index yet, and their source. */
export interface KeptAnswer {
  source: VectorSource;
  items: { hash: Uint8Array; vector: Float32Array }[];
}

/** Name of the folder, inside that of the index. */
const folderName = 'answers';
const hashBytes = 32;
/** Bytes of the checksum of all that follows, and of the length of the head. */
const startBytes = 8;
/** A temporary file older than this was left by a process that died while writing it. */
const staleMs = 60_000;

/** The folder of the answers of an index. */
export function answersFolder(directory: string): string {
  return join(directory, folderName);
}

/** A path for an answer that is about to be requested. */
export function placeFor(directory: string, source: VectorSource, hashes: readonly Uint8Array[]): AnswerPlace {
  return { path: join(answersFolder(directory), randomUUID()), source, hashes };
}

/**
 * Writes an answer at once and atomically, before anything else is done with it: between the last byte of an answer and
 * its rows in the index lie another thread, its other work, and other windows, and a process may end at any moment. The
 * file protects against a killed process and not against a power cut, so it is not synced. An answer that cannot be
 * written is lost only if the process is killed.
 */
export function keepAnswer({ path, source, hashes }: AnswerPlace, vectors: readonly Float32Array[]): void {
  const dimensions = vectors[0]?.length ?? 0;
  if (vectors.length !== hashes.length || vectors.some(({ length }) => length !== dimensions)) return;
  const head = Buffer.from(JSON.stringify({ source, dimensions, count: hashes.length }));
  const start = Buffer.alloc(startBytes);
  start.writeUInt32LE(head.length, 4);
  const rows = vectors.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength));
  const bytes = Buffer.concat([start, head, ...hashes, ...rows]);
  bytes.writeUInt32LE(crc32(bytes.subarray(4)), 0);
  try {
    writeFileSync(`${path}.part`, bytes, { mode: 0o600 });
    renameSync(`${path}.part`, path);
  } catch {
    // A full disk, or an index that was deleted meanwhile: the answer is still passed on.
  }
}

/** Deletes the file of an answer that is stored or unusable. */
export function forgetAnswer(path: string): void {
  rmSync(path, { force: true });
}

/** Paths of the answers that were written completely. */
export function keptAnswers(directory: string): string[] {
  const folder = answersFolder(directory);
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  for (const name of names.filter((each) => each.endsWith('.part'))) {
    const path = join(folder, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat !== undefined && Date.now() - stat.mtimeMs > staleMs) forgetAnswer(path);
  }
  return names.filter((each) => !each.endsWith('.part')).map((each) => join(folder, each));
}

/** Reads an answer from its file; undefined when it is corrupted, or another window has taken it. */
export function readAnswer(path: string): KeptAnswer | undefined {
  try {
    const bytes = readFileSync(path);
    if (bytes.readUInt32LE(0) !== crc32(bytes.subarray(4))) return undefined;
    const headEnd = startBytes + bytes.readUInt32LE(4);
    const head = JSON.parse(bytes.toString('utf8', startBytes, headEnd)) as {
      source: VectorSource;
      dimensions: number;
      count: number;
    };
    const { source, dimensions, count } = head;
    const rowsAt = headEnd + count * hashBytes;
    const rows = Float32Array.from({ length: count * dimensions }, (_, i) => bytes.readFloatLE(rowsAt + i * 4));
    const items = Array.from({ length: count }, (_, i) => ({
      hash: Uint8Array.from(bytes.subarray(headEnd + i * hashBytes, headEnd + (i + 1) * hashBytes)),
      vector: rows.subarray(i * dimensions, (i + 1) * dimensions),
    }));
    return { source, items };
  } catch {
    return undefined;
  }
}
