import { ServiceError } from '../../../base/errors.ts';
import { tagLength } from '../../recording/formats.ts';
import type { FrameHeader, ReadHeader } from '../../recording/frameHeaders.ts';
import type { SourceFile } from '../sourceFile.ts';

/** A frame of a file. */
export interface Frame {
  bytes: Buffer;
  header: FrameHeader;
  /** Where it begins in the file. */
  at: number;
}

/** Bytes that are read in one go; the longest frame is a thirtieth. */
const blockSize = 256 * 1024;
/** Bytes that have to follow a place where a frame may begin: two headers and the frame between. */
const lookAhead = 16 * 1024;

/**
 * Goes through the frames of a file in order, some hundred at a time. What lies between them (a tag, damage) is passed over.
 * @param from where the first may begin
 * @param kind of the frames; undefined takes those of each kind, where some of them follow one another
 */
export async function* readFrames(
  file: SourceFile,
  readHeader: ReadHeader,
  { from, kind }: { from: number; kind: number | undefined },
  signal: AbortSignal,
): AsyncGenerator<Frame[]> {
  // Frames are valid until the next are read.
  const memory = Buffer.allocUnsafe(blockSize);
  let known = kind;
  let position = from;
  for (let isLast = false; !isLast; ) {
    if (signal.aborted) throw new ServiceError('cancelled');
    const block = await file.read(position, blockSize, memory);
    isLast = block.length < blockSize || position + block.length >= file.size;
    // A frame that reaches past the block is read again with the next one.
    const end = isLast ? block.length : block.length - lookAhead;
    const frames: Frame[] = [];
    let at = 0;
    /** The header at that place, where it was read to prove the frame before it. */
    let ahead: FrameHeader | undefined;
    while (at < end) {
      const header = ahead ?? readHeader(block, at);
      ahead = header && readHeader(block, at + header.length);
      if (header !== undefined && kind === undefined && header.kind !== known) {
        if (isRun(block, at, readHeader, header.kind, isLast)) known = header.kind;
      }
      if (header === undefined || !isFrame(block, at, header, ahead, known)) {
        // A tag between two files that were joined may hold a picture, in which anything turns up.
        const tag = tagLength(block, at);
        at = tag > 0 && position + at + tag <= file.size ? at + tag : nextSync(block, at + 1);
        ahead = undefined;
        continue;
      }
      known ??= header.kind;
      frames.push({ bytes: block.subarray(at, at + header.length), header, at: position + at });
      at += header.length;
    }
    yield frames;
    position += at;
  }
}

/** The next byte of which a header or a tag may be the first. */
function nextSync(block: Buffer, at: number): number {
  const found = block.indexOf(0xff, at);
  const sync = found < 0 ? block.length : found;
  const tag = block.subarray(at, sync).indexOf('ID3', 0, 'latin1');
  return tag < 0 ? sync : at + tag;
}

/** Frames that have to follow one another before another kind is taken for one. */
const leastRun = 4;

function isRun(block: Buffer, at: number, readHeader: ReadHeader, kind: number, isLast: boolean): boolean {
  let place = at;
  for (let i = 0; i < leastRun; i++) {
    const header = readHeader(block, place);
    if (header?.kind !== kind) {
      // At the end of the file, or of what was read, fewer have to do.
      return i > 1 && place + 16 > block.length && (isLast || place > block.length);
    }
    place += header.length;
  }
  return true;
}

/** Whether a header is that of a whole frame: another follows it, or the file ends with it, or with a tag. */
function isFrame(
  block: Buffer,
  at: number,
  header: FrameHeader,
  next: FrameHeader | undefined,
  kind: number | undefined,
): boolean {
  if (kind !== undefined && header.kind !== kind) return false;
  const end = at + header.length;
  if (end > block.length) return false;
  // The last of its kind is followed by the first of another.
  if (next !== undefined) return next.kind === header.kind || kind !== undefined;
  // Of the first frame, nothing but another one proves that it is no chance.
  return (
    kind !== undefined && (end + 4 > block.length || /^(TAG|APE|ID3|LYR)/.test(block.toString('latin1', end, end + 3)))
  );
}

/** Where the frames begin: after the tags of ID3, which may hold a picture of some megabytes. */
export async function skipTags(file: SourceFile): Promise<number> {
  let at = 0;
  for (let i = 0; i < 16; i++) {
    const length = tagLength(await file.read(at, 10), 0);
    if (length === 0) break;
    at += length;
  }
  return at;
}
