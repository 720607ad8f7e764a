import { maxBytes, minBytes } from './size.ts';
import type { Units } from './units.ts';

/**
 * The units before which a text is cut. The text is cut at its best border, then each part at its best, until no part is
 * larger than the largest chunk; both parts of a cut have the smallest size at least. Which border is best depends on what
 * stands at it and hardly on how much stands around it: so an edit moves the borders near it and no others.
 * @param costs how bad the start of each unit is as a border; 0 is best.
 */
export function findBorders(units: Units, costs: Float32Array): number[] {
  const { count, bytes } = units;
  const borders: number[] = [];
  const noisy = costs.map((cost, index) => cost + noiseAt(units, index));
  const parts = [{ from: 0, to: count }];
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    const { from, to } = part;
    if ((bytes[to] as number) - (bytes[from] as number) <= maxBytes) continue;
    const border = bestBorder(units, noisy, from, to);
    borders.push(border);
    parts.push({ from, to: border }, { from: border, to });
  }
  return borders.sort((a, b) => a - b);
}

/** An end of the text with fewer bytes leaves little choice where to cut it into two parts of the minimum size. */
const tightEnd = 2 * minBytes + 350;

/** The best border in a part that is too large for one chunk. */
function bestBorder({ count, bytes }: Units, costs: Float32Array, from: number, to: number): number {
  const start = bytes[from] as number;
  const end = bytes[to] as number;
  const middle = (start + end) / 2;
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  let bestOff = 0;
  for (let index = from + 1; index < to; index++) {
    const at = bytes[index] as number;
    let cost = costs[index] as number;
    // The last chunk of the text may be small; any other only where no border leaves enough on both sides.
    if (at - start < minBytes) cost += 1_000 + minBytes - (at - start);
    if (end - at < minBytes) cost += to === count && end - start < tightEnd ? 30 : 1_000 + minBytes - (end - at);
    const off = Math.abs(at - middle);
    if (cost > least || (cost === least && off >= bestOff)) continue;
    best = index;
    least = cost;
    bestOff = off;
  }
  return best;
}

/**
 * Deterministic noise of up to 4, about as much as a step of indentation, decides between equal borders by the line's
 * content. A line too short to differ from others is hashed together with the next.
 */
function noiseAt({ hashes, bytes }: Units, index: number): number {
  const isShort = (bytes[index + 1] as number) - (bytes[index] as number) <= tooShort;
  return (
    4 * noise(isShort ? (hashes[index] as number) ^ Math.imul(hashes[index + 1] ?? 0, 31) : (hashes[index] as number))
  );
}

/** Bytes of a line, at most, that is hashed with the next. */
const tooShort = 16;

/** A pseudo-random number from 0 to 1, always the same for a seed. */
function noise(seed: number): number {
  let mixed = Math.imul(seed ^ (seed >>> 16), 0x45d9f3b);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 0x1_0000_0000;
}
