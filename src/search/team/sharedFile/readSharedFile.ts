import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { ServiceError } from '../../../base/errors.ts';
import type { VectorRow } from '../../vectors/quantise.ts';
import {
  digestBytes,
  hashBytes,
  headAt,
  isSound,
  readHeader,
  readHeaderSize,
  rowSize,
  type SharedFileHeader,
  sharedFileError,
  signatureBytes,
  unpackRow,
  unsignedSize,
} from './sharedLayout.ts';
import { isSignedBy, readPublicKey } from './signingKeys.ts';

/** Bytes that are read at once. */
const blockBytes = 4 * 1024 * 1024;

/** A shared file that was read to its end, and is as it was written. */
export interface SharedFile {
  readonly header: SharedFileHeader;
  /** `checked`: by the key that was given. `unchecked`: it is signed, and no key was given. */
  readonly signature: 'none' | 'unchecked' | 'checked';
  /** The rows whose hash is wanted, in blocks. */
  rows(isWanted: (hash: Uint8Array) => boolean, signal: AbortSignal): AsyncIterable<VectorRow[]>;
  close(): Promise<void>;
}

/**
 * Opens a shared file, and reads all of it before anything of it is taken.
 * @param publicKey it has to be signed with the private key to this one
 * @throws ServiceError `shared-file`
 */
export async function openSharedFile(
  path: string,
  publicKey: string | undefined,
  signal: AbortSignal,
): Promise<SharedFile> {
  if (publicKey !== undefined) readPublicKey(publicKey);
  const file = await openFile(path);
  try {
    const { header, firstRow } = await readHead(file);
    const signature = await check(file, header, firstRow, publicKey, signal);
    return {
      header,
      signature,
      rows: (isWanted, abort) => wantedRows(blocksOf(file, header, firstRow, abort), isWanted),
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** What the vectors of a file are, as its header says: nothing behind that was read. @throws ServiceError `shared-file` */
export async function readSharedHeader(path: string): Promise<SharedFileHeader> {
  const file = await openFile(path);
  try {
    return (await readHead(file)).header;
  } finally {
    await file.close();
  }
}

async function openFile(path: string): Promise<FileHandle> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, 'r');
    // A pipe or a device may never end.
    if ((await file.stat()).isFile()) return file;
  } catch {
    // What cannot be opened is not there for this program.
  }
  await file?.close();
  throw sharedFileError('missing');
}

async function readHead(file: FileHandle): Promise<{ header: SharedFileHeader; firstRow: number }> {
  const size = readHeaderSize(await readAt(file, 0, headAt));
  const json = await readAt(file, headAt, size);
  if (json.length < size) throw sharedFileError('damaged');
  return { header: readHeader(json), firstRow: headAt + size };
}

/** Reads all of the file: its length, its checksum, every row, its signature. */
async function check(
  file: FileHandle,
  header: SharedFileHeader,
  firstRow: number,
  publicKey: string | undefined,
  signal: AbortSignal,
): Promise<SharedFile['signature']> {
  const { size } = await file.stat();
  const bare = unsignedSize(header, firstRow - headAt);
  if (size !== bare && size !== bare + signatureBytes) throw sharedFileError('damaged');
  const ofRows = createHash('sha256');
  let before: Buffer | undefined;
  for await (const block of blocksOf(file, header, firstRow, signal)) {
    ofRows.update(block.bytes);
    for (const row of block.rows) {
      const hash = row.subarray(0, hashBytes);
      if (!isSound(row) || (before && Buffer.compare(before, hash) >= 0)) throw sharedFileError('damaged');
      before = hash;
    }
  }
  const head = await readAt(file, 0, firstRow);
  const right = createHash('sha256').update(head).update(ofRows.digest()).digest();
  const end = await readAt(file, bare - digestBytes, size - bare + digestBytes);
  if (!right.equals(end.subarray(0, digestBytes))) throw sharedFileError('damaged');
  const signature = end.subarray(digestBytes);
  if (publicKey === undefined) return signature.length === 0 ? 'none' : 'unchecked';
  if (signature.length === 0) throw sharedFileError('no-signature');
  if (!isSignedBy(right, signature, publicKey)) throw sharedFileError('wrong-signature');
  return 'checked';
}

interface Block {
  readonly bytes: Buffer;
  readonly rows: readonly Buffer[];
}

async function* blocksOf(
  file: FileHandle,
  { count, dimensions }: SharedFileHeader,
  firstRow: number,
  signal: AbortSignal,
): AsyncIterable<Block> {
  const size = rowSize(dimensions);
  const atOnce = Math.max(1, Math.floor(blockBytes / size));
  for (let row = 0; row < count; row += atOnce) {
    if (signal.aborted) throw new ServiceError('cancelled');
    const here = Math.min(atOnce, count - row);
    const bytes = await readAt(file, firstRow + row * size, here * size);
    if (bytes.length < here * size) throw sharedFileError('damaged');
    yield { bytes, rows: Array.from({ length: here }, (_, at) => bytes.subarray(at * size, (at + 1) * size)) };
  }
}

async function* wantedRows(
  blocks: AsyncIterable<Block>,
  isWanted: (hash: Uint8Array) => boolean,
): AsyncIterable<VectorRow[]> {
  for await (const { rows } of blocks) {
    const wanted = rows.filter((row) => isWanted(row.subarray(0, hashBytes)));
    // The file may have been written over since it was checked.
    if (wanted.length > 0) yield wanted.flatMap((row) => unpackRow(row) ?? []);
  }
}

/** So many bytes from this place; fewer where the file ends before. */
async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(bytes, done, length - done, position + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}
