/** Height above and below the middle line, in columns' units of 1: silence is a thin line. */
const quietest = 0.03;

/**
 * The outline of a waveform as the `d` of an SVG path, one unit wide for each column, from 0 to 2 in height.
 * @param peaks how loud each part is, from 0 to 1; where there are more than columns, the loudest of some is one column
 */
export function waveformPath(peaks: readonly number[], mostColumns: number): string {
  const columns = Math.min(peaks.length, mostColumns);
  const heights = Array.from({ length: columns }, (_, column) => {
    const [from, to] = [column, column + 1].map((each) => Math.floor((each * peaks.length) / columns));
    const loudest = peaks.slice(from, to).reduce((most, peak) => Math.max(most, peak), 0);
    return Math.min(1, Math.max(quietest, loudest || 0));
  });
  const round = (value: number): string => String(Math.round(value * 100) / 100);
  const above = heights.map((height, column) => `V${round(1 - height)}H${column + 1}`);
  const below = heights.map((height, column) => `V${round(1 + height)}H${column}`).reverse();
  return `M0 1${above.join('')}${below.join('')}Z`;
}
