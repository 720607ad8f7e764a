import { env, l10n } from 'vscode';

/** A size in bytes as a person reads it: `24.3 MB`. */
export function formatSize(bytes: number): string {
  const write = (value: number, digits: number): string =>
    value.toLocaleString(env.language, { maximumFractionDigits: digits });
  if (bytes < 1000) return l10n.t('{0} bytes', write(bytes, 0));
  if (bytes < 1_000_000) return l10n.t('{0} kB', write(bytes / 1000, 1));
  if (bytes < 1_000_000_000) return l10n.t('{0} MB', write(bytes / 1_000_000, 1));
  return l10n.t('{0} GB', write(bytes / 1_000_000_000, 1));
}

/** A time of today, as it is written in the language of VS Code. */
export function timeText(time: number): string {
  return new Intl.DateTimeFormat(env.language, { timeStyle: 'medium' }).format(time);
}

/**
 * A price to two digits at least, however small it is. Undefined when the price of one is 0, which means that it is not shown.
 * @param units how many are paid for
 */
export function priceText(units: number, pricePerUnit: number): string | undefined {
  if (!(pricePerUnit > 0)) return undefined;
  const price = units * pricePerUnit;
  return price.toLocaleString(env.language, { maximumSignificantDigits: price < 1 ? 2 : 4 });
}

/** A length in seconds as a person reads it: `1 h 12 min`, `3 min 5 s`, `4 s`. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(1, Math.round(seconds));
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  if (hours > 0) return l10n.t('{0} h {1} min', hours, minutes);
  return minutes > 0 ? l10n.t('{0} min {1} s', minutes, whole % 60) : l10n.t('{0} s', whole);
}
