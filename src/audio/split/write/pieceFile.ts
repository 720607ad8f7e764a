import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { diskReason } from '../../../base/diskReason.ts';
import { ServiceError } from '../../../base/errors.ts';
import { fileMode, makeFolder } from '../../../base/privateFiles.ts';
import type { Container, Packet } from '../container.ts';

/** A file that is being written. It has its name when it is whole. */
export interface PieceFile {
  /** Writes bytes behind those that were written before. They are copied, and may wait for more. */
  append(bytes: Uint8Array): Promise<void>;
  /** Writes bytes at a place. */
  writeAt(bytes: Uint8Array, position: number): Promise<void>;
  /** Writes what waits; resolves with the bytes that the file has by now. */
  size(): Promise<number>;
  /** Gives the file its name; resolves with its size in bytes. */
  finish(): Promise<number>;
  /** Removes it. */
  discard(): Promise<void>;
}

/** The part of a recording that a file is made of: packets that start from one time on and before another, in seconds. */
export interface Span {
  from: number;
  to: number;
}

/** Writes packets into a file, with what has to stand around them. */
export type WritePackets = (
  file: PieceFile,
  container: Container,
  packets: AsyncIterable<Packet>,
  span: Span,
) => Promise<void>;

/** Bytes that are gathered before they are written. */
const gathered = 256 * 1024;

/** The file beside a piece in which it is made. One that was left by a process that ended is written over. */
export const unfinished = (path: string): string => `${path}.part`;

/**
 * Makes a file for its user alone, and the folder it is in.
 * @throws ServiceError `storage`, as all its functions
 */
export async function createPieceFile(path: string): Promise<PieceFile> {
  const part = unfinished(path);
  const file = await saying(async () => {
    await makeFolder(dirname(path));
    // A file that is there keeps its mode when it is opened, whoever made it.
    await rm(part, { force: true });
    return open(part, 'wx', fileMode);
  });
  let size = 0;
  const waiting = Buffer.allocUnsafe(gathered);
  let waitingBytes = 0;

  async function write(bytes: Uint8Array, position: number): Promise<void> {
    await writeAll(file, bytes, position);
    size = Math.max(size, position + bytes.length);
  }
  async function flush(): Promise<void> {
    const count = waitingBytes;
    waitingBytes = 0;
    await write(waiting.subarray(0, count), size);
  }

  return {
    append: (bytes) =>
      saying(async () => {
        if (waitingBytes + bytes.length > gathered) await flush();
        if (bytes.length > gathered) return write(bytes, size);
        waiting.set(bytes, waitingBytes);
        waitingBytes += bytes.length;
      }),
    writeAt: (bytes, position) =>
      saying(async () => {
        await flush();
        await write(bytes, position);
      }),
    size: () =>
      saying(async () => {
        await flush();
        return size;
      }),
    finish: () =>
      saying(async () => {
        await flush();
        await file.close();
        await rename(part, path);
        return size;
      }),
    async discard() {
      await file.close().catch(() => undefined);
      await rm(part, { force: true }).catch(() => undefined);
    },
  };
}

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

/** Does work on the disk, and says why where it fails. */
async function saying<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw new ServiceError('storage', { hint: diskReason(error) ?? 'failed', param: 'pieces', message: code });
  }
}
