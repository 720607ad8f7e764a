import type { Segment } from '../../service/audio/audio.ts';

/** Units that services give times in, as parts of a second: milliseconds, microseconds, and nanoseconds as Go has durations. */
const units = [1e3, 1e6, 1e9] as const;

/** Seconds beyond its audio that a segment may end: models hear half a minute at a time. */
const window = 30;

/** Seconds before which no segment ends, and the share of segments that may, as one that is wrong does. */
const shortest = 0.01;
const mostTooShort = 0.1;

/**
 * Segments with times in seconds, told by the length of the audio: where most starts but the first lie beyond it, they are in the largest unit
 * in which they do not. Undefined where they are in none: no times are better than some that look sound.
 * @param seconds no segment begins after these
 */
export function inSeconds(segments: readonly Segment[], seconds: number): readonly Segment[] | undefined {
  const unit = [1, ...units].find((each) => fits(segments, seconds, each));
  if (unit === undefined) return undefined;
  if (unit === 1) return segments;
  return segments.map((segment) => ({ ...segment, ...inTimesOf(segment, (time) => time / unit) }));
}

/** The times of a segment and of its words, each made another one. */
export function inTimesOf(
  { start, end, words }: Pick<Segment, 'start' | 'end' | 'words'>,
  change: (time: number) => number,
): Pick<Segment, 'start' | 'end' | 'words'> {
  const changed = words?.map((word) => ({ ...word, start: change(word.start), end: change(word.end) }));
  return { start: change(start), end: change(end), ...(changed && { words: changed }) };
}

function fits(segments: readonly Segment[], seconds: number, unit: number): boolean {
  const [only, another] = segments;
  if (only === undefined) return true;
  if (another === undefined) return only.start / unit <= seconds && only.end / unit <= seconds + window;
  const beyond = segments.filter(({ start }, index) => index > 0 && start / unit > seconds).length;
  // Where one time was wrong, the others are no parts of a second.
  const tooShort = unit === 1 ? 0 : segments.filter(({ end, isOpen }) => !isOpen && end / unit < shortest).length;
  return 2 * beyond <= segments.length - 1 && mostTooShort * segments.length >= tooShort;
}
