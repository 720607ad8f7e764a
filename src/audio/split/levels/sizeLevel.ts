/**
 * The loudness of a packet of FLAC, told by its bits for each sample: one more is twice the height of what could not be foretold.
 * @param samples of all channels together
 */
export function flacLevel(bytes: number, samples: number): number {
  return samples > 0 ? 6.02 * ((8 * bytes) / samples - 16) : Number.NaN;
}

/** Bytes a second that stand for the loudest. */
const loudest = 32_000;

/**
 * The loudness of a packet of Opus or Vorbis, told by its length: they spend more on speech than on the noise of a room. Packets of
 * a constant bit rate are all as long, and so show no pause. The length grows far slower than the loudness does; eight times its
 * decibels are about those of the sound.
 */
export function sizeLevel(bytes: number, seconds: number): number {
  return seconds > 0 && bytes > 0 ? 160 * Math.log10(bytes / seconds / loudest) : Number.NaN;
}
