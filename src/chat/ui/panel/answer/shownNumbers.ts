import { env, l10n } from 'vscode';

export function tokenCount(tokens: number): string {
  return tokens === 1 ? l10n.t('1 token') : l10n.t('{0} tokens', decimal(tokens, 0));
}

/** Seconds in a unit a person reads. */
export function duration(seconds: number): string {
  if (seconds < 0.0995) return l10n.t('{0} ms', decimal(seconds * 1000, seconds < 0.00995 ? 1 : 0));
  return l10n.t('{0} s', decimal(seconds, seconds < 9.95 ? 2 : 1));
}

/** A number with so many digits behind the point at most. */
export function decimal(value: number, digits: number): string {
  let format = numberFormats.get(digits);
  if (format === undefined) {
    format = new Intl.NumberFormat(env.language, { maximumFractionDigits: digits });
    numberFormats.set(digits, format);
  }
  return format.format(value);
}
/** By digits: to make one takes longer than all else of a message. */
const numberFormats = new Map<number, Intl.NumberFormat>();
