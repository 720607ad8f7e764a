import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import {
  type LanguageModelChat,
  LanguageModelChatMessage,
  LanguageModelDataPart,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
  LanguageModelToolResultPart,
  lm,
} from 'vscode';
import { chunk, finish } from '../../../corpus/pieces.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { notification } from '../support/hands.ts';
import { connectToScripted, startScripted, streamed } from '../support/scriptedService.ts';
import { connectTo, disconnect, startService } from '../support/service.ts';

const vendor = 'parley';
const { User, Assistant } = LanguageModelChatMessage;
const tools = [{ name: 'weather', description: 'The weather of a place', inputSchema: { type: 'object' } }];
type Part = LanguageModelTextPart | LanguageModelToolCallPart | LanguageModelDataPart;

/** A class of VS Code that the types do not have yet. */
const ThinkingPart = (
  vscode as unknown as Record<string, new (value: string, id?: string) => { value: string; id?: string }>
)['LanguageModelThinkingPart'];

async function theModel(id: string): Promise<LanguageModelChat> {
  const [model] = await lm.selectChatModels({ vendor, id });
  assert.ok(model);
  return model;
}

async function partsOf(model: LanguageModelChat, messages: LanguageModelChatMessage[]): Promise<unknown[]> {
  const parts: unknown[] = [];
  for await (const part of (await model.sendRequest(messages, { tools })).stream) parts.push(part);
  return parts;
}

const textOf = (parts: unknown[]): string =>
  parts.map((part) => (part instanceof LanguageModelTextPart ? part.value : '')).join('');
const thoughtOf = (parts: unknown[]): string =>
  parts.map((part) => (ThinkingPart !== undefined && part instanceof ThinkingPart ? part.value : '')).join('');

/** One turn of an agent that keeps what `keep` says of each answer: it calls the tool twice, one after the other. */
async function runAgent(model: LanguageModelChat, keep: (part: unknown) => boolean): Promise<string> {
  const messages = [User('call weather {"place":"Kiel"}')];
  for (let round = 0; round < 3; round++) {
    const parts = await partsOf(model, messages);
    const calls = parts.filter((part) => part instanceof LanguageModelToolCallPart);
    if (calls.length === 0) return textOf(parts);
    messages.push(Assistant(parts.filter(keep) as Part[]));
    messages.push(
      User(calls.map(({ callId }) => new LanguageModelToolResultPart(callId, [new LanguageModelTextPart('Rain.')]))),
    );
    // The reference service calls again when it is asked again.
    if (round === 0) messages.push(User('call weather {"place":"Bremen"}'));
  }
  throw new Error('The agent did not come to an end.');
}
const isCall = (part: unknown): boolean => part instanceof LanguageModelToolCallPart;

describe('A model that thinks', () => {
  let service: ReferenceService;
  afterEach(async () => {
    await disconnect();
    await service.close();
  });
  async function connectThinking(thoughts: 'reasoning_content' | 'reasoning' | 'thinking'): Promise<LanguageModelChat> {
    service = await startService({ thoughts });
    await connectTo(service);
    await notification.clear();
    return theModel(`${service.baseUrl}#parley-chat`);
  }

  it('goes on after a tool was called: its thoughts go back in reasoning_content', async () => {
    assert.match(await runAgent(await connectThinking('reasoning_content'), isCall), /The tool answered: Rain\./);
  });
  it('goes on after a tool was called: its thoughts go back in reasoning', async () => {
    assert.match(await runAgent(await connectThinking('reasoning'), isCall), /The tool answered: Rain\./);
  });
  it('goes on after a tool was called: its thoughts go back in thinking', async () => {
    assert.match(await runAgent(await connectThinking('thinking'), isCall), /The tool answered: Rain\./);
  });

  it('goes on after calls that another model made, whose thoughts nobody knows; nobody is told of it', async () => {
    const model = await connectThinking('reasoning_content');
    const messages = [
      User('Hello'),
      Assistant([new LanguageModelToolCallPart('call_of_another', 'weather', {})]),
      User([new LanguageModelToolResultPart('call_of_another', [new LanguageModelTextPart('Sun.')])]),
    ];
    assert.match(textOf(await partsOf(model, messages)), /The tool answered: Sun\./);
    assert.deepEqual(await notification.texts(), []);
  });

  it('is shown thinking, in parts of their own that are no text', async () => {
    const parts = await partsOf(await connectThinking('reasoning_content'), [User('say: the answer')]);
    assert.ok(ThinkingPart, 'this VS Code has thinking parts');
    assert.match(thoughtOf(parts), /^Thought \w+\.$/);
    assert.equal(textOf(parts), 'the answer');
    const ids = new Set(parts.flatMap((part) => (part instanceof ThinkingPart ? [part.id] : [])));
    assert.equal(ids.size, 1);
  });

  it('gets back thoughts that VS Code kept, where the window that heard them is gone', async () => {
    const model = await connectThinking('reasoning_content');
    assert.ok(ThinkingPart);
    const messages = [
      User('Hello'),
      Assistant([
        new ThinkingPart('Kept thoughts.') as unknown as LanguageModelTextPart,
        new LanguageModelToolCallPart('before', 'weather', {}),
      ]),
      User([new LanguageModelToolResultPart('before', [new LanguageModelTextPart('Sun.')])]),
    ];
    await partsOf(model, messages);
    const [body] = service.requests.flatMap(({ path, body }) => (path.endsWith('/chat/completions') ? [body] : []));
    const { messages: sent } = body as { messages: Record<string, unknown>[] };
    assert.equal(sent[1]?.['reasoning_content'], 'Kept thoughts.');
  });
});

describe('What a service wants back with a call', () => {
  it('goes back as it came: signatures of Gemini and OpenRouter', async () => {
    const service = await startScripted();
    await connectToScripted(service);
    const extra = { google: { thought_signature: 'c2lnbmVk' } };
    const details = [
      chunk({ reasoning: 'I ', reasoning_details: [{ type: 'reasoning.text', text: 'I ', index: 0 }] }),
      chunk({ reasoning: 'think.', reasoning_details: [{ type: 'reasoning.text', text: 'think.', index: 0 }] }),
      chunk({ reasoning_details: [{ type: 'reasoning.text', signature: 'c2ln', index: 0 }] }),
    ];
    const call = {
      index: 0,
      id: 'c1',
      type: 'function',
      function: { name: 'weather', arguments: '{}' },
      extra_content: extra,
    };
    service.answer(
      streamed([...details, chunk({ tool_calls: [call] }), finish('tool_calls'), '[DONE]'], (r) => void r.end()),
    );
    const [model] = await lm.selectChatModels({ vendor });
    assert.ok(model);
    const calls = (await partsOf(model, [User('Hello')])).filter(isCall) as LanguageModelToolCallPart[];
    const results = [new LanguageModelToolResultPart('c1', [new LanguageModelTextPart('Rain.')])];
    await partsOf(model, [User('Hello'), Assistant(calls), User(results)]);
    const { messages } = service.bodies[1] as {
      messages: { tool_calls: Record<string, unknown>[]; [field: string]: unknown }[];
    };
    const [, asked] = messages;
    assert.equal(asked?.['reasoning'], 'I think.');
    assert.deepEqual(asked?.['reasoning_details'], [
      { type: 'reasoning.text', text: 'I think.', index: 0, signature: 'c2ln' },
    ]);
    assert.deepEqual(asked?.tool_calls[0]?.['extra_content'], extra);
    await disconnect();
    await service.close();
  });
});

describe('Usage of a model in VS Code', () => {
  it('is told to VS Code as its own models tell it, so that it knows how full the context is', async () => {
    const service = await startService();
    await connectTo(service);
    const parts = await partsOf(await theModel(`${service.baseUrl}#parley-chat`), [User('say: counted')]);
    const usage = parts.filter((part) => part instanceof LanguageModelDataPart);
    assert.deepEqual(
      usage.map(({ mimeType }) => mimeType),
      ['usage'],
    );
    const told = JSON.parse(new TextDecoder().decode(usage[0]?.data));
    assert.ok(told.prompt_tokens > 0 && told.completion_tokens > 0, JSON.stringify(told));
    assert.equal(told.total_tokens, told.prompt_tokens + told.completion_tokens);
    await disconnect();
    await service.close();
  });

  it('is not made up where the service does not count', async () => {
    const service = await startScripted();
    await connectToScripted(service);
    service.answer(streamed([chunk({ content: 'a' }), finish(), '[DONE]'], (response) => void response.end()));
    const [model] = await lm.selectChatModels({ vendor });
    assert.ok(model);
    const parts = await partsOf(model, [User('Hello')]);
    assert.equal(textOf(parts), 'a');
    assert.ok(parts.every((part) => part instanceof LanguageModelTextPart));
    await disconnect();
    await service.close();
  });
});
