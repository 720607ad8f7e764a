/** Where the rows of a long list stand: by their heights, which are measured where a row was drawn, else estimated. In pixels. */
export interface RowHeights {
  /** The height of all rows. */
  readonly total: number;
  /** The distance of a row from the top of the list; that of the row behind the last is `total`. */
  topOf(row: number): number;
  /** The row at a distance from the top; the first or the last for a place outside of the list, -1 where there are none. */
  at(distance: number): number;
  /** Gives whether the row had another height. */
  set(row: number, height: number): boolean;
}

/** Smaller differences are how a browser rounds. */
const smallest = 0.05;

export function createRowHeights(count: number, estimate: (row: number) => number): RowHeights {
  const heights = Float64Array.from({ length: count }, (_, row) => estimate(row));
  /** The heights before each row, added up; right up to the row `known`. */
  const tops = new Float64Array(count + 1);
  let known = 0;

  function topOf(row: number): number {
    for (; known < row && known < count; known++) tops[known + 1] = (tops[known] ?? 0) + (heights[known] ?? 0);
    return tops[Math.max(0, Math.min(row, count))] ?? 0;
  }

  return {
    get total() {
      return topOf(count);
    },
    topOf,
    at(distance) {
      topOf(count);
      let [from, to] = [0, count - 1];
      while (from < to) {
        const middle = (from + to) >> 1;
        if (topOf(middle + 1) > distance) to = middle;
        else from = middle + 1;
      }
      return Math.min(from, count - 1);
    },
    set(row, height) {
      if (Math.abs((heights[row] ?? 0) - height) < smallest) return false;
      heights[row] = height;
      known = Math.min(known, row);
      return true;
    },
  };
}
