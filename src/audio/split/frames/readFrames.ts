import { ServiceError } from '../../../base/errors.ts';
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
 * @param kind of the frames; undefined takes that of the first
 */
export async function* readFrames(
  file: SourceFile,
  readHeader: ReadHeader,
  { from, kind }: { from: number; kind: number | undefined },
  signal: AbortSignal,
): AsyncGenerator<Frame[]> {
  let known = kind;
  let position = from;
  for (let isLast = false; !isLast; ) {
    if (signal.aborted) throw new ServiceError('cancelled');
    const block = await file.read(position, blockSize);
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
      if (header === undefined || !isFrame(block, at, header, ahead, known)) {
        at = nextSync(block, at + 1);
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

/** The next byte of which a header may be the first. */
function nextSync(block: Buffer, at: number): number {
  const found = block.indexOf(0xff, at);
  return found < 0 ? block.length : found;
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
  if (next?.kind === header.kind) return true;
  // Of the first frame, nothing but another one proves that it is no chance.
  return (
    kind !== undefined && (end + 4 > block.length || /^(TAG|APE|ID3|LYR)/.test(block.toString('latin1', end, end + 3)))
  );
}

/** Where the frames begin: after the tags of ID3, which may hold a picture of some megabytes (id3.org, ID3v2.4.0, 3.1). */
export async function skipTags(file: SourceFile): Promise<number> {
  let at = 0;
  for (let i = 0; i < 16; i++) {
    const head = await file.read(at, 10);
    if (head.length < 10 || head.toString('latin1', 0, 3) !== 'ID3') break;
    const size = [6, 7, 8, 9].reduce((sum, byte) => sum * 128 + (head.readUInt8(byte) & 0x7f), 0);
    at += 10 + size + ((head.readUInt8(5) & 0x10) === 0 ? 0 : 10);
  }
  return at;
}
