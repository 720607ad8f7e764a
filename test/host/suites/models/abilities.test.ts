import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import {
  CancellationTokenSource,
  type LanguageModelChat,
  LanguageModelChatMessage,
  type LanguageModelChatRequestOptions,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
  lm,
} from 'vscode';
import { chunk, finish } from '../../../corpus/pieces.ts';
import { connectToScripted, type ScriptedService, startScripted, streamed } from '../support/scriptedService.ts';
import { disconnect, setting } from '../support/service.ts';
import { until } from '../support/until.ts';

const vendor = 'parley';
const question = [LanguageModelChatMessage.User('Hello')];
const end = (response: ServerResponse): void => void response.end();
const said = (text: string) => streamed([chunk({ content: text }), finish(), '[DONE]'], end);

/** What VS Code gives a caller, and takes from it, that the types have as a proposal. */
type Able = LanguageModelChat & { capabilities: { supportsToolCalling: boolean; supportsImageToText: boolean } };
type Configured = LanguageModelChatRequestOptions & { configuration?: Record<string, unknown> };

/** A model once VS Code lists it: a list that was asked for before the settings changed is given until the new one is there. */
async function modelNamed(name: string): Promise<Able> {
  const found = await until(`VS Code lists ${name}`, async () =>
    (await lm.selectChatModels({ vendor })).find((model) => model.name === name),
  );
  return found as Able;
}

async function ask(model: LanguageModelChat, options: Configured = {}): Promise<string> {
  let answer = '';
  for await (const piece of (await model.sendRequest(question, options)).text) answer += piece;
  return answer;
}

describe('What models can do, in VS Code', () => {
  let service: ScriptedService;
  beforeEach(async () => {
    service = await startScripted();
    service.answer(said('Hi'));
  });
  afterEach(async () => {
    await setting('parley.models.capabilities', undefined);
    await service.close();
  });
  after(disconnect);
  /** Connects to the service, which has its list by then: VS Code asks for it at once, and keeps what it got. */
  async function connectListing(models: readonly object[]): Promise<void> {
    service.list(models);
    await connectToScripted(service);
  }
  const abilities = async (name: string): Promise<unknown[]> => {
    const { capabilities, maxInputTokens } = await modelNamed(name);
    return [capabilities.supportsToolCalling, capabilities.supportsImageToText, maxInputTokens];
  };

  it('is what the service’s list says', async () => {
    await connectListing([
      { id: 'plain', context_length: 8192, supported_parameters: ['temperature'] },
      {
        id: 'able',
        context_length: 8192,
        supported_parameters: ['tools'],
        architecture: { input_modalities: ['image'] },
      },
    ]);
    assert.deepEqual(await abilities('plain'), [false, false, 6144]);
    assert.deepEqual(await abilities('able'), [true, true, 6144]);
  });

  it('is what the setting says by pattern, as soon as it says so', async () => {
    await connectListing([{ id: 'm' }]);
    assert.deepEqual(await abilities('m'), [true, false, 114_688]);
    await setting('parley.models.capabilities', {
      '*': { toolCalling: false, imageInput: true, maxInputTokens: 5000 },
    });
    await until('VS Code knows', async () => (await modelNamed('m')).maxInputTokens === 5000);
    assert.deepEqual(await abilities('m'), [false, true, 5000]);
  });

  it('is to think as hard as was chosen, in the field that the service wants', async () => {
    await connectListing([{ id: 'm', reasoning_efforts: ['low', 'high'] }]);
    await ask(await modelNamed('m'), { configuration: { reasoningEffort: 'high' } });
    await setting('parley.models.capabilities', {
      m: { thinkingLevels: ['low', 'high'], thinkingField: 'reasoning.effort' },
    });
    await ask(await modelNamed('m'), { configuration: { reasoningEffort: 'low' } });
    assert.deepEqual(
      service.bodies.map(({ reasoning_effort, reasoning }) => [reasoning_effort, reasoning]),
      [
        ['high', undefined],
        [undefined, { effort: 'low' }],
      ],
    );
  });

  it('is to think as the service does, where nobody chose', async () => {
    await connectListing([{ id: 'm', reasoning_efforts: ['low', 'high'] }]);
    await ask(await modelNamed('m'));
    await ask(await modelNamed('m'), { configuration: { reasoningEffort: 'no such level' } });
    service.list([{ id: 'n', reasoning: { supported_efforts: ['low', 'high'], default_effort: 'low' } }]);
    await setting('parley.baseUrl', `${service.baseUrl}/v2`);
    // VS Code itself says the usual one.
    await ask(await modelNamed('n'));
    assert.deepEqual(
      service.bodies.map(({ reasoning_effort }) => reasoning_effort),
      [undefined, undefined, 'low'],
    );
  });
});

describe('Requests for models in VS Code', () => {
  let service: ScriptedService;
  beforeEach(async () => {
    service = await startScripted();
    await connectToScripted(service);
  });
  afterEach(async () => {
    await service.close();
  });
  after(disconnect);

  /** Asks, cancels when the service has sent what it sends, and holds that the connection is closed and no call is made. */
  async function cancelled(data: object[]): Promise<void> {
    const model = await modelNamed('m');
    const cancel = new CancellationTokenSource();
    let sent = false;
    service.answer(
      streamed(data, () => {
        sent = true;
      }),
    );
    const parts: unknown[] = [];
    const reading = (async () => {
      for await (const part of (await model.sendRequest(question, {}, cancel.token)).stream) parts.push(part);
    })();
    reading.catch(() => undefined);
    await until('the service has sent it', () => sent);
    cancel.cancel();
    await until('the connection is closed', () => service.closed === 1);
    await assert.rejects(reading, { name: 'Canceled' });
    assert.ok(!parts.some((part) => part instanceof LanguageModelToolCallPart));
  }
  const call = (text: string, more = {}) =>
    chunk({ tool_calls: [{ index: 0, function: { arguments: text }, ...more }] });

  it('are stopped at once in the middle of a call of a tool', () =>
    cancelled([
      JSON.parse(call('{"a":', { id: 'x', function: { name: 'look', arguments: '{"a":' } })),
      JSON.parse(call('1')),
    ]));
  it('are stopped at once in the middle of a thought', () =>
    cancelled([
      JSON.parse(chunk({ reasoning_content: 'I think ' })),
      JSON.parse(chunk({ reasoning_content: 'that' })),
    ]));
  it('are stopped at once before the answer has begun', () => cancelled([]));

  it('go side by side, each with its own answer, and a stop ends one of them', async () => {
    const model = await modelNamed('m');
    let open: ServerResponse[] = [];
    service.answer(async (response) => {
      const name = `answer ${open.length}`;
      open.push(response);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${chunk({ content: `${name} begins, ` })}\n\n`);
    });
    const cancel = new CancellationTokenSource();
    const texts = ['', '', ''];
    const reading = texts.map(async (_, index) => {
      const response = await model.sendRequest(question, {}, index === 1 ? cancel.token : undefined);
      for await (const part of response.stream) if (part instanceof LanguageModelTextPart) texts[index] += part.value;
    });
    for (const each of reading) each.catch(() => undefined);
    await until('all have begun', () => texts.every((text) => text !== ''));
    cancel.cancel();
    await until('one is closed', () => service.closed === 1);
    const left = open.filter((response) => !response.destroyed);
    assert.equal(left.length, 2);
    for (const response of left)
      response.end(`data: ${chunk({ content: 'and ends' })}\n\ndata: ${finish()}\n\ndata: [DONE]\n\n`);
    open = [];
    await assert.rejects(reading[1] as Promise<void>, { name: 'Canceled' });
    await Promise.all([reading[0], reading[2]]);
    assert.equal(new Set(texts).size, 3);
    for (const index of [0, 2]) assert.match(texts[index] ?? '', /^answer \d begins, and ends$/);
  });

  it('for the list end soon where the service does not answer: the named model is there, and the others once they come', async () => {
    let answer: () => void = () => {};
    service.list((response: ServerResponse) => {
      answer = () =>
        void response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[{"id":"late"}]}');
    });
    await setting('parley.baseUrl', `${service.baseUrl}/v2`);
    await setting('parley.chat.model', 'named');
    const names = async (): Promise<string[]> => (await lm.selectChatModels({ vendor })).map(({ name }) => name);
    assert.deepEqual(await names(), ['named']);
    let changes = 0;
    const listening = lm.onDidChangeChatModels(() => {
      changes++;
    });
    answer();
    await until('VS Code is told', () => changes > 0);
    listening.dispose();
    assert.deepEqual(await names(), ['named', 'late']);
  }).timeout(60_000);
});
