import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { Agent, type Dispatcher } from 'undici';
import { ServiceError } from '../../base/errors.ts';
import { networkError } from '../errors/networkError.ts';
import type { ServiceRequest } from '../request.ts';
import { readClientCertificate } from './clientCertificate.ts';
import { type Asker, asker, ConnectFailure, createConnector, refusalOf } from './connector.ts';
import { acceptEncoding, decompress } from './decompress.ts';
import { type NetworkPath, type PathResponse, requestHeaders } from './networkPath.ts';
import { chooseProxy, type ProxyServer, type ProxySettings } from './proxy.ts';
import { openUpload } from './upload.ts';

export interface DirectOptions extends ProxySettings {
  /** Certificate authorities in PEM form, called at the first request because reading the system's takes a while. */
  certificates?: () => string[];
  rejectUnauthorized?: boolean;
  /** The paths of certificate and key by which this machine is known, by the origin of the service that wants them. */
  clientCertificates?: Readonly<Record<string, unknown>>;
  /** Time limit for a connection, in milliseconds; 0: no limit. */
  connectTimeoutMs: number;
}

/** The most interim answers (RFC 9110, 15.2) before the answer; servers send one or two. */
const maxInterimAnswers = 100;

/** A request that was sent, its socket, and the bytes that socket had received before. */
interface Sent extends Asker {
  socket?: Socket;
  bytesBefore?: number;
}

/**
 * The way by undici's own sockets, all of them from one copy of undici. `request` rather than `fetch`: it holds no body to send
 * it again, and gives pieces on without a second stream around them.
 */
export function createDirectPath(options: DirectOptions): NetworkPath {
  let agents: { direct: Agent; forward: Agent; http2: Agent } | undefined;
  /** Origins that speak HTTP/2 alone. */
  const http2Origins = new Set<string>();
  const proxyFor = (address: URL): ProxyServer | undefined => readProxy(address, options);

  async function once(request: ServiceRequest, sent: Sent, onBytes: () => void): Promise<PathResponse> {
    agents ??= createAgents(options, proxyFor);
    const { protocol, origin, pathname, search, host } = new URL(request.url);
    // The connector makes a tunnel for TLS; without TLS the proxy itself is asked.
    const proxy = protocol === 'http:' ? proxyFor(new URL(origin)) : undefined;
    const to =
      proxy === undefined
        ? {
            dispatcher: http2Origins.has(origin) ? agents.http2 : agents.direct,
            origin,
            path: pathname + search,
            headers: {},
          }
        : {
            dispatcher: agents.forward,
            origin: proxy.url.origin,
            path: origin + pathname + search,
            headers: { host, ...(proxy.authorization ? { 'proxy-authorization': proxy.authorization } : {}) },
          };
    const { headers, body } = await writeBody(request);
    let interimAnswers = 0;
    const answer = await asker
      .run(sent, () =>
        to.dispatcher.request({
          origin: to.origin,
          path: to.path,
          method: request.method,
          headers: { ...requestHeaders(request), 'accept-encoding': acceptEncoding, ...headers, ...to.headers },
          body,
          signal: sent.signal,
          // The most chunks of one byte that one turn of the event loop takes in.
          highWaterMark: 16 * 1024,
          // An error thrown here ends the request.
          onInfo: () => {
            if (++interimAnswers > maxInterimAnswers)
              throw new ServiceError('malformed', { url: request.url, hint: '1xx' });
          },
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
    return readAnswer(answer, onBytes, sent.signal);
  }

  return {
    async exchange(request, signal, onBytes) {
      const sent: Sent = { signal, fresh: false };
      try {
        return await stoppable(once(request, sent, onBytes), signal);
      } catch (error) {
        const { origin } = new URL(request.url);
        const isHttp2 = refusesHttp1(error) && !http2Origins.has(origin);
        if (isHttp2) http2Origins.add(origin);
        else if (!wasStale(error, sent)) throw asRefused(error, sent, request.url);
        return stoppable(once(request, { signal, fresh: false }, onBytes), signal);
      }
    },
    close: async () => {
      await Promise.all([agents?.direct.destroy(), agents?.forward.destroy(), agents?.http2.destroy()]);
    },
  };
}

/** @throws ConnectFailure when the proxy's address is invalid, or of a kind that only the editor knows (SOCKS) */
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
  const certificateFor = (address: URL) => readClientCertificate(address, options.clientCertificates ?? {});
  const create = (through: typeof proxyFor, protocol: 'http/1.1' | 'h2' = 'http/1.1'): Agent =>
    new Agent({
      connect: createConnector({
        tls,
        timeoutMs: options.connectTimeoutMs,
        protocol,
        certificateFor,
        proxyFor: through,
      }),
      // undici's own default would speak HTTP/2, which nothing was found to gain from.
      allowH2: protocol === 'h2',
      // Our own timers tell waiting for the first byte from a stalled stream; undici's five minutes would cut both.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  return { direct: create(proxyFor), forward: create(() => undefined), http2: create(proxyFor, 'h2') };
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

function readAnswer(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  onBytes: () => void,
  signal: AbortSignal,
): PathResponse {
  const names = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return {
    status: statusCode,
    headers: Object.fromEntries(names),
    body: decompress(body, String(headers['content-encoding'] ?? ''), onBytes, signal),
  };
}

/** Rejects as soon as the signal fires; undici does so only once a connection is made or has failed. */
function stoppable(answer: Promise<PathResponse>, signal: AbortSignal): Promise<PathResponse> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** The error of a request, or why the service refused the connection on which it was sent. */
function asRefused(error: unknown, { socket }: Sent, url: string): unknown {
  const refusal = refusalOf(socket);
  return refusal === undefined ? error : new ServiceError('tls', { ...refusal.toJSON(), url });
}

/** Whether a service speaks HTTP/2 alone, which it says before anything is sent. */
function refusesHttp1(error: unknown): boolean {
  return error instanceof ConnectFailure && /NO_APPLICATION_PROTOCOL/.test(error.failure.hint ?? '');
}

/**
 * Whether a service closed a kept connection just when the request was sent on it: the socket was not made for this
 * request, and gave no byte of an answer.
 */
function wasStale(error: unknown, { signal, fresh, socket, bytesBefore }: Sent): boolean {
  if (signal.aborted || fresh || socket === undefined || socket.bytesRead !== bytesBefore) return false;
  return networkError(error, '').kind === 'reset';
}
