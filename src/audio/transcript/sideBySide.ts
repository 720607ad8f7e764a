import { joinTexts, type Segment } from '../../service/audio/audio.ts';
import { isSpoken } from './timedText.ts';

/** Segments that are looked at for one of the other text, at either side of its place: a service may give times that overlap. */
const mostNear = 40;
/** Seconds from any segment beyond which one of the other text belongs to none. */
const farthest = 1.5;
/** The share of a segment that has to be said in one of the other text, where it has none of its own. */
const leastShare = 0.5;

const overlapOf = (one: Segment, other: Segment): number =>
  Math.min(one.end, other.end) - Math.max(one.start, other.start);

/** Finds the segment that is spoken at the time of another one: that which shares the most with it, else the nearest. */
function finderOf(segments: readonly Segment[]): (other: Segment) => number | undefined {
  const ordered = [...segments.keys()].sort((a, b) => startOf(segments, a) - startOf(segments, b) || a - b);
  return (other) => {
    let [from, to] = [0, ordered.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (startOf(segments, ordered[middle] ?? 0) > other.start) to = middle;
      else from = middle + 1;
    }
    let best: { readonly at: number; readonly shared: number } | undefined;
    for (const at of ordered.slice(Math.max(0, from - mostNear), from + mostNear)) {
      const segment = segments[at];
      if (segment === undefined || !isSpoken(segment)) continue;
      const shared = overlapOf(segment, other);
      if (best === undefined || shared > best.shared) best = { at, shared };
    }
    return best?.at;
  };
}

const startOf = (segments: readonly Segment[], at: number): number => segments[at]?.start ?? 0;

/**
 * The other text of a recording line by line: for each segment, what the other text says at its time. Each segment of the other text is in one
 * line, so that nothing of it is missing, and nothing is there twice.
 */
export function textsBeside(own: readonly Segment[], other: readonly Segment[]): string[] {
  const find = finderOf(own);
  const lines: string[][] = own.map(() => []);
  for (const segment of other.filter(isSpoken)) lines[find(segment) ?? -1]?.push(segment.text.trim());
  return lines.map(joinTexts);
}

/** What is said in a stretch of time, in both languages; either may be empty. Times are in seconds. */
export interface BilingualBlock {
  readonly start: number;
  readonly end: number;
  readonly spoken: string;
  readonly english: string;
}

/**
 * Both texts of a recording in stretches of time: the segments of one that are said during one of the other are together with it. In order of
 * time; each segment is in one stretch.
 */
export function bilingualBlocks(spokenText: readonly Segment[], englishText: readonly Segment[]): BilingualBlock[] {
  const byStart = (a: Segment, b: Segment): number => a.start - b.start;
  const [spoken, english] = [spokenText, englishText].map((all) => all.filter(isSpoken).toSorted(byStart));
  if (spoken === undefined || english === undefined) return [];
  const find = finderOf(spoken);
  const groups: Segment[][] = spoken.map(() => []);
  const alone: Segment[] = [];
  const places: number[] = [];
  for (const segment of english) {
    const at = find(segment) ?? -1;
    const isNear = at >= 0 && overlapOf(spoken[at] as Segment, segment) > -farthest;
    places.push(isNear ? at : -1);
    if (isNear) groups[at]?.push(segment);
    else alone.push(segment);
  }
  // A segment without English of its own goes with that which is said over most of it.
  const findEnglish = finderOf(english);
  /** Whether a segment is together with the one before. */
  const isJoined = spoken.map(() => false);
  for (const [at, segment] of spoken.entries()) {
    if ((groups[at]?.length ?? 0) > 0) continue;
    const over = findEnglish(segment) ?? -1;
    const place = places[over] ?? -1;
    if (place < 0 || overlapOf(english[over] as Segment, segment) < leastShare * (segment.end - segment.start))
      continue;
    for (let each = Math.min(place, at) + 1; each <= Math.max(place, at); each++) isJoined[each] = true;
  }
  const blocks: BilingualBlock[] = [];
  for (const [at, segment] of spoken.entries()) {
    const before = isJoined[at] ? blocks.pop() : undefined;
    const own = groups[at] ?? [];
    blocks.push({
      start: Math.min(before?.start ?? segment.start, segment.start),
      end: Math.max(before?.end ?? segment.end, segment.end),
      spoken: joinTexts([before?.spoken ?? '', segment.text.trim()]),
      english: joinTexts([before?.english ?? '', ...own.map(({ text }) => text.trim())]),
    });
  }
  return [...blocks, ...alone.map(({ start, end, text }) => ({ start, end, spoken: '', english: text.trim() }))].sort(
    byBlock,
  );
}

const byBlock = (a: BilingualBlock, b: BilingualBlock): number => a.start - b.start;
