import { type AnswerContext, createAssembler } from './assemble.ts';
import type { ChatRequest } from './chatRequest.ts';
import type { ChatEvent } from './completion.ts';
import type { Endpoint } from './endpoint.ts';
import { ServiceError } from './errors.ts';
import { createStreamReader } from './events.ts';
import { createFieldMemory, type FieldMemory } from './fieldMemory.ts';
import type { Transport } from './transport.ts';

export interface ChatClient {
  /**
   * Asks for a completion. Yields events as they arrive; returns only when the answer is complete. Throws a
   * ServiceError otherwise: `truncated` when the stream ended without saying so, after what came has been yielded.
   */
  chat(endpoint: Endpoint, request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatEvent, void, undefined>;
}

/** The chat half of the client. It remembers per address and model which optional field a service refused. */
export function createChatClient(transport: Transport, _memory: FieldMemory = createFieldMemory()): ChatClient {
  const refusedStreamOptions = new Set<string>();

  async function post(endpoint: Endpoint, request: ChatRequest, signal: AbortSignal) {
    const memory = `${endpoint.baseUrl} ${endpoint.model}`;
    const withUsage = request.stream && !refusedStreamOptions.has(memory);
    const body = {
      ...request.extra,
      ...request.fields,
      model: endpoint.model,
      messages: request.messages,
      stream: request.stream,
      ...(withUsage ? { stream_options: { include_usage: true } } : {}),
    };
    try {
      return await transport.send(
        {
          method: 'POST',
          url: `${endpoint.baseUrl}/chat/completions`,
          apiKey: endpoint.apiKey,
          body: JSON.stringify(body),
          onWait: request.onWait,
          accept: request.stream ? 'text/event-stream, application/json' : 'application/json',
        },
        signal,
      );
    } catch (error) {
      const refused = error instanceof ServiceError && (error.status === 400 || error.status === 422);
      if (!withUsage || !refused || !`${error.param} ${error.message}`.includes('stream_options')) throw error;
      refusedStreamOptions.add(memory);
      return post(endpoint, request, signal);
    }
  }

  return {
    async *chat(endpoint, request, signal) {
      const response = await post(endpoint, request, signal);
      yield* readCompletionEvents(response.body, { url: response.url, key: endpoint.apiKey?.reveal() });
    },
  };
}

/**
 * Reads an answer as its bytes arrive, whatever its form. What came is yielded before an error is thrown; when the
 * consumer stops early, the body is closed.
 */
export async function* readCompletionEvents(
  body: AsyncIterable<Uint8Array>,
  context: AnswerContext,
): AsyncGenerator<ChatEvent, void, undefined> {
  const assembler = createAssembler(context);
  const reader = createStreamReader(assembler);
  const decoder = new TextDecoder();
  const { ready } = assembler;
  let failure: unknown;
  try {
    for await (const bytes of body) {
      reader.feed(decoder.decode(bytes, { stream: true }));
      for (let i = 0; i < ready.length; i++) yield ready[i] as ChatEvent;
      ready.length = 0;
      if (assembler.done) break;
    }
  } catch (error) {
    failure = error;
  }
  try {
    assembler.ending();
    reader.feed(decoder.decode());
    reader.end();
  } catch (error) {
    failure ??= error;
  }
  const error = assembler.close(failure);
  yield* ready;
  if (error !== undefined) throw error;
}
