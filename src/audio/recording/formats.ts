/** The kinds of recording that are known, told by their first bytes and by their names. */

import { readAdtsHeader, readMp2Header, readMp3Header } from './frameHeaders.ts';
import { unreadName } from './unreadFormats.ts';

/** File name endings, without the dot, as the service's upload takes them. */
const audioExtensions = ['flac', 'mp3', 'mp4', 'mpeg', 'mpga', 'm4a', 'ogg', 'wav', 'webm'] as const;

/** Endings of files that the service does not take, and whose sound can be put into a file that it does take. */
const convertibleExtensions = [
  ...([
    '3ga',
    '3gp',
    'aac',
    'aif',
    'aifc',
    'aiff',
    'caf',
    'm4b',
    'm4v',
    'mka',
    'mkv',
    'mov',
    'mp2',
    'oga',
    'opus',
  ] as const),
  'w64',
] as const;

/** Endings of recordings that nobody here reads. They are offered, too: what is to be done with them is said. */
const unreadExtensions = ['amr', 'awb', 'avi', 'flv', 'm2ts', 'mpg', 'mts', 'wma', 'wmv'] as const;

/** Endings of files that can be translated, without the dot. */
export const recordingExtensions: readonly string[] = [
  ...audioExtensions,
  ...convertibleExtensions,
  ...unreadExtensions,
];

/** Formats that no service takes, and that are rarer; `unread`: see `unreadName`. */
type Other = 'caf' | 'w64' | 'mp2' | 'unread';

/** The facts that the first bytes of a recording tell about it. */
export interface AudioFormat {
  /** The container, whatever the file is called. */
  name: 'flac' | 'wav' | 'ogg' | 'webm' | 'mp4' | 'mp3' | 'aac' | 'aiff' | 'mov' | 'mkv' | Other;
  /** MIME type for the upload. */
  contentType: string;
  /** MIME type with the codec where it is known, for a player to say whether it can play it. */
  playerType: string;
  /** Length in seconds, where the header gives it. */
  durationSeconds?: number;
  /** Whether there may be pictures beside the sound: the first bytes do not say that there are none. */
  mayHavePictures?: true;
}

const notTaken: ReadonlySet<AudioFormat['name']> = new Set([
  ...(['aac', 'aiff', 'mov', 'mkv'] as const),
  ...(['caf', 'w64', 'mp2', 'unread'] as const),
]);

/** Whether the service takes a file of this format as it is; others have their sound put into another file first. */
export function isTaken({ name }: Pick<AudioFormat, 'name'>): boolean {
  return !notTaken.has(name);
}

/** Whether a file may be a recording, by its name. */
export function isRecordingName(path: string): boolean {
  const extension = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase();
  return extension !== undefined && recordingExtensions.includes(extension);
}

/**
 * The format that the head of a file shows; undefined when it is none of the known ones.
 * @param head the first bytes, some kilobytes of them
 * @param size size of the whole file in bytes
 * @param behind the bytes behind the tags that it begins with, where they end after `head`
 */
export function detectFormat(head: Buffer, size: number, behind?: Buffer): AudioFormat | undefined {
  const tag = (at: number, length = 4): string => head.toString('latin1', at, at + length);
  if (tag(0) === 'fLaC') return { ...format('flac', 'audio/flac'), ...duration(flacDuration(head)) };
  // RF64 has room for lengths of more than 4 GB (EBU Tech 3306).
  if (/^(RIFF|RF64)$/.test(tag(0)) && tag(8) === 'WAVE') {
    return { ...format('wav', 'audio/wav'), ...duration(wavDuration(head, size)) };
  }
  if (tag(0) === 'OggS') return format('ogg', 'audio/ogg', oggCodec(head));
  if (head.length >= 4 && head.readUInt32BE(0) === 0x1a45dfa3) {
    if (isMatroska(head)) return format('mkv', 'video/x-matroska');
    return { ...format('webm', 'audio/webm'), mayHavePictures: true };
  }
  if (tag(0) === 'FORM' && /^AIF[FC]$/.test(tag(8))) {
    return { ...format('aiff', 'audio/aiff'), ...duration(aiffDuration(head)) };
  }
  // Editors of VS Code have no AAC decoder, so the codec is named: without it a player would say "maybe".
  if (tag(4) === 'ftyp' && tag(8) !== 'qt  ') {
    const isSound = /^M4[AB] $/.test(tag(8));
    return { ...format('mp4', 'audio/mp4', 'mp4a.40.2'), ...(isSound ? {} : { mayHavePictures: true }) };
  }
  if (tag(4) === 'ftyp' || isOldQuickTime(head)) return format('mov', 'video/quicktime');
  if (tag(0) === 'caff') return format('caf', 'audio/x-caf');
  if (head.toString('hex', 0, 16) === w64Head) return format('w64', 'audio/x-w64');
  if (unreadName(head) !== undefined) return format('unread', 'application/octet-stream');
  if (tag(0, 3) === 'ID3') return detectBehindTags(behind ?? head.subarray(tagsEnd(head)), size);
  return detectFrames(head);
}

/** Tags of ID3 stand before FLAC and AAC, too, though they should not. What follows is taken for an MP3 unless it shows otherwise. */
function detectBehindTags(head: Buffer, size: number): AudioFormat | undefined {
  const found = head.toString('latin1', 0, 4) === 'fLaC' ? detectFormat(head, size) : detectFrames(head);
  return found ?? format('mp3', 'audio/mpeg');
}

/** Where the tags of ID3v2 end that a file begins with, as far as its head shows them (id3.org, ID3v2.4.0, 3.1). */
export function tagsEnd(head: Buffer): number {
  let at = 0;
  for (let length = tagLength(head, at); length > 0; length = tagLength(head, at)) at += length;
  return at;
}

/** Bytes of the tag of ID3v2 at a place, its footer included; 0 where there is none. */
export function tagLength(bytes: Buffer, at: number): number {
  if (at + 10 > bytes.length || bytes.toString('latin1', at, at + 3) !== 'ID3') return 0;
  const size = [6, 7, 8, 9].reduce((sum, byte) => sum * 128 + (bytes.readUInt8(at + byte) & 0x7f), 0);
  return 10 + size + ((bytes.readUInt8(at + 5) & 0x10) === 0 ? 0 : 10);
}

function format(name: AudioFormat['name'], contentType: string, codec?: string): AudioFormat {
  return { name, contentType, playerType: codec === undefined ? contentType : `${contentType}; codecs="${codec}"` };
}

/** The GUID that a Wave64 begins with. */
const w64Head = '726966662e91cf11a5d628db04c10000';

function duration(seconds: number | undefined): { durationSeconds?: number } {
  return seconds !== undefined && Number.isFinite(seconds) && seconds > 0 ? { durationSeconds: seconds } : {};
}

/** STREAMINFO (RFC 9639, 8.2): 20 bits of sample rate, then after 8 other bits 36 bits of sample count. */
function flacDuration(head: Buffer): number | undefined {
  if (head.length < 26) return undefined;
  const rate = head.readUIntBE(18, 3) >>> 4;
  const samples = (head.readUInt8(21) & 0x0f) * 2 ** 32 + head.readUInt32BE(22);
  return samples / rate;
}

/** Walks the chunks to `fmt ` and `data`; a writer that could not seek leaves the length of `data` at 0 or all ones. */
function wavDuration(head: Buffer, size: number): number | undefined {
  let bytesPerSecond = 0;
  for (let at = 12; at + 8 <= head.length; ) {
    const name = head.toString('latin1', at, at + 4);
    const length = head.readUInt32LE(at + 4);
    if (name === 'fmt ' && at + 20 <= head.length) bytesPerSecond = head.readUInt32LE(at + 16);
    if (name === 'data') {
      const rest = size - at - 8;
      return (length === 0 || length > rest ? rest : length) / bytesPerSecond;
    }
    at += 8 + length + (length % 2);
  }
  return undefined;
}

/** COMM has the number of samples, and their rate as a float of 80 bits, of which 48 are enough (AIFF 1.3). */
function aiffDuration(head: Buffer): number | undefined {
  const at = head.indexOf('COMM', 12, 'latin1');
  return at < 0 || at + 26 > head.length ? undefined : head.readUInt32BE(at + 10) / readExtended(head, at + 16);
}

/** A float of 80 bits: sign and exponent, then 64 bits of which the first stands for one; not a number where it is cut off. */
export function readExtended(bytes: Buffer, at: number): number {
  if (at + 10 > bytes.length) return Number.NaN;
  return bytes.readUInt32BE(at + 2) * 2 ** ((bytes.readUInt16BE(at) & 0x7fff) - 16383 - 31);
}

/** Whether the kind of document that an EBML header names (RFC 8794, 11.2.6) is Matroska, of which WebM is a smaller one. */
function isMatroska(head: Buffer): boolean {
  const at = head.subarray(0, 128).indexOf(Buffer.from([0x42, 0x82]));
  return at >= 0 && head.toString('latin1', at + 3, at + 11) === 'matroska';
}

/** QuickTime of before 2001 has no `ftyp`: it begins with another box, and another follows where that ends. */
function isOldQuickTime(head: Buffer): boolean {
  const boxes = /^(moov|mdat|wide|free|skip|pnot)$/;
  if (head.length < 16 || !boxes.test(head.toString('latin1', 4, 8))) return false;
  const length = head.readUInt32BE(0);
  // A length of 1 stands before one of 64 bits, and 0 for the rest of the file.
  if (length < 8) return length === 1;
  return length + 8 > head.length || boxes.test(head.toString('latin1', length + 4, length + 8));
}

/** The first packet of the first page names its codec (RFC 3533; the segment table begins at byte 27). */
function oggCodec(head: Buffer): string | undefined {
  const packet = 27 + (head[26] ?? 0);
  const start = head.toString('latin1', packet, packet + 8);
  if (start.startsWith('OpusHead')) return 'opus';
  if (start.startsWith('\x01vorbis')) return 'vorbis';
  return start.startsWith('\x7fFLAC') ? 'flac' : undefined;
}

/**
 * MPEG audio without a tag: two frames, the second where the first ends, somewhere in the head (some writers begin with
 * zeros). Eleven set bits alone turn up by chance in any data.
 */
function detectFrames(head: Buffer): AudioFormat | undefined {
  for (let at = 0; at + 4 <= head.length; at++) {
    if (head[at] !== 0xff || ((head[at + 1] ?? 0) & 0xe0) !== 0xe0) continue;
    const aac = readAdtsHeader(head, at);
    if (aac !== undefined && readAdtsHeader(head, at + aac.length) !== undefined) return format('aac', 'audio/aac');
    const mp3 = readMp3Header(head, at);
    if (mp3 !== undefined && readMp3Header(head, at + mp3.length) !== undefined) return format('mp3', 'audio/mpeg');
    const mp2 = readMp2Header(head, at);
    if (mp2 !== undefined && readMp2Header(head, at + mp2.length) !== undefined) return format('mp2', 'audio/mpeg');
  }
  return undefined;
}
