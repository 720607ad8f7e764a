import { isHtml } from './htmlPage.ts';

/** The fields of an error body, whatever its shape. */
export interface ErrorBody {
  message: string;
  type: string;
  code: string;
  param?: string;
  /** The model's text that Groq could not use as a tool call or as JSON. */
  failedGeneration?: string;
  requestId?: string;
}

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const text = (value: unknown): string =>
  (typeof value === 'string' && value !== '[object Object]') || typeof value === 'number' ? String(value).trim() : '';
const firstText = (fields: Json, names: readonly string[]): string =>
  names.map((name) => text(fields[name])).find((found) => found !== '') ?? '';

/** Errors within errors are followed this deep. */
const deepest = 5;

/**
 * Reads an error out of a decoded JSON body. The shapes met in the field: `{error: {message, type, code, param}}`,
 * `{error: "text"}`, `{object: "error", message}`, `{detail: "…"}`, `{detail: [{loc, msg}]}`, `[{error}]`,
 * `{errors: [...]}`, `{error: {error}}`, `{message}`, `{title, detail}`, `{x_groq: {error}}`, and each of them written as
 * a string within another; MiniMax's `{base_resp: {status_code, status_msg}}`. Returns undefined when the body holds no error.
 */
export function readErrorBody(body: unknown, depth = 0): ErrorBody | undefined {
  if (depth > deepest) return undefined;
  if (Array.isArray(body)) return readErrorBody(body[0], depth + 1);
  if (!isObject(body)) return undefined;
  const error = body['error'] || (isObject(body['x_groq']) && body['x_groq']['error']) || errorOfChoice(body);
  if (error) return fromError(error, body, depth);
  const state = body['base_resp'];
  if (isObject(state)) return isFailure(state) ? fromFields(state, depth) : undefined;
  if (Array.isArray(body['errors']) && body['errors'].length > 0) return fromError(body['errors'][0], body, depth);
  // A body without the word `error` is an error only if it has no sign of an answer.
  const answers = ['choices', 'data', 'done', 'embedding', 'embeddings'].map((name) => body[name]);
  const isAnswer = answers.some((value) => value !== undefined && value !== null);
  return isAnswer && body['object'] !== 'error' ? undefined : fromFields(body, depth);
}

/** The error of a choice, where the service behind a gateway failed within the answer. */
function errorOfChoice(body: Json): unknown {
  const choices = Array.isArray(body['choices']) ? body['choices'].slice(0, 8) : [];
  return choices.map((choice: unknown) => isObject(choice) && choice['error']).find(Boolean);
}

/** Whether a state that comes with good answers, too, is one of a failure. */
function isFailure(state: Json): boolean {
  const code = text(state['status_code']) || text(state['code']);
  return code !== '' && code !== '0' && code !== '200';
}

/** The value of a member `error`, and the object it stands in. */
function fromError(error: unknown, body: Json, depth: number): ErrorBody | undefined {
  if (isObject(error) && error['error']) {
    const inner = readErrorBody(error, depth + 1);
    if (inner !== undefined) return inner;
  }
  const requestId = text(body['request_id']);
  const more = requestId === '' ? {} : { requestId };
  if (isObject(error)) {
    const read = fromFields(error, depth) ?? fromFields({ ...body, error: undefined }, depth) ?? fromCode(error);
    return read && { ...more, ...read };
  }
  const said = text(Array.isArray(error) ? error[0] : error);
  const beside = fromFields({ ...body, error: undefined }, depth);
  if (said === '')
    return beside ?? (isObject(Array.isArray(error) && error[0]) ? readErrorBody(error, depth) : undefined);
  const read = unwrap(said, depth);
  const type = text(body['error_type']) || beside?.type || '';
  const code = read?.code || text(body['code']) || text(body['error_code']) || (/^\w+$/.test(said) ? said : '');
  return { ...more, message: said, ...beside, ...read, type: read?.type || type, code };
}

const messageNames = [
  ...['message', 'Message', 'msg', 'error_description', 'error_message', 'error_msg', 'errorMessage'],
  ...['errmsg', 'err_msg', 'status_msg'],
];
/** Members in which the reason stands where the message is a formula. */
const reasonNames = ['reason', 'raw', 'details', 'cause', 'innererror', 'inner_error', 'provider_error', 'description'];
/** Messages that say only that something went wrong, as gateways and servers write them. */
const formula =
  /^(?:(?:the )?(?:provider|upstream|backend|model)(?: server| service)? (?:returned|reported|responded with) (?:an |with an )?error|(?:an? )?(?:unknown|internal|unexpected|upstream|server|provider)(?: server)? error(?: (?:has )?occurred)?|(?:an )?error(?: occurred)?|bad (?:request|gateway)|something went wrong|failed)[.!]?$/i;

function fromFields(fields: Json, depth: number): ErrorBody | undefined {
  const inner = innerError(fields, depth);
  const said = firstText(fields, messageNames);
  const message =
    inner?.message ||
    (formula.test(said.slice(0, 200)) && reasonIn(fields, depth)) ||
    said ||
    detailText(fields['detail']) ||
    detailText(fields['message']) ||
    text(fields['title']);
  if (message === '') return undefined;
  const param = text(fields['param']) || inner?.param || detailParam(fields['detail']);
  const failedGeneration = text(fields['failed_generation']) || inner?.failedGeneration;
  const requestId = text(fields['request_id']);
  return {
    message,
    type: inner?.type || firstText(fields, ['type', 'status', '__type', 'error_type']),
    code: inner?.code || firstText(fields, ['code', 'statusCode', 'error_code', 'status_code', 'errcode', 'err_code']),
    ...(param ? { param } : {}),
    ...(failedGeneration ? { failedGeneration } : {}),
    ...(requestId ? { requestId } : {}),
  };
}

/** The error that a gateway got from the service behind it: within `message`, or where OpenRouter puts it. */
function innerError(fields: Json, depth: number): ErrorBody | undefined {
  if (depth >= deepest) return undefined;
  if (isObject(fields['message'])) return readErrorBody(fields['message'], depth + 1);
  const metadata = fields['metadata'];
  const raw = isObject(metadata) ? metadata['raw'] : undefined;
  const upstream = isObject(raw) ? readErrorBody(raw, depth + 1) : unwrap(text(raw), depth);
  return upstream ?? unwrap(firstText(fields, messageNames) || text(fields['detail']), depth);
}

/** The reason that stands beside a formula, in words; a web page is none. */
function reasonIn(fields: Json, depth: number): string {
  for (const name of reasonNames) {
    const value = fields[name];
    const words =
      isObject(value) || Array.isArray(value) ? (readErrorBody(value, depth + 1)?.message ?? '') : text(value);
    if (words !== '' && !isHtml(words)) return words;
  }
  const { metadata } = fields;
  return isObject(metadata) && depth < deepest ? reasonIn(metadata, depth + 1) : '';
}

/** An error without a message is told by its type or code. */
function fromCode(error: Json): ErrorBody | undefined {
  const [type, code] = [text(error['type']) || text(error['status']), text(error['code'])];
  const message = type || code;
  return message === '' ? undefined : { message, type, code };
}

/** Gateways put the JSON of the service behind them into a string, alone or behind words of their own; LiteLLM as Python. */
export function unwrap(message: string, depth: number): ErrorBody | undefined {
  const start = message.search(/[[{]/);
  if (start < 0) return undefined;
  const parsed = parseJson(message.slice(start, message.lastIndexOf(message[start] === '{' ? '}' : ']') + 1));
  const read = readErrorBody(parsed, depth + 1);
  if (read !== undefined || parsed !== undefined) return read;
  const quoted = /['"]message['"]:\s*(?:'((?:[^'\\]|\\.)+)'|"((?:[^"\\]|\\.)+)")/s.exec(message.slice(start));
  const words = quoted?.[1] ?? quoted?.[2];
  if (words === undefined) return undefined;
  const code = /['"]code['"]:\s*['"]?([\w.-]+)/.exec(message)?.[1] ?? '';
  const type = /['"]type['"]:\s*['"]([\w.-]+)/.exec(message)?.[1] ?? '';
  return { message: words.replace(/\\(.)/g, '$1'), type, code: code === 'None' || code === 'null' ? '' : code };
}

/** Problems of fields as FastAPI lists them, as one line. */
function detailText(detail: unknown, depth = 0): string {
  if (depth > deepest) return '';
  if (isObject(detail)) return detailText(detail['detail'], depth + 1) || firstText(detail, [...messageNames, 'error']);
  if (!Array.isArray(detail)) return text(detail);
  return detail
    .slice(0, 8)
    .map((item) =>
      isObject(item) ? [placeOf(item).join('.'), text(item['msg'])].filter(Boolean).join(': ') : text(item),
    )
    .filter(Boolean)
    .join('; ');
}

const placeOf = (item: Json): string[] =>
  Array.isArray(item['loc']) ? item['loc'].slice(0, 8).map(text).filter(Boolean) : [];

function detailParam(detail: unknown): string {
  const first: unknown = Array.isArray(detail) ? detail[0] : undefined;
  const place = isObject(first) ? placeOf(first) : [];
  return place.slice(place[0] === 'body' ? 1 : 0).join('.');
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** The JSON in a body: the whole of it, or of its first line, which may be that of an event. */
export function jsonIn(body: string): unknown {
  const event = /^(?:data:\s*)?([[{].*)$/m.exec(body)?.[1];
  return parseJson(body) ?? (event === undefined ? undefined : parseJson(event));
}
