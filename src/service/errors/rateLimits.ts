/** Headers by their names in lower case. */
export type Headers = Readonly<Record<string, string | undefined>>;

/** The rest of one rate limit. */
export interface Limit {
  /** Requests or tokens that may still be used. */
  remaining: number;
  /** Milliseconds until the rate limit resets. */
  resetMs: number;
}

/** The rate limits that a service tells of in its headers. A plain `x-ratelimit-remaining` is taken for requests. */
export interface Limits {
  requests?: Limit;
  tokens?: Limit;
}

const prefixes = ['x-ratelimit', 'ratelimit', 'anthropic-ratelimit'];

/**
 * Reads `x-ratelimit-remaining-*` and `x-ratelimit-reset-*` (OpenAI, Groq, Azure, OpenRouter), and the same without `x-`.
 * @param now milliseconds since the epoch, for resets that are a time
 */
export function readLimits(headers: Headers, now: number): Limits {
  const requests = readLimit(headers, '-requests', now) ?? readLimit(headers, '', now);
  const tokens = readLimit(headers, '-tokens', now);
  return { ...(requests === undefined ? {} : { requests }), ...(tokens === undefined ? {} : { tokens }) };
}

function readLimit(headers: Headers, suffix: string, now: number): Limit | undefined {
  for (const prefix of prefixes) {
    const left = headers[`${prefix}-remaining${suffix}`]?.trim();
    const resetMs = readReset(headers[`${prefix}-reset${suffix}`], now);
    if (left && Number(left) >= 0 && resetMs !== undefined) return { remaining: Number(left), resetMs };
  }
  return undefined;
}

/** The longest value that can be a time or a date, in characters. */
const longest = 100;

const secondsBy = { h: 3600, m: 60, s: 1, ms: 0.001, us: 1e-6, µs: 1e-6, ns: 1e-9 } as const;
const goDuration = /^(?:\d+(?:\.\d+)?(?:h|ms|m|s|us|µs|ns))+$/;

/**
 * A reset in any of its forms, as milliseconds from now: a duration as Go writes it (`2m59.56s`, `20ms`), seconds, the
 * epoch in seconds or milliseconds, or a date. Undefined when it is none of these.
 */
export function readReset(text: string | undefined, now: number): number | undefined {
  const value = text?.trim();
  if (!value || value.length > longest) return undefined;
  if (goDuration.test(value)) return readDuration(value);
  const number = Number(value);
  if (Number.isNaN(number)) {
    const date = Date.parse(value);
    return Number.isNaN(date) ? undefined : Math.max(0, date - now);
  }
  if (!Number.isFinite(number)) return undefined;
  // A number this large is a time: no limit lasts thirty years.
  if (number > 1e12) return Math.max(0, number - now);
  if (number > 1e9) return Math.max(0, number * 1000 - now);
  return Math.max(0, number * 1000);
}

function readDuration(text: string): number {
  let seconds = 0;
  for (const [, count, unit] of text.matchAll(/(\d{1,20}(?:\.\d{1,20})?)(h|ms|m|s|us|µs|ns)/g)) {
    seconds += Number(count) * secondsBy[unit as keyof typeof secondsBy];
  }
  return Math.round(seconds * 1000);
}

/**
 * How long the service asks to wait, in milliseconds: `retry-after-ms`, or `retry-after` as seconds or as an HTTP date
 * (RFC 9110, 10.2.3). Undefined when it does not say, or says what makes no sense.
 */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
  const ms = headers['retry-after-ms']?.trim();
  if (ms && Number.isFinite(Number(ms)) && Number(ms) >= 0) return Number(ms);
  const after = headers['retry-after']?.trim();
  if (!after || after.length > longest) return undefined;
  const seconds = Number(after);
  if (Number.isFinite(seconds)) return seconds >= 0 ? readReset(after, now) : undefined;
  // Only a date has letters and a colon: `Date.parse` takes far more than dates.
  return /[a-z][^:]{0,40}:/i.test(after.slice(0, 100)) ? readReset(after, now) : undefined;
}

/** Time until the rate limit that refused a request resets; for a 429 that does not say how long to wait. */
export function resetMs(headers: Headers, now: number): number | undefined {
  const { requests, tokens } = readLimits(headers, now);
  const limits = [requests, tokens].filter((limit) => limit !== undefined);
  const used = limits.filter((limit) => limit.remaining === 0);
  // If no limit is used up, the request was too big for one of them: the minute's, as a rule, not the day's.
  if (used.length > 0) return Math.max(...used.map((limit) => limit.resetMs));
  if (limits.length > 0) return Math.min(...limits.map((limit) => limit.resetMs));
  const bare = ['-requests', '-tokens', ''].flatMap((suffix) =>
    prefixes.map((prefix) => readReset(headers[`${prefix}-reset${suffix}`], now)),
  );
  const known = bare.filter((ms) => ms !== undefined);
  return known.length > 0 ? Math.min(...known) : undefined;
}

const wordedPart =
  /(\d{1,20}(?:\.\d{1,20})?)\s{0,5}(?:(h(?:(?:ou)?rs?)?)|(m(?:in(?:ute)?s?)?)|(s(?:ec(?:ond)?s?)?)|(ms|milliseconds?))(?![a-z])/;
const wordedWait = new RegExp(
  `\\b(?:try again|retry|wait)(?: [a-z ]{0,20}?)??(?: in| after| for)? ((?:${wordedPart.source}(?:,? and |[, ]*))+)`,
  'i',
);

/** A wait that only the words of the service tell: `Please try again in 7m12.5s`, `Try again in 5 seconds`. */
export function waitInWords(message: string): number | undefined {
  const parts = wordedWait.exec(message)?.[1]?.matchAll(new RegExp(wordedPart, 'gi'));
  if (parts === undefined) return undefined;
  let seconds = 0;
  for (const [, count, hours, minutes, , milliseconds] of parts) {
    seconds += Number(count) * (hours ? 3600 : minutes ? 60 : milliseconds ? 0.001 : 1);
  }
  return Math.round(seconds * 1000);
}
