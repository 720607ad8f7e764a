import { ServiceError } from '../../src/base/errors.ts';
import { ApiKey } from '../../src/service/apiKey.ts';
import { createChatClient } from '../../src/service/chat/chat.ts';
import type { ChatEvent } from '../../src/service/chat/completion.ts';
import type { Endpoint } from '../../src/service/endpoint.ts';
import type { ServiceResponse, Transport } from '../../src/service/request.ts';

export const key = 'sk-bench-0000';
export const endpoint: Endpoint = { baseUrl: 'http://127.0.0.1/v1', apiKey: new ApiKey(key), model: 'm' };

/** A transport that has the answer at hand. */
export function answering(packets: readonly Uint8Array[]): Transport {
  async function* body(): ServiceResponse['body'] {
    yield* packets;
  }
  return {
    send: async () => ({ status: 200, headers: {}, url: endpoint.baseUrl, body: body() }),
    close: async () => {},
  };
}

export interface Reading {
  /** What came, pieces of one text joined: how they were cut is of no account. */
  events: ChatEvent[];
  /** How many events there were before they were joined. */
  count: number;
  error: ServiceError | undefined;
}

const question = { role: 'user' as const, content: 'Hello' };

/** Reads a body as the answer to a chat request. What is thrown and is no ServiceError goes through. */
export async function read(packets: readonly Uint8Array[], stream = true): Promise<Reading> {
  const reading: Reading = { events: [], count: 0, error: undefined };
  try {
    await drain(answering(packets), stream, (event) => {
      reading.count++;
      if (!joined(reading.events.at(-1), event)) reading.events.push({ ...event });
    });
  } catch (error) {
    reading.error = asServiceError(error);
  }
  return reading;
}

/** Asks a transport and hands on every event, keeping none. */
export async function drain(
  transport: Transport,
  stream: boolean,
  onEvent: (event: ChatEvent) => void = () => {},
): Promise<void> {
  const { signal } = new AbortController();
  const chat = createChatClient(transport).chat(endpoint, { messages: [question], stream }, signal);
  for await (const event of chat) onEvent(event);
}

/** An error of another type is a bug, and goes on as one. */
export function asServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  throw new Error('An error of another type came through', { cause: error });
}

function joined(last: ChatEvent | undefined, event: ChatEvent): boolean {
  const isText = (each: ChatEvent | undefined) =>
    each?.type === 'text' || each?.type === 'reasoning' || each?.type === 'refusal';
  if (last === undefined || last.type !== event.type || !isText(event) || !isText(last)) return false;
  if (!('text' in last) || !('text' in event) || last.choice !== event.choice) return false;
  last.text += event.text;
  return true;
}
