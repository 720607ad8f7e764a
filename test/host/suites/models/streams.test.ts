import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { type LanguageModelChat, LanguageModelChatMessage, LanguageModelTextPart, lm } from 'vscode';
import { chunk, finish } from '../../../corpus/pieces.ts';
import { connectToScripted, type ScriptedService, startScripted, streamed } from '../support/scriptedService.ts';
import { disconnect } from '../support/service.ts';

const vendor = 'parley';

async function onlyModel(): Promise<LanguageModelChat> {
  const [model] = await lm.selectChatModels({ vendor });
  assert.ok(model);
  return model;
}

/** What came of an answer, and the error it ended with. */
async function readAll(
  model: LanguageModelChat,
): Promise<{ text: string; error: (Error & { code?: string }) | undefined }> {
  const response = await model.sendRequest([LanguageModelChatMessage.User('Hello')]);
  let text = '';
  try {
    for await (const part of response.stream) if (part instanceof LanguageModelTextPart) text += part.value;
  } catch (error) {
    assert.ok(error instanceof Error);
    return { text, error };
  }
  return { text, error: undefined };
}

const words = (count: number): string[] => Array.from({ length: count }, (_, index) => `word${index} `);
const close = (response: ServerResponse): void => void response.end();

describe('A stream through VS Code that ends with an error', () => {
  let service: ScriptedService;
  beforeEach(async () => {
    service = await startScripted();
    await connectToScripted(service);
  });
  afterEach(async () => {
    await service.close();
  });
  after(disconnect);

  /** Each is tried with few pieces and with many, since VS Code sends them in batches. */
  async function holds(
    last: readonly (string | object)[],
    end: (response: ServerResponse) => void,
    code: string,
    lastText = '',
  ) {
    const model = await onlyModel();
    for (const count of [1, 2, 29, 31, 64, 2000]) {
      const sent = words(count);
      service.answer(streamed([...sent.map((content) => chunk({ content })), ...last], end));
      const { text, error } = await readAll(model);
      assert.equal(error?.code, code, String(error));
      assert.equal(text, sent.join('') + lastText, `${count} pieces`);
    }
  }

  it('gives all its text before the error: a stream that is cut', () => holds([], close, 'truncated'));
  it('gives all its text before the error: a connection that is lost', () =>
    holds([], (response) => void response.socket?.destroySoon(), 'truncated'));
  it('gives all its text before the error: an error object', () =>
    holds([{ error: { message: 'Out of memory' } }], close, 'server'));
  it('gives all its text before the error: an error event', () =>
    holds([], (response) => void response.end('event: error\ndata: {"message":"Out of memory"}\n\n'), 'server'));
  it('gives all its text before the error: an error in the last chunk, with text', () =>
    holds(
      [chunk({ content: 'last' }, { error: { message: 'Out of memory', code: 502 } }, { finish_reason: 'error' })],
      close,
      'server',
      'last',
    ));
  it('gives all its text before the error: the reason “error”', () =>
    holds([finish('error'), '[DONE]'], close, 'server'));
  it('gives all its text before the error: a content filter', () =>
    holds([finish('content_filter'), '[DONE]'], close, 'Blocked'));
});
