import { createHash } from 'node:crypto';
import { type BigIntStats, statSync } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { ServiceError } from '../../base/errors.ts';
import { type AudioFormat, detectFormat, tagsEnd } from './formats.ts';

/** A recording on the disk, as its name, its metadata and its first bytes describe it. */
export interface Recording {
  /** Absolute path. */
  path: string;
  fileName: string;
  /** Size in bytes. */
  size: number;
  /** Time of the last change, in whole milliseconds since the epoch. */
  mtimeMs: number;
  /** The number of the file, and the time of its last change of any kind: others where size and time were set as they had been. */
  change: string;
  /** Identifies the file and its state: another one after any change. */
  stamp: string;
  format: AudioFormat;
}

/** Bytes of a file that are read to tell its format. */
const headSize = 16 * 1024;
/** The largest recording: no service takes more, and hashing it would take minutes. A day of speech is a tenth of it. */
export const largestRecording = 4 * 1024 ** 3;
const lfsPointer = 'version https://git-lfs.github.com/spec/';

/** The facts that tell cheaply whether a file is still the one that was translated. */
export type FileIdentity = Pick<Recording, 'path' | 'size' | 'mtimeMs' | 'change'>;

/** A recording that is open: the file that is looked at is the one that is hashed, whatever becomes of its path. */
export interface OpenRecording {
  readonly recording: Recording;
  /**
   * The SHA-256 of its bytes in hexadecimal, read piece by piece; of a file that still grows, those it had when it was opened.
   * @throws ServiceError `cancelled`, or `file-missing` when it cannot be read
   */
  hash(signal: AbortSignal): Promise<string>;
  close(): Promise<void>;
}

/**
 * Opens a recording and looks at it, without reading it whole.
 * @throws ServiceError `file-missing` (`param` is `unreadable` for one that is there), `file-empty`, `too-large` (`param` is
 * `recording`), `git-lfs-pointer`, or `not-audio`, each with the name as its hint
 */
export async function openRecording(path: string): Promise<OpenRecording> {
  const fail = failing(path);
  // The type is checked first: opening a pipe would wait for its writer.
  if (!(await stat(path).catch(fail)).isFile()) throw new ServiceError('not-audio', { hint: basename(path) });
  const file = await open(path).catch(fail);
  try {
    const recording = await probe(file, path);
    return {
      recording,
      hash: (signal) => hashFile(file, recording.size, signal).catch(fail),
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function probe(file: FileHandle, path: string): Promise<Recording> {
  const fileName = basename(path);
  const stats = await file.stat({ bigint: true });
  const size = Number(stats.size);
  if (!stats.isFile()) throw new ServiceError('not-audio', { hint: fileName });
  if (size === 0) throw new ServiceError('file-empty', { hint: fileName });
  if (size > largestRecording) throw new ServiceError('too-large', { hint: fileName, param: 'recording' });
  const head = await readHead(file).catch(failing(path));
  if (head.toString('latin1', 0, lfsPointer.length) === lfsPointer) {
    throw new ServiceError('git-lfs-pointer', { hint: fileName });
  }
  const format = detectFormat(head, size, await readBehindTags(file, head).catch(failing(path)));
  if (format === undefined) throw new ServiceError('not-audio', { hint: fileName });
  return {
    path,
    fileName,
    size,
    mtimeMs: Number(stats.mtimeMs),
    change: changeOf(stats),
    stamp: stampOf(stats),
    format,
  };
}

/** Bytes that are read and hashed in one go, during which nothing else is done. */
const pieceSize = 256 * 1024;

async function hashFile(file: FileHandle, size: number, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  const piece = Buffer.allocUnsafe(pieceSize);
  for (let at = 0; at < size; ) {
    if (signal.aborted) throw new ServiceError('cancelled');
    const { bytesRead } = await file.read(piece, 0, Math.min(pieceSize, size - at), at);
    // The file is shorter by now.
    if (bytesRead === 0) break;
    hash.update(piece.subarray(0, bytesRead));
    at += bytesRead;
  }
  return hash.digest('hex');
}

/** The identity of the file at a path, by which to tell whether it is the one that was translated; undefined when it is gone. */
export async function identify(path: string): Promise<FileIdentity | undefined> {
  const stats = await stat(path, { bigint: true }).catch(() => undefined);
  return stats && { path, size: Number(stats.size), mtimeMs: Number(stats.mtimeMs), change: changeOf(stats) };
}

/** The `stamp` that the file at a path has now; undefined when it is gone. */
export async function stampAt(path: string): Promise<string | undefined> {
  const stats = await stat(path, { bigint: true }).catch(() => undefined);
  return stats && stampOf(stats);
}

/** The same at once, for what may not wait for a turn. @throws what `fs.statSync` throws, other than for a file that is gone */
export function stampNow(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && stampOf(stats);
}

const changeOf = ({ ino, ctimeNs }: BigIntStats): string => `${ino} ${ctimeNs}`;

function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
}

/** Turns an error of the disk into one that names the file. A file that is gone is told from one that cannot be read. */
function failing(path: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof ServiceError) throw error;
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const isGone = code === 'ENOENT' || code === 'ENOTDIR';
    throw new ServiceError('file-missing', { hint: basename(path), ...(isGone ? {} : { param: 'unreadable' }) });
  };
}

/** What stands behind tags that are longer than the head, as one with a cover is. */
async function readBehindTags(file: FileHandle, head: Buffer): Promise<Buffer | undefined> {
  let end = tagsEnd(head);
  if (end < head.length) return undefined;
  for (let i = 0; i < mostTags; i++) {
    const behind = await readHead(file, end);
    const more = tagsEnd(behind);
    if (more < behind.length || more === 0) return behind.subarray(more);
    end += more;
  }
  return undefined;
}

/** The most long tags that are looked behind. */
const mostTags = 8;

async function readHead(file: FileHandle, at = 0): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(headSize), 0, headSize, at);
  return buffer.subarray(0, bytesRead);
}
