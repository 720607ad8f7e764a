import type { SourceFile } from '../../sourceFile.ts';
import { isEmpty, isShortText, leastRest } from './leftovers.ts';

/** A box of an MP4 (ISO 14496-12, 4.2), without its head. */
interface Box {
  name: string;
  at: number;
  length: number;
}

/** What is found on the way. */
interface Found {
  tracks: number;
  /** Bytes that belong to the track, and those that there are for it. */
  soundBytes: number;
  dataBytes: number;
}

const mostBoxes = 1_000;
/** Boxes that hold others, and which those may be; others are looked at by name. */
const inside: Readonly<Record<string, readonly string[]>> = {
  moov: ['mvhd', 'iods', 'trak', 'udta', 'free', 'skip'],
  trak: ['tkhd', 'edts', 'mdia', 'udta', 'free', 'skip'],
  mdia: ['mdhd', 'hdlr', 'minf'],
  minf: ['smhd', 'nmhd', 'dinf', 'stbl', 'hdlr'],
  stbl: ['stsd', 'stts', 'ctts', 'stsc', 'stsz', 'stco', 'co64', 'stss', 'sgpd', 'sbgp', 'sdtp'],
};
const atTop: readonly string[] = ['ftyp', 'wide', 'free', 'skip', 'mdat', 'moov'];

/**
 * An MP4 of one track of sound, whose data are all of that track: a video that was taken out of the table alone is still there. One in
 * fragments is not looked into.
 */
export async function isMp4Alone(file: SourceFile): Promise<boolean> {
  const found: Found = { tracks: 0, soundBytes: 0, dataBytes: 0 };
  const isKnown = await lookInto(file, { name: '', at: 0, length: file.size }, atTop, found);
  return isKnown && found.tracks === 1 && found.soundBytes > 0 && found.dataBytes - found.soundBytes < leastRest;
}

async function lookInto(file: SourceFile, parent: Box, allowed: readonly string[], found: Found): Promise<boolean> {
  const end = parent.at + parent.length;
  let at = parent.at;
  for (let i = 0; end - at >= 8; i++) {
    const box = await readBox(file, at, end);
    if (box === undefined) return parent.name === '' && i > 1 && end - at < leastRest;
    if (i >= mostBoxes || !allowed.includes(box.name) || !(await isKnown(file, box, found))) return false;
    at = box.at + box.length;
  }
  return end - at < 8;
}

async function readBox(file: SourceFile, at: number, end: number): Promise<Box | undefined> {
  const head = await file.read(at, 16);
  if (head.length < 8) return undefined;
  const name = head.toString('latin1', 4, 8);
  const short = head.readUInt32BE(0);
  if (short === 1 && head.length < 16) return undefined;
  const size = short === 1 ? Number(head.readBigUInt64BE(8)) : short === 0 ? end - at : short;
  const headLength = short === 1 ? 16 : 8;
  if (size < headLength || at + size > end) return undefined;
  return { name, at: at + headLength, length: size - headLength };
}

async function isKnown(file: SourceFile, box: Box, found: Found): Promise<boolean> {
  const { name, at, length } = box;
  const within = inside[name];
  if (name === 'trak') found.tracks += 1;
  if (within !== undefined) return lookInto(file, box, within, found);
  if (name === 'free' || name === 'skip') return isEmpty(file, at, length);
  if (name === 'udta') return isShortText(file, at, length);
  if (name === 'hdlr') return isSoundHandler(file, box);
  if (name === 'stsz') found.soundBytes += await sizeOfSamples(file, box);
  if (name === 'mdat') found.dataBytes += length;
  return true;
}

/** A handler says what a track is; the one of `minf` in QuickTime says how its data are reached. */
async function isSoundHandler(file: SourceFile, { at, length }: Box): Promise<boolean> {
  const bytes = await file.read(at, 12);
  if (length > 256 || bytes.length < 12) return false;
  return bytes.toString('latin1', 4, 8) === 'dhlr' || bytes.toString('latin1', 8, 12) === 'soun';
}

async function sizeOfSamples(file: SourceFile, { at, length }: Box): Promise<number> {
  const bytes = await file.read(at, length);
  if (bytes.length < 12) return 0;
  const [size, count] = [bytes.readUInt32BE(4), bytes.readUInt32BE(8)];
  if (size > 0) return size * count;
  let sum = 0;
  for (let i = 0; i < count && 16 + 4 * i <= bytes.length; i++) sum += bytes.readUInt32BE(12 + 4 * i);
  return sum;
}
