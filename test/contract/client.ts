import type { Clock } from '../../src/base/clock.ts';
import { ServiceError } from '../../src/base/errors.ts';
import { ApiKey } from '../../src/service/apiKey.ts';
import { createChatClient } from '../../src/service/chat/chat.ts';
import type { ChatEvent } from '../../src/service/chat/completion.ts';
import type { Endpoint } from '../../src/service/endpoint.ts';
import type { Transport } from '../../src/service/request.ts';
import { createTransport, type Timeouts } from '../../src/service/transport/transport.ts';
import type { ReferenceService } from '../service/options.ts';

export const testKey = 'sk-parley-reference-0000';

/** A clock that goes on only when somebody sleeps, at once, and remembers how long: a test of waiting needs no waiting. */
export function createPatientClock(): Clock & { slept: number[] } {
  const slept: number[] = [];
  let time = Date.now();
  return {
    now: () => time,
    random: () => 0,
    slept,
    sleep: async (ms) => {
      slept.push(ms);
      time += ms;
    },
  };
}

export function createTestTransport(timeouts?: Partial<Timeouts>, clock: Clock = createPatientClock()): Transport {
  return createTransport({
    clock,
    timeouts: { connect: 2_000, firstByte: 20_000, upload: 60_000, idle: 20_000, total: 0, ...timeouts },
  });
}

export function endpointOf(service: ReferenceService, model: string, key: string | undefined = testKey): Endpoint {
  return { baseUrl: service.baseUrl, model, ...(key === undefined ? {} : { apiKey: new ApiKey(key) }) };
}

export interface Collected {
  text: string;
  events: ChatEvent[];
  error: ServiceError | undefined;
}

/** Asks, and collects what came until the answer ended or failed. */
export async function ask(
  transport: Transport,
  endpoint: Endpoint,
  content: string,
  options: { stream?: boolean; signal?: AbortSignal; onText?: () => void } = {},
): Promise<Collected> {
  const collected: Collected = { text: '', events: [], error: undefined };
  const request = { messages: [{ role: 'user' as const, content }], stream: options.stream ?? true };
  try {
    for await (const event of createChatClient(transport).chat(
      endpoint,
      request,
      options.signal ?? new AbortController().signal,
    )) {
      collected.events.push(event);
      if (event.type === 'text') {
        collected.text += event.text;
        options.onText?.();
      }
    }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    collected.error = error;
  }
  return collected;
}
