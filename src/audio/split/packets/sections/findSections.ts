import { ServiceError } from '../../../../base/errors.ts';
import { type AudioFormat, detectFormat } from '../../../recording/formats.ts';
import type { OnProgress } from '../../container.ts';
import { notAudio, type SourceFile } from '../../sourceFile.ts';
import { readOggPage } from '../oggPages.ts';
import { endOfContainer } from './endOfContainer.ts';

/** A part of a file that is a recording of its own: files that were joined end to end have several. */
export interface Section {
  from: number;
  to: number;
  name: AudioFormat['name'];
}

/** The sections of a file, and the bytes behind the last that nobody can make sense of. */
export interface Sections {
  sections: readonly Section[];
  rest: number;
}

/** The most sections; each of them takes memory. */
const mostSections = 300;
/** Bytes that are read in one go, and of them those that are read once more with the next, as a sign may lie across. */
const [blockSize, overlap] = [1024 * 1024, 64];
/** Bytes in which a format is found, as `openRecording` does it. */
const headSize = 16 * 1024;
/** Bytes that are too few to be told of: padding, a tag. */
const leastRest = 4_096;

/**
 * Finds where recordings were joined in one file: chained Ogg (RFC 3533, 4), FLAC after FLAC, and whatever stands where a container of
 * known length ends. MP3 and ADTS have no ends; their reader goes from frame to frame.
 * @param onProgress is told again and again that nothing is done yet
 * @throws ServiceError `cancelled`, `not-audio` for more sections than anybody joins
 */
export async function findSections(
  file: SourceFile,
  name: AudioFormat['name'],
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<Sections> {
  if (name === 'ogg') return chainsOf(file, onProgress, signal);
  if (name === 'flac')
    return divided(file, name, await findSigns(file, 'fLaC', isStreamInfo, onProgress, signal), file.size);
  const sections: Section[] = [];
  let [from, current]: [number, AudioFormat['name']] = [0, name];
  for (;;) {
    if (sections.length >= mostSections) throw notAudio(file.fileName, 'parts');
    const end = Math.min(file.size, await endOfContainer(file, from, current, signal, onProgress));
    const size = file.size - end;
    const next = size < leastRest ? undefined : detectFormat(await file.read(end, headSize), size);
    // A rest without a format of its own stays with what stands before it, whose reader passes over it.
    sections.push({ from, to: next === undefined ? file.size : end, name: current });
    if (next === undefined) return { sections, rest: size < leastRest || (await isBlank(file, end)) ? 0 : size };
    [from, current] = [end, next.name];
  }
}

/** Whether the bytes from a place on are zeros, as far as they are looked at. */
async function isBlank(file: SourceFile, at: number): Promise<boolean> {
  return (await file.read(at, blockSize)).every((byte) => byte === 0);
}

function divided(file: SourceFile, name: AudioFormat['name'], starts: readonly number[], end: number): Sections {
  if (starts.length > mostSections) throw notAudio(file.fileName, 'parts');
  // What stands before the first is part of it: a tag.
  const borders = [0, ...starts.slice(1), end];
  const sections = borders.slice(1).map((to, i) => ({ from: borders[i] ?? 0, to, name }));
  return { sections, rest: 0 };
}

/** The chains of an Ogg. A last page that is not whole is left out: it was cut off. */
async function chainsOf(file: SourceFile, onProgress: OnProgress, signal: AbortSignal): Promise<Sections> {
  let last = 0;
  const isStart = chainStarts();
  const isFirst = (block: Buffer, at: number, position: number): boolean => {
    last = position;
    return isStart(block, at);
  };
  const found = await findSigns(file, 'OggS\0', isFirst, onProgress, signal);
  const page = readOggPage(await file.read(last, longestPage), 0);
  const end = last + (page?.length ?? 0);
  const rest = page === undefined || file.size - end < leastRest || (await isBlank(file, end)) ? 0 : file.size - end;
  return { ...divided(file, 'ogg', found, end > 0 ? end : file.size), rest };
}

const longestPage = 27 + 255 + 255 * 255;

/** Places of a sign that is taken for one. @param isStart is given the bytes and the place in them */
async function findSigns(
  file: SourceFile,
  sign: string,
  isStart: (block: Buffer, at: number, position: number) => boolean,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<number[]> {
  const found: number[] = [];
  const bytes = Buffer.from(sign, 'latin1');
  for (let position = 0; position < file.size; position += blockSize) {
    if (signal.aborted) throw new ServiceError('cancelled');
    // Nothing is done by then, but the thread gets on.
    onProgress(0);
    const block = await file.read(position, blockSize + overlap);
    for (let at = block.indexOf(bytes); at >= 0 && at < blockSize; at = block.indexOf(bytes, at + 1)) {
      if (isStart(block, at, position + at)) found.push(position + at);
      if (found.length > mostSections) return found;
    }
  }
  return found;
}

/** `fLaC`, and the head of STREAMINFO, which is always first and has 34 bytes. */
const isStreamInfo = (block: Buffer, at: number): boolean =>
  at + 8 <= block.length && (block.readUInt8(at + 4) & 0x7f) === 0 && block.readUIntBE(at + 5, 3) === 34;

/** First pages of streams after those that are none: the chain before them has ended. */
function chainStarts(): (block: Buffer, at: number) => boolean {
  let wasFirst = false;
  return (block, at) => {
    if (at + 6 > block.length || block.readUInt8(at + 5) > 7) return false;
    const isFirst = (block.readUInt8(at + 5) & 2) !== 0;
    const isStart = isFirst && !wasFirst;
    wasFirst = isFirst;
    return isStart;
  };
}
