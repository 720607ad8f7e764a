const seconds = /^(-?\d{1,15}(?:\.\d{1,12})?(?:e[+-]?\d{1,2})?)\s*s?$/i;
/** As subtitles have it: 01:02:03,400 or 02:03.4. */
const clock = /^(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2}(?:[.,]\d{1,12})?)$/;
/** As Go writes a duration: 1m4.3s, 500ms. */
const duration = /^(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,12}(?:\.\d{1,12})?)(ns|µs|μs|us|ms|s))?$/;
const unitsInSeconds: Readonly<Record<string, number>> = { ns: 1e-9, µs: 1e-6, μs: 1e-6, us: 1e-6, ms: 1e-3, s: 1 };

/**
 * A time that a service gives as a text. One that has a unit or colons is in seconds then; a plain number is in the unit of its service.
 * @returns undefined for what is no time
 */
export function readTimeText(text: string): number | undefined {
  const given = text.trim();
  const number = seconds.exec(given);
  if (number !== null) return Number(number[1]);
  const [, hours = '0', minutes, rest = ''] = clock.exec(given) ?? [];
  if (minutes !== undefined) return Number(hours) * 3600 + Number(minutes) * 60 + Number(rest.replace(',', '.'));
  const [all = '', hour = '0', minute = '0', value = '0', unit = 's'] = duration.exec(given) ?? [];
  if (all === '') return undefined;
  return Number(hour) * 3600 + Number(minute) * 60 + Number(value) * (unitsInSeconds[unit] ?? 1);
}
