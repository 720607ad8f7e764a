/** How loud a part of a recording is. */
export interface Loudness {
  /** In seconds. */
  start: number;
  end: number;
  /** In decibels; 0 is about the loudest, but only differences within one recording say anything. */
  decibels: number;
}

/** Digital silence: nothing is under this. */
export const silence = -120;

/** @param energy a sum of squares, on whatever scale the format has */
export function decibels(energy: number): number {
  return energy > 0 ? Math.max(silence, 10 * Math.log10(energy)) : silence;
}
