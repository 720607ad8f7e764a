/** The scale on which the loudness of a recording is drawn: the same for what packets say, and for samples. */

/** Digital silence, in decibels: nothing is under this. */
export const silence = -120;
/** What is no louder, in decibels, is drawn as silence where samples are measured. */
export const audibleFrom = -85;
/** Of the parts that are heard, the share under that which is drawn as the loudest. */
export const loudestShare = 0.995;
/** Of the levels of a part, the share under that which stands for it: one alone may be far off. */
export const partShare = 0.75;
/** Bars of a picture: more than a page is wide in pixels. */
export const mostBars = 1_200;
/** Decibels under the loudest that are drawn as nothing. */
const drawn = 50;

/** @param energy a sum of squares, on whatever scale the format has */
export function decibels(energy: number): number {
  return energy > 0 ? Math.max(silence, 10 * Math.log10(energy)) : silence;
}

/** The value that a share of some are under; undefined of none. */
export function quantile(values: readonly number[], share: number): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];
}

/**
 * Levels in decibels as heights from 0 to 1. All are 0 where none is heard.
 * @param silent what is no louder is not heard
 * @param share of those that are heard, the share under that which is as high as can be
 */
export function barHeights(levels: readonly number[], silent: number, share: number): number[] {
  const top = quantile(
    levels.filter((level) => level > silent),
    share,
  );
  return levels.map((level) => (top === undefined ? 0 : Math.max(0, Math.min(1, 1 + (level - top) / drawn))));
}
