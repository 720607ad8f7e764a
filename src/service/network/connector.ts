import { AsyncLocalStorage } from 'node:async_hooks';
import { isIP, connect as openSocket, type Socket } from 'node:net';
import { type ConnectionOptions, connect as startTls } from 'node:tls';
import type { buildConnector } from 'undici';
import { ServiceError } from '../../base/errors.ts';
import { networkError } from '../errors/networkError.ts';
import type { ProxyServer } from './proxy.ts';

/** The request for which undici makes a connection. */
export interface Asker {
  readonly signal: AbortSignal;
  /** Whether a connection was made for it. */
  fresh: boolean;
}

/**
 * Tells the connector which request asks. undici makes a connection in the asynchronous context of the request that needs it, but
 * does not give up one whose request was stopped: it would linger until its own timeout.
 */
export const asker = new AsyncLocalStorage<Asker>();

/** The error of a connection that could not be made: nothing was sent. `failure` has no address yet. */
export class ConnectFailure extends Error {
  readonly failure: ServiceError;
  constructor(failure: ServiceError) {
    super(failure.kind);
    this.failure = failure;
  }
}

/** A certificate of this machine and its key, in PEM form. */
export interface ClientCertificate {
  readonly cert: Buffer;
  readonly key: Buffer;
}

export interface ConnectorOptions {
  tls: ConnectionOptions;
  /** Time limit for the connection with its tunnel and TLS, in milliseconds; 0: no limit. */
  timeoutMs: number;
  /** The protocol that is spoken: HTTP/2 only with services that speak nothing else. */
  protocol?: 'http/1.1' | 'h2';
  /** The certificate by which this machine is known to a service that wants one. */
  certificateFor?: (address: URL) => Promise<ClientCertificate | undefined>;
  /** The proxy through which TLS to an address is tunnelled. */
  proxyFor: (address: URL) => ProxyServer | undefined;
}

/** Makes connections for undici: through a proxy where there is one, and closed at once when their request is stopped. */
export function createConnector(options: ConnectorOptions): buildConnector.connector {
  return (target, callback) => {
    const request = asker.getStore();
    const opening = new AbortController();
    const onStop = (): void => opening.abort(new ServiceError('cancelled'));
    // A connection may be made again in the context of a request that has long ended: then no signal stops it.
    const signal = request?.signal.aborted ? undefined : request?.signal;
    if (request) request.fresh = true;
    signal?.addEventListener('abort', onStop, { once: true });
    const timer =
      options.timeoutMs === 0
        ? undefined
        : setTimeout(() => opening.abort(new ServiceError('timeout', { hint: 'connect' })), options.timeoutMs);
    open(target, options, opening.signal)
      .finally(() => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onStop);
      })
      .then(
        (socket) => callback(null, options.protocol === 'h2' ? socket : readInSlices(withoutContinue(socket))),
        (error: unknown) =>
          callback(error instanceof ConnectFailure ? error : new ConnectFailure(networkError(error, '')), null),
      );
  };
}

/** Bytes that are parsed in one go. */
const sliceSize = 4 * 1024;

/**
 * undici parses what a read gives to its end, even where a head that is too large has failed in the middle, with two
 * errors for each further header: of 64 KB that took a tenth of a second.
 */
function readInSlices(socket: Socket): Socket {
  const read = socket.read.bind(socket);
  socket.read = (size) =>
    socket.destroyed ? null : read(size ?? (Math.min(socket.readableLength, sliceSize) || undefined));
  return socket;
}

/** The beginning of an interim answer, of 12 bytes: `HTTP/1.1 1` and two digits more. */
const interim = /^HTTP\/1\.[01] 1(\d\d)/;

/**
 * undici ends a connection on which `100 Continue` comes that it did not ask for, which a client has to read over (RFC 9110, 15.2.1).
 * It reads over `103 Early Hints`, so the one becomes the other, at the start of an answer alone.
 */
function withoutContinue(socket: Socket): Socket {
  const [read, write] = [socket.read.bind(socket), socket.write.bind(socket) as (...all: unknown[]) => boolean];
  let isAwaited = true;
  socket.write = (...all: unknown[]): boolean => {
    isAwaited = true;
    return write(...all);
  };
  socket.read = (size) => {
    const bytes: unknown = read(size);
    if (!isAwaited || !Buffer.isBuffer(bytes)) return bytes;
    let at = 0;
    for (;;) {
      const found = interim.exec(bytes.toString('latin1', at, at + 12));
      if (found === null) break;
      if (found[1] === '00') bytes.write('103', at + 9, 'latin1');
      const end = bytes.indexOf('\r\n\r\n', at);
      if (end < 0) return bytes;
      at = end + 4;
    }
    isAwaited = at === bytes.length;
    return bytes;
  };
  return socket;
}

async function open(
  { protocol, hostname, host, port, servername }: buildConnector.Options,
  { tls, proxyFor, certificateFor, protocol: spoken = 'http/1.1' }: ConnectorOptions,
  signal: AbortSignal,
): Promise<Socket> {
  const secure = protocol === 'https:';
  const portNumber = Number(port || (secure ? 443 : 80));
  const address = secure ? new URL(`https://${host ?? hostname}`) : undefined;
  const proxy = address && proxyFor(address);
  const certificate = address && (await certificateFor?.(address));
  const name = isIP(hostname) ? '' : (servername ?? hostname);
  const socket =
    proxy === undefined
      ? await ready(openSocket({ host: hostname, port: portNumber, ...socketOptions }), 'connect', signal)
      : await openTunnel(proxy, `${isIP(hostname) === 6 ? `[${hostname}]` : hostname}:${portNumber}`, tls, signal);
  if (!secure) return socket;
  const connected = await ready(
    startTls({ ...tls, ...certificate, ALPNProtocols: [spoken], host: hostname, servername: name, socket }),
    'secureConnect',
    signal,
  );
  // With TLS 1.3 a refusal comes after the connection is made, and undici tells only that the other side closed.
  return connected.once('error', (error) => refusals.set(connected, error));
}

const refusals = new WeakMap<Socket, unknown>();

/** Why the other side ended a connection over TLS, where it said so; what was sent on it was not read. */
export function refusalOf(socket: Socket | undefined): ServiceError | undefined {
  const error = socket === undefined ? undefined : refusals.get(socket);
  const failure = error === undefined ? undefined : networkError(error, '');
  return failure?.kind === 'tls' ? failure : undefined;
}

const socketOptions = { noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 };

/** A connection to `authority` (host:port) through a proxy (RFC 9110, 9.3.6). Only the proxy's own credentials are sent. */
async function openTunnel(
  { url, authorization }: ProxyServer,
  authority: string,
  tls: ConnectionOptions,
  signal: AbortSignal,
): Promise<Socket> {
  try {
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
    let socket = await ready(openSocket({ host, port, ...socketOptions }), 'connect', signal);
    if (url.protocol === 'https:') {
      const name = isIP(host) ? '' : host;
      socket = await ready(startTls({ ...tls, host, servername: name, socket }), 'secureConnect', signal);
    }
    const credentials = authorization === undefined ? '' : `Proxy-Authorization: ${authorization}\r\n`;
    socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${credentials}\r\n`);
    const status = await readStatus(socket, signal);
    if (status >= 200 && status < 300) return socket;
    socket.destroy();
    throw new ServiceError('proxy', { status, hint: String(status) });
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw new ServiceError('proxy', { hint: networkError(error, '').hint });
  }
}

/** The status of a proxy's answer to CONNECT, of which at most 16 KB are read; what comes after its head stays unread. */
async function readStatus(socket: Socket, signal: AbortSignal): Promise<number> {
  let head = Buffer.alloc(0);
  for (;;) {
    await ready(socket, 'readable', signal);
    for (let bytes = socket.read() as Buffer | null; bytes !== null; bytes = socket.read() as Buffer | null) {
      head = Buffer.concat([head, bytes]);
    }
    const end = head.indexOf('\r\n\r\n');
    const status = /^HTTP\/1\.[01] (\d{3})/.exec(head.toString('latin1', 0, 12))?.[1];
    if (end >= 0 && status !== undefined) {
      if (head.length > end + 4) socket.unshift(head.subarray(end + 4));
      return Number(status);
    }
    if (end >= 0 || head.length > 16_384 || socket.readableEnded || socket.destroyed) {
      socket.destroy();
      throw new ServiceError('proxy', { hint: 'CONNECT' });
    }
  }
}

/** Waits for an event of a socket; when it fails or the signal fires first, the socket is closed. */
function ready<T extends Socket>(socket: T, event: string, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      socket.off(event, onEvent).off('error', onError).off('close', onClose);
      signal.removeEventListener('abort', onAbort);
    };
    const onEvent = (): void => {
      settle();
      resolve(socket);
    };
    const onError = (error: unknown): void => {
      settle();
      // Errors of a socket that was given up are ignored.
      socket.on('error', () => undefined).destroy();
      reject(error);
    };
    const onClose = (): void => onError(Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
    const onAbort = (): void => onError(signal.reason);
    socket.on(event, onEvent).on('error', onError).on('close', onClose);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
}
