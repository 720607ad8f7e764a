import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { ServiceError } from '../../../base/errors.ts';
import { fileMode } from '../../../base/privateFiles.ts';
import type { VectorRow } from '../../vectors/quantise.ts';
import { packWhole } from '../../vectors/rowCodec.ts';
import { headerSize, packHead, type SharedFileHeader, sharedFileError } from './sharedLayout.ts';
import { signDigest } from './signingKeys.ts';

/** Bytes that are written at once. */
const blockBytes = 4 * 1024 * 1024;

/**
 * Writes a shared file: beside its place first, and then renamed.
 * @param rows in the order of their hashes, each once
 * @param signingKey a private Ed25519 key as PEM
 * @returns how many rows it has
 * @throws ServiceError `shared-file`: `not-written`, `bad-key`
 */
export async function writeSharedFile(
  path: string,
  about: Omit<SharedFileHeader, 'format' | 'count'>,
  rows: Iterable<VectorRow>,
  signal: AbortSignal,
  signingKey?: string,
): Promise<{ count: number; bytes: number }> {
  const temporary = `${path}.${randomUUID()}`;
  try {
    const file = await open(temporary, 'wx', fileMode);
    try {
      const written = await writeAll(file, about, rows, signal, signingKey);
      await file.sync();
      await file.close();
      await rename(temporary, path);
      return written;
    } finally {
      await file.close();
    }
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    // The place is no file, is not there, may not be written, or has no room.
    throw error instanceof Error && 'syscall' in error ? sharedFileError('not-written', path) : error;
  }
}

async function writeAll(
  file: FileHandle,
  about: Omit<SharedFileHeader, 'format' | 'count'>,
  rows: Iterable<VectorRow>,
  signal: AbortSignal,
  signingKey: string | undefined,
): Promise<{ count: number; bytes: number }> {
  const header = (count: number): SharedFileHeader => ({ format: 1, ...about, count });
  const reserved = headerSize(header(0));
  const ofRows = createHash('sha256');
  let bytes = packHead(header(0), reserved).length;
  let [count, held, block] = [0, 0, [] as Uint8Array[]];
  const flush = async (): Promise<void> => {
    if (signal.aborted) throw new ServiceError('cancelled');
    const whole = Buffer.concat(block);
    [held, block] = [0, []];
    ofRows.update(whole);
    await writeAt(file, whole, bytes);
    bytes += whole.length;
  };
  for (const row of rows) {
    const packed = packWhole(row);
    block.push(row.hash, packed);
    held += row.hash.length + packed.length;
    count++;
    if (held >= blockBytes) await flush();
  }
  await flush();
  const head = packHead(header(count), reserved);
  const digest = createHash('sha256').update(head).update(ofRows.digest()).digest();
  const end = signingKey === undefined ? digest : Buffer.concat([digest, signDigest(digest, signingKey)]);
  await writeAt(file, end, bytes);
  await writeAt(file, head, 0);
  return { count, bytes: bytes + end.length };
}

async function writeAt(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}
