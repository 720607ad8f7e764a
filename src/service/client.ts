import { type ChatClient, createChatClient } from './chat.ts';
import type { FieldMemory } from './fieldMemory.ts';
import type { Transport } from './transport.ts';

/** The whole client of a service: one transport, one memory of what services refuse. */
export interface ServiceClient {
  readonly transport: Transport;
  readonly memory: FieldMemory;
  readonly chat: ChatClient['chat'];
}

export function createServiceClient(transport: Transport, memory: FieldMemory): ServiceClient {
  return { transport, memory, chat: createChatClient(transport, memory).chat };
}
