import type { CorpusCase } from '../../corpus/case.ts';
import { loadPeer } from '../peers.ts';
import { type Answer, addText, type Client } from './answer.ts';

/** The part of `@ai-sdk/openai-compatible` that the bench uses. */
export interface AiSdk {
  createOpenAICompatible(options: {
    name: string;
    apiKey: string;
    baseURL: string;
    includeUsage: boolean;
    fetch?: typeof fetch;
  }): {
    chatModel(model: string): {
      doStream(request: object): Promise<{ stream: AsyncIterable<StreamPart> }>;
      doGenerate(request: object): Promise<{ content: ContentPart[]; finishReason: Finish; usage: AiUsage }>;
    };
    embeddingModel(model: string): { doEmbed(request: object): Promise<{ embeddings: number[][] }> };
  };
}
interface Finish {
  unified: string;
  raw?: string;
}
interface AiUsage {
  inputTokens: { total?: number };
  outputTokens: { total?: number };
}
type ContentPart =
  | { type: 'text' | 'reasoning'; text: string }
  | { type: 'tool-call'; toolCallId: string; toolName: string; input: string };
export type StreamPart =
  | { type: 'text-delta' | 'reasoning-delta'; delta: string }
  | { type: 'tool-call'; toolCallId: string; toolName: string; input: string }
  | { type: 'finish'; finishReason: Finish; usage: AiUsage }
  | { type: 'error'; error: unknown };

export const prompt = [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }];

/** The row of the quirk table on answers of several choices. */
const severalChoices = 23;

export async function createAiSdk(): Promise<Client> {
  const { createOpenAICompatible } = await loadPeer<AiSdk>('@ai-sdk/openai-compatible');
  return {
    name: '@ai-sdk/openai-compatible',
    // It reads one choice and has no legacy function calls; a service sends more, or these, only to those who ask.
    offers: ({ expected, quirks }: CorpusCase) =>
      !expected.ok || (expected.functionCall === undefined && quirks?.includes(severalChoices) !== true),
    async ask(each, baseURL, answer) {
      const provider = createOpenAICompatible({ name: 'bench', apiKey: 'sk-bench', baseURL, includeUsage: true });
      const abortSignal = AbortSignal.timeout(10_000);
      if (each.operation === 'embeddings') {
        const { embeddings } = await provider
          .embeddingModel('bench')
          .doEmbed({ values: each.inputs ?? ['one'], abortSignal });
        answer.vectors = embeddings;
      } else if (each.stream) {
        const { stream } = await provider.chatModel('bench').doStream({ prompt, abortSignal });
        for await (const part of stream) add(answer, part);
      } else {
        const { content, finishReason, usage } = await provider.chatModel('bench').doGenerate({ prompt, abortSignal });
        for (const part of content) addContent(answer, part);
        addEnd(answer, finishReason, usage);
      }
    },
  };
}

/** An error that comes as a part of the stream is an error that was said. */
function add(answer: Answer, part: StreamPart): void {
  if (part.type === 'text-delta') addText(answer, 0, part.delta);
  else if (part.type === 'reasoning-delta') answer.reasoning += part.delta;
  else if (part.type === 'tool-call') addContent(answer, part);
  else if (part.type === 'finish') addEnd(answer, part.finishReason, part.usage);
  else if (part.type === 'error') throw part.error;
}

function addContent(answer: Answer, part: ContentPart): void {
  if (part.type === 'text') addText(answer, 0, part.text);
  else if (part.type === 'reasoning') answer.reasoning += part.text;
  else if (part.type === 'tool-call')
    answer.toolCalls.push({ id: part.toolCallId, name: part.toolName, arguments: part.input });
}

function addEnd(answer: Answer, finishReason: Finish, usage: AiUsage): void {
  answer.finishReason = finishReason.raw ?? finishReason.unified;
  const [prompt, completion] = [usage.inputTokens.total, usage.outputTokens.total];
  if (prompt !== undefined || completion !== undefined) answer.usage = { prompt, completion };
}
