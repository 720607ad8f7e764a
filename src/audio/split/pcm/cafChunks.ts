import { notAudio, type SourceFile } from '../sourceFile.ts';
import { nameOf, type PcmEncoding, pcmEncodings } from './pcmEncoding.ts';
import type { FoundLayout } from './pcmLayout.ts';

/** What a Core Audio file says of its sound (Apple, “Core Audio Format Specification 1.0”). */
export interface CafDescription {
  /** The codec, as `lpcm`, `aac `, `alac`. */
  format: string;
  flags: number;
  rate: number;
  bytesPerPacket: number;
  samplesPerPacket: number;
  channels: number;
  bits: number;
  /** Chunks by their names. */
  chunks: ReadonlyMap<string, { at: number; length: number }>;
}

const mostChunks = 1_000;
/** Bytes before the samples: how often they were edited. */
const editCount = 4;

/** Reads the chunks of a Core Audio file. @throws ServiceError `not-audio` */
export async function readCaf(file: SourceFile): Promise<CafDescription> {
  const chunks = new Map<string, { at: number; length: number }>();
  let at = 8;
  for (let i = 0; i < mostChunks && at + 12 <= file.size; i++) {
    const head = await file.read(at, 12);
    const name = head.toString('latin1', 0, 4);
    const told = Number(head.readBigInt64BE(4));
    // The samples of a recording that was not finished go on to the end.
    const length = told < 0 ? file.size - at - 12 : told;
    if (!chunks.has(name)) chunks.set(name, { at: at + 12, length });
    at += 12 + length;
  }
  const desc = chunks.get('desc');
  const bytes = desc && (await file.read(desc.at, 32));
  if (bytes === undefined || bytes.length < 32 || !chunks.has('data')) throw notAudio(file.fileName);
  return {
    format: bytes.toString('latin1', 8, 12),
    flags: bytes.readUInt32BE(12),
    rate: Math.round(bytes.readDoubleBE(0)),
    bytesPerPacket: bytes.readUInt32BE(16),
    samplesPerPacket: bytes.readUInt32BE(20),
    channels: bytes.readUInt32BE(24),
    bits: bytes.readUInt32BE(28),
    chunks,
  };
}

/** Where its samples stand; the name of the codec for others than plain ones. */
export function cafLayout({ format, flags, rate, channels, bits, chunks }: CafDescription): FoundLayout | string {
  const bytes = Math.ceil(bits / 8);
  const plain: PcmEncoding = {
    kind: (flags & 1) !== 0 ? 'float' : 'integer',
    bytes,
    isBigEndian: (flags & 2) === 0,
    isSigned: true,
  };
  const encoding = format === 'lpcm' ? plain : pcmEncodings[format.trim()];
  const codec = encoding && nameOf(encoding);
  if (encoding === undefined || codec === undefined) return format.trim();
  const { at, length } = chunks.get('data') ?? { at: 0, length: 0 };
  return {
    ...{ encoding, codec, channels, sampleRate: rate },
    dataAt: at + editCount,
    dataBytes: length - editCount,
  };
}
