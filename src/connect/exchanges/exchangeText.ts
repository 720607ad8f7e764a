import { fenced } from '../../base/codeFence.ts';
import { hideKey, hideWholeKey, placeholder } from '../../service/apiKey.ts';
import { prettyJson, safeUrl } from './copyAs.ts';
import type { Exchange } from './exchangeList.ts';

/** Words of the written form, in the user's language. */
export interface ExchangeWords {
  readonly request: string;
  readonly answer: string;
  readonly cut: string;
  readonly none: string;
  /** How it went, in one line. */
  readonly summary: string;
  /** The content of a file that was sent. */
  readonly file: string;
}

/** Headers of an answer whose values are for nobody to read. */
const secretHeaders = /cookie|authorization|token|secret|api-?key/i;

/** A request and its answer as a document of Markdown, without the key. */
export function exchangeText(exchange: Exchange, words: ExchangeWords): string {
  const { method, key, accept, body, answer, headers = {}, isCut } = exchange;
  const secret = key?.reveal() ?? '';
  const sent = [
    `accept: ${accept}`,
    ...(key === undefined ? [] : [`authorization: Bearer ${placeholder}`]),
    ...(body?.kind === 'json' ? ['content-type: application/json'] : []),
    ...(body?.kind === 'form' ? ['content-type: multipart/form-data'] : []),
  ];
  const received = Object.entries(headers).map(
    ([name, value = '']) => `${name}: ${secretHeaders.test(name) ? '[…]' : value}`,
  );
  const parts = [
    `# ${method} ${safeUrl(exchange)}`,
    words.summary,
    `## ${words.request}`,
    fenced(sent.join('\n'), 'http'),
    ...bodyText(exchange, words),
    `## ${words.answer}`,
    ...(received.length === 0 ? [] : [fenced(hideKey(received.join('\n'), secret), 'http')]),
    answer === '' ? words.none : codeOf(hideKey(answer, secret)),
    ...(isCut ? [words.cut] : []),
  ];
  // What is sent is our own, and may be long: a service alone cuts a key short.
  return `${hideWholeKey(parts.join('\n\n'), secret)}\n`;
}

function bodyText({ body }: Exchange, { file: content }: ExchangeWords): string[] {
  if (body === undefined) return [];
  if (body.kind === 'json') return [codeOf(body.text)];
  const { field, name, contentType } = body.file;
  const lines = [...body.fields.map(([member, value]) => `${member}: ${value}`), `${field}: ${name} (${contentType})`];
  return [fenced(lines.join('\n'), 'text'), content];
}

function codeOf(text: string): string {
  const pretty = prettyJson(text);
  return /^\s*[[{]/.test(text) && pretty !== text ? fenced(pretty, 'json') : fenced(text, 'text');
}
