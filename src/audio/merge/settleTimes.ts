import type { Segment } from '../../service/audio/audio.ts';
import { inTimesOf } from './timeUnits.ts';

/** The span of a piece's audio, in seconds of the whole recording. */
export interface AudioSpan {
  from: number;
  to: number;
}

/** Time beyond the end of its audio, in seconds, that a service may be wrong by: models hear half a minute at a time. */
const tolerance = 0.5;

/**
 * Segments of one piece in seconds of the whole recording: in the order of the text, times never backwards, none beyond the piece's
 * audio, no two at once. Starts that do not fit in among most others are taken for wrong, and set by their neighbours.
 * @param segments with times from the start of the piece
 */
export function settleTimes(segments: readonly Segment[], { from, to }: AudioSpan): Segment[] {
  const length = to - from;
  const clamp = (seconds: number): number => Math.max(from, Math.min(to, from + seconds));
  const isSound = ({ start }: Segment): boolean => start >= -tolerance && start <= length + tolerance;
  const sound = longestAscent(
    segments.flatMap((segment, index) => (isSound(segment) ? [{ index, start: segment.start }] : [])),
  );
  const settled: Segment[] = [];
  let next = 0;
  let end = from;
  for (const [index, segment] of segments.entries()) {
    const isTrusted = sound[next]?.index === index;
    if (isTrusted) next++;
    const limit = clamp(sound[next]?.start ?? length);
    const start = isTrusted ? clamp(segment.start) : Math.min(end, limit);
    const { isOpen, words, ...rest } = segment;
    const duration = Math.max(0, segment.end - segment.start);
    const given = isTrusted ? clamp(Math.max(segment.start, segment.end)) : start + duration;
    end = Math.max(start, Math.min(isOpen ? limit : given, limit));
    // Where the start of a segment is wrong, those of its words are no better.
    const heard = isTrusted && words ? { words: inTimesOf({ start, end, words }, clamp).words } : {};
    settled.push({ ...rest, ...heard, start, end });
  }
  return settled;
}

interface Start {
  index: number;
  start: number;
}

/** The most of the starts that ascend (the longest increasing subsequence, n log n); of equal ones the first. */
function longestAscent(starts: readonly Start[]): Start[] {
  /** Of each length, the place that ends the ascent whose end is the lowest. */
  const ends: number[] = [];
  const before: number[] = [];
  for (const [place, { start }] of starts.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[ends[middle] ?? 0]?.start ?? 0) < start) low = middle + 1;
      else high = middle;
    }
    before.push(low === 0 ? -1 : (ends[low - 1] ?? -1));
    if (starts[ends[low] ?? -1]?.start !== start) ends[low] = place;
  }
  const ascent: Start[] = [];
  for (let place = ends.at(-1) ?? -1; place >= 0; place = before[place] ?? -1) ascent.push(starts[place] as Start);
  return ascent.reverse();
}
