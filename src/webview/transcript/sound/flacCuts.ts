import { behindTags, isText, viewOf } from './byteText.ts';
import type { CuttableSound, SoundCut } from './cuttableSound.ts';

const infoBytes = 34;
/** The number of all samples stands in the information on the stream at the low bits of this byte, and in four more. */
const totalAt = 8 + 13;

/** A FLAC file; undefined for all else. */
export function flacCuts(bytes: Uint8Array): CuttableSound | undefined {
  const start = behindTags(bytes);
  if (!isText(bytes, start, 'fLaC') || ((bytes[start + 4] ?? 0) & 0x7f) !== 0) return undefined;
  if (start + 8 + infoBytes > bytes.length) return undefined;
  const head = bytes.slice(start, start + 8 + infoBytes);
  const packed = viewOf(head).getUint32(8 + 10);
  // Nothing but the information on the stream stands before a piece, and how long the whole is does not hold for it.
  head[4] = 0x80;
  head[totalAt] = (head[totalAt] ?? 0) & 0xf0;
  head.fill(0, totalAt + 1, totalAt + 5);
  let at = start + 4;
  for (let isLast = false; !isLast && at + 4 <= bytes.length; ) {
    const block = viewOf(bytes).getUint32(at);
    isLast = block >>> 31 === 1;
    at += 4 + (block & 0xff_ff_ff);
  }
  return { head, rate: packed >>> 12, channels: ((packed >> 9) & 7) + 1, cuts: eachFrame(bytes, at) };
}

/** Places that look like the begin of a frame and are none: by chance there are some thousand in the longest file. */
const mostAmiss = 100_000;

function* eachFrame(bytes: Uint8Array, from: number): Generator<SoundCut, void> {
  let amiss = 0;
  for (let at = from; at < bytes.length; at++) {
    if (bytes[at] !== 0xff || ((bytes[at + 1] ?? 0) & 0xfe) !== 0xf8) continue;
    const frames = framesAt(bytes, at);
    if (frames !== undefined) yield { at, frames };
    else if (++amiss > mostAmiss) yield { at, frames: Number.POSITIVE_INFINITY };
  }
  yield { at: bytes.length, frames: 0 };
}

/** The samples of the frame that begins at a place, where the first two bytes are those of one; undefined where none does. */
function framesAt(bytes: Uint8Array, at: number): number | undefined {
  const [sizes, layout, number] = [2, 3, 4].map((i) => bytes[at + i] ?? 0) as [number, number, number];
  if ((layout & 1) === 1) return undefined;
  // The number of the frame is written as UTF-8 would.
  const ones = Math.clz32(~(number << 24));
  const sizeAt = at + 4 + Math.max(1, ones);
  const [size, rate] = [sizes >> 4, sizes & 15];
  const sizeBytes = size === 6 ? 1 : size === 7 ? 2 : 0;
  const end = sizeAt + sizeBytes + (rate === 12 ? 1 : rate === 13 || rate === 14 ? 2 : 0);
  if (size === 0 || rate === 15 || ones === 1 || end >= bytes.length || checksum(bytes, at, end) !== bytes[end])
    return undefined;
  if (size === 1) return 192;
  if (size <= 5) return 576 << (size - 2);
  if (size === 6) return (bytes[sizeAt] ?? 0) + 1;
  if (size === 7) return viewOf(bytes).getUint16(sizeAt) + 1;
  return 256 << (size - 8);
}

/** The checksum of the head of a frame: CRC-8 with the polynomial 7. */
function checksum(bytes: Uint8Array, from: number, to: number): number {
  let sum = 0;
  for (let at = from; at < to; at++) {
    sum ^= bytes[at] ?? 0;
    for (let bit = 0; bit < 8; bit++) sum = sum & 0x80 ? ((sum << 1) ^ 7) & 0xff : (sum << 1) & 0xff;
  }
  return sum;
}
