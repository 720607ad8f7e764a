import { readTimeText } from './timeText.ts';

/** A time before the start, in seconds, by which models are off. */
const leastTime = -1;

/** A time as a number, or as a text that is one; undefined for all else. */
export function readTime(value: unknown): number | undefined {
  const time = typeof value === 'string' ? readTimeText(value) : value;
  return typeof time === 'number' && Number.isFinite(time) && time >= leastTime ? time : undefined;
}
