import { StringDecoder } from 'node:string_decoder';
import { type Clock, systemClock } from '../../base/clock.ts';
import { readCharset } from '../../base/encoding/charset.ts';
import { ServiceError } from '../../base/errors.ts';
import { type Adjusted, adjust } from '../compat/adjust.ts';
import { type Adjustment, createFieldMemory, type FieldMemory } from '../compat/fieldMemory.ts';
import { adjustmentFor } from '../compat/refusedField.ts';
import type { Endpoint } from '../endpoint.ts';
import { readLimits } from '../errors/rateLimits.ts';
import type { ServiceResponse, Transport } from '../request.ts';
import { type AnswerSource, createAssembler } from './assembly/answerAssembler.ts';
import type { ChatRequest } from './chatRequest.ts';
import { checkChatRequest } from './checkRequest.ts';
import type { ChatEvent } from './completion.ts';
import { createStreamReader } from './streamReader.ts';

export interface ChatClient {
  /**
   * Asks for a completion. Yields events as they arrive; returns only when the answer is complete. Throws a
   * ServiceError otherwise: `invalid-request` before anything is sent; `truncated` when the stream ended without saying
   * so, after what came has been yielded.
   */
  chat(endpoint: Endpoint, request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatEvent, void, undefined>;
}

/** Fields of a request that may be left out or renamed before its refusal is final. */
const maxAdjustments = 16;

/**
 * Time for which an answer is read on after it is complete, in milliseconds: a connection whose answer ended serves the next
 * question, one that is closed before costs that question a new one.
 */
const endWaitMs = 100;
/** Bytes that are read on at most. */
const endWaitBytes = 64 * 1024;

/**
 * The chat half of the client. It remembers by address and model which fields a service refused.
 * @param maxLength how long an answer may become, in characters; asked for each
 */
export function createChatClient(
  transport: Transport,
  memory: FieldMemory = createFieldMemory(),
  clock: Clock = systemClock,
  maxLength: () => number | undefined = () => undefined,
): ChatClient {
  /** Sends a request, and again without a field that the service refuses. */
  async function send(endpoint: Endpoint, request: ChatRequest, signal: AbortSignal): Promise<Answer> {
    const { baseUrl, model } = endpoint;
    const body = requestBody(endpoint, request);
    const known = memory.adjustments(baseUrl, model);
    let learned: Adjustment[] = [];
    for (;;) {
      const all = [...known.filter((each) => !learned.some((later) => later.field === each.field)), ...learned];
      const adjusted = adjust(body, all);
      try {
        const response = await post(endpoint, request, adjusted, signal);
        for (const adjustment of learned) memory.add(baseUrl, model, adjustment);
        return { response, adjusted: adjusted.adjustments.map((each) => eventOf(each, known.includes(each))) };
      } catch (error) {
        const next = adjustmentFor(error, adjusted.body, adjusted.adjustments);
        if (next === undefined || learned.length === maxAdjustments) throw error;
        learned = [...learned.filter((each) => each.field !== next.field), next];
      }
    }
  }

  function post(endpoint: Endpoint, request: ChatRequest, { body }: Adjusted, signal: AbortSignal) {
    return transport.send(
      {
        method: 'POST',
        url: `${endpoint.baseUrl}/chat/completions`,
        apiKey: endpoint.apiKey,
        body: JSON.stringify(body),
        ...{ onWait: request.onWait, onRetry: request.onRetry, tag: request.tag },
        accept: body['stream'] === true ? 'text/event-stream, application/json' : 'application/json',
      },
      signal,
    );
  }

  return {
    chat: (endpoint, request, signal) =>
      readAnswer(async () => {
        checkChatRequest(request, endpoint.model);
        const over = new AbortController();
        const tools = request.fields?.tools?.map((tool) => tool.function);
        const { response, adjusted } = await send(endpoint, request, AbortSignal.any([signal, over.signal]));
        request.onAnswer?.(/event-stream|ndjson|jsonl/i.test(response.headers['content-type'] ?? ''));
        const context = { url: response.url, key: endpoint.apiKey?.reveal(), maxLength: maxLength(), tools };
        return {
          body: response.body,
          charset: charsetOf(response),
          context,
          first: [...adjusted, ...limitsOf(response, clock)],
          readOn: (pieces) =>
            void readOn(pieces, clock).finally(() => {
              over.abort();
              // The reader left in the middle: closing the body ends its timers.
              pieces.return?.().catch(() => undefined);
            }),
        };
      }),
  };
}

function limitsOf({ headers }: ServiceResponse, clock: Clock): ChatEvent[] {
  const limits = readLimits(headers, clock.now());
  return limits.requests === undefined && limits.tokens === undefined ? [] : [{ type: 'limits', limits }];
}

interface Answer {
  response: ServiceResponse;
  adjusted: ChatEvent[];
}

function requestBody(endpoint: Endpoint, { fields, extra, messages, stream }: ChatRequest): Record<string, unknown> {
  return {
    model: endpoint.model,
    messages,
    stream,
    ...(stream ? { stream_options: { include_usage: true } } : {}),
    ...fields,
    ...extra,
  };
}

function eventOf(adjustment: Adjustment, isKnown: boolean): ChatEvent {
  return { type: 'adjusted', ...adjustment, ...(isKnown ? { remembered: true } : {}) };
}

/**
 * Reads an answer as its bytes arrive, whatever its form. What came is yielded before an error is thrown; when the
 * consumer stops early, the body is closed.
 */
export function readCompletionEvents(
  body: AsyncIterable<Uint8Array>,
  context: AnswerSource,
): AsyncGenerator<ChatEvent, void, undefined> {
  return readAnswer(async () => ({ body, charset: 'utf-8', context, first: [] }));
}

interface OpenAnswer {
  body: AsyncIterable<Uint8Array>;
  charset: string;
  context: AnswerSource;
  /** Events that are known before the first byte. */
  first: ChatEvent[];
  /** Takes the rest of a body whose answer is whole, and closes it. */
  readOn?(rest: AsyncIterator<Uint8Array>): void;
}

/** Server events are UTF-8 whatever is said of them (WHATWG HTML, 9.2.6). */
function charsetOf({ headers }: ServiceResponse): string {
  const contentType = headers['content-type'] ?? '';
  return /event-stream/i.test(contentType) ? 'utf-8' : readCharset(contentType);
}

/** Resolves when the body has ended, or has gone on for too long. */
async function readOn(pieces: AsyncIterator<Uint8Array>, clock: Clock): Promise<void> {
  const ended = new AbortController();
  const reading = (async () => {
    for (let size = 0; size <= endWaitBytes; ) {
      const { done, value } = await pieces.next();
      if (done) return;
      size += value.length;
    }
  })();
  // Failures are ignored: the answer was whole before its connection ended.
  await Promise.race([reading.catch(() => undefined), clock.sleep(endWaitMs, ended.signal)]);
  ended.abort();
}

/** The fast decoder for the charset of nearly all answers. */
function createDecoder(charset: string): Pick<StringDecoder, 'write' | 'end'> {
  if (charset === 'utf-8') return new StringDecoder('utf8');
  const decoder = new TextDecoder(charset);
  return {
    write: (bytes) => decoder.decode(bytes as Uint8Array, { stream: true }),
    end: () => decoder.decode(),
  };
}

/** Bytes without an answer in them (heartbeats, empty pieces, white space) that are read before the body is refused. */
const freeBytes = 64 * 1024 * 1024;
/** Bytes more for each character of the answer: a token with the log-probabilities of twenty others around it takes fewer. */
const bytesPerCharacter = 2_000;

/** Reads the answer in one generator, with many events a packet: each further layer costs every token. */
async function* readAnswer(open: () => Promise<OpenAnswer>): AsyncGenerator<ChatEvent, void, undefined> {
  const { body, charset, context, first, readOn } = await open();
  const assembler = createAssembler(context);
  const reader = createStreamReader(assembler);
  const decoder = createDecoder(charset);
  const { ready } = assembler;
  // The first events wait for the first packet: a consumer that stopped at them would leave the body open.
  ready.push(...first);
  const pieces = body[Symbol.asyncIterator]();
  let failure: unknown;
  let size = 0;
  try {
    while (!assembler.done) {
      const { done, value } = await pieces.next();
      if (done) break;
      size += value.length;
      if (size > freeBytes + assembler.length * bytesPerCharacter) {
        throw new ServiceError('malformed', { url: context.url, hint: 'nothing but wrapping' });
      }
      reader.feed(decoder.write(value));
      for (let i = 0; i < ready.length; i++) yield ready[i] as ChatEvent;
      ready.length = 0;
    }
  } catch (error) {
    failure = error;
  } finally {
    if (assembler.done && failure === undefined && readOn !== undefined) readOn(pieces);
    else await pieces.return?.().catch(() => undefined);
  }
  try {
    assembler.ending();
    reader.feed(decoder.end());
    reader.end();
  } catch (error) {
    failure ??= error;
  }
  const error = assembler.close(failure);
  yield* ready;
  if (error !== undefined) throw error;
}
