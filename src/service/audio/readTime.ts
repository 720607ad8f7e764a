/** A time before the start, in seconds, by which models are off. */
const leastTime = -1;
const timeText = /^\s*(-?\d{1,15}(?:\.\d{1,12})?(?:e[+-]?\d{1,2})?)\s*s?\s*$/i;

/** A time as a number, or as a text that is one; undefined for all else. */
export function readTime(value: unknown): number | undefined {
  const time = typeof value === 'string' ? Number(timeText.exec(value)?.[1] ?? Number.NaN) : value;
  return typeof time === 'number' && Number.isFinite(time) && time >= leastTime ? time : undefined;
}
