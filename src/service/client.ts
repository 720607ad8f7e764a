import { systemClock } from '../base/clock.ts';
import {
  type AudioUpload,
  hasTranscriptions,
  type TranslateOptions,
  type Translation,
  translateAudio,
} from './audio/audio.ts';
import { type ChatClient, createChatClient } from './chat/chat.ts';
import { createFieldMemory, type FieldMemory } from './compat/fieldMemory.ts';
import { type EachEmbedding, type Embeddings, type EmbedOptions, embed, embedEach } from './embeddings/embeddings.ts';
import type { Endpoint, ServiceAccess } from './endpoint.ts';
import { type ListedModel, listModels } from './models/models.ts';
import type { Transport } from './request.ts';

export type { NoVector } from './embeddings/embeddings.ts';

/** The client of a service: all requests, over one transport and with one memory of what services refuse. */
export interface ServiceClient extends ChatClient {
  readonly transport: Transport;
  readonly memory: FieldMemory;
  /** Vectors for texts, in one request. @throws ServiceError as `embed` in embeddings.ts does */
  embed(
    endpoint: Endpoint,
    texts: readonly string[],
    signal: AbortSignal,
    options?: Omit<EmbedOptions, 'memory'>,
  ): Promise<Embeddings>;
  /** The same where a text may have no usable vector. @throws ServiceError as `embedEach` in embeddings.ts does */
  embedEach(
    endpoint: Endpoint,
    texts: readonly string[],
    signal: AbortSignal,
    options?: Omit<EmbedOptions, 'memory'>,
  ): Promise<EachEmbedding>;
  /** A recording as English text, or as it is spoken. @throws ServiceError as `translateAudio` in audio.ts does */
  translate(
    endpoint: Endpoint,
    upload: AudioUpload,
    signal: AbortSignal,
    options?: Omit<TranslateOptions, 'memory'>,
  ): Promise<Translation>;
  /**
   * Whether the service transcribes, too. It is asked once, by one small request, and what it said is remembered.
   * @returns undefined where its answer says nothing about that
   * @throws ServiceError `cancelled`
   */
  transcribes(endpoint: Endpoint, signal: AbortSignal): Promise<boolean | undefined>;
  /** The models a service offers, sorted by id; empty when it offers no list. @throws ServiceError */
  listModels(service: ServiceAccess, signal: AbortSignal): Promise<ListedModel[]>;
}

/** @param maxLength how long an answer of a chat may become, in characters; asked for each */
export function createServiceClient(
  transport: Transport,
  memory: FieldMemory = createFieldMemory(),
  maxLength: () => number | undefined = () => undefined,
): ServiceClient {
  return {
    transport,
    memory,
    chat: createChatClient(transport, memory, systemClock, maxLength).chat,
    embed: (endpoint, texts, signal, options) => embed(transport, endpoint, texts, signal, { ...options, memory }),
    embedEach: (endpoint, texts, signal, options) =>
      embedEach(transport, endpoint, texts, signal, { ...options, memory }),
    translate: (endpoint, upload, signal, options) =>
      translateAudio(transport, endpoint, upload, signal, { ...options, memory }),
    async transcribes(endpoint, signal) {
      const { baseUrl, model } = endpoint;
      const known = memory.transcriptions(baseUrl, model);
      if (known !== undefined) return known;
      const found = await hasTranscriptions(transport, endpoint, signal);
      if (found !== undefined) memory.setTranscriptions(baseUrl, model, found);
      return found;
    },
    listModels: (service, signal) => listModels(transport, service, signal),
  };
}
