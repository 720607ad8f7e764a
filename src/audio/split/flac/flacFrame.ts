/** The header of a frame of FLAC (RFC 9639, 9.1). */
export interface FlacHeader {
  /** Bytes of the header, its checksum included. */
  headerLength: number;
  /** Samples for each channel. */
  samples: number;
  /** Its place: in frames where all are as long, else in samples. `next` is that of the frame after it. */
  number: number;
  next: number;
  /** What stays the same from frame to frame. */
  kind: number;
}

/** Reads the header at a place; undefined where none is. Its checksum leaves one of 256 that is none. */
export function readFlacHeader(bytes: Uint8Array, at: number): FlacHeader | undefined {
  const second = bytes[at + 1] ?? 0;
  if (bytes[at] !== 0xff || (second & 0xfe) !== 0xf8) return undefined;
  const [third, fourth] = [bytes[at + 2] ?? 0, bytes[at + 3] ?? 0];
  const [block, rate, assignment] = [third >> 4, third & 15, fourth >> 4];
  if (block === 0 || rate === 15 || assignment > 10 || (fourth & 1) === 1) return undefined;
  const numberLength = codedLength(bytes[at + 4] ?? 0xff);
  const restAt = at + 4 + numberLength;
  const end = restAt + restLength(block, rate);
  if (numberLength > 7 || end >= bytes.length || crc8(bytes.subarray(at, end)) !== bytes[end]) return undefined;
  const samples = samplesOf(block, bytes, restAt);
  const number = decodeNumber(bytes.subarray(at + 4, restAt));
  const next = number + ((second & 1) === 1 ? samples : 1);
  return { headerLength: end + 1 - at, samples, number, next, kind: (second << 16) | (rate << 8) | (fourth & 0x0e) };
}

function samplesOf(block: number, bytes: Uint8Array, restAt: number): number {
  if (block === 1) return 192;
  if (block <= 5) return 576 << (block - 2);
  if (block >= 8) return 256 << (block - 8);
  const first = bytes[restAt] ?? 0;
  return 1 + (block === 6 ? first : first * 256 + (bytes[restAt + 1] ?? 0));
}

/** Whether the bytes of a frame, to its end, are those that its checksum was made of. */
export function hasSoundChecksum(frame: Uint8Array): boolean {
  const end = frame.length - 2;
  return end > 0 && crc16(frame.subarray(0, end)) === (frame[end] ?? 0) * 256 + (frame[end + 1] ?? 0);
}

/**
 * Gives a frame another number: that of the frame where all are as long, else of its first sample.
 * @param frame a whole frame
 * @returns the frame as it is when it has no header that can be read
 */
export function renumberFrame(frame: Uint8Array, frames: number, samples: number): Uint8Array {
  const read = readFlacHeader(frame, 0);
  if (read === undefined) return frame;
  const isVariable = ((frame[1] ?? 0) & 1) === 1;
  const number = encodeNumber(isVariable ? samples : frames);
  const restAt = 4 + codedLength(frame[4] ?? 0);
  const header = Buffer.concat([frame.subarray(0, 4), number, frame.subarray(restAt, read.headerLength - 1)]);
  const whole = Buffer.concat([header, Buffer.of(crc8(header)), frame.subarray(read.headerLength)]);
  whole.writeUInt16BE(crc16(whole.subarray(0, -2)), whole.length - 2);
  return whole;
}

/** The number of bytes of a coded number, by the ones its first byte begins with; as in UTF-8, but up to seven. */
function codedLength(first: number): number {
  const ones = Math.clz32(~(first << 24));
  return ones === 0 ? 1 : ones;
}

function decodeNumber(bytes: Uint8Array): number {
  const [first = 0, ...rest] = bytes;
  const ofFirst = rest.length === 0 ? first : first & (0x7f >> (rest.length + 1));
  return rest.reduce((number, byte) => number * 64 + (byte & 0x3f), ofFirst);
}

export function encodeNumber(number: number): Buffer {
  if (number < 0x80) return Buffer.of(number);
  let count = 2;
  while (number >= 2 ** (5 * count + 1)) count += 1;
  const bytes = Buffer.alloc(count);
  let left = number;
  for (let i = count - 1; i > 0; i--) {
    bytes[i] = 0x80 | (left % 64);
    left = Math.floor(left / 64);
  }
  bytes[0] = ((0xff00 >> count) & 0xff) | left;
  return bytes;
}

function restLength(block: number, rate: number): number {
  const ofBlock = block === 6 ? 1 : block === 7 ? 2 : 0;
  const ofRate = rate === 12 ? 1 : rate === 13 || rate === 14 ? 2 : 0;
  return ofBlock + ofRate;
}

/** What a byte does to a checksum of some bits, for each byte (RFC 9639, 9.1.8 and 9.3). */
function crcTable(bits: 8 | 16, polynomial: number): Uint16Array {
  const top = 1 << (bits - 1);
  return Uint16Array.from({ length: 256 }, (_, byte) => {
    let crc = byte << (bits - 8);
    for (let i = 0; i < 8; i++) crc = (crc & top) === 0 ? crc << 1 : (crc << 1) ^ polynomial;
    return crc & (2 ** bits - 1);
  });
}
const table8 = crcTable(8, 0x07);
const table16 = crcTable(16, 0x8005);

export function crc8(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) crc = table8[crc ^ byte] ?? 0;
  return crc;
}

export function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (let i = 0; i < bytes.length; i++) crc = ((crc & 0xff) << 8) ^ (table16[(crc >> 8) ^ (bytes[i] ?? 0)] ?? 0);
  return crc;
}
