import { StringDecoder } from 'node:string_decoder';
import { type Adjusted, adjust } from './adjust.ts';
import { type AnswerSource, createAssembler } from './assemble.ts';
import type { ChatRequest } from './chatRequest.ts';
import { checkChatRequest } from './checkRequest.ts';
import type { ChatEvent } from './completion.ts';
import type { Endpoint } from './endpoint.ts';
import { createStreamReader } from './events.ts';
import { type Adjustment, createFieldMemory, type FieldMemory } from './fieldMemory.ts';
import { adjustmentFor } from './refusedField.ts';
import type { ServiceResponse, Transport } from './transport.ts';

export interface ChatClient {
  /**
   * Asks for a completion. Yields events as they arrive; returns only when the answer is complete. Throws a
   * ServiceError otherwise: `invalid-request` before anything is sent; `truncated` when the stream ended without saying
   * so, after what came has been yielded.
   */
  chat(endpoint: Endpoint, request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatEvent, void, undefined>;
}

/** So many fields of a request may be left out or renamed before its refusal is final. */
const maxAdjustments = 8;

/** The chat half of the client. It remembers by address and model which fields a service refused. */
export function createChatClient(transport: Transport, memory: FieldMemory = createFieldMemory()): ChatClient {
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
        onWait: request.onWait,
        accept: body['stream'] === true ? 'text/event-stream, application/json' : 'application/json',
      },
      signal,
    );
  }

  return {
    chat: (endpoint, request, signal) =>
      readAnswer(async () => {
        checkChatRequest(request, endpoint.model);
        const { response, adjusted } = await send(endpoint, request, signal);
        const context = { url: response.url, key: endpoint.apiKey?.reveal() };
        return { body: response.body, context, first: adjusted };
      }),
  };
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
  return readAnswer(async () => ({ body, context, first: [] }));
}

interface OpenAnswer {
  body: AsyncIterable<Uint8Array>;
  context: AnswerSource;
  /** Events that are known before the first byte. */
  first: ChatEvent[];
}

/** One generator for all of it, and many events a packet: each further layer costs every token. */
async function* readAnswer(open: () => Promise<OpenAnswer>): AsyncGenerator<ChatEvent, void, undefined> {
  const { body, context, first } = await open();
  const assembler = createAssembler(context);
  const reader = createStreamReader(assembler);
  const decoder = new StringDecoder('utf8');
  const { ready } = assembler;
  // Not yielded before the first packet: a consumer that stopped then would leave the body open.
  ready.push(...first);
  let failure: unknown;
  try {
    for await (const bytes of body) {
      reader.feed(decoder.write(bytes));
      for (let i = 0; i < ready.length; i++) yield ready[i] as ChatEvent;
      ready.length = 0;
      if (assembler.done) break;
    }
  } catch (error) {
    failure = error;
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
