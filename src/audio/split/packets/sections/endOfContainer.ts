import { ServiceError } from '../../../../base/errors.ts';
import type { AudioFormat } from '../../../recording/formats.ts';
import type { OnProgress } from '../../container.ts';
import type { SourceFile } from '../../sourceFile.ts';

type FindEnd = (file: SourceFile, from: number, signal: AbortSignal, onScan?: OnProgress) => Promise<number>;

const ends: Partial<Record<AudioFormat['name'], FindEnd>> = {
  wav: endOfChunks,
  aiff: endOfChunks,
  mp4: endOfBoxes,
  mov: endOfBoxes,
  webm: endOfElements,
  mkv: endOfElements,
};

/**
 * Where a container ends that begins at a place, by what it says; the end of the file where it does not say so. One that is cut off
 * ends behind the file.
 * @param onScan is told that the file is read through where it does not say its length; without it, that is not done
 */
export async function endOfContainer(
  file: SourceFile,
  from: number,
  name: AudioFormat['name'],
  signal: AbortSignal,
  onScan?: OnProgress,
): Promise<number> {
  const end = (await ends[name]?.(file, from, signal, onScan)) ?? file.size;
  return end > from ? end : file.size;
}

/** Lengths from this on are those of writers that did not know theirs. */
const unknownLength = 0x7fff0000;

/** RIFF and FORM say how long they are; a writer that could not seek left 0 or something huge. */
async function endOfChunks(file: SourceFile, from: number): Promise<number> {
  const head = await file.read(from, 12);
  if (head.length < 12 || head.toString('latin1', 0, 4) === 'RF64') return file.size;
  const length = head.toString('latin1', 0, 4) === 'FORM' ? head.readUInt32BE(4) : head.readUInt32LE(4);
  if (length < 12 || length >= unknownLength) return file.size;
  const end = from + 8 + length + (length % 2);
  // Some give the length of all, and some leave out the head: another one stands right there, or it is not believed.
  for (const place of [end, end - 8, end - (length % 2)]) {
    if (/^(RIFF|RF64|FORM)$/.test((await file.read(place, 4)).toString('latin1'))) return place;
  }
  return (await endsWithChunk(file, from, end)) ? end : file.size;
}

/** Whether the chunks of a file end where it says. */
async function endsWithChunk(file: SourceFile, from: number, end: number): Promise<boolean> {
  const isBig = (await file.read(from, 4)).toString('latin1') === 'FORM';
  let at = from + 12;
  for (let i = 0; i < mostParts && at + 8 <= end; i++) {
    const head = await file.read(at, 8);
    if (head.length < 8) return false;
    const length = isBig ? head.readUInt32BE(4) : head.readUInt32LE(4);
    at += 8 + length + (length % 2);
  }
  return Math.abs(at - end) < 2;
}

/** Parts of a file that are walked through. */
export const mostParts = 100_000;

/** A second `ftyp` begins another file (ISO 14496-12, 4.3); what is no box ends the one before it. */
async function endOfBoxes(file: SourceFile, from: number, signal: AbortSignal): Promise<number> {
  let at = from;
  for (let i = 0; i < mostParts && at + 8 <= file.size; i++) {
    if (signal.aborted) throw new ServiceError('cancelled');
    const head = await file.read(at, 16);
    const name = head.toString('latin1', 4, 8);
    if (i > 1 && name === 'ftyp') return at;
    if (!/^[\w \xa9-]{4}$/.test(name)) return at;
    const short = head.readUInt32BE(0);
    if (short === 0 || (short === 1 && head.length < 16)) return file.size;
    const size = short === 1 ? Number(head.readBigUInt64BE(8)) : short;
    if (size < 8) return file.size;
    // A box that nobody knows and that does not fit is none.
    if (at + size > file.size && !/^(mdat|moov|moof|free|skip|wide|uuid|mfra|sidx)$/.test(name)) return at;
    at += size;
  }
  return at + 8 <= file.size ? file.size : at;
}

/** Elements of EBML (RFC 8794) at the top: a second head begins another file. */
async function endOfElements(
  file: SourceFile,
  from: number,
  signal: AbortSignal,
  onScan?: OnProgress,
): Promise<number> {
  let at = from;
  for (let i = 0; i < mostParts && at + 4 <= file.size; i++) {
    if (signal.aborted) throw new ServiceError('cancelled');
    const head = await file.read(at, 12);
    const id = head.readUInt32BE(0);
    if (i > 0 && id === ebmlHead) return at;
    const isSegment = id === segment;
    // Void and checksum of one byte are let pass by their sizes.
    const idLength = id === ebmlHead || isSegment ? 4 : head[0] === 0xec || head[0] === 0xbf ? 1 : 0;
    if (idLength === 0) return at;
    const size = readSize(head, idLength);
    if (size === undefined)
      return isSegment && onScan !== undefined ? nextHead(file, at + 4, signal, onScan) : file.size;
    at += idLength + size.length + size.value;
  }
  return at + 4 <= file.size ? file.size : at;
}

const ebmlHead = 0x1a45dfa3;
/** The element that holds all but the head. */
export const segment = 0x18538067;

/** A size of EBML; undefined where it is not known. */
export function readSize(bytes: Buffer, at: number): { value: number; length: number } | undefined {
  const first = bytes[at] ?? 0;
  const length = Math.clz32(first) - 23;
  if (length > 8 || at + length > bytes.length) return undefined;
  let value = first & ((1 << (8 - length)) - 1);
  let isUnknown = value === (1 << (8 - length)) - 1;
  for (let i = 1; i < length; i++) {
    value = value * 256 + (bytes[at + i] ?? 0);
    isUnknown &&= bytes[at + i] === 0xff;
  }
  return isUnknown ? undefined : { value, length };
}

/** Bytes that are read in one go. */
const blockSize = 1024 * 1024;

/** The next head of EBML with the kind of its document, after a segment whose length nobody knew. */
async function nextHead(file: SourceFile, from: number, signal: AbortSignal, onProgress: OnProgress): Promise<number> {
  const sign = Buffer.from('1a45dfa3', 'hex');
  for (let position = from; position < file.size; position += blockSize) {
    if (signal.aborted) throw new ServiceError('cancelled');
    onProgress(0);
    const block = await file.read(position, blockSize + 64);
    for (let at = block.indexOf(sign); at >= 0 && at < blockSize; at = block.indexOf(sign, at + 1)) {
      if (/\x42\x82.(webm|matroska)/s.test(block.toString('latin1', at, at + 64))) return position + at;
    }
  }
  return file.size;
}
