import assert from 'node:assert/strict';
import {
  type LanguageModelChat,
  LanguageModelChatMessage,
  type LanguageModelChatTool,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
  LanguageModelToolResultPart,
  lm,
} from 'vscode';
import { describeModel } from '../../../../src/models/catalog/modelInformation.ts';
import type { Source } from '../../../../src/models/catalog/modelSource.ts';
import { answer } from '../../../corpus/pieces.ts';
import { notification } from '../support/hands.ts';
import { connectToScripted, type ScriptedService, startScripted } from '../support/scriptedService.ts';
import { disconnect } from '../support/service.ts';

type Body = Record<string, unknown>;
const { User, Assistant } = LanguageModelChatMessage;
const described = (name: string, inputSchema?: object): LanguageModelChatTool => ({
  name,
  description: `Does ${name}`,
  ...(inputSchema === undefined ? {} : { inputSchema }),
});

describe('What an agent sends through VS Code', () => {
  let service: ScriptedService;
  beforeEach(async () => {
    service = await startScripted();
    await connectToScripted(service);
    await notification.clear();
  });
  afterEach(async () => {
    await disconnect();
    await service.close();
  });

  /** What the service answers, by the request and how many came before it. */
  function answers(rule: (body: Body, count: number) => [status: number, body: unknown]): void {
    service.answer((response, body) => {
      const [status, said] = rule(body, service.bodies.length);
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(typeof said === 'string' ? said : JSON.stringify(said));
    });
  }
  const calls = (...made: [name: string, args: string][]) =>
    answer(
      {
        content: null,
        tool_calls: made.map(([name, args], at) => ({
          id: `call${at}`,
          type: 'function',
          function: { name, arguments: args },
        })),
      },
      {},
      { finish_reason: 'tool_calls' },
    );

  async function ask(messages: LanguageModelChatMessage[], tools: LanguageModelChatTool[] = []): Promise<unknown[]> {
    const [model] = await lm.selectChatModels({ vendor: 'parley' });
    assert.ok(model);
    const parts: unknown[] = [];
    for await (const part of (await (model as LanguageModelChat).sendRequest(messages, { tools })).stream)
      parts.push(part);
    return parts;
  }
  const callsOf = (parts: unknown[]) =>
    parts.flatMap((part) => (part instanceof LanguageModelToolCallPart ? [[part.name, part.input]] : []));
  const textOf = (parts: unknown[]): string =>
    parts.map((part) => (part instanceof LanguageModelTextPart ? part.value : '')).join('');

  it('has schemas and names that services take, and gets the names back as it knows them', async () => {
    answers(() => [200, calls(['restartNode_js', '{"x": 1}'])]);
    const parts = await ask([User('Go')], [described('restartNode.js', {}), described('ok_tool', { type: 'object' })]);
    assert.deepEqual(callsOf(parts), [['restartNode.js', { x: 1 }]]);
    const sent = service.bodies[0]?.['tools'] as { function: { name: string; parameters: object } }[];
    assert.deepEqual(
      sent.map(({ function: { name, parameters } }) => [name, parameters]),
      [
        ['restartNode_js', { type: 'object', properties: {} }],
        ['ok_tool', { type: 'object', properties: {} }],
      ],
    );
  });

  it('goes on without the tool that the service refuses, which is told once', async () => {
    answers(({ tools }) =>
      JSON.stringify(tools).includes('bad_tool')
        ? [400, { error: { message: "Invalid schema for function 'bad_tool': no list of types", param: 'tools[1]' } }]
        : [200, answer({ content: 'fine' })],
    );
    const tools = [
      described('good_tool'),
      described('bad_tool', { type: 'object', properties: { a: { type: ['x'] } } }),
    ];
    assert.equal(textOf(await ask([User('Go')], tools)), 'fine');
    await notification.untilSaid('The service does not take the tool “bad_tool”');
    assert.equal(textOf(await ask([User('Go')], tools)), 'fine');
    assert.equal(service.bodies.length, 3);
  });

  it('is answered though a call before was stopped, and a result has lost its call', async () => {
    answers(() => [200, answer({ content: 'fine' })]);
    const stopped = Assistant([new LanguageModelToolCallPart('call_1', 'look', {})]);
    const lost = User([new LanguageModelToolResultPart('call_0', [new LanguageModelTextPart('Rain.')])]);
    assert.equal(textOf(await ask([lost, stopped, User('Go on')], [described('look')])), 'fine');
    const messages = service.bodies[0]?.['messages'] as { role: string; content: string }[];
    assert.deepEqual(
      messages.map(({ role }) => role),
      ['user', 'assistant', 'tool', 'user'],
    );
    assert.match(messages[0]?.content ?? '', /Rain\./);
    assert.match(messages[2]?.content ?? '', /gave no result/);
  });

  it('gets calls whose arguments are nearly JSON, with all digits of a number', async () => {
    answers(() => [
      200,
      calls(['look', '"{\\"x\\": 1}"'], ['look', '{"id": 12345678901234567890,}'], ['look', 'null']),
    ]);
    const parts = await ask([User('Go')], [described('look')]);
    assert.deepEqual(
      callsOf(parts).map(([, input]) => input),
      [{ x: 1 }, { id: '12345678901234567890' }, {}],
    );
  });

  it('gets calls that the model wrote into its text, of the tools that it has', async () => {
    const call = '{"name": "restartNode_js", "arguments": {"x": 1}}';
    answers(() => [200, answer({ content: `I restart it.\n<tool_call>\n${call}\n</tool_call>` })]);
    const parts = await ask([User('Go')], [described('restartNode.js')]);
    assert.deepEqual(callsOf(parts), [['restartNode.js', { x: 1 }]]);
    assert.equal(textOf(parts).trim(), 'I restart it.');
    const other = await ask([User('Go')], [described('another')]);
    assert.deepEqual(callsOf(other), []);
    assert.match(textOf(other), /<tool_call>/);
  });

  it('gets the second try of a call that was no JSON, which the model is told once', async () => {
    answers((_body, count) => [200, calls(['look', count === 1 ? '{"x": ' : '{"x": 2}'], ['other', '{}'])]);
    const parts = await ask([User('Go')], [described('look'), described('other')]);
    assert.deepEqual(callsOf(parts), [
      ['look', { x: 2 }],
      ['other', {}],
    ]);
    const messages = service.bodies[1]?.['messages'] as { role: string; content: string }[];
    assert.deepEqual(
      messages.map(({ role }) => role),
      ['user', 'assistant', 'tool', 'tool'],
    );
    assert.match(messages[2]?.content ?? '', /not one JSON object/);
  });

  it('is told by an error where the second try is no JSON either', async () => {
    answers(() => [200, calls(['look', '{"x": '])]);
    await assert.rejects(ask([User('Go')], [described('look')]), /“look” with arguments that are not a JSON object/);
    assert.equal(service.bodies.length, 2);
  });

  it('finds the models where a person chooses one', () => {
    const source = {
      baseUrl: service.baseUrl,
      access: { baseUrl: service.baseUrl, apiKey: undefined },
    } as unknown as Source;
    // VS Code 1.120 shows no model in the list of its chat that does not say so at its top.
    assert.equal(describeModel(source, 'm', {}, undefined).isUserSelectable, true);
  });
});
