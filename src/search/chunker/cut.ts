import { maxBytes, minBytes } from './size.ts';
import type { Units } from './units.ts';

/**
 * The units before which a text is cut: the borders that together cost least, with all chunks but the last between the
 * smallest and the largest size. To each cost comes a little that depends on what stands at the border and on nothing else,
 * so that among equals the same are taken whatever stands before them: an edit moves the borders near it, no others.
 * @param costs how bad the start of each unit is as a border; 0 is best.
 */
export function findBorders(units: Units, costs: Float32Array): number[] {
  const { count, bytes } = units;
  const total = new Float64Array(count + 1);
  const from = new Uint32Array(count + 1);
  const relative = relativeCosts(units, costs);
  // The starts in reach of the end, of which none is later and cheaper than another: a queue whose head is the cheapest.
  const queue = new Uint32Array(count + 1);
  let head = 0;
  let tail = 0;
  let entered = 0;
  let earliest = 0;
  for (let end = 1; end <= count; end++) {
    const size = bytes[end] as number;
    const least = end === count ? 1 : minBytes;
    while (size - (bytes[earliest] as number) > maxBytes) earliest++;
    for (; entered < end && size - (bytes[entered] as number) >= least; entered++) {
      while (tail > head && (total[queue[tail - 1] as number] as number) >= (total[entered] as number)) tail--;
      queue[tail++] = entered;
    }
    while (head < tail && (queue[head] as number) < earliest) head++;
    // Nothing in reach is large enough, as at the start of the text: then the largest there is, at a price.
    const start = head < tail ? (queue[head] as number) : earliest;
    from[end] = start;
    total[end] = (total[start] as number) + (head < tail ? 0 : tooSmall) + (relative[end] ?? 0);
  }
  const borders: number[] = [];
  for (let end = from[count] as number; end > 0; end = from[end] as number) borders.push(end);
  return borders.reverse();
}

const tooSmall = 1_000;

/**
 * Costs less the least cost in the neighbourhood: then a border more costs nothing where it is as good as any near it, and
 * no chunk is filled to the brim just to save one, which would push every border after it along.
 */
function relativeCosts({ count, hashes }: Units, costs: Float32Array): Float32Array {
  const relative = new Float32Array(count + 1);
  for (let index = 0; index < count; index++) {
    const own = (hashes[index] as number) ^ Math.imul(hashes[index + 1] ?? 0, 31);
    relative[index] = (costs[index] as number) + noise(own) * spread - shift;
  }
  return relative;
}

const spread = Number(process.env['SPREAD'] ?? 2);
const shift = Number(process.env['SHIFT'] ?? 2);

/** A number from 0 to 1 that says nothing but is always the same. */
function noise(seed: number): number {
  let mixed = Math.imul(seed ^ (seed >>> 16), 0x45d9f3b);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 0x1_0000_0000;
}
