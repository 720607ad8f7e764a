import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ChatFields, ChatMessage, ChatRequest } from '../../../src/service/chat/chatRequest.ts';
import { checkChatRequest } from '../../../src/service/chat/checkRequest.ts';

const messages: ChatMessage[] = [{ role: 'user', content: 'hi' }];
const tool = { type: 'function', function: { name: 'find', parameters: { type: 'object' } } } as const;
const called = { id: 'a', type: 'function', function: { name: 'find', arguments: '{}' } } as const;

/** Each field of tables 2.1 to 2.3 with a value it takes. */
const allFields: Required<ChatFields> = {
  frequency_penalty: 0,
  presence_penalty: -2,
  functions: [{ name: 'find', description: 'finds', parameters: {} }],
  function_call: { name: 'find' },
  tools: [tool],
  tool_choice: { type: 'function', function: { name: 'find' } },
  parallel_tool_calls: true,
  logit_bias: { 50256: -100 },
  logprobs: true,
  top_logprobs: 10,
  max_tokens: 1,
  n: 128,
  response_format: { type: 'json_object' },
  seed: -1,
  stop: ['a', 'b'],
  stream_options: { include_usage: true },
  temperature: 1,
  top_p: 0.5,
  user: '',
};

const check = (request: Partial<ChatRequest>) => checkChatRequest({ messages, stream: true, ...request }, 'm');

/** The fields as a caller without types would give them. */
const wrongFields: [param: string, fields: Record<string, unknown>][] = [
  ['frequency_penalty', { frequency_penalty: Number.NaN }],
  ['presence_penalty', { presence_penalty: '1' }],
  ['functions', { functions: [] }],
  ['functions[0].name', { functions: [{}] }],
  ['functions[0].parameters', { functions: [{ name: 'f', parameters: [] }] }],
  ['function_call', { function_call: 'find' }],
  ['function_call.name', { functions: [{ name: 'f' }], function_call: {} }],
  ['tools', { tools: 'find' }],
  ['tools[0]', { tools: ['find'] }],
  ['tools[0].type', { tools: [{ type: 'tool', function: { name: 'f' } }] }],
  ['tools[1].function.name', { tools: [tool, { type: 'function', function: { name: 'two words' } }] }],
  ['tools[0].function.name', { tools: [{ type: 'function', function: { name: 'x'.repeat(65) } }] }],
  ['tools[0].function.description', { tools: [{ type: 'function', function: { name: 'f', description: 1 } }] }],
  ['tool_choice', { tool_choice: 'required' }],
  ['tool_choice.function.name', { tools: [tool], tool_choice: { type: 'function' } }],
  ['parallel_tool_calls', { parallel_tool_calls: 1 }],
  ['logit_bias', { logit_bias: { 1: 'x' } }],
  ['logprobs', { logprobs: 5 }],
  ['top_logprobs', { top_logprobs: 5 }],
  ['top_logprobs', { logprobs: true, top_logprobs: 21 }],
  ['max_tokens', { max_tokens: 0.5 }],
  ['n', { n: 129 }],
  ['response_format', { response_format: 'json' }],
  ['response_format.type', { response_format: {} }],
  ['response_format.json_schema', { response_format: { type: 'json_schema' } }],
  ['seed', { seed: 1.5 }],
  ['stop', { stop: [1] }],
  ['stream_options', { stream_options: true }],
  ['stream_options.include_usage', { stream_options: { include_usage: 1 } }],
  ['temperature', { temperature: -1 }],
  ['top_p', { top_p: 1.1 }],
  ['user', { user: 1 }],
  ['temprature', { temprature: 1 }],
];

const wrongMessages: [param: string, message: Record<string, unknown>][] = [
  ['messages[1].role', { content: 'x' }],
  ['messages[1].content', { role: 'user' }],
  ['messages[1].content', { role: 'assistant', content: null }],
  ['messages[1].content', { role: 'user', content: 5 }],
  ['messages[1].content[0].text', { role: 'user', content: [{ type: 'text' }] }],
  ['messages[1].content[0].image_url.url', { role: 'user', content: [{ type: 'image_url', image_url: {} }] }],
  ['messages[1].tool_call_id', { role: 'tool', content: 'x' }],
  ['messages[1].name', { role: 'function', content: 'x' }],
  ['messages[1].tool_calls[0].id', { role: 'assistant', content: null, tool_calls: [{ ...called, id: '' }] }],
  [
    'messages[1].tool_calls[0].function.arguments',
    { role: 'assistant', content: null, tool_calls: [{ ...called, function: { name: 'f', arguments: {} } }] },
  ],
  ['messages[1].function_call.name', { role: 'assistant', content: null, function_call: { arguments: '' } }],
];

describe('a chat request', () => {
  test('with every field of the document is sent', () => {
    check({ fields: allFields, extra: { reasoning_effort: 'low', temperature: 3 } });
    check({
      fields: { logit_bias: null, stream_options: null, stop: '.', tool_choice: 'none', function_call: 'auto' },
    });
  });

  test('may hold a talk with tools', () => {
    check({
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'hi' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,' } },
          ],
        },
        { role: 'assistant', content: null, tool_calls: [called] },
        { role: 'tool', content: 'found', tool_call_id: 'a' },
        { role: 'assistant', content: null, function_call: { name: 'find', arguments: '' } },
        { role: 'function', name: 'find', content: 'found' },
      ],
    });
  });

  for (const [param, fields] of wrongFields) {
    test(`names ${param} for ${JSON.stringify(fields)}`, () => {
      assert.throws(() => check({ fields: fields as ChatFields }), { kind: 'invalid-request', param });
    });
  }
  for (const [param, message] of wrongMessages) {
    test(`names ${param} for the message ${JSON.stringify(message)}`, () => {
      assert.throws(() => check({ messages: [...messages, message as unknown as ChatMessage] }), {
        kind: 'invalid-request',
        param,
      });
    });
  }

  test('needs messages and a model', () => {
    assert.throws(() => check({ messages: [] }), { kind: 'invalid-request', param: 'messages' });
    assert.throws(() => checkChatRequest({ messages, stream: false }, ' '), {
      kind: 'invalid-request',
      param: 'model',
    });
  });

  test('that does not stream has no options of a stream', () => {
    assert.throws(() => check({ stream: false, fields: { stream_options: {} } }), { param: 'stream_options' });
  });

  test('takes as extra what is JSON, and not what is its own', () => {
    const endless: Record<string, unknown> = {};
    endless['self'] = endless;
    for (const extra of [[], 'x', { f: () => 1 }, { x: Number.NaN }, { d: new Date() }, endless]) {
      assert.throws(() => check({ extra: extra as Record<string, unknown> }), { param: 'parley.chat.extraBody' });
    }
    assert.throws(() => check({ extra: { model: 'other' } }), { param: 'parley.chat.extraBody.model' });
  });

  test('with a schema that has no end is refused, not followed', () => {
    const parameters: Record<string, unknown> = {};
    parameters['again'] = parameters;
    parameters['and again'] = parameters;
    assert.throws(() => check({ fields: { tools: [{ type: 'function', function: { name: 'f', parameters } }] } }), {
      param: 'tools',
    });
  });
});
