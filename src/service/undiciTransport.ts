import { Readable } from 'node:stream';
import { type Dispatcher, EnvHttpProxyAgent, fetch, request as sendRequest } from 'undici';
import { errorFromAnswer } from './errorBody.ts';
import { ServiceError } from './errors.ts';
import { isConnectFailure, networkError } from './networkError.ts';
import { createPhaseTimer, type PhaseTimer } from './phaseTimer.ts';
import { type Clock, defaultRetry, type RetryPolicy, retryAfterMs, withRetry } from './retry.ts';
import { readText, type ServiceRequest, type ServiceResponse, type Transport, type Upload } from './transport.ts';
import { openUpload } from './upload.ts';

/** How long each phase may take, in milliseconds. None bounds an answer that is still coming. */
export interface Timeouts {
  connect: number;
  /** From the request until the first byte of the answer. Generous: a model on one's own machine reads slowly. */
  firstByte: number;
  /** The same where a file is sent first: it is the time to send it, too. */
  upload: number;
  /** Between two pieces of an answer. */
  idle: number;
}
export const defaultTimeouts: Timeouts = { connect: 15_000, firstByte: 300_000, upload: 3_600_000, idle: 120_000 };

export interface TransportOptions {
  timeouts?: Timeouts;
  retry?: RetryPolicy;
  clock: Clock;
  /** Proxy for all hosts but `noProxy` and this machine; undefined: from HTTP_PROXY, HTTPS_PROXY, NO_PROXY. */
  proxy?: string | undefined;
  noProxy?: readonly string[];
  /** Certificate authorities in PEM form, called at the first request because reading the system's takes a while. */
  certificates?: () => string[];
  rejectUnauthorized?: boolean;
  /** One line a request: method, address, status, milliseconds. Never a header or a body. */
  log?: (line: string) => void;
}

/**
 * The transport of Parley: undici, everything from one copy, since a dispatcher and a fetch of different copies do not fit
 * together. Redirects are not followed: the key would go along.
 */
export function createTransport(options: TransportOptions): Transport {
  const timeouts = options.timeouts ?? defaultTimeouts;
  let agent: EnvHttpProxyAgent | undefined;

  async function attempt(request: ServiceRequest, signal: AbortSignal): Promise<ServiceResponse> {
    agent ??= createAgent(options, timeouts);
    const started = options.clock.now();
    const timer = createPhaseTimer(signal);
    try {
      timer.start(typeof request.body === 'object' ? timeouts.upload : timeouts.firstByte);
      const answer = await exchange(request, agent, timer.signal);
      const { headers } = answer;
      options.log?.(`${request.method} ${request.url} ${answer.status} ${options.clock.now() - started} ms`);
      const response = {
        status: answer.status,
        headers,
        url: request.url,
        body: readBody(answer.body, timer, timeouts.idle, request.url),
      };
      if (answer.status >= 200 && answer.status < 300) return response;
      throw await refusal(response, request, options.clock);
    } catch (error) {
      timer.stop();
      if (error instanceof ServiceError) throw error;
      const failure = timer.failure(request.url) ?? networkError(error, request.url);
      options.log?.(`${request.method} ${request.url} ${failure.kind} ${options.clock.now() - started} ms`);
      throw Object.assign(failure, { beforeSending: isConnectFailure(error) });
    }
  }

  return {
    send: (request, signal) =>
      withRetry(
        (inner) => attempt(request, inner),
        { ...defaultRetry, ...options.retry, onWait: request.onWait },
        options.clock,
        signal,
      ),
    close: async () => agent?.destroy(),
  };
}

function createAgent(options: TransportOptions, timeouts: Timeouts): EnvHttpProxyAgent {
  const ca = options.certificates?.();
  const tls = { rejectUnauthorized: options.rejectUnauthorized ?? true, ...(ca === undefined ? {} : { ca }) };
  const noProxy = [
    'localhost',
    '127.0.0.1',
    '::1',
    ...(options.noProxy ?? [process.env['NO_PROXY'] ?? process.env['no_proxy'] ?? '']),
  ];
  return new EnvHttpProxyAgent({
    ...(options.proxy ? { httpProxy: options.proxy, httpsProxy: options.proxy } : {}),
    noProxy: noProxy.filter(Boolean).join(','),
    connect: { timeout: timeouts.connect, ...tls },
    requestTls: tls,
    proxyTls: tls,
    // Our own timers tell waiting for the first byte from a stalled stream; undici's five minutes would cut both.
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
  });
}

function requestHeaders(request: ServiceRequest): Record<string, string> {
  return {
    accept: request.accept ?? 'application/json',
    'user-agent': 'parley',
    ...(request.apiKey === undefined ? {} : { authorization: `Bearer ${request.apiKey.reveal()}` }),
    ...(typeof request.body === 'string' ? { 'content-type': 'application/json' } : {}),
  };
}

type Answer = Pick<ServiceResponse, 'status' | 'headers'> & { body: AsyncIterable<Uint8Array> | null };

async function exchange(request: ServiceRequest, dispatcher: Dispatcher, signal: AbortSignal): Promise<Answer> {
  const { method, url, body } = request;
  const headers = requestHeaders(request);
  if (typeof body === 'object') return upload(url, headers, body, dispatcher, signal);
  const answer = await fetch(url, { method, headers, body: body ?? null, redirect: 'manual', dispatcher, signal });
  return { status: answer.status, headers: Object.fromEntries(answer.headers), body: answer.body };
}

/** Not by `fetch`, which holds a body that it may have to send again; `request` follows no redirects either. */
async function upload(
  url: string,
  headers: Record<string, string>,
  form: Upload,
  dispatcher: Dispatcher,
  signal: AbortSignal,
): Promise<Answer> {
  const { contentType, contentLength, bytes } = await openUpload(form);
  const answer = await sendRequest(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': contentType, 'content-length': String(contentLength) },
    body: Readable.from(bytes),
    dispatcher,
    signal,
  });
  const answered = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
  return { status: answer.statusCode, headers: Object.fromEntries(answered), body: answer.body };
}

async function* readBody(
  body: AsyncIterable<Uint8Array> | null,
  timer: PhaseTimer,
  idleMs: number,
  url: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    timer.start(idleMs);
    for await (const bytes of body ?? []) {
      timer.start(idleMs);
      yield bytes;
    }
  } catch (error) {
    throw timer.failure(url) ?? networkError(error, url);
  } finally {
    timer.stop();
  }
}

/** At most this many bytes of an error body are read. */
const errorBodyLimit = 64 * 1024;

async function refusal(response: ServiceResponse, request: ServiceRequest, clock: Clock): Promise<ServiceError> {
  const { status, headers, url } = response;
  const body = await readText(response.body, errorBodyLimit).catch((error: unknown) => {
    if (error instanceof ServiceError && error.kind === 'cancelled') throw error;
    return '';
  });
  if (status >= 300 && status < 400) {
    const target = URL.parse(headers['location'] ?? '', url);
    return new ServiceError('redirect', {
      status,
      url,
      hint: target === null ? undefined : target.origin + target.pathname,
    });
  }
  return errorFromAnswer(status, headers, body, {
    url,
    key: request.apiKey?.reveal(),
    retryAfterMs: retryAfterMs(headers, clock.now()),
  });
}
