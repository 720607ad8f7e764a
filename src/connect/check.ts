import { createChatClient } from '../service/chat.ts';
import { embed } from '../service/embeddings.ts';
import type { Endpoint } from '../service/endpoint.ts';
import { ServiceError } from '../service/errors.ts';
import type { Transport } from '../service/transport.ts';

/** The outcome of one test call. */
export interface Check {
  purpose: 'chat' | 'embeddings';
  /** The address that was called. */
  url: string;
  milliseconds: number;
  /** Absent when the service answered as it should. */
  error?: ServiceError;
}

/**
 * Makes the smallest real call for a purpose: a completion of a few tokens, or the embedding of one word. Listing the
 * models would cost nothing but prove little: many services list them without a key.
 */
export async function checkEndpoint(
  transport: Transport,
  purpose: Check['purpose'],
  endpoint: Endpoint,
  now: () => number,
  signal: AbortSignal,
): Promise<Check> {
  const url = `${endpoint.baseUrl}/${purpose === 'chat' ? 'chat/completions' : 'embeddings'}`;
  const started = now();
  try {
    if (purpose === 'chat') await askBriefly(transport, endpoint, signal);
    else await embed(transport, endpoint, ['test'], signal);
    return { purpose, url, milliseconds: now() - started };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { purpose, url, milliseconds: now() - started, error };
  }
}

async function askBriefly(transport: Transport, endpoint: Endpoint, signal: AbortSignal): Promise<void> {
  const request = { messages: [{ role: 'user' as const, content: 'Hi' }], stream: false, fields: { max_tokens: 8 } };
  for await (const _event of createChatClient(transport).chat(endpoint, request, signal)) {
    // Only the outcome counts.
  }
}
