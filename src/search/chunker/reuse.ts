import { hash } from 'node:crypto';
import { maxBytes, minBytes } from './size.ts';
import type { Units } from './units.ts';

/** The texts that were embedded before. */
export interface Reuse {
  /** Whether a text of this SHA-256 has a vector. */
  hasVector(hash: Uint8Array): boolean;
  /** The file is in the index: some of its text has a vector under any cut. */
  isKnown: boolean;
}

/** New texts that the best borders may cost: an edited line costs as many. */
const fewEnough = 2;
/** Minimum size of a chunk, in bytes, where no border leaves enough on both sides. */
const leastBytes = Math.round(minBytes * 0.7);
/** Limit of pieces looked up for one cut, at a few µs each. More means that the change is not an edit. */
const mostLookedUp = 12_000;
/** Cost of a new text; a border costs 50 at most. */
const newText = 10_000;

/** The SHA-256 that identifies a text. */
export function textHash(text: string | Uint8Array): Uint8Array {
  return hash('sha256', text, 'buffer');
}

/**
 * Borders for a text that was perhaps cut at others before. Where one line makes a parser read all that follows
 * differently, or an edit moves a border and that border the next, the best borders (`best`) would send much unchanged
 * text again. Then the borders with the fewest new texts are taken, and of those the best ones: one changed line sends
 * two texts at most, and a text whose vectors all exist sends none. Only the existing vectors decide, not the text's
 * history: a branch, a clone or a worktree gets the same cut again.
 */
export function reuseBorders(
  text: string,
  units: Units,
  costs: Float32Array,
  best: readonly number[],
  { hasVector, isKnown }: Reuse,
): readonly number[] {
  const bytes = Buffer.from(text);
  let lookedUp = 0;
  const isNew = (start: number, end: number): boolean =>
    ++lookedUp > mostLookedUp || !hasVector(textHash(bytes.subarray(units.bytes[start], units.bytes[end])));
  const cuts = [0, ...best, units.count];
  const news = best.concat(units.count).map((end, index) => isNew(cuts[index] as number, end));
  const count = news.filter(Boolean).length;
  if (count === 0) return best;
  const known = knownBorders(units, 0, units.count, isNew);
  if (known.at(-1) === units.count) return known.slice(1, -1);
  if (count <= fewEnough || (count === news.length && !isKnown)) return best;

  const borders: number[] = [];
  for (let first = 0, end = 0; first < news.length; first = end) {
    // A run of new chunks takes in the chunk before and after it: a chunk that has become too small needs a neighbour.
    while (end < news.length && (news[end - 1] || news[end] || news[end + 1])) end++;
    end = Math.max(end, first + 1);
    const own = cuts.slice(first, end + 1);
    borders.push(...(end - first === 1 ? own : fewestNew(units, costs, own, isNew)).slice(1));
    if (lookedUp > mostLookedUp) return best;
  }
  return borders.slice(0, -1);
}

type IsNew = (start: number, end: number) => boolean;

/** The borders of a part, its ends included, with the fewest new texts. `own` are the borders of the best cut. */
function fewestNew(units: Units, costs: Float32Array, own: readonly number[], isNew: IsNew): readonly number[] {
  const [from, to] = [own[0] as number, own.at(-1) as number];
  const left = knownBorders(units, from, to, isNew);
  if (left.at(-1) === to) return left;
  const right = knownBorders(units, to, from, isNew);
  while (left.length > 1 && (left.at(-1) as number) >= (right.at(-1) as number)) left.pop();
  // The new text lies between the two. One known chunk on either side gives room where it is too small or too large.
  for (const side of [left, right]) if (side.length > 1) side.pop();
  const middle = cheapestBorders(units, costs, left.pop() as number, right.pop() as number, own, isNew);
  return middle === undefined ? own : [...left, ...middle, ...right.reverse()];
}

/** Borders from one end of a part towards the other, as far as known chunks reach. */
function knownBorders({ bytes, count }: Units, from: number, to: number, isNew: IsNew): number[] {
  const step = Math.sign(to - from);
  const before = new Map([[from, from]]);
  let furthest = from;
  for (const border of before.keys()) {
    for (let other = border + step; step * (to - other) >= 0; other += step) {
      const size = Math.abs((bytes[other] as number) - (bytes[border] as number));
      if (size > maxBytes) break;
      const [start, end] = [Math.min(border, other), Math.max(border, other)];
      // The last chunk of the text may be small.
      if ((size < leastBytes && end < count) || before.has(other) || isNew(start, end)) continue;
      before.set(other, border);
      if (step * (other - furthest) > 0) furthest = other;
    }
  }
  const borders = [furthest];
  for (let border = furthest; border !== from; borders.unshift(border)) border = before.get(border) as number;
  return borders;
}

/**
 * The cut of a part into chunks with the fewest new texts and, among those, the best borders; built up from the cuts of
 * all shorter parts. Undefined when there is none.
 */
function cheapestBorders(
  { bytes, count }: Units,
  costs: Float32Array,
  from: number,
  to: number,
  own: readonly number[],
  isNew: IsNew,
): number[] | undefined {
  const least = new Float64Array(to - from + 1).fill(Number.POSITIVE_INFINITY);
  const before = new Int32Array(to - from + 1);
  least[0] = 0;
  const ownStart = new Map(own.slice(1).map((end, index) => [end, own[index]]));
  for (let end = from + 1; end <= to; end++) {
    const border = end === to ? 0 : (costs[end] as number);
    for (let start = end - 1; start >= from; start--) {
      const size = (bytes[end] as number) - (bytes[start] as number);
      if (size > maxBytes) break;
      const mayBeSmall = end === count || ownStart.get(end) === start;
      if (size < leastBytes && !mayBeSmall) continue;
      let cost = (least[start - from] as number) + border;
      if (cost >= (least[end - from] as number)) continue;
      if (isNew(start, end)) {
        cost += newText;
        // A chunk below `minBytes` is accepted only where it is known already.
        if (cost >= (least[end - from] as number) || (size < minBytes && !mayBeSmall)) continue;
      }
      least[end - from] = cost;
      before[end - from] = start;
    }
  }
  if (least.at(-1) === Number.POSITIVE_INFINITY) return undefined;
  const borders = [to];
  for (let border = to; border !== from; borders.unshift(border)) border = before[border - from] as number;
  return borders;
}
