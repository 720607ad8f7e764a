import { isText, viewOf } from './byteText.ts';
import type { CuttableSound, SoundCut } from './cuttableSound.ts';

/** A page of Ogg. */
interface OggPage {
  readonly at: number;
  readonly end: number;
  /** Where its packets begin, and the lengths of their parts. */
  readonly body: number;
  readonly lacing: Uint8Array;
  readonly isContinued: boolean;
  readonly isFirst: boolean;
  readonly serial: number;
  /** The end of its last packet on the clock of the stream; undefined where no packet ends on it. */
  readonly position?: number;
}

/** Bytes behind the last page that may be anything. */
const mostBehind = 1_024;

/** What the first packet of a stream says of it. */
interface OggCodec {
  readonly rate: number;
  readonly channels: number;
  /** Packets before the sound. */
  readonly headers: number;
  /** The most samples that a packet is decoded to. */
  frames(bytes: Uint8Array, at: number, length: number): number;
}

/** An Ogg file with one stream, of Opus or Vorbis; undefined for all else. */
export function oggCuts(bytes: Uint8Array): CuttableSound | undefined {
  const first = pageAt(bytes, 0);
  const codec = first && codecOf(bytes, first);
  if (first === undefined || codec === undefined) return undefined;
  let headers = 0;
  let at = 0;
  while (headers < codec.headers) {
    const page = pageAt(bytes, at);
    if (page === undefined || page.serial !== first.serial) return undefined;
    headers += page.lacing.filter((length) => length < 255).length;
    at = page.end;
  }
  // The sound has to begin on a page of its own.
  if (headers > codec.headers) return undefined;
  const { rate, channels } = codec;
  return { head: bytes.subarray(0, at), rate, channels, cuts: eachPage(bytes, at, first.serial, codec) };
}

/** Each page that a packet begins on. */
function* eachPage(bytes: Uint8Array, from: number, serial: number, codec: OggCodec): Generator<SoundCut, void> {
  let cut: { at: number; frames: number; played: number } | undefined;
  let clock = 0;
  let end = from;
  for (let page = pageAt(bytes, from); page !== undefined; page = pageAt(bytes, page.end)) {
    if (page.serial !== serial || page.isFirst) {
      // Of two streams, neither is the whole sound.
      yield { at: end, frames: Number.POSITIVE_INFINITY };
      return;
    }
    if (cut !== undefined && !page.isContinued) yield cut;
    if (cut === undefined || !page.isContinued) cut = { at: page.at, frames: 0, played: 0 };
    cut.frames += framesOf(bytes, page, codec);
    // The clock of a recording that was cut out of another one does not begin at 0.
    if (page.position !== undefined) {
      cut.played += Math.max(0, Math.min(cut.frames, page.position - clock));
      clock = page.position;
    }
    end = page.end;
  }
  if (cut !== undefined) yield cut;
  // The last page may be cut off, and a tag may follow. Where more does, pages are missing.
  const isWhole = bytes.length - end <= mostBehind || isText(bytes, end, 'OggS');
  yield { at: end, frames: isWhole ? 0 : Number.POSITIVE_INFINITY };
}

function framesOf(bytes: Uint8Array, page: OggPage, codec: OggCodec): number {
  let frames = 0;
  let at = page.body;
  let isBegin = !page.isContinued;
  for (const length of page.lacing) {
    // A packet that goes on over parts of 255 bytes is counted at its first one.
    if (isBegin) frames += codec.frames(bytes, at, length);
    isBegin = length < 255;
    at += length;
  }
  return frames;
}

function pageAt(bytes: Uint8Array, at: number): OggPage | undefined {
  if (at + 27 > bytes.length || !isText(bytes, at, 'OggS')) return undefined;
  const view = viewOf(bytes);
  const [kind, parts] = [bytes[at + 5] ?? 0, bytes[at + 26] ?? 0];
  const body = at + 27 + parts;
  const lacing = bytes.subarray(at + 27, body);
  const end = body + lacing.reduce((sum, length) => sum + length, 0);
  if (end > bytes.length) return undefined;
  const position = Number(view.getBigInt64(at + 6, true));
  return {
    ...{ at, end, body, lacing, serial: view.getUint32(at + 14, true) },
    ...{ isContinued: (kind & 1) === 1, isFirst: (kind & 2) === 2 },
    ...(position >= 0 && { position }),
  };
}

function codecOf(bytes: Uint8Array, { body, end }: OggPage): OggCodec | undefined {
  const view = viewOf(bytes);
  if (isText(bytes, body, 'OpusHead') && end - body >= 19) {
    return { rate: 48_000, channels: bytes[body + 9] ?? 0, headers: 2, frames: opusFrames };
  }
  if (!isText(bytes, body, '\x01vorbis') || end - body < 30) return undefined;
  // Blocks overlap by half: of two long ones come as many samples as half of one has.
  const most = (1 << ((bytes[body + 28] ?? 0) >> 4)) >> 1;
  const [rate, channels] = [view.getUint32(body + 12, true), bytes[body + 11] ?? 0];
  return { rate, channels, headers: 3, frames: () => most };
}

/** The samples of a packet of Opus (RFC 6716, 3.1), at 48 kHz. */
function opusFrames(bytes: Uint8Array, at: number, length: number): number {
  if (length === 0) return 0;
  const [kind, more] = [bytes[at] ?? 0, bytes[at + 1] ?? 0];
  const [mode, step] = [kind >> 3, (kind >> 3) & 3];
  const milliseconds =
    mode < 12 ? ([10, 20, 40, 60][step] ?? 60) : mode < 16 ? (step & 1 ? 20 : 10) : ([2.5, 5, 10, 20][step] ?? 20);
  const count = [1, 2, 2, length > 1 ? more & 63 : 0][kind & 3] ?? 0;
  return Math.min(120, milliseconds * count) * 48;
}
