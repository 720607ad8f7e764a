import { behindTags, isText } from './byteText.ts';
import type { CuttableSound, SoundCut } from './cuttableSound.ts';

/** Kilobits a second of layer III, of version 1 and of 2; samples a second of version 1. */
const bitrates = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const;
const rates = [44_100, 48_000, 32_000] as const;

/** A frame of MP3. */
interface MpegFrame {
  readonly bytes: number;
  readonly frames: number;
  readonly rate: number;
}

/** Bytes before the first frame, and between all of them, that are passed over: what may be in there is not counted. */
const [mostBefore, mostSkipped] = [8_192, 262_144];

/** An MP3; undefined where no two of its frames follow each other at its start. */
export function mpegCuts(bytes: Uint8Array): CuttableSound | undefined {
  const from = behindTags(bytes);
  const start = nextFrame(bytes, from, from + mostBefore);
  const first = start === undefined ? undefined : frameAt(bytes, start);
  if (start === undefined || first === undefined) return undefined;
  // Frames of one channel and of two may follow each other.
  return { head: new Uint8Array(0), rate: first.rate, channels: 2, cuts: eachFrame(bytes, start, first.rate) };
}

function* eachFrame(bytes: Uint8Array, from: number, rate: number): Generator<SoundCut, void> {
  let skipped = 0;
  let end = from;
  while (end < bytes.length) {
    let at = end;
    let frame = frameAt(bytes, at);
    if (frame?.rate !== rate) {
      at = nextFrame(bytes, end, end + mostSkipped - skipped, rate) ?? bytes.length;
      frame = frameAt(bytes, at);
      skipped += at - end;
      if (skipped > mostSkipped) yield { at, frames: Number.POSITIVE_INFINITY };
    }
    if (frame === undefined) break;
    yield { at, frames: at === from && isAboutFile(bytes, at) ? 0 : frame.frames };
    end = Math.min(bytes.length, at + frame.bytes);
  }
  yield { at: end, frames: 0 };
}

/** The next place at which a frame begins that another one follows, or that ends the file. */
function nextFrame(bytes: Uint8Array, from: number, to: number, rate?: number): number | undefined {
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at < to; at = bytes.indexOf(0xff, at + 1)) {
    const frame = frameAt(bytes, at);
    if (frame === undefined || (rate !== undefined && frame.rate !== rate)) continue;
    const next = at + frame.bytes;
    if (next === bytes.length || frameAt(bytes, next)?.rate === frame.rate) return at;
  }
  return undefined;
}

/** The frame at a place; undefined for none, and for one whose length is not said. */
function frameAt(bytes: Uint8Array, at: number): MpegFrame | undefined {
  const [sync, kind, sound] = [0, 1, 2].map((i) => bytes[at + i] ?? 0) as [number, number, number];
  const version = (kind >> 3) & 3;
  // Layer III, which is numbered from behind; the version that is reserved has no rates.
  if (sync !== 0xff || kind >> 5 !== 7 || ((kind >> 1) & 3) !== 1 || version === 1) return undefined;
  const isFirst = version === 3;
  const kilobits = bitrates[isFirst ? 0 : 1][sound >> 4] ?? 0;
  const full = rates[(sound >> 2) & 3];
  if (kilobits === 0 || full === undefined) return undefined;
  const rate = full / (isFirst ? 1 : version === 2 ? 2 : 4);
  const frames = isFirst ? 1_152 : 576;
  const length = Math.floor(((frames / 8) * kilobits * 1_000) / rate) + ((sound >> 1) & 1);
  return { bytes: length, frames, rate };
}

/** Whether a frame holds no sound, but how many follow, and what of them a player leaves out at the start, as a decoder then does. */
function isAboutFile(bytes: Uint8Array, at: number): boolean {
  for (let i = at + 4; i < at + 40; i++)
    if (['Xing', 'Info', 'VBRI'].some((name) => isText(bytes, i, name))) return true;
  return false;
}
