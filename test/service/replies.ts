import type { Exchange } from './options.ts';

/** Thrown by the checks; the server turns it into an answer of the OpenAI error shape. */
export class Refusal extends Error {
  status: number;
  body: { error: { message: string; type: string; param: string | null; code: string | null } };
  headers: Record<string, string>;

  constructor(
    status: number,
    message: string,
    about: { type?: string; param?: string; code?: string; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.status = status;
    this.headers = about.headers ?? {};
    this.body = {
      error: {
        message,
        type: about.type ?? 'invalid_request_error',
        param: about.param ?? null,
        code: about.code ?? null,
      },
    };
  }
}

/** A 400 that names the field. */
export function badField(param: string, message: string, code = 'invalid_value'): Refusal {
  return new Refusal(400, message, { param, code });
}

export function sendText(
  exchange: Exchange,
  status: number,
  contentType: string,
  text: string | Buffer,
  headers: Record<string, string> = {},
): void {
  const { response, record } = exchange;
  if (response.headersSent || response.destroyed) return;
  record.status = status;
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': String(Buffer.byteLength(text)),
    'x-request-id': requestId(exchange),
    ...headers,
  });
  response.end(text);
}

export function sendJson(exchange: Exchange, status: number, value: unknown, headers?: Record<string, string>): void {
  sendText(exchange, status, 'application/json', JSON.stringify(value), headers);
}

export function sendRefusal(exchange: Exchange, refusal: Refusal): void {
  sendJson(exchange, refusal.status, refusal.body, refusal.headers);
}

export function requestId(exchange: Exchange): string {
  return `req_${hashText(`${exchange.record.at}${exchange.record.path}${exchange.record.bytes}`).toString(16).padStart(8, '0')}`;
}

/**
 * 32-bit FNV-1a of the UTF-16 code units, its bits mixed once more at the end (as MurmurHash3 does), since FNV's low
 * bits alone are poor. Small, quick, and the same on every machine.
 */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash ^= text.charCodeAt(i);
    hash = Math.imul(hash, 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Resolves after `ms`, or at once when a signal fires. */
export function pause(ms: number, ...signals: AbortSignal[]): Promise<void> {
  if (signals.some((signal) => signal.aborted)) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    for (const signal of signals) signal.addEventListener('abort', done);
  });
}
