import { env, l10n } from 'vscode';
import { timeText } from './formatUnits.ts';

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

/** When to try again, as the end of a sentence with a blank before it; empty where no wait was asked for. @param ms from now */
export function waitText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds === 0) return '';
  if (seconds < 120) return l10n.t(' Try again in {0} s.', seconds);
  if (seconds < 3_600) return l10n.t(' Try again in {0} min.', Math.ceil(seconds / 60));
  const at = new Date(Date.now() + seconds * 1000);
  if (at.toDateString() === new Date().toDateString()) return l10n.t(' Try again at {0}.', timeText(at.getTime()));
  const form: Intl.DateTimeFormatOptions = { timeStyle: 'medium', dateStyle: 'medium' };
  return l10n.t(' Try again at {0}.', new Intl.DateTimeFormat(env.language, form).format(at));
}
