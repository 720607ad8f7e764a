import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';

export type Pieces = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

const packet = 64 * 1024;
export const MB = 1024 * 1024;

/** `text`, at least `bytes` long, in packets. */
export function* repeat(text: string, bytes: number): Generator<string> {
  const each = text.length >= packet ? text : text.repeat(Math.ceil(packet / text.length));
  for (let sent = 0; sent < bytes; sent += each.length) yield each;
}
export const forever = (text: string): Generator<string> => repeat(text, Number.POSITIVE_INFINITY);

/** What `make` gives for 0, 1, 2, … in packets. */
export function* count(make: (n: number) => string, to = Number.POSITIVE_INFINITY): Generator<string> {
  let text = '';
  for (let n = 0; n < to; n++) {
    text += make(n);
    if (text.length < packet) continue;
    yield text;
    text = '';
  }
  yield text;
}

export function* join(
  ...parts: (string | Uint8Array | Iterable<string | Uint8Array>)[]
): Generator<string | Uint8Array> {
  for (const part of parts) {
    if (typeof part === 'string' || part instanceof Uint8Array) yield part;
    else yield* part;
  }
}

/** A head without a length: the body ends with the connection. */
export const head = (type: string, status = '200 OK', headers = ''): string =>
  `HTTP/1.1 ${status}\r\nContent-Type: ${type}\r\nConnection: close\r\n${headers}\r\n`;
export const sse = (headers = ''): string => head('text/event-stream', '200 OK', headers);
export const json = (headers = ''): string => head('application/json', '200 OK', headers);

export const event = (delta: unknown, more: object = {}): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, ...more }] })}\n\n`;
export const done = `${event({}, { finish_reason: 'stop' })}data: [DONE]\n\n`;

/** Under 25 KB that unpack to gigabytes: members of a gzip file may follow each other, so the second coding shrinks them. */
export function gzipTwice(inner: string, times: number): Uint8Array {
  const member = gzipSync(inner);
  return gzipSync(Buffer.alloc(member.length * times, member), { level: 9 });
}

/** One body in a coding, whose text is `part` for so many bytes. */
export function packed(
  coding: 'gzip' | 'deflate' | 'raw' | 'br',
  start: string,
  part: string,
  bytes: number,
): Uint8Array {
  const text = Buffer.from(start + part.repeat(Math.ceil(bytes / part.length)));
  const pack = { gzip: gzipSync, deflate: deflateSync, raw: deflateRawSync, br: brotliCompressSync }[coding];
  return pack(text);
}
