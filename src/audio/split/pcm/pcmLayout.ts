import { readExtended } from '../../recording/formats.ts';
import { notAudio, type SourceFile } from '../sourceFile.ts';
import { nameOf, type PcmEncoding, pcmEncodings } from './pcmEncoding.ts';
import { findW64Chunks, type RiffChunk } from './w64Chunks.ts';

/** Where the samples of a WAV or AIFF stand, and what they are. */
export interface PcmLayout {
  encoding: PcmEncoding;
  /** The name of the encoding, as `pcm-s16`. */
  codec: string;
  channels: number;
  /** Samples a second, for each channel. */
  sampleRate: number;
  dataAt: number;
  /** Bytes of the samples, a whole number of them for each channel. */
  dataBytes: number;
  /** Bytes that the file promises; the same, unless it is cut off. */
  promisedBytes: number;
}

/** Chunks before the samples; some writers put a hundred notes there. */
const mostChunks = 1_000;
/** Bytes of a chunk that are looked at. */
const longestHeader = 64;

/**
 * Finds the samples of a WAV, RF64, Wave64 or AIFF.
 * @throws ServiceError `not-audio`, with the codec for samples that are coded in another way
 */
export async function readLayout(file: SourceFile): Promise<PcmLayout> {
  const head = await file.read(0, 12);
  const isAiff = head.toString('latin1', 0, 4) === 'FORM';
  const isW64 = head.toString('latin1', 0, 4) === 'riff';
  const found = isW64 ? await findW64Chunks(file, longestHeader) : await findChunks(file, isAiff);
  const layout = isAiff ? aiffLayout(found) : wavLayout(found);
  if (layout === undefined) throw notAudio(file.fileName);
  if (typeof layout === 'string') throw notAudio(file.fileName, layout);
  return within(layout, file);
}

async function findChunks(file: SourceFile, isAiff: boolean): Promise<Map<string, RiffChunk>> {
  const found = new Map<string, RiffChunk>();
  let at = 12;
  for (let i = 0; i < mostChunks && at + 8 <= file.size; i++) {
    const bytes = await file.read(at, 8 + longestHeader);
    const name = bytes.toString('latin1', 0, 4);
    const length = isAiff ? bytes.readUInt32BE(4) : bytes.readUInt32LE(4);
    if (!found.has(name)) found.set(name, { at: at + 8, length, head: bytes.subarray(8) });
    // The samples of an AIFF may come before what they are.
    if (name === 'data' || (found.has('SSND') && found.has('COMM'))) break;
    at += 8 + length + (length % 2);
  }
  return found;
}

/** Lengths from this on are those of writers that did not know theirs; of 64 bits, none is. */
const unknownLength = 0x7fff0000;

/** A layout as its file tells it. */
export type FoundLayout = Omit<PcmLayout, 'promisedBytes'>;

/** Cuts the length to what the file has, and to whole samples. A writer that could not seek leaves it at 0 or all ones. */
export function within(layout: FoundLayout, file: SourceFile): PcmLayout {
  const { encoding, channels, sampleRate, dataAt, dataBytes } = layout;
  const frame = encoding.bytes * channels;
  const rest = file.size - dataAt;
  const known = dataBytes <= 0 || dataBytes > rest ? rest : dataBytes;
  const whole = known - (known % frame);
  const isSane = channels > 0 && channels <= 64 && sampleRate >= 1_000 && sampleRate <= 1_000_000;
  if (!isSane || !(whole > 0)) throw notAudio(file.fileName);
  return {
    ...layout,
    dataBytes: whole,
    promisedBytes: dataBytes >= unknownLength ? whole : Math.max(whole, dataBytes),
  };
}

/** The `fmt ` chunk (Multimedia Programming Interface 1.0, and WAVEFORMATEXTENSIBLE); a text for a codec that is none of ours. */
function wavLayout(chunks: ReadonlyMap<string, RiffChunk>): FoundLayout | string | undefined {
  const [format, data] = [chunks.get('fmt '), chunks.get('data')];
  if (format === undefined || data === undefined || format.head.length < 16) return undefined;
  const { head } = format;
  const isExtensible = head.readUInt16LE(0) === 0xfffe && format.length >= 26 && head.length >= 26;
  const tag = isExtensible ? head.readUInt16LE(24) : head.readUInt16LE(0);
  const channels = head.readUInt16LE(2);
  const bytes = head.readUInt16LE(12) / channels;
  const encoding = wavEncoding(tag, bytes);
  const codec = encoding && nameOf(encoding);
  if (encoding === undefined || codec === undefined) return `wav 0x${tag.toString(16)}`;
  // The length of an RF64 stands in a chunk of its own, in 64 bits.
  const wide = chunks.get('ds64')?.head;
  const isWide = data.length === 0xffffffff && wide !== undefined && wide.length >= 16;
  const dataBytes = isWide ? Number(wide.readBigUInt64LE(8)) : data.length;
  return { encoding, codec, channels, sampleRate: head.readUInt32LE(4), dataAt: data.at, dataBytes };
}

function wavEncoding(tag: number, bytes: number): PcmEncoding | undefined {
  if (tag === 1 && [1, 2, 3, 4].includes(bytes))
    return { kind: 'integer', bytes, isBigEndian: false, isSigned: bytes > 1 };
  if (tag === 3 && [4, 8].includes(bytes)) return { kind: 'float', bytes, isBigEndian: false, isSigned: true };
  if (tag === 6 && bytes === 1) return pcmEncodings['alaw'];
  return tag === 7 && bytes === 1 ? pcmEncodings['ulaw'] : undefined;
}

/** Encodings of AIFF-C by their names there; a plain AIFF has integers whose first byte is the largest. */
const aiffEncodings: Readonly<Record<string, string>> = {
  ...{ 'raw ': 'pcm-u8', in24: 'pcm-s24be', in32: 'pcm-s32be', fl32: 'pcm-f32be', FL32: 'pcm-f32be' },
  ...{ fl64: 'pcm-f64be', FL64: 'pcm-f64be', ulaw: 'ulaw', ULAW: 'ulaw', alaw: 'alaw', ALAW: 'alaw' },
};

function aiffLayout(chunks: ReadonlyMap<string, RiffChunk>): FoundLayout | string | undefined {
  const [common, sound] = [chunks.get('COMM'), chunks.get('SSND')];
  if (common === undefined || sound === undefined || common.head.length < 18 || sound.head.length < 8) return undefined;
  const { head } = common;
  const compression = common.length >= 22 && head.length >= 22 ? head.toString('latin1', 18, 22) : 'NONE';
  const bytes = Math.ceil(head.readUInt16BE(6) / 8);
  const plain: PcmEncoding = { kind: 'integer', bytes, isBigEndian: compression !== 'sowt', isSigned: true };
  const isPlain = /^(NONE|twos|sowt)$/.test(compression);
  const encoding = isPlain ? plain : pcmEncodings[aiffEncodings[compression] ?? ''];
  const codec = encoding && nameOf(encoding);
  if (encoding === undefined || codec === undefined) return `aiff ${compression.trim()}`;
  const offset = sound.head.readUInt32BE(0);
  return {
    encoding,
    codec,
    channels: head.readUInt16BE(0),
    sampleRate: Math.round(readExtended(head, 8)),
    dataAt: sound.at + 8 + offset,
    dataBytes: sound.length - 8 - offset,
  };
}
