import type { Clock } from '../../base/clock.ts';
import type { NetworkPath, PathResponse, ServiceRequest } from '../../service/transport/transport.ts';
import { type Exchange, type ExchangeList, longestKept, type SentBody } from './exchangeList.ts';

/**
 * A way to the service that keeps what is sent and what comes back: every try by itself, also one that the service refuses.
 * @param isOn asked for each
 */
export function recordExchanges(path: NetworkPath, list: ExchangeList, isOn: () => boolean, clock: Clock): NetworkPath {
  return {
    close: () => path.close(),
    async exchange(request, signal, onBytes) {
      if (!isOn()) return path.exchange(request, signal, onBytes);
      const started = clock.now();
      const change = list.add(begun(request, started));
      const passed = (): number => clock.now() - started;
      try {
        const response = await path.exchange(request, signal, onBytes);
        const { status, headers } = response;
        change({ status, headers });
        return { status, headers, body: recordBody(response, change, passed, signal) };
      } catch (error) {
        change({ ...endOf(error, signal), totalMs: passed() });
        throw error;
      }
    },
  };
}

function begun({ method, url, accept, apiKey, body, tag }: ServiceRequest, at: number): Omit<Exchange, 'id'> {
  return {
    ...{ at, method, url, accept: accept ?? 'application/json', key: apiKey, body: sentBody(body) },
    ...{ state: 'running', answer: '', isCut: false, tag },
  };
}

function sentBody(body: ServiceRequest['body']): SentBody | undefined {
  if (body === undefined) return undefined;
  if (typeof body === 'string') return { kind: 'json', text: body };
  const { field, path, contentType, name = path.split(/[\\/]/).at(-1) ?? '' } = body.file;
  return { kind: 'form', fields: body.fields, file: { field, name, contentType } };
}

function endOf(error: unknown, signal: AbortSignal): Partial<Exchange> {
  // A time limit of ours fires the same signal as the user's Stop.
  const isTimeout = signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError';
  if (signal.aborted) return isTimeout ? { state: 'failed', failure: 'ETIMEDOUT' } : { state: 'stopped' };
  const { code, name = 'Error' } = (error ?? {}) as { readonly code?: unknown; readonly name?: string };
  return { state: 'failed', failure: typeof code === 'string' ? code : name };
}

/** Passes the bytes on as they are. Whoever stops reading stops the exchange. */
async function* recordBody(
  { body }: PathResponse,
  change: (change: Partial<Exchange>) => void,
  passed: () => number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  let length = 0;
  let firstByteMs: number | undefined;
  let end: Partial<Exchange> = { state: 'stopped' };
  try {
    for await (const bytes of body) {
      firstByteMs ??= passed();
      if (length <= longestKept) {
        // No character of UTF-16 takes more than three bytes.
        const piece = decoder.decode(bytes.subarray(0, 3 * (longestKept + 1)), { stream: true });
        pieces.push(piece);
        length += piece.length;
      }
      yield bytes;
    }
    end = { state: 'ended' };
  } catch (error) {
    end = endOf(error, signal);
    throw error;
  } finally {
    const answer = pieces.join('').slice(0, longestKept);
    change({ ...end, answer, isCut: length > longestKept, firstByteMs, totalMs: passed() });
  }
}
