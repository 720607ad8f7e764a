import { env } from 'vscode';

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 24 * 3600],
  ['month', 30 * 24 * 3600],
  ['week', 7 * 24 * 3600],
  ['day', 24 * 3600],
  ['hour', 3600],
  ['minute', 60],
];

/** The time since then, in the user's language: “3 hours ago”. Times in milliseconds since the epoch. */
export function relativeTime(then: number, now: number): string {
  const seconds = (now - then) / 1000;
  const format = new Intl.RelativeTimeFormat(env.language, { numeric: 'auto' });
  for (const [unit, size] of units) {
    if (seconds >= size) return format.format(-Math.floor(seconds / size), unit);
  }
  return format.format(0, 'second');
}

/** Milliseconds after which ages, such as “3 minutes ago”, are told anew. */
export const agesEveryMs = 60_000;

/** Has ages told anew each minute, as long as somebody sees them. Gives what ends that. */
export function keepAgesFresh(isVisible: () => boolean, tell: () => void): () => void {
  const timer = setInterval(() => isVisible() && tell(), agesEveryMs);
  return () => clearInterval(timer);
}
