/** Headers by their names in lower case. */
export type Headers = Readonly<Record<string, string | undefined>>;

/** The rest of one rate limit. */
export interface Limit {
  /** Requests or tokens that may still be used. */
  remaining: number;
  /** Of how many, where the service says so. */
  limit?: number;
  /** Milliseconds until the rate limit resets, where the service says so: Azure and Mistral do not. */
  resetMs?: number;
}

/** The rate limits that a service tells of in its headers. A plain `x-ratelimit-remaining` is taken for requests. */
export interface Limits {
  requests?: Limit;
  tokens?: Limit;
}

const prefixes = ['x-ratelimit', 'ratelimit', 'anthropic-ratelimit'];

/** The header with one number of a limit, which services name in two orders: `x-ratelimit-reset-tokens`, `anthropic-ratelimit-tokens-reset`. */
function headerOf(
  headers: Headers,
  prefix: string,
  of: 'limit' | 'remaining' | 'reset',
  what: string,
): string | undefined {
  if (what === '') return headers[`${prefix}-${of}`];
  return headers[`${prefix}-${of}-${what}`] ?? headers[`${prefix}-${what}-${of}`];
}

/**
 * Reads `x-ratelimit-remaining-*` and `x-ratelimit-reset-*` (OpenAI, Groq, Azure, OpenRouter; Cerebras and Mistral with the time behind
 * it: `tokens-minute`), and the same without `x-`.
 * @param now milliseconds since the epoch, for resets that are a time
 */
export function readLimits(headers: Headers, now: number): Limits {
  const requests = readFirst(headers, requestNames, now) ?? readDraftLimit(headers);
  const tokens = readFirst(headers, tokenNames, now);
  return { ...(requests === undefined ? {} : { requests }), ...(tokens === undefined ? {} : { tokens }) };
}

/** What a limit is of. That of a minute is used up first. */
const requestNames = ['requests', 'requests-minute', 'req-minute', 'requests-day', ''];
const tokenNames = ['tokens', 'tokens-minute', 'tokens-day'];

/** The first one that says when it resets; else the first one. */
function readFirst(headers: Headers, names: readonly string[], now: number): Limit | undefined {
  const found = names.flatMap((name) => readLimit(headers, name, now) ?? []);
  return found.find(({ resetMs }) => resetMs !== undefined) ?? found[0];
}

function readLimit(headers: Headers, what: string, now: number): Limit | undefined {
  for (const prefix of prefixes) {
    const left = headerOf(headers, prefix, 'remaining', what)?.trim();
    const resetMs = readReset(headerOf(headers, prefix, 'reset', what), now);
    if (left === undefined || !isCount.test(left)) continue;
    const all = headerOf(headers, prefix, 'limit', what)?.trim() ?? '';
    const limit = isCount.test(all) ? { limit: Number(all) } : {};
    return { remaining: Number(left), ...limit, ...(resetMs === undefined ? {} : { resetMs }) };
  }
  return undefined;
}

const isCount = /^\d{1,15}(?:\.\d{1,15})?$/;

/** A limit in one header, as the newer drafts of the IETF have it: `ratelimit: "default";r=0;t=9`, with seconds. */
function readDraftLimit(headers: Headers): Limit | undefined {
  const parts = /;\s*r=(\d{1,12})\s*;\s*t=(\d{1,9})/.exec(headers['ratelimit']?.slice(0, 1_000) ?? '');
  return parts === null ? undefined : { remaining: Number(parts[1]), resetMs: Number(parts[2]) * 1000 };
}

/** The longest value that can be a time or a date, in characters. */
const longest = 100;

const secondsBy = { d: 86_400, h: 3600, m: 60, s: 1, ms: 0.001, us: 1e-6, µs: 1e-6, ns: 1e-9 } as const;
const goDuration = /^(?:\d+(?:\.\d+)?(?:d|h|ms|m|s|us|µs|ns)(?: (?=\d))?)+$/;

/**
 * A reset in any of its forms, as milliseconds from now: a duration as Go writes it (`2m59.56s`, `20ms`; also `1d2h`), seconds, the
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
  for (const [, count, unit] of text.matchAll(/(\d{1,20}(?:\.\d{1,20})?)(d|h|ms|m|s|us|µs|ns)/g)) {
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
  if (goDuration.test(after)) return readDuration(after);
  // Only a date has letters and a colon: `Date.parse` takes far more than dates.
  return /[a-z][^:]{0,40}:/i.test(after.slice(0, 100)) ? readReset(after, now) : undefined;
}

/** Time until the rate limit that refused a request resets; for a 429 that does not say how long to wait. */
export function resetMs(headers: Headers, now: number): number | undefined {
  const { requests, tokens } = readLimits(headers, now);
  const limits = [requests, tokens].flatMap((limit) =>
    limit?.resetMs === undefined ? [] : [{ remaining: limit.remaining, resetMs: limit.resetMs }],
  );
  const used = limits.filter((limit) => limit.remaining === 0);
  // If no limit is used up, the request was too big for one of them: the minute's, as a rule, not the day's.
  if (used.length > 0) return Math.max(...used.map((limit) => limit.resetMs));
  if (limits.length > 0) return Math.min(...limits.map((limit) => limit.resetMs));
  const bare = [...requestNames, ...tokenNames, 'input-tokens', 'output-tokens'].flatMap((what) =>
    prefixes.map((prefix) => readReset(headerOf(headers, prefix, 'reset', what), now)),
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

/** Names of members that hold a wait, in lower case and without marks between words, and the milliseconds of their unit. */
const waitNames: Readonly<Record<string, number>> = {
  retrydelay: 1000,
  retryafter: 1000,
  retryafterseconds: 1000,
  retryafterms: 1,
  retryin: 1000,
  resetinseconds: 1000,
};
/** Members of an error that are looked into, and how deep. */
const [mostMembers, deepestMember] = [32, 5];

/**
 * A wait that a member of an error body tells: Gemini's `error.details[].retryDelay` (`"17s"`), `retry_after` in seconds, or the
 * headers of the service behind a gateway, as OpenRouter has them in `error.metadata.headers`. In milliseconds.
 */
export function waitInBody(body: unknown, now: number, depth = 0): number | undefined {
  if (typeof body !== 'object' || body === null || depth > deepestMember) return undefined;
  for (const [name, value] of Object.entries(body).slice(0, mostMembers)) {
    const unit = waitNames[name.toLowerCase().replace(/[_-]/g, '')];
    const wait =
      unit === undefined
        ? waitInMember(name, value, now, depth)
        : typeof value === 'number' && value >= 0
          ? value * unit
          : retryAfterMs({ 'retry-after': text(value) }, now);
    if (wait !== undefined) return wait;
  }
  return undefined;
}

function waitInMember(name: string, value: unknown, now: number, depth: number): number | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (name.toLowerCase() !== 'headers') return waitInBody(value, now, depth + 1);
  const entries = Object.entries(value).slice(0, mostMembers);
  const headers = Object.fromEntries(entries.map(([header, each]) => [header.toLowerCase(), text(each)]));
  return retryAfterMs(headers, now) ?? resetMs(headers, now);
}

const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, longest) : '';
