import { decibels, type Loudness } from '../levels/level.ts';
import { type PcmEncoding, sampleReader } from './pcmEncoding.ts';

/** Length of what is measured at a time, in seconds. */
export const blockSeconds = 0.02;
/** Samples of a block that are looked at, about; the others would say the same. */
const samplesABlock = 200;

/** Measures how loud samples are. */
export interface LoudnessMeter {
  /** Samples for each channel in a block. */
  readonly blockFrames: number;
  /** @returns decibels of all samples that are given */
  measure(samples: Buffer): number;
  /** The loudness of each whole block; `startsAt` is the time of the first sample. */
  levels(samples: Buffer, startsAt: number): Loudness[];
}

/**
 * The sum of squares of what differs between samples an eighth of a millisecond apart: that leaves out the rumble of a room, which
 * is often louder than its speech. All channels count: of two that speak, each may have one.
 */
export function createLoudnessMeter(encoding: PcmEncoding, channels: number, sampleRate: number): LoudnessMeter {
  const read = sampleReader(encoding);
  const frameBytes = encoding.bytes * channels;
  const lag = Math.max(1, Math.round(sampleRate / 8_000)) * frameBytes;
  const blockFrames = Math.max(2, Math.round(sampleRate * blockSeconds));
  const stride = Math.max(1, Math.floor(blockFrames / samplesABlock)) * frameBytes;
  function measure(samples: Buffer): number {
    const end = samples.length - lag;
    let energy = 0;
    let count = 0;
    for (let frame = 0; frame + frameBytes <= end; frame += stride) {
      for (let sample = frame; sample < frame + frameBytes; sample += encoding.bytes) {
        energy += (read(samples, sample + lag) - read(samples, sample)) ** 2;
      }
      count += 1;
    }
    return decibels(count === 0 ? 0 : energy / count);
  }
  return {
    blockFrames,
    measure,
    levels(samples, startsAt) {
      const levels: Loudness[] = [];
      const seconds = blockFrames / sampleRate;
      const blockBytes = blockFrames * frameBytes;
      for (let at = 0; at + blockBytes <= samples.length; at += blockBytes) {
        const start = startsAt + levels.length * seconds;
        levels.push({ start, end: start + seconds, decibels: measure(samples.subarray(at, at + blockBytes)) });
      }
      return levels;
    },
  };
}
