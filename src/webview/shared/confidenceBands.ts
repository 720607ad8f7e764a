/** From which percentage on a word is of each band, the surest first; five bands, of which the surest has no mark. */
export const confidenceBands = [90, 70, 50, 30] as const;
/** What counts as unsure where nobody says otherwise, in percent. */
export const usualThreshold = 50;

/** The band of a percentage: 0 is the surest, which has no mark; what nothing is known of has none either. */
export function bandOf(percent: number | null | undefined): number {
  return confidenceBands.filter((least) => (percent ?? 100) < least).length;
}
