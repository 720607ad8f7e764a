import { createHash } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { ServiceError } from '../../base/errors.ts';
import { nextTurn, turnSize } from '../../base/nextTurn.ts';
import { isLoopback, originOf } from '../endpoint.ts';
import { errorFromAnswer } from '../errors/errorFromAnswer.ts';
import { isConnectFailure, networkError } from '../errors/networkError.ts';
import { ConnectFailure } from '../network/connector.ts';
import { isCorrupt } from '../network/decompress.ts';
import { createDirectPath, type DirectOptions } from '../network/directPath.ts';
import { createEditorPath } from '../network/editorPath.ts';
import type { NetworkPath, PathResponse } from '../network/networkPath.ts';
import { createPathChoice } from '../network/pathChoice.ts';
import { readText, type ServiceRequest, type ServiceResponse, type Transport } from '../request.ts';
import { followRedirect } from './followRedirect.ts';
import { createGate, type Gate, type Head, isHeldAtGate } from './gate.ts';
import { createPhaseTimer, type PhaseTimer } from './phaseTimer.ts';
import { defaultRetry, isFinal, type RetryPolicy, withRetry } from './retry.ts';

export { readCertificates } from '../network/certificates.ts';
export type { NetworkPath, PathResponse } from '../network/networkPath.ts';
export { tellSent } from '../network/tellSent.ts';
export type { ServiceRequest, Transport } from '../request.ts';
export { createGate, type Gate } from './gate.ts';

/** How long each phase may take, in milliseconds; 0: no limit. None bounds an answer that is still coming, but `total`. */
export interface Timeouts {
  connect: number;
  /** Time until the first byte of the answer. Generous: a model on one's own machine reads slowly. */
  firstByte: number;
  /** Time until the first byte where a file is sent first: it includes sending it. */
  upload: number;
  /** Time between two pieces of an answer. */
  idle: number;
  /** Time from the first try to the last byte, with all waits. */
  total: number;
}
const defaultTimeouts: Timeouts = {
  connect: 15_000,
  firstByte: 300_000,
  upload: 3_600_000,
  idle: 120_000,
  total: 0,
};

export interface TransportOptions extends Omit<DirectOptions, 'connectTimeoutMs'> {
  timeouts?: Timeouts;
  retry?: RetryPolicy;
  clock: Clock;
  /** Holds requests while their service asks for fewer. */
  gate?: Gate;
  /** The `fetch` of the editor; without it there is only the direct way. */
  fetch?: typeof globalThis.fetch;
  /** `auto`: the editor's way where the direct one cannot get through. */
  path?: 'auto' | 'direct' | 'editor';
  /** Whether a key may go over plain http to this origin, which is not this machine. Without it, to none. */
  allowInsecure?: (origin: string) => boolean;
  /** Stands between the transport and the network: each try goes through what it gives. */
  watch?: (path: NetworkPath) => NetworkPath;
  /** The environment variable in which a key for this origin was looked for in vain; it is named where the service wants one. */
  missingVariable?: (origin: string) => string | undefined;
  /** One line a request: method, address, status, milliseconds. Never a header or a body. */
  log?: (line: string) => void;
}

/**
 * The transport of Parley: waits at the gate, asks by one of two ways, follows a redirect only within the origin (the key
 * goes along), keeps the time of each phase, and retries where that is safe.
 */
export function createTransport(options: TransportOptions): Transport {
  const { clock } = options;
  const timeouts = options.timeouts ?? defaultTimeouts;
  const gate = options.gate ?? createGate(clock);
  const way = choosePath(options, timeouts);
  const path = options.watch?.(way) ?? way;

  async function attempt(request: ServiceRequest, timer: PhaseTimer): Promise<ServiceResponse> {
    const id = laneOf(request);
    timer.pause();
    const answered = await gate.enter(id, timer.signal, request.onWait);
    const started = clock.now();
    let head: Head | undefined;
    try {
      timer.start('first-byte', typeof request.body === 'object' ? timeouts.upload : timeouts.firstByte);
      const answer = await followRedirect(request, (each) => path.exchange(each, timer.signal, timer.touch));
      head = answer;
      options.log?.(`${request.method} ${request.url} ${answer.status} ${clock.now() - started} ms`);
      const isGood = answer.status >= 200 && answer.status < 300;
      const body = readBody(answer, timer, timeouts.idle, request.url, isGood ? timer.stop : timer.pause);
      const response = { status: answer.status, headers: answer.headers, url: request.url, body };
      if (isGood) return response;
      const error = await refusal(response, request, options);
      // A refusal that holds for this request alone says nothing of the rate.
      head =
        isFinal(error.kind) && isHeldAtGate(answer.status)
          ? undefined
          : { ...answer, retryAfterMs: error.retryAfterMs };
      throw error;
    } catch (error) {
      timer.pause();
      if (error instanceof ServiceError) throw error;
      const failure = timer.failure(request.url) ?? connectFailure(error, request.url);
      options.log?.(`${request.method} ${request.url} ${failure.kind} ${clock.now() - started} ms`);
      throw failure;
    } finally {
      answered(head);
    }
  }

  return {
    async send(request, userSignal) {
      refuseInsecure(request, options.allowInsecure);
      const timer = createPhaseTimer(userSignal, timeouts.total);
      try {
        const policy = {
          ...defaultRetry,
          ...options.retry,
          onWait: request.onWait,
          onRetry: request.onRetry,
          isGated: true,
        };
        return await withRetry(() => attempt(request, timer), policy, clock, timer.signal);
      } catch (error) {
        timer.stop();
        throw timer.failure(request.url) ?? error;
      }
    },
    close: () => path.close(),
  };
}

function choosePath({ fetch, path, log, ...options }: TransportOptions, timeouts: Timeouts): NetworkPath {
  const direct = createDirectPath({ ...options, connectTimeoutMs: timeouts.connect });
  if (fetch === undefined || path === 'direct') return direct;
  const editor = createEditorPath(fetch);
  if (path === 'editor') return editor;
  return createPathChoice(direct, editor, (origin) => log?.(`${origin} is reached by the connection of VS Code.`));
}

/** @throws ServiceError `insecure` when others could read the key on its way */
function refuseInsecure({ url, apiKey }: ServiceRequest, allow: TransportOptions['allowInsecure']): void {
  if (apiKey === undefined || !url.startsWith('http:') || isLoopback(url) || allow?.(originOf(url))) return;
  throw new ServiceError('insecure', { url });
}

function connectFailure(error: unknown, url: string): ServiceError {
  if (!(error instanceof ConnectFailure)) {
    return Object.assign(networkError(error, url), { beforeSending: isConnectFailure(error) });
  }
  const { kind } = error.failure;
  const failure = new ServiceError(kind, { ...error.failure.toJSON(), url });
  // A certificate is no better on a retry; after any other failure a retry is safe, as nothing was sent.
  return Object.assign(failure, { beforeSending: kind !== 'tls' });
}

/** The first byte, not the head, ends the wait for the answer: some services send a head and then begin to think. */
async function* readBody(
  answer: PathResponse,
  timer: PhaseTimer,
  idleMs: number,
  url: string,
  onEnd: () => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  let begun = false;
  let taken = 0;
  try {
    for await (const bytes of answer.body) {
      if (!begun) timer.start('idle', idleMs);
      begun = true;
      timer.hold(true);
      for (let at = 0; at < bytes.length; at += turnSize) {
        yield bytes.length <= turnSize ? bytes : bytes.subarray(at, at + turnSize);
        // A small piece takes as long as `leastPiece` bytes.
        taken += Math.max(leastPiece, Math.min(turnSize, bytes.length - at));
        // A fast service always has more to read: without this nothing else would get its turn, not even Stop.
        if (taken < turnSize) continue;
        taken = 0;
        await nextTurn();
        timer.signal.throwIfAborted();
      }
      timer.hold(false);
    }
  } catch (error) {
    throw timer.failure(url) ?? (isCorrupt(error) ? new ServiceError('malformed', { url }) : networkError(error, url));
  } finally {
    onEnd();
  }
}

/** The place to name in a sentence. An address that is not on the web gives its scheme alone; a file, its path as well. */
function placeOf({ protocol, origin, pathname }: URL): string {
  const place = origin === 'null' ? protocol + (protocol === 'file:' ? `//${pathname}` : '…') : origin + pathname;
  return place.length > 200 ? `${place.slice(0, 199)}…` : place;
}

/** Bytes that a smaller piece of an answer counts as. */
const leastPiece = 64;
/** The most bytes of an error body that are read. */
const errorBodyLimit = 256 * 1024;

async function refusal(
  response: ServiceResponse,
  request: ServiceRequest,
  options: TransportOptions,
): Promise<ServiceError> {
  const { status, headers, url } = response;
  const body = await readText(response.body, errorBodyLimit, headers['content-type']).catch((error: unknown) => {
    if (error instanceof ServiceError && error.kind === 'cancelled') throw error;
    return '';
  });
  if (status >= 300 && status < 400) {
    const target = URL.parse(headers['location'] ?? '', url);
    return new ServiceError('redirect', { status, url, hint: target === null ? undefined : placeOf(target) });
  }
  return errorFromAnswer(status, headers, body, {
    url,
    key: request.apiKey?.reveal(),
    missingVariable: request.apiKey === undefined ? options.missingVariable?.(originOf(url)) : undefined,
    now: options.clock.now(),
  });
}

/** The id of requests that share a rate limit: their origin and key, of which only a digest is kept. */
function laneOf({ url, apiKey }: Pick<ServiceRequest, 'url' | 'apiKey'>): string {
  const key = apiKey === undefined ? '' : createHash('sha256').update(apiKey.reveal()).digest('base64url').slice(0, 12);
  return `${originOf(url)} ${key}`;
}

/** The origin of such an id. */
export function originOfLane(id: string): string {
  return id.slice(0, id.indexOf(' '));
}
