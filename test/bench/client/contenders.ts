import { ApiKey } from '../../../src/service/apiKey.ts';
import { createChatClient } from '../../../src/service/chat/chat.ts';
import type { Transport } from '../../../src/service/request.ts';
import { loadPeer } from '../peers.ts';
import { type AiSdk, prompt } from './aiSdk.ts';
import { question } from './answer.ts';
import type { Chunk, SdkConstructor } from './openai.ts';
import { createBenchTransport } from './parley.ts';

/** Where an answer comes from: a service's base address, or a body made in this process. */
export interface Source {
  baseUrl: string;
  body?: () => ReadableStream<Uint8Array>;
}

/** A client reduced to what speed is about: it asks for a stream and hands on each text as it comes. */
export interface Contender {
  name: string;
  read(source: Source, onText: (text: string) => void): Promise<void>;
  close?(): Promise<void>;
}

export async function createContenders(): Promise<Contender[]> {
  const { default: OpenAI } = await loadPeer<{ default: SdkConstructor }>('openai');
  const { default: Groq } = await loadPeer<{ default: SdkConstructor }>('groq-sdk');
  const aiSdk = await loadPeer<AiSdk>('@ai-sdk/openai-compatible');
  return [createParley(), createSdk('openai', OpenAI), createSdk('groq-sdk', Groq), createAiSdk(aiSdk)];
}

const contentType = { 'content-type': 'text/event-stream' };

/** The same body for everybody: that of a `Response` over the source. */
const respond = (body: () => ReadableStream<Uint8Array>) => new Response(body(), { headers: contentType });

function fetchOf({ body }: Source): { fetch?: typeof fetch } {
  return body === undefined ? {} : { fetch: async () => respond(body) };
}

function createParley(): Contender {
  const real = createBenchTransport();
  const { signal } = new AbortController();
  const transportOf = ({ baseUrl, body }: Source): Transport =>
    body === undefined
      ? real
      : {
          send: async () => ({ status: 200, headers: contentType, url: baseUrl, body: respond(body).body ?? body() }),
          close: async () => {},
        };
  return {
    name: 'Parley',
    async read(source, onText) {
      const endpoint = { baseUrl: source.baseUrl, apiKey: new ApiKey('sk-bench'), model: 'bench' };
      const request = { messages: question, stream: true };
      for await (const event of createChatClient(transportOf(source)).chat(endpoint, request, signal))
        if (event.type === 'text') onText(event.text);
    },
    close: () => real.close(),
  };
}

function createSdk(name: string, Sdk: SdkConstructor): Contender {
  return {
    name,
    async read(source, onText) {
      const sdk = new Sdk({
        apiKey: 'sk-bench',
        baseURL: source.baseUrl,
        maxRetries: 0,
        timeout: 60_000,
        ...fetchOf(source),
      });
      const stream: AsyncIterable<Chunk> = await sdk.chat.completions.create({
        model: 'bench',
        messages: question,
        stream: true,
        stream_options: { include_usage: true },
      });
      for await (const chunk of stream) {
        const text = chunk.choices[0]?.delta.content;
        if (typeof text === 'string') onText(text);
      }
    },
  };
}

function createAiSdk({ createOpenAICompatible }: AiSdk): Contender {
  return {
    name: '@ai-sdk/openai-compatible',
    async read(source, onText) {
      const options = { name: 'bench', apiKey: 'sk-bench', baseURL: source.baseUrl, includeUsage: true };
      const model = createOpenAICompatible({ ...options, ...fetchOf(source) }).chatModel('bench');
      const { stream } = await model.doStream({ prompt });
      for await (const part of stream) {
        if (part.type === 'text-delta') onText(part.delta);
        else if (part.type === 'error') throw part.error;
      }
    },
  };
}
