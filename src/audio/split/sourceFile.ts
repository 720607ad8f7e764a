import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { ServiceError } from '../../base/errors.ts';

/** A recording that is open for reading, here and there, piece by piece. */
export interface SourceFile {
  readonly fileName: string;
  /** Size in bytes when it was opened. */
  readonly size: number;
  /**
   * Reads bytes; fewer only where the file ends.
   * @param into takes the bytes, if it has room for them; else they have memory of their own
   * @throws ServiceError `cancelled`; `file-missing` when the disk fails; `not-audio` for more bytes than any part of a recording has
   */
  read(at: number, length: number, into?: Buffer): Promise<Buffer>;
  close(): Promise<void>;
}

/** The most bytes that are read in one go: the tables of a day of sound with pictures are a third of this. */
const longestRead = 64 * 1024 * 1024;

/**
 * @param signal ends all reading
 * @throws ServiceError `file-missing`
 */
export async function openSource(path: string, signal: AbortSignal): Promise<SourceFile> {
  const fileName = basename(path);
  const fail = (): never => {
    throw new ServiceError('file-missing', { hint: fileName, param: 'unreadable' });
  };
  const file = await open(path).catch(fail);
  const { size } = await file.stat().catch(async () => {
    await file.close();
    return fail();
  });
  return {
    fileName,
    size,
    async read(at, length, into) {
      if (signal.aborted) throw new ServiceError('cancelled');
      const count = Math.max(0, Math.min(length, size - at));
      if (count > longestRead) throw notAudio(fileName);
      const bytes = into !== undefined && into.length >= count ? into.subarray(0, count) : Buffer.allocUnsafe(count);
      return bytes.subarray(0, await fill(file, bytes, at).catch(fail));
    },
    close: () => file.close(),
  };
}

/** Reads until the buffer is full or the file ends; gives how many bytes there were. */
async function fill(file: FileHandle, bytes: Buffer, at: number): Promise<number> {
  let filled = 0;
  while (filled < bytes.length) {
    const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, at + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled;
}

/**
 * The error for a recording that cannot be read, or whose sound cannot be put into a file that services take.
 * @param codec the name of what its sound is in, where that is the reason; `none` where it has no sound; `cut` where the part is missing that
 * says what is in it
 */
export function notAudio(fileName: string, codec?: string): ServiceError {
  const param = codec?.replace(/[^\w .-]/g, '').slice(0, 40);
  return new ServiceError('not-audio', { hint: fileName, ...(param ? { param } : {}) });
}
