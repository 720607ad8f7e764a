import { type ErrorDetails, type ErrorKind, ServiceError } from '../../base/errors.ts';
import { hideKey } from '../apiKey.ts';
import { isWhisperCpp } from '../whisperCpp.ts';
import { betterBaseUrl } from './addressHint.ts';
import { type ErrorBody, jsonIn, readErrorBody, text, unwrap } from './errorBody.ts';
import { kindOf } from './errorKind.ts';
import { htmlTitle, isHtml } from './htmlPage.ts';
import { type Headers, resetMs, retryAfterMs, waitInBody, waitInWords } from './rateLimits.ts';
import { scrub } from './scrub.ts';

/** Pages of gateways and proxies between us and the service, whatever their status says. */
const gatePages =
  /just a moment|attention required|access denied|blocked|captcha|verify you are|sign[ -]?in|log[ -]?in/i;

export interface AnswerContext {
  url: string;
  /** That went along; undefined where there was none. */
  key?: string | undefined;
  /** The environment variable in which a key was looked for in vain. */
  missingVariable?: string | undefined;
  /** Milliseconds since the epoch, for waits that are told as a time. */
  now: number;
}

/**
 * The error for an answer whose status is not 2xx, or whose body says it is an error.
 * `body` is the raw text, as much of it as was read.
 */
export function errorFromAnswer(status: number, headers: Headers, body: string, context: AnswerContext): ServiceError {
  const html = isHtml(body);
  const json = html ? undefined : jsonIn(body);
  const read = json === undefined && !html ? unwrap(body.slice(0, 65_536), 0) : readErrorBody(json);
  const plain = html ? htmlTitle(body) : json === undefined ? text(body) : text(json);
  const words = read ?? { message: plain, type: '', code: '' };
  const wait = waitInBody(json, context.now);
  const isGate = html && (status < 400 || (status === 403 && gatePages.test(plain)));
  const kind = isGate
    ? 'login-page'
    : headers['x-squid-error'] === undefined
      ? passing(kindOf(status, words), wait)
      : 'proxy';
  const isKeyless = kind === 'auth' && context.key === undefined;
  const told = isKeyless ? { ...words, param: context.missingVariable ?? '' } : words;
  const details = {
    status,
    retryAfterMs: waitAsked(kind, words.message, headers, context.now) ?? waitOf(kind, wait),
    requestId: requestIdOf(headers) ?? words.requestId,
    hint: isKeyless ? 'no-key' : hintOf(kind, plain, headers, context.url),
  };
  return serviceError(kind, told, context, details, { true: true, false: false }[headers['x-should-retry'] ?? '']);
}

/**
 * The kind of an error that came inside a stream or a 200 answer: judged by its words, as there is no status.
 * @param json what it was read from, which may tell a wait
 */
export function errorInBody(
  body: ErrorBody,
  context: { url: string; key?: string | undefined },
  json?: unknown,
): ServiceError {
  const status = /^[45]\d\d$/.test(body.code) ? Number(body.code) : 0;
  const wait = waitInBody(json, Date.now());
  const kind = passing(kindOf(status, body), wait);
  return serviceError(kind, body, context, {
    retryAfterMs: waitSaid(kind, body.message) ?? waitOf(kind, wait),
    requestId: body.requestId,
  });
}

/** The longest `failed_generation` that is kept, in characters. */
const failedGenerationLength = 64 * 1024;

/** The longest code that is kept, in characters. */
const longestCode = 100;

function serviceError(
  kind: ErrorKind,
  { message, code, param, failedGeneration }: ErrorBody,
  { url, key = '' }: { url: string; key?: string | undefined },
  details: Pick<ErrorDetails, 'status' | 'retryAfterMs' | 'requestId' | 'hint'>,
  shouldRetry?: boolean,
): ServiceError {
  const clean = (words: string | undefined): string | undefined => (words ? scrub(words, key) : undefined);
  // Request ids are not scrubbed of what looks like a key: many of them do.
  const requestId = /^[\x21-\x7e]{1,100}$/.exec(details.requestId ?? '')?.[0];
  return new ServiceError(
    kind,
    {
      ...details,
      message: clean(message),
      param: clean(param),
      requestId: requestId && hideKey(requestId, key),
      url,
      hint: clean(details.hint),
    },
    {
      failedGeneration: failedGeneration && hideKey(failedGeneration.slice(0, failedGenerationLength), key),
      shouldRetry,
      code: code.slice(0, longestCode),
    },
  );
}

/** A quota for which the service names a wait is a rate limit: Gemini's words are the same for both. */
function passing(kind: ErrorKind, wait: number | undefined): ErrorKind {
  return kind === 'quota' && wait !== undefined ? 'rate-limit' : kind;
}

function waitAsked(kind: ErrorKind, message: string, headers: Headers, now: number): number | undefined {
  const reset = kind === 'rate-limit' ? resetMs(headers, now) : undefined;
  return retryAfterMs(headers, now) ?? reset ?? waitSaid(kind, message);
}
const waitOf = (kind: ErrorKind, wait: number | undefined): number | undefined =>
  kind === 'rate-limit' || kind === 'overloaded' ? wait : undefined;
const waitSaid = (kind: ErrorKind, message: string): number | undefined =>
  kind === 'rate-limit' || kind === 'overloaded' ? waitInWords(message.slice(0, 8_192)) : undefined;

const requestIdNames = [
  'x-request-id',
  'request-id',
  'x-groq-id',
  'apim-request-id',
  'x-ms-request-id',
  'x-amzn-requestid',
  'cf-ray',
];

const requestIdOf = (headers: Headers): string | undefined => requestIdNames.map((name) => headers[name]).find(Boolean);

function hintOf(kind: ErrorKind, plain: string, headers: Headers, url: string): string | undefined {
  if (kind === 'login-page') return plain;
  if (kind === 'proxy') return headers['x-squid-error'] ?? '407';
  if (kind !== 'not-found') return undefined;
  // A server for audio alone, which knows no path but the one it was started with.
  return isWhisperCpp(headers['server']) ? 'whisper.cpp' : betterBaseUrl(url);
}
