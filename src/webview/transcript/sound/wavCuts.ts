import { isText, joined, viewOf } from './byteText.ts';
import type { CuttableSound, SoundCut } from './cuttableSound.ts';

/** Samples as integers, as floating numbers, and either of them by the first bytes of a longer number. */
const [integer, floating, extended] = [1, 3, 0xfffe];

/** A WAV whose samples are plain; undefined for all else. */
export function wavCuts(bytes: Uint8Array): CuttableSound | undefined {
  if (!isText(bytes, 0, 'RIFF') || !isText(bytes, 8, 'WAVE')) return undefined;
  const view = viewOf(bytes);
  let format: { readonly at: number; readonly end: number } | undefined;
  let at = 12;
  while (at + 8 <= bytes.length) {
    const size = view.getUint32(at + 4, true);
    const end = Math.min(bytes.length, at + 8 + size);
    if (isText(bytes, at, 'fmt ') && size >= 16 && size <= 64) format = { at, end };
    else if (isText(bytes, at, 'data')) return format && samplesOf(bytes, format, at, end);
    at += 8 + size + (size % 2);
  }
  return undefined;
}

function samplesOf(
  bytes: Uint8Array,
  format: { readonly at: number; readonly end: number },
  data: number,
  end: number,
): CuttableSound | undefined {
  if (format.end - format.at < 24) return undefined;
  const view = viewOf(bytes);
  const tag = view.getUint16(format.at + 8, true);
  const channels = view.getUint16(format.at + 10, true);
  const rate = view.getUint32(format.at + 12, true);
  const frameBytes = view.getUint16(format.at + 20, true);
  const bits = view.getUint16(format.at + 22, true);
  const isPlain = tag === integer || tag === floating || (tag === extended && format.end - format.at >= 34);
  // What a decoder reads a sample of is at least a byte.
  if (!isPlain || frameBytes < channels || frameBytes !== (bits >> 3) * channels || frameBytes === 0) return undefined;
  // Each piece says that all the samples follow: its end is found by its length.
  const head = joined(bytes.subarray(0, 12), bytes.subarray(format.at, format.end), bytes.subarray(data, data + 8));
  return { head, rate, channels, cuts: eachSecond(data + 8, end, frameBytes, rate) };
}

function* eachSecond(from: number, end: number, frameBytes: number, rate: number): Generator<SoundCut, void> {
  const last = from + Math.floor((end - from) / frameBytes) * frameBytes;
  const step = rate * frameBytes;
  for (let at = from; at < last && step > 0; at += step) {
    yield { at, frames: Math.min(step, last - at) / frameBytes };
  }
  yield { at: last, frames: 0 };
}
