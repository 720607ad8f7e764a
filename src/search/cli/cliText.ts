import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';

/** The language of the environment, as BCP 47 writes it; English where it names none that there is (`C`, `POSIX`). */
export function languageOf(environment: Readonly<Record<string, string | undefined>>): string {
  const { LC_ALL, LC_MESSAGES, LANG } = environment;
  const named = (LC_ALL || LC_MESSAGES || LANG || '').replace(/[.@].*$/, '').replaceAll('_', '-');
  try {
    return new Intl.Locale(named).language === 'c' || named === 'POSIX' ? 'en' : named;
  } catch {
    return 'en';
  }
}

const language = languageOf(process.env);

/** Has sentences in the language of the environment, where there is a translation. @param folder of the package */
export function loadSentences(folder: string): void {
  for (const name of [language, language.split('-')[0]]) {
    try {
      l10n.config({ contents: readFileSync(join(folder, 'l10n', `bundle.l10n.${name}.json`), 'utf8') });
      return;
    } catch {
      // There is none in this language: the sentences stay as they are written here.
    }
  }
}

/** A number as it is written in the language of the environment. */
export function numberText(value: number, digits = 3): string {
  return new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(value);
}

/** A share of 1 in percent, rounded down: 100 is all. */
export function percentText(share: number): string {
  return numberText(Math.floor(share * 1000) / 10);
}

export function filesText(count: number): string {
  return count === 1 ? l10n.t('1 file') : l10n.t('{0} files', numberText(count));
}

export function chunksText(count: number): string {
  return count === 1 ? l10n.t('1 chunk') : l10n.t('{0} chunks', numberText(count));
}

export function tokensText(count: number): string {
  return count === 1 ? l10n.t('1 token') : l10n.t('{0} tokens', numberText(Math.ceil(count)));
}

/** A size in bytes as a person reads it: `24.3 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return l10n.t('{0} bytes', numberText(bytes));
  if (bytes < 1_000_000) return l10n.t('{0} kB', numberText(bytes / 1000, 1));
  if (bytes < 1_000_000_000) return l10n.t('{0} MB', numberText(bytes / 1_000_000, 1));
  return l10n.t('{0} GB', numberText(bytes / 1_000_000_000, 1));
}

/**
 * What so many tokens cost, to two digits at least, however little it is; undefined where there is no price.
 * @param perMillion the price of a million tokens, in whatever money
 */
export function costOf(tokens: number, perMillion: number | undefined): number | undefined {
  return perMillion === undefined || perMillion === 0 ? undefined : (tokens / 1_000_000) * perMillion;
}

export function costText(cost: number): string {
  return new Intl.NumberFormat(language, { maximumSignificantDigits: cost < 1 ? 2 : 4 }).format(cost);
}

const ages: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** The time since then: “3 hours ago”. Times in milliseconds since the epoch. */
export function ageText(then: number, now: number): string {
  const seconds = Math.max(0, (now - then) / 1000);
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const [unit, size] = ages.find(([, each]) => seconds >= each) ?? ['second', 1];
  return format.format(-Math.floor(seconds / size), unit);
}

/** The origin of an address without its scheme, as it is shown. */
export const hostText = (url: string): string => URL.parse(url)?.host || url;
