import { formatTime } from '../../webview/shared/formatTime.ts';

export { formatTime };

/** The latest time that is written, in milliseconds: a thousand hours. No recording that is taken is as long. */
const latest = 3_600_000_000;

/** A time in whole milliseconds, from 0 on and no later than files can say. */
export function toMilliseconds(seconds: number): number {
  return Math.min(latest, Math.max(0, Math.round(seconds * 1000))) || 0;
}

/** A place in a recording to the millisecond, as `m:ss.mmm`. */
export function formatExactTime(milliseconds: number): string {
  return `${formatTime(Math.floor(milliseconds / 1000))}.${three(milliseconds % 1000)}`;
}

/**
 * A time as subtitles have it: `hh:mm:ss` and milliseconds.
 * @param mark stands before the milliseconds: a comma in SRT, a point in WebVTT
 */
export function formatTimestamp(milliseconds: number, mark: ',' | '.'): string {
  const seconds = Math.floor(milliseconds / 1000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  return `${two(hours)}:${two(minutes % 60)}:${two(seconds % 60)}${mark}${three(milliseconds % 1000)}`;
}

/** A time in any of these forms; hours and milliseconds may be missing, and either mark stands before the latter. */
export const timestamp = String.raw`(?:\d{1,4}:)?\d{1,2}:\d{1,2}(?:[.,]\d{1,9})?`;

/** The milliseconds that a time says; undefined for a text that is none, and for more than 59 minutes or seconds. */
export function readTimestamp(text: string): number | undefined {
  const [whole = '', fraction = ''] = text.split(/[.,]/);
  const [seconds = 0, minutes = 0, hours = 0] = whole.split(':').toReversed().map(Number);
  if (!new RegExp(`^${timestamp}$`).test(text) || minutes > 59 || seconds > 59) return undefined;
  return ((hours * 60 + minutes) * 60 + seconds) * 1000 + Number(fraction.slice(0, 3).padEnd(3, '0'));
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

function three(value: number): string {
  return String(value).padStart(3, '0');
}
