import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { ServiceError } from '../service/errors.ts';
import { type AudioFormat, detectFormat } from './formats.ts';

/** A recording on the disk, as its name, its metadata and its first bytes describe it. */
export interface Recording {
  /** Absolute path. */
  path: string;
  fileName: string;
  /** In bytes. */
  size: number;
  /** Time of the last change, in whole milliseconds since the epoch. */
  mtimeMs: number;
  format: AudioFormat;
}

/** So much of a file is read to tell what it is. */
const headSize = 16 * 1024;
const lfsPointer = 'version https://git-lfs.github.com/spec/';

/**
 * Looks at a recording without reading it whole.
 * @throws ServiceError `file-missing`, `file-empty`, `git-lfs-pointer`, or `not-audio`, each with the name as its hint
 */
export async function probeRecording(path: string): Promise<Recording> {
  const fileName = basename(path);
  const file = await open(path).catch(() => undefined);
  if (file === undefined) throw new ServiceError('file-missing', { hint: fileName });
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new ServiceError('not-audio', { hint: fileName });
    if (stats.size === 0) throw new ServiceError('file-empty', { hint: fileName });
    const head = await readHead(file);
    if (head.toString('latin1', 0, lfsPointer.length) === lfsPointer) {
      throw new ServiceError('git-lfs-pointer', { hint: fileName });
    }
    const format = detectFormat(head, stats.size);
    if (format === undefined) throw new ServiceError('not-audio', { hint: fileName });
    return { path, fileName, size: stats.size, mtimeMs: Math.floor(stats.mtimeMs), format };
  } finally {
    await file.close();
  }
}

async function readHead(file: FileHandle): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(headSize), 0, headSize, 0);
  return buffer.subarray(0, bytesRead);
}
