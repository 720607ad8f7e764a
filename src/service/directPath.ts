import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { Agent, type Dispatcher } from 'undici';
import { type Asker, asker, ConnectFailure, createConnector } from './connector.ts';
import { acceptEncoding, decompress } from './decompress.ts';
import { ServiceError } from './errors.ts';
import { networkError } from './networkError.ts';
import { type Answer, type NetworkPath, requestHeaders } from './networkPath.ts';
import { chooseProxy, type ProxyServer, type ProxySettings } from './proxy.ts';
import type { ServiceRequest } from './transport.ts';
import { openUpload } from './upload.ts';

export interface DirectOptions extends ProxySettings {
  /** Certificate authorities in PEM form, called at the first request because reading the system's takes a while. */
  certificates?: () => string[];
  rejectUnauthorized?: boolean;
  /** HTTP/2 where the service offers it. */
  http2?: boolean;
  /** Until a connection stands, in milliseconds; 0: no limit. */
  connectTimeoutMs: number;
}

/** A request on its socket: how many bytes that had given before. */
interface Sent extends Asker {
  socket?: Socket;
  bytesBefore?: number;
}

/**
 * The way by undici's own sockets, everything from one copy of it. `request` rather than `fetch`: it holds no body to send
 * it again, and gives pieces on without a second stream around them.
 */
export function createDirectPath(options: DirectOptions): NetworkPath {
  let agents: { direct: Agent; forward: Agent } | undefined;
  const proxyFor = (address: URL): ProxyServer | undefined => readProxy(address, options);

  async function once(request: ServiceRequest, sent: Sent, onBytes: () => void): Promise<Answer> {
    agents ??= createAgents(options, proxyFor);
    const { protocol, origin, pathname, search, host } = new URL(request.url);
    // To TLS the connector makes a tunnel; without it the proxy itself is asked.
    const proxy = protocol === 'http:' ? proxyFor(new URL(origin)) : undefined;
    const to =
      proxy === undefined
        ? { dispatcher: agents.direct, origin, path: pathname + search, headers: {} }
        : {
            dispatcher: agents.forward,
            origin: proxy.url.origin,
            path: origin + pathname + search,
            headers: { host, ...(proxy.authorization ? { 'proxy-authorization': proxy.authorization } : {}) },
          };
    const { headers, body } = await writeBody(request);
    const answer = await asker
      .run(sent, () =>
        to.dispatcher.request({
          origin: to.origin,
          path: to.path,
          method: request.method,
          headers: { ...requestHeaders(request), 'accept-encoding': acceptEncoding, ...headers, ...to.headers },
          body,
          signal: sent.signal,
        }),
      )
      .catch((error: unknown) => {
        if (proxy === undefined || !(error instanceof ConnectFailure)) throw error;
        throw new ConnectFailure(new ServiceError('proxy', { hint: error.failure.hint }));
      });
    if (answer.statusCode === 407) {
      await answer.body.dump({ limit: 65_536 });
      throw new ConnectFailure(new ServiceError('proxy', { status: 407, hint: '407' }));
    }
    return readAnswer(answer, onBytes);
  }

  return {
    async exchange(request, signal, onBytes) {
      const sent: Sent = { signal, fresh: false };
      try {
        return await stoppable(once(request, sent, onBytes), signal);
      } catch (error) {
        if (!wasStale(error, sent)) throw error;
        return stoppable(once(request, { signal, fresh: false }, onBytes), signal);
      }
    },
    close: async () => {
      await Promise.all([agents?.direct.destroy(), agents?.forward.destroy()]);
    },
  };
}

/** @throws ConnectFailure when the proxy's address is none, or of a kind that only the editor knows (SOCKS) */
function readProxy(address: URL, settings: ProxySettings): ProxyServer | undefined {
  try {
    const proxy = chooseProxy(address, settings);
    if (proxy === undefined || /^https?:$/.test(proxy.url.protocol)) return proxy;
  } catch {
    // Not an address.
  }
  throw new ConnectFailure(new ServiceError('proxy', { hint: 'ERR_INVALID_URL' }));
}

subscribe('undici:client:sendHeaders', (message) => {
  const sent: Sent | undefined = asker.getStore();
  if (sent === undefined || sent.signal.aborted) return;
  sent.socket = (message as { socket: Socket }).socket;
  sent.bytesBefore = sent.socket.bytesRead;
});

/** `forward` is for plain http through a proxy, where the proxy itself is the origin. */
function createAgents(options: DirectOptions, proxyFor: (address: URL) => ProxyServer | undefined) {
  const ca = options.certificates?.();
  const tls = { rejectUnauthorized: options.rejectUnauthorized ?? true, ...(ca === undefined ? {} : { ca }) };
  const allowH2 = options.http2 ?? false;
  const create = (through: typeof proxyFor, h2: boolean): Agent =>
    new Agent({
      connect: createConnector({ tls, allowH2: h2, timeoutMs: options.connectTimeoutMs, proxyFor: through }),
      allowH2: h2,
      // Our own timers tell waiting for the first byte from a stalled stream; undici's five minutes would cut both.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  return { direct: create(proxyFor, allowH2), forward: create(() => undefined, false) };
}

async function writeBody({
  body,
}: ServiceRequest): Promise<{ headers: Record<string, string>; body: string | Readable | null }> {
  if (typeof body !== 'object') return { headers: {}, body: body ?? null };
  const { contentType, contentLength, bytes } = await openUpload(body);
  return {
    headers: { 'content-type': contentType, 'content-length': String(contentLength) },
    body: Readable.from(bytes, { objectMode: false }),
  };
}

function readAnswer({ statusCode, headers, body }: Dispatcher.ResponseData, onBytes: () => void): Answer {
  const names = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return {
    status: statusCode,
    headers: Object.fromEntries(names),
    body: decompress(body, String(headers['content-encoding'] ?? ''), onBytes),
  };
}

/** Rejects as soon as the signal fires; undici does so only once a connection stands or has failed. */
function stoppable(answer: Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/**
 * Whether a service closed a kept connection just when the request was sent on it: the socket was not made for this
 * request, and gave no byte of an answer.
 */
function wasStale(error: unknown, { signal, fresh, socket, bytesBefore }: Sent): boolean {
  if (signal.aborted || fresh || socket === undefined || socket.bytesRead !== bytesBefore) return false;
  return networkError(error, '').kind === 'reset';
}
