import type { Loudness } from '../levels/level.ts';

/** A place to cut, in seconds. */
export interface Cut {
  time: number;
  /** Whether nothing is said there: a pause goes on around it. */
  isQuiet: boolean;
}

/** Where a cut may be, in seconds, and where it would be best if it were as quiet everywhere. */
export interface CutWindow {
  from: number;
  to: number;
  target: number;
  /** Seconds before the cut that the piece after it hears: a pause in which nothing is said there goes on for so long before it. */
  heardBefore?: number;
}

/** Length of a cell of the curve that is searched, in seconds. */
const cell = 0.02;
/** Cells on each side that go into the mean of one: a tenth of a second together. */
const reach = 2;
/** The shortest pause, in seconds: the closing of a `t` is shorter. */
const shortestPause = 0.2;
/** Pauses of this length and more are all as good, in seconds. */
const longPause = 1;
/** Seconds of a pause that are left after a cut in it, at least. */
const leastAfter = 0.04;
/** Decibels between quiet and loud, under which the curve shows no pauses: noise, music, packets of a constant length. */
const leastContrast = 3;
/** What is quiet lies in the lowest third between the two. */
const quietShare = 0.35;

/**
 * Chooses where to cut: in the longest and deepest pause, of like ones in that nearest to the target. What counts as quiet
 * depends on what is around: a room with a fan is never silent. Without a pause it is the quietest place near the target.
 */
export function findQuietCut(levels: readonly Loudness[], { from, to, target, heardBefore = 0 }: CutWindow): Cut {
  const curve = smooth(sample(levels, from, to));
  if (curve.length === 0) return { time: target, isQuiet: false };
  const sorted = curve.toSorted((a, b) => a - b);
  const floor = sorted[Math.floor(sorted.length * 0.05)] ?? 0;
  const contrast = (sorted[Math.floor(sorted.length * 0.9)] ?? 0) - floor;
  const threshold = floor + quietShare * contrast;
  const width = Math.max(target - from, to - target, cell);
  const nearness = (time: number): number => 1 - Math.abs(time - target) / width;
  const timeOf = (index: number): number => Math.min(to, from + index * cell);

  let best: (Cut & { score: number }) | undefined;
  if (contrast >= leastContrast) {
    for (const pause of findRuns(curve, threshold)) {
      const length = (pause.end - pause.start) * cell;
      const [start, end] = [timeOf(pause.start) + heardBefore, timeOf(pause.end)];
      if (length < shortestPause || end - start < leastAfter) continue;
      const depth = (threshold - pause.mean) / Math.max(1, threshold - floor);
      const time = Math.max(start, middleOf(start, end, target));
      const score = Math.min(1, length / longPause) + 0.3 * Math.min(1, depth) + 0.3 * nearness(time);
      if (best === undefined || score > best.score) best = { time, isQuiet: true, score };
    }
  }
  if (best !== undefined) return { time: best.time, isQuiet: true };
  for (const [index, level] of curve.entries()) {
    const time = Math.min(to, timeOf(index) + cell / 2);
    const score = 0.5 * nearness(time) - (level - floor) / Math.max(leastContrast, contrast);
    if (best === undefined || score > best.score) best = { time, isQuiet: false, score };
  }
  return { time: best?.time ?? target, isQuiet: false };
}

/** The middle of a pause; of a long one, the place that is nearest to the target but well inside. */
function middleOf(start: number, end: number, target: number): number {
  const margin = Math.min(longPause, end - start) / 2;
  return Math.min(end - margin, Math.max(start + margin, target));
}

/** The mean level of each cell; one in which no packet begins has that of the packet that goes on. */
function sample(levels: readonly Loudness[], from: number, to: number): number[] {
  const count = levels.length === 0 ? 0 : Math.max(0, Math.ceil((to - from) / cell - 1e-6));
  const sums = new Float64Array(count);
  const counts = new Uint32Array(count);
  for (const { start, end, decibels } of levels) {
    const first = Math.max(0, Math.floor((start - from) / cell + 1e-6));
    const last = Math.min(count - 1, Math.max(first, Math.ceil((end - from) / cell - 1e-6) - 1));
    for (let i = first; i <= last; i++) {
      sums[i] = (sums[i] ?? 0) + decibels;
      counts[i] = (counts[i] ?? 0) + 1;
    }
  }
  let before = levels[0]?.decibels ?? 0;
  return Array.from(sums, (sum, i) => {
    const number = counts[i] ?? 0;
    if (number > 0) before = sum / number;
    return before;
  });
}

function smooth(curve: readonly number[]): number[] {
  return curve.map((_, i) => {
    const near = curve.slice(Math.max(0, i - reach), i + reach + 1);
    return near.reduce((sum, level) => sum + level, 0) / near.length;
  });
}

/** Cells one after another that lie under a threshold. */
interface Run {
  start: number;
  /** The first cell after it. */
  end: number;
  /** Their mean level. */
  mean: number;
}

function findRuns(curve: readonly number[], threshold: number): Run[] {
  const runs: Run[] = [];
  let [start, sum] = [0, 0];
  for (let i = 0; i <= curve.length; i++) {
    const level = curve[i] ?? Number.POSITIVE_INFINITY;
    if (level < threshold) {
      sum += level;
      continue;
    }
    if (i > start) runs.push({ start, end: i, mean: sum / (i - start) });
    [start, sum] = [i + 1, 0];
  }
  return runs;
}
