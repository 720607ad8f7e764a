import {
  audibleFrom,
  barHeights,
  decibels,
  loudestShare,
  mostBars,
  partShare,
  quantile,
} from '../../shared/soundScale.ts';

/** Samples a second that are asked of a decoder: speech is in them, and neighbours are an eighth of a millisecond apart. */
export const decodedRate = 8_000;
/** Samples that are measured at a time: 20 ms, as the extension does where samples are plain. */
const blockFrames = 160;

/**
 * How loud samples at `decodedRate` are, in decibels, block by block: the squares of what differs between neighbours, of all channels,
 * which leaves out the rumble of a room.
 */
export function levelsOf(channels: readonly Float32Array[]): number[] {
  const frames = channels[0]?.length ?? 0;
  const levels: number[] = [];
  for (let from = 0; from + blockFrames <= frames; from += blockFrames) {
    let energy = 0;
    for (const samples of channels) {
      for (let i = from + 1; i < from + blockFrames; i++) energy += ((samples[i] ?? 0) - (samples[i - 1] ?? 0)) ** 2;
    }
    levels.push(decibels(energy / (blockFrames - 1)));
  }
  return levels;
}

/** The levels of a recording as bars, from 0 to 1, each for as long a part: on the scale of what is told from packets. */
export function barsOf(levels: readonly number[]): number[] {
  const count = Math.min(mostBars, levels.length);
  const parts = Array.from({ length: count }, (_, part) => {
    const [from, to] = [part, part + 1].map((each) => Math.floor((each * levels.length) / count));
    return quantile(levels.slice(from, to), partShare) ?? Number.NEGATIVE_INFINITY;
  });
  return barHeights(parts, audibleFrom, loudestShare).map((height) => Math.round(height * 1_000) / 1_000);
}
