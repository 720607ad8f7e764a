import { loadPeer } from '../peers.ts';
import { type Answer, addText, type Client, placeOf, question, usesTools } from './answer.ts';

/** The part of `openai` and of `groq-sdk`, which have grown from one root, that the bench uses. */
export interface Sdk {
  chat: {
    completions: {
      create(request: object): Promise<AsyncIterable<Chunk> & Completion>;
      /** Only `openai` has it. */
      stream?(request: object): AsyncIterable<Chunk> & { finalChatCompletion(): Promise<Completion> };
    };
  };
  embeddings: { create(request: object): Promise<{ data: { embedding: number[] }[]; usage?: SdkUsage }> };
}
export type SdkConstructor = new (options: {
  apiKey: string;
  baseURL: string;
  maxRetries: number;
  timeout: number;
  logLevel?: 'off';
  fetch?: typeof fetch;
}) => Sdk;

interface SdkUsage {
  prompt_tokens?: number;
  completion_tokens?: number;
}
interface Message {
  content?: unknown;
  reasoning_content?: unknown;
  reasoning?: unknown;
  tool_calls?: { index?: number; id?: string; function?: { name?: string; arguments?: string } }[] | null;
  function_call?: { name?: string; arguments?: string } | null;
}
export interface Chunk {
  choices: { index: number; delta: Message; finish_reason: string | null }[];
  usage?: SdkUsage | null;
  x_groq?: { usage?: SdkUsage } | null;
}
interface Completion {
  choices: { index: number; message: Message; finish_reason: string }[];
  usage?: SdkUsage | null;
}

export async function createOpenAi(): Promise<Client> {
  const { default: OpenAI } = await loadPeer<{ default: SdkConstructor }>('openai');
  return createSdkClient('openai', OpenAI);
}

/** It asks at `{base address}/openai/v1/…`; a case is met on any path below its own. */
export async function createGroq(): Promise<Client> {
  const { default: Groq } = await loadPeer<{ default: SdkConstructor }>('groq-sdk');
  return createSdkClient('groq-sdk', Groq);
}

function createSdkClient(name: string, Sdk: SdkConstructor): Client {
  return {
    name,
    offers: () => true,
    async ask(each, baseURL, answer) {
      const sdk = new Sdk({ apiKey: 'sk-bench', baseURL, maxRetries: 0, timeout: 10_000, logLevel: 'off' });
      if (each.operation === 'embeddings') {
        const { data } = await sdk.embeddings.create({ model: 'bench', input: each.inputs ?? ['one'] });
        answer.vectors = data.map((item) => item.embedding);
        return;
      }
      const request = { model: 'bench', messages: question };
      if (!each.stream) return addCompletion(answer, await sdk.chat.completions.create(request));
      const streamed = { ...request, stream: true, stream_options: { include_usage: true } };
      if (sdk.chat.completions.stream && usesTools(each)) {
        const stream = sdk.chat.completions.stream(streamed);
        for await (const chunk of stream) addDeltas(answer, chunk);
        const { choices } = await stream.finalChatCompletion();
        addCalls(answer, choices[0]?.message);
        return;
      }
      for await (const chunk of await sdk.chat.completions.create(streamed)) {
        addDeltas(answer, chunk);
        for (const choice of chunk.choices ?? []) if (placeOf(choice.index) === 0) addCallDeltas(answer, choice.delta);
      }
    },
  };
}

/** As in the examples: `chunk.choices[0]?.delta?.content`, for every choice. */
function addDeltas(answer: Answer, chunk: Chunk): void {
  for (const choice of chunk.choices ?? []) {
    addMessage(answer, choice.index, choice.delta);
    if (choice.finish_reason) answer.finishReason ??= choice.finish_reason;
  }
  addUsage(answer, chunk.usage ?? chunk.x_groq?.usage);
}

function addCompletion(answer: Answer, completion: Completion): void {
  for (const choice of completion.choices) {
    addMessage(answer, choice.index, choice.message);
    if (placeOf(choice.index) === 0) addCalls(answer, choice.message);
    if (choice.finish_reason) answer.finishReason ??= choice.finish_reason;
  }
  addUsage(answer, completion.usage);
}

function addMessage(answer: Answer, choice: number, message: Message | undefined): void {
  addText(answer, choice, message?.content);
  const reasoning = message?.reasoning_content ?? message?.reasoning;
  if (typeof reasoning === 'string') answer.reasoning += reasoning;
}

function addUsage(answer: Answer, usage: SdkUsage | null | undefined): void {
  if (usage) answer.usage = { prompt: usage.prompt_tokens, completion: usage.completion_tokens };
}

function addCalls(answer: Answer, message: Message | undefined): void {
  for (const { id, function: called } of message?.tool_calls ?? [])
    answer.toolCalls.push({ ...(id ? { id } : {}), name: called?.name ?? '', arguments: called?.arguments ?? '' });
  const legacy = message?.function_call;
  if (legacy) answer.functionCall = { name: legacy.name ?? '', arguments: legacy.arguments ?? '' };
}

/** The loop that the documentation of streamed function calls shows: pieces are joined by their `index`. */
function addCallDeltas(answer: Answer, delta: Message | undefined): void {
  for (const { index, id, function: piece } of delta?.tool_calls ?? []) {
    const call = answer.toolCalls[index ?? 0];
    if (call === undefined)
      answer.toolCalls[index ?? 0] = {
        ...(id ? { id } : {}),
        name: piece?.name ?? '',
        arguments: piece?.arguments ?? '',
      };
    else call.arguments += piece?.arguments ?? '';
  }
  const legacy = delta?.function_call;
  if (!legacy) return;
  const { name, arguments: before } = answer.functionCall ?? { name: '', arguments: '' };
  answer.functionCall = { name: name || (legacy.name ?? ''), arguments: before + (legacy.arguments ?? '') };
}
