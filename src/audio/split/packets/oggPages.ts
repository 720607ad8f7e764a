/** A page of an Ogg (RFC 3533, 6). */
export interface OggPage {
  /** Bytes of the page, and of them those of its head. */
  length: number;
  headLength: number;
  /** The stream that it belongs to. */
  serial: number;
  /** Whether it is the first page of its stream, or the last. */
  isFirst: boolean;
  isLast: boolean;
  /** Bytes of its first packet; more than a page has for one that goes on in the next. */
  firstPacket: number;
  /** Of a first page, what its stream is, where that is a sound: `opus`, `vorbis`, `flac`, `speex`. */
  codec?: string;
}

const heads: readonly (readonly [head: string, codec: string])[] = [
  ['OpusHead', 'opus'],
  ['\x01vorbis', 'vorbis'],
  ['\x7fFLAC', 'flac'],
  ['Speex   ', 'speex'],
];
/** The longest packet of one page, and one more byte. */
const tooLong = 255 * 255 + 1;

/** Reads a page; undefined where there is none, or not all of it. */
export function readOggPage(bytes: Buffer, at: number): OggPage | undefined {
  if (at + 27 > bytes.length || bytes.toString('latin1', at, at + 4) !== 'OggS' || bytes[at + 4] !== 0)
    return undefined;
  const count = bytes.readUInt8(at + 26);
  const headLength = 27 + count;
  const lacing = bytes.subarray(at + 27, at + headLength);
  const length = headLength + lacing.reduce((sum, part) => sum + part, 0);
  if (lacing.length < count || at + length > bytes.length) return undefined;
  const end = lacing.findIndex((part) => part < 255);
  const firstPacket = end < 0 ? tooLong : lacing.subarray(0, end + 1).reduce((sum, part) => sum + part, 0);
  const flags = bytes.readUInt8(at + 5);
  const packet = bytes.toString('latin1', at + headLength, at + headLength + 8);
  const codec = heads.find(([head]) => packet.startsWith(head))?.[1];
  const isFirst = (flags & 2) !== 0;
  return {
    length,
    headLength,
    serial: bytes.readUInt32LE(at + 14),
    isFirst,
    isLast: (flags & 4) !== 0,
    firstPacket,
    ...(isFirst && codec !== undefined ? { codec } : {}),
  };
}
