import type { ChatRequest } from './chatRequest.ts';
import type { ChatEvent, Usage } from './completion.ts';
import type { Endpoint } from './endpoint.ts';
import { errorInBody, htmlTitle, readErrorBody } from './errorBody.ts';
import { ServiceError } from './errors.ts';
import { readStream, type StreamPiece } from './events.ts';
import { createFieldMemory, type FieldMemory } from './fieldMemory.ts';
import { type ChatPayload, type Choice, chatSchema, type usageSchema } from './schemas.ts';
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

interface Context {
  url: string;
  key?: string | undefined;
}

/** Reads an answer as its bytes arrive, whatever its form. */
export function readCompletionEvents(
  body: AsyncIterable<Uint8Array>,
  context: { url: string; key?: string | undefined },
): AsyncGenerator<ChatEvent, void, undefined> {
  return assemble(readStream(body), context);
}

/** Turns pieces of a stream (or one whole body) into chat events, and decides whether the answer is complete. */
export async function* assemble(
  pieces: AsyncIterable<StreamPiece>,
  context: Context,
): AsyncGenerator<ChatEvent, void, undefined> {
  let started = false;
  let finished = false;
  try {
    for await (const piece of pieces) {
      if (piece.kind === 'event' && piece.data.trim() === '[DONE]') {
        finished = true;
        break;
      }
      for (const { payload, raw } of payloadsOf(piece, context)) {
        for (const event of eventsOf(payload)) {
          started = true;
          finished ||= event.type === 'finish';
          yield event;
        }
        const error = readErrorBody(raw);
        if (error !== undefined) throw errorInBody(error, context);
        // One whole answer needs no finish_reason to be complete.
        if (piece.kind === 'json' && payload.choices?.some((choice) => choice.message)) finished = true;
      }
    }
  } catch (error) {
    if (started && error instanceof ServiceError && error.kind === 'reset' && !finished)
      throw new ServiceError('truncated', { url: context.url });
    if (finished && error instanceof ServiceError && error.kind === 'reset') return;
    throw error;
  }
  if (!finished) throw new ServiceError(started ? 'truncated' : 'malformed', { url: context.url });
}

/** A payload as read, and as it came: an error in it may stand in fields the schema does not know. */
interface Read {
  payload: ChatPayload;
  raw: unknown;
}

function payloadsOf(piece: StreamPiece, context: Context): Read[] {
  if (piece.kind === 'html') throw new ServiceError('login-page', { url: context.url, hint: htmlTitle(piece.text) });
  if (piece.kind === 'garbage') throw new ServiceError('malformed', { url: context.url });
  if (piece.data.trim() === '') return [];
  const texts = parse(piece.data) === undefined ? piece.data.split('\n') : [piece.data];
  return texts
    .filter((text) => text.trim() !== '' && text.trim() !== '[DONE]')
    .map((text) => readPayload(text, piece, context));
}

function readPayload(text: string, piece: StreamPiece, context: Context): Read {
  const raw = parse(text);
  if (piece.kind === 'event' && piece.event === 'error') {
    throw errorInBody(readErrorBody(raw) ?? { message: text, type: '', code: '' }, context);
  }
  const payload = chatSchema.safeParse(raw);
  if (payload.success) return { payload: payload.data, raw };
  const error = readErrorBody(raw);
  throw error === undefined ? new ServiceError('malformed', { url: context.url }) : errorInBody(error, context);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function* eventsOf(payload: ChatPayload): Generator<ChatEvent> {
  if (payload.model) yield { type: 'model', model: payload.model };
  for (const choice of payload.choices ?? []) yield* choiceEvents(choice);
  if (payload.choices === undefined && payload.message) yield* choiceEvents({ message: payload.message });
  if (payload.done === true) yield { type: 'finish', choice: 0, reason: 'stop' };
  const usage = payload.usage ?? payload.x_groq?.usage;
  if (usage) yield { type: 'usage', usage: readUsage(usage) };
}

function* choiceEvents(choice: Choice): Generator<ChatEvent> {
  const index = choice.index ?? 0;
  const message = choice.delta ?? choice.message;
  const reasoning = message?.reasoning_content ?? message?.reasoning;
  if (reasoning) yield { type: 'reasoning', choice: index, text: reasoning };
  const text = contentText(message?.content) || (choice.text ?? '');
  if (text !== '') yield { type: 'text', choice: index, text };
  if (choice.finish_reason) yield { type: 'finish', choice: index, reason: choice.finish_reason };
}

/** Content is text; some servers send an array of parts, or a number. */
function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (typeof content === 'number') return String(content);
  if (!Array.isArray(content)) return '';
  return content.map((part: unknown) => (typeof part === 'string' ? part : textPart(part))).join('');
}

function textPart(part: unknown): string {
  if (typeof part !== 'object' || part === null || !('text' in part)) return '';
  return typeof part.text === 'string' ? part.text : '';
}

/** Usage with the members the service gave; what it did not give stays unknown, never 0. */
export function readUsage(usage: typeof usageSchema._zod.output): Usage {
  const members = {
    promptTokens: usage.prompt_tokens,
    completionTokens: usage.completion_tokens,
    totalTokens: usage.total_tokens,
    queueTime: usage.queue_time,
    promptTime: usage.prompt_time,
    completionTime: usage.completion_time,
    totalTime: usage.total_time,
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => typeof value === 'number')) as Usage;
}
