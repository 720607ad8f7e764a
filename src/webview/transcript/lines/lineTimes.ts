import type { Line, TimeSpan } from './line.ts';

/** Which line is heard when. */
export interface LineTimes {
  /** The line that is heard at a time, in seconds: of several the one that began last. Undefined in a pause. */
  at(seconds: number): number | undefined;
  spanOf(line: number): TimeSpan | undefined;
  /** The end of what is said, in seconds. */
  readonly end: number;
}

/** @param lines in any order: a service may give times that go back */
export function createLineTimes(lines: readonly Line[]): LineTimes {
  const spanOf = (line: number): TimeSpan | undefined => lines[line]?.heard;
  const startOf = (line: number): number => spanOf(line)?.start ?? 0;
  const ordered = Uint32Array.from(lines.keys()).sort((a, b) => startOf(a) - startOf(b) || a - b);

  return {
    at(seconds) {
      let [from, to] = [0, ordered.length];
      while (from < to) {
        const middle = (from + to) >> 1;
        if (startOf(ordered[middle] ?? 0) > seconds) to = middle;
        else from = middle + 1;
      }
      const line = ordered[from - 1];
      return line !== undefined && seconds < (spanOf(line)?.end ?? 0) ? line : undefined;
    },
    spanOf,
    end: lines.reduce((latest, { heard }) => Math.max(latest, heard?.end ?? 0), 0),
  };
}
