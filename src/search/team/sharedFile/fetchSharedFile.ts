import { randomUUID } from 'node:crypto';
import { readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '../../../base/errors.ts';
import { fileMode, makeFolderSync } from '../../../base/privateFiles.ts';
import { isLoopback } from '../../../service/endpoint.ts';
import type { Transport } from '../../../service/transport/transport.ts';
import { headAt, readHeader, readHeaderSize, sharedFileError, signatureBytes, unsignedSize } from './sharedLayout.ts';

/** What a download is called while it lasts. */
const partName = /^shared-[\da-f-]{36}\.part$/;
/** Parts that no program writes any more, in milliseconds. */
const staleMs = 24 * 3_600_000;

/** Whether a text is an address rather than a path. */
export function isAddress(text: string): boolean {
  return /^[a-z][a-z\d+.-]+:\/\//i.test(text);
}

/**
 * Downloads a shared file. No key is sent. No more is read than the header says there is, however long the answer goes on.
 * @param folder where it is kept, under a name of its own; the caller deletes it
 * @param report bytes that came, and how many there are
 * @returns its path
 * @throws ServiceError `shared-file`, or what happened on the way
 */
export async function fetchSharedFile(
  transport: Transport,
  url: string,
  folder: string,
  signal: AbortSignal,
  report: (done: number, of: number) => void,
): Promise<string> {
  const address = URL.parse(url);
  const isSafe = address?.protocol === 'https:' || (address?.protocol === 'http:' && isLoopback(url));
  if (address === null || !isSafe || address.username !== '' || address.password !== '') {
    throw sharedFileError('bad-address');
  }
  makeFolderSync(folder);
  removeStale(folder);
  const path = join(folder, `shared-${randomUUID()}.part`);
  try {
    const { body } = await transport.send({ method: 'GET', url: address.href, accept: '*/*', isOpen: true }, signal);
    const file = await open(path, 'wx', fileMode);
    try {
      await receive(body, file, report);
    } finally {
      await file.close();
    }
    if (signal.aborted) throw new ServiceError('cancelled');
    return path;
  } catch (error) {
    rmSync(path, { force: true });
    removeEmpty(folder);
    throw error;
  }
}

async function receive(
  body: AsyncIterable<Uint8Array>,
  file: FileHandle,
  report: (done: number, of: number) => void,
): Promise<void> {
  let head: Buffer | undefined = Buffer.alloc(0);
  let [done, most] = [0, Number.POSITIVE_INFINITY];
  for await (const bytes of body) {
    if (head !== undefined) {
      head = Buffer.concat([head, bytes]);
      const limit = limitOf(head);
      if (limit !== undefined) [most, head] = [limit, undefined];
    }
    done += bytes.length;
    if (done > most) throw sharedFileError('damaged');
    await file.writeFile(bytes);
    if (head === undefined) report(done, most);
  }
  // An answer that ends before its header, or is a page of something else, has no length either.
  if (head !== undefined) throw sharedFileError(done === 0 ? 'not-one' : 'damaged');
}

/** The longest that a file with this beginning can be; undefined while its header has not come. */
function limitOf(head: Buffer): number | undefined {
  if (head.length < headAt) return undefined;
  const size = readHeaderSize(head);
  if (head.length < headAt + size) return undefined;
  return unsignedSize(readHeader(head.subarray(headAt, headAt + size)), size) + signatureBytes;
}

/** Removes the folder of an index that was to be made from the file. One with an index in it stays. */
function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It is not empty.
  }
}

/** Deletes what a program that ended in mid-download left. */
function removeStale(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const modified = partName.test(name) ? statSync(path, { throwIfNoEntry: false })?.mtimeMs : undefined;
    if (modified !== undefined && modified < Date.now() - staleMs) rmSync(path, { force: true });
  }
}
