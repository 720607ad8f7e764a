import { type ErrorKind, ServiceError, scrub } from './errors.ts';

/** What an error body says, whatever its shape. */
export interface ErrorBody {
  message: string;
  type: string;
  code: string;
  param?: string;
}

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

/**
 * Reads an error out of a decoded JSON body. The shapes met in the field: `{error: {message, type, code, param}}`,
 * `{error: "text"}`, `{object: "error", message}`, `{detail: "…"}`, `{detail: [{loc, msg}]}`, `[{error}]`,
 * `{errors: [...]}`, `{message}`, `{title, detail}`, `{x_groq: {error}}`. Returns undefined when the body holds no error.
 */
export function readErrorBody(body: unknown, depth = 0): ErrorBody | undefined {
  if (depth > 4) return undefined;
  if (Array.isArray(body)) return readErrorBody(body[0], depth + 1);
  if (!isObject(body)) return undefined;
  if (isObject(body['error'])) return fromFields(body['error'], depth) ?? fromFields(body, depth);
  if (typeof body['error'] === 'string' && body['error'] !== '') {
    return {
      message: text(body['message']) || body['error'],
      type: text(body['error_type']),
      code: text(body['code']),
    };
  }
  if (isObject(body['x_groq']) && body['x_groq']['error'])
    return readErrorBody({ error: body['x_groq']['error'] }, depth + 1);
  if (Array.isArray(body['errors'])) return readErrorBody({ error: body['errors'][0] }, depth + 1);
  if (body['error'] === undefined || body['object'] === 'error') return fromFields(body, depth);
  return undefined;
}

function fromFields(fields: Json, depth: number): ErrorBody | undefined {
  const nested = isObject(fields['message']) ? readErrorBody(fields['message'], depth + 1) : undefined;
  const message =
    nested?.message ?? unwrap(text(fields['message']) || detailText(fields['detail']) || text(fields['title']), depth);
  if (message === '') return undefined;
  const param = text(fields['param']);
  const body: ErrorBody = {
    message,
    type: text(fields['type']) || text(fields['status']),
    code: text(fields['code']),
  };
  return param === '' ? body : { ...body, param };
}

/** Gateways put the JSON of the service behind them into `message` as a string. */
function unwrap(message: string, depth: number): string {
  if (!message.startsWith('{')) return message;
  try {
    return readErrorBody(JSON.parse(message), depth + 1)?.message ?? message;
  } catch {
    return message;
  }
}

function detailText(detail: unknown): string {
  if (!Array.isArray(detail)) return text(detail);
  return detail
    .filter(isObject)
    .map((item) =>
      [Array.isArray(item['loc']) ? item['loc'].join('.') : '', text(item['msg'])].filter(Boolean).join(': '),
    )
    .join('; ');
}

const htmlStart = /^\s*(<!doctype html|<html|<head|<body)/i;

/** Whether a body is a web page: a login page of a proxy, or the error page of a gateway. */
export function isHtml(body: string): boolean {
  return htmlStart.test(body);
}

/** The title of a web page, as one line. */
export function htmlTitle(body: string): string {
  return scrub(/<title[^>]*>([^<]*)/i.exec(body)?.[1] ?? '');
}

/**
 * The error for an answer whose status is not 2xx, or whose body says it is an error.
 * `body` is the raw text, at most some kilobytes of it.
 */
export function errorFromAnswer(
  status: number,
  headers: Readonly<Record<string, string | undefined>>,
  body: string,
  context: { url: string; key?: string | undefined; retryAfterMs?: number | undefined },
): ServiceError {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    parsed = undefined;
  }
  const read = readErrorBody(parsed);
  const plain = isHtml(body) ? htmlTitle(body) : parsed === undefined ? body : '';
  const kind =
    isHtml(body) && status < 400 ? 'login-page' : kindOf(status, read ?? { message: plain, type: '', code: '' });
  return new ServiceError(kind, {
    status,
    message: scrub(read?.message ?? plain, context.key),
    param: read?.param === undefined ? undefined : scrub(read.param, context.key),
    retryAfterMs: context.retryAfterMs,
    requestId: headers['x-request-id'] ?? headers['request-id'],
    url: context.url,
    hint: kind === 'login-page' ? plain : undefined,
  });
}

/** The kind of an error that came inside a stream or a 200 answer: judged by its words, as there is no status. */
export function errorInBody(body: ErrorBody, context: { url: string; key?: string | undefined }): ServiceError {
  const status = /^[45]\d\d$/.test(body.code) ? Number(body.code) : 500;
  return new ServiceError(kindOf(status, body), {
    message: scrub(body.message, context.key),
    param: body.param,
    url: context.url,
  });
}

const quotaWords = /insufficient_quota|billing|credit|payment|quota exceeded|exceeded your current quota/i;
const contextWords =
  /context_length|exceed_context_size|maximum context|context (length|window|size)|too many (input )?tokens|prompt is too long|reduce the length|input is too long/i;
const rateWords = /rate.?limit|too many requests|tokens per (minute|day)|requests per/i;
const modelWords =
  /model_not_found|model .{0,80}(not found|does not exist|not exist|decommissioned)|unknown model|no such model|invalid model/i;
const filterWords = /content_filter|content management policy|content policy|safety system/i;

function kindOf(status: number, body: ErrorBody): ErrorKind {
  const words = `${body.type} ${body.code} ${body.message}`;
  if (status === 401) return 'auth';
  if (status === 402) return 'quota';
  if (status === 403) return 'permission';
  if (status === 407) return 'proxy';
  if (status === 429) return quotaWords.test(words) && !rateWords.test(body.message) ? 'quota' : 'rate-limit';
  if (status === 413) return rateWords.test(words) ? 'rate-limit' : 'too-large';
  if (status === 404) return modelWords.test(words) ? 'model-not-found' : 'not-found';
  if (status === 408 || status === 504) return 'timeout';
  if (status === 498 || status === 503 || status === 529) return 'overloaded';
  if (filterWords.test(words)) return 'content-filter';
  if (contextWords.test(words) && !rateWords.test(words)) return 'context-length';
  if (modelWords.test(words)) return 'model-not-found';
  if (rateWords.test(words)) return 'rate-limit';
  if (quotaWords.test(words)) return 'quota';
  if (/invalid_api_key|incorrect api key|unauthorized|authentication/i.test(words)) return 'auth';
  if (/overloaded|over capacity|capacity_exceeded/i.test(words)) return 'overloaded';
  return status >= 500 ? 'server' : status >= 400 ? 'bad-request' : 'malformed';
}
