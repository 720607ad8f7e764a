import { systemClock } from '../../../src/base/clock.ts';
import { ApiKey } from '../../../src/service/apiKey.ts';
import { createChatClient } from '../../../src/service/chat/chat.ts';
import type { ChatEvent } from '../../../src/service/chat/completion.ts';
import { embed } from '../../../src/service/embeddings/embeddings.ts';
import type { Transport } from '../../../src/service/request.ts';
import { createTransport } from '../../../src/service/transport/transport.ts';
import { type Answer, addText, type Client, question } from './answer.ts';

/** Parley's own transport as the extension makes it, but for the retries. */
export function createBenchTransport(): Transport {
  return createTransport({ clock: systemClock, retry: { retries: 0, baseMs: 0, maxMs: 0 } });
}

export function createParley(): Client {
  const transport = createBenchTransport();
  const { signal } = new AbortController();
  return {
    name: 'Parley',
    offers: () => true,
    async ask(each, baseUrl, answer) {
      const endpoint = { baseUrl, apiKey: new ApiKey('sk-bench'), model: 'bench' };
      if (each.operation === 'embeddings') {
        answer.vectors = (await embed(transport, endpoint, each.inputs ?? ['one'], signal)).vectors;
        return;
      }
      const request = { messages: question, stream: each.stream ?? false };
      for await (const event of createChatClient(transport).chat(endpoint, request, signal)) add(answer, event);
    },
    close: () => transport.close(),
  };
}

function add(answer: Answer, event: ChatEvent): void {
  if (event.type === 'text') addText(answer, event.choice, event.text);
  else if (event.type === 'reasoning') answer.reasoning += event.text;
  else if (event.type === 'replace') {
    answer.texts[event.choice] = event.text;
    answer.reasoning = event.reasoning;
  } else if (event.type === 'tool-call' && event.choice === 0) answer.toolCalls.push(event.toolCall);
  else if (event.type === 'function-call' && event.choice === 0) answer.functionCall = event.functionCall;
  else if (event.type === 'finish') answer.finishReason ??= event.reason;
  else if (event.type === 'usage')
    answer.usage = { prompt: event.usage.promptTokens, completion: event.usage.completionTokens };
}
