/** The kinds of recording the service takes, told by their first bytes and by their names. */

/** File name endings, without the dot, as the service's upload takes them. */
export const audioExtensions = ['flac', 'mp3', 'mp4', 'mpeg', 'mpga', 'm4a', 'ogg', 'wav', 'webm'] as const;
export type AudioExtension = (typeof audioExtensions)[number];

/** The facts that the first bytes of a recording tell about it. */
export interface AudioFormat {
  /** The container, whatever the file is called. */
  name: 'flac' | 'wav' | 'ogg' | 'webm' | 'mp4' | 'mp3' | 'mpeg' | 'aac';
  /** MIME type for the upload. */
  contentType: string;
  /** MIME type with the codec where it is known, for a player to say whether it can play it. */
  playerType: string;
  /** Length in seconds, where the header gives it. */
  durationSeconds?: number;
}

/** The extension of an audio file in lower case, or undefined for any other file. */
export function audioExtension(path: string): AudioExtension | undefined {
  const extension = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase();
  return audioExtensions.find((known) => known === extension);
}

/**
 * The format that the head of a file shows; undefined when it is none of the known ones.
 * @param head the first bytes, some kilobytes of them
 * @param size size of the whole file in bytes
 */
export function detectFormat(head: Buffer, size: number): AudioFormat | undefined {
  const tag = (at: number, length = 4): string => head.toString('latin1', at, at + length);
  if (tag(0) === 'fLaC') return { ...format('flac', 'audio/flac'), ...duration(flacDuration(head)) };
  if (tag(0) === 'RIFF' && tag(8) === 'WAVE') {
    return { ...format('wav', 'audio/wav'), ...duration(wavDuration(head, size)) };
  }
  if (tag(0) === 'OggS') return format('ogg', 'audio/ogg', oggCodec(head));
  if (head.length >= 4 && head.readUInt32BE(0) === 0x1a45dfa3) return format('webm', 'audio/webm');
  // Editors of VS Code have no AAC decoder, so the codec is named: without it a player would say "maybe".
  if (tag(4) === 'ftyp') return format('mp4', 'audio/mp4', 'mp4a.40.2');
  if (tag(0) === '\0\0\x01\xba') return format('mpeg', 'video/mpeg');
  if (tag(0, 3) === 'ID3') return format('mp3', 'audio/mpeg');
  return detectFrames(head);
}

function format(name: AudioFormat['name'], contentType: string, codec?: string): AudioFormat {
  return { name, contentType, playerType: codec === undefined ? contentType : `${contentType}; codecs="${codec}"` };
}

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

/** The first packet of the first page names its codec (RFC 3533; the segment table begins at byte 27). */
function oggCodec(head: Buffer): string | undefined {
  const packet = 27 + (head[26] ?? 0);
  const start = head.toString('latin1', packet, packet + 8);
  if (start.startsWith('OpusHead')) return 'opus';
  if (start.startsWith('\x01vorbis')) return 'vorbis';
  return start.startsWith('\x7fFLAC') ? 'flac' : undefined;
}

/** Bits per second of MPEG layer III in thousands, by index: version 1, then versions 2 and 2.5. */
const layer3Rates = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0],
];
const sampleRates = [44100, 48000, 32000];

/**
 * MPEG audio without a tag: two frames, the second where the first ends, somewhere in the head (some writers begin with
 * zeros). Eleven set bits alone turn up by chance in any data.
 */
function detectFrames(head: Buffer): AudioFormat | undefined {
  for (let at = 0; at + 4 <= head.length; at++) {
    if (head[at] !== 0xff || ((head[at + 1] ?? 0) & 0xe0) !== 0xe0) continue;
    const aac = adtsLength(head, at);
    if (aac !== undefined && adtsLength(head, at + aac) !== undefined) return format('aac', 'audio/aac');
    const mp3 = mp3Length(head, at);
    if (mp3 !== undefined && mp3Length(head, at + mp3) !== undefined) return format('mp3', 'audio/mpeg');
  }
  return undefined;
}

function mp3Length(head: Buffer, at: number): number | undefined {
  if (at + 4 > head.length || head.readUInt16BE(at) < 0xffe0) return undefined;
  const [second, third] = [head.readUInt8(at + 1), head.readUInt8(at + 2)];
  const version = (second >> 3) & 3;
  const rate = sampleRates[(third >> 2) & 3];
  const kilobits = layer3Rates[version === 3 ? 0 : 1]?.[third >> 4] ?? 0;
  if (((second >> 1) & 3) !== 1 || version === 1 || rate === undefined || kilobits === 0) return undefined;
  const samples = rate / (version === 3 ? 1 : version === 2 ? 2 : 4);
  return Math.floor(((version === 3 ? 144_000 : 72_000) * kilobits) / samples) + ((third >> 1) & 1);
}

/** ADTS (ISO 14496-3, 1.A.2.2): layer 0 and a frame length of 13 bits. */
function adtsLength(head: Buffer, at: number): number | undefined {
  if (at + 6 > head.length || (head.readUInt16BE(at) & 0xfff6) !== 0xfff0) return undefined;
  const length = (head.readUIntBE(at + 3, 3) >> 5) & 0x1fff;
  return length > 7 ? length : undefined;
}
