import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createTextCalls } from '../../../src/service/chat/calls/textCalls.ts';
import { assertGrowsNoFaster } from '../../support/growth.ts';

const tools = [
  { name: 'read', parameters: { properties: { path: { type: 'string' }, n: { type: 'integer' } } } },
  { name: 'get_weather', parameters: { properties: { on: { type: ['boolean', 'null'] }, all: { type: 'array' } } } },
];
const json = '{"name": "read", "arguments": {"path": "a"}}';
const fenced = `\`\`\`json\n${json}\n\`\`\``;

function read(text: string, size = text.length + 1, isWhole = true): [text: string, calls: string[]] {
  let said = '';
  const calls: string[] = [];
  const reader = createTextCalls(
    tools,
    (added) => {
      said += added;
    },
    (call) => calls.push(`${call.name}${call.arguments}`),
  );
  for (let at = 0; at < text.length; at += size) reader.take(text.slice(at, at + size));
  reader.end(isWhole);
  return [said, calls];
}

/** One call of `read` with the path `a`, in the forms of models. Sources: their templates and the parsers of servers. */
const forms: readonly string[] = [
  `<tool_call>\n${json}\n</tool_call>`,
  `<tool_call>${json}`,
  `<tool_call>[${json}]</tool_call>`,
  `<function_call>${json}</function_call>`,
  '<tool_call>\n<function=read>\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>',
  '<function=read>{"path": "a"}</function>',
  `[TOOL_CALLS][${json}]`,
  '[TOOL_CALLS]read[ARGS]{"path": "a"}',
  '[TOOL_CALLS]read{"path": "a"}',
  '<|tool_calls_section_begin|><|tool_call_begin|>functions.read:0<|tool_call_argument_begin|>{"path": "a"}<|tool_call_end|><|tool_calls_section_end|>',
  '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read\n```json\n{"path": "a"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>read<｜tool▁sep｜>{"path": "a"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  '<|python_tag|>{"name": "read", "parameters": {"path": "a"}}',
  `functools[${json}]`,
  `<|tool_call|>[${json}]`,
  '<tool_call>read\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n</tool_call>',
  '<minimax:tool_call>\n<invoke name="read">\n<parameter name="path">a</parameter>\n</invoke>\n</minimax:tool_call>',
  '{"type": "function", "function": {"name": "read", "arguments": "{\\"path\\": \\"a\\"}"}}',
  `<tool_call>${json}}</tool_call>`,
  `<tool_call>\n\`\`\`json\n${json}\n\`\`\`\n</tool_call>`,
  '<tool_call>{"name": "read", "arguments": "{\\"path\\": \\"a\\",}"}</tool_call>',
  '<function=read>\n<parameter=path>a\n</function>',
  json,
  fenced,
];

const untouched: readonly string[] = [
  'Use `<tool_call>` like this.',
  '<tool_call> is a mark of Qwen.',
  `In prose <tool_call>${json}</tool_call> is a call.`,
  `\`\`\`xml\n<tool_call>${json}</tool_call>\n\`\`\``,
  `${fenced}\nThat is an example.`,
  '{"name": "Bob", "arguments": {}}',
  '{"name": "read", "age": 3}',
  '[{"name": "read"}]',
  '<tool_call>{"name": "unknown", "arguments": {}}</tool_call>',
  '<tool_call>{"name": "read", "arguments": oh}</tool_call>',
  '`[TOOL_CALLS]` is a token.',
  '```python\nx = {"name": 1}\n```\nok',
  'functools is a module.',
  `A model writes <tool_call>${json}</tool_call> to call it.`,
  `模型写 <tool_call>${json}</tool_call>，然后等待。`,
  `Write this:\n\n<tool_call>\n${json}\n</tool_call>\n\nand the service reads it.`,
  `“<tool_call>${json}</tool_call>”`,
  '{"name": "read", "description": "Reads.", "parameters": {}}',
  '{"name": "read", "parameters": {"type": "object", "properties": {"path": {"type": "string"}}}}',
  '<function=read>\n<parameter=path>\nabc',
  'a [TOOL',
];

describe('Calls in the text of an answer', () => {
  it('are read in the forms in which models write them', () => {
    for (const form of forms) assert.deepEqual(read(form), ['', ['read{"path":"a"}']], form);
  });

  it('are read behind text, and several of them', () => {
    const text = `I look.\n<tool_call>${json}</tool_call>\n<tool_call>{"name": "get_weather", "arguments": {}}</tool_call>`;
    assert.deepEqual(read(text), ['I look.\n', ['read{"path":"a"}', 'get_weather{}']]);
    assert.deepEqual(read('It rains.[TOOL_CALLS]get_weather{}'), ['It rains.', ['get_weather{}']]);
    assert.deepEqual(read(`Now:<tool_call>\n${json}\n</tool_call>`), ['Now:', ['read{"path":"a"}']]);
    assert.deepEqual(read(`Now: <|tool_call_begin|>read:1{"path":"a"}`), ['Now: ', ['read{"path":"a"}']]);
    const spoken = `The mark [TOOL_CALLS] begins them, and <tool_call> too.\n`;
    assert.deepEqual(read(`${spoken}<tool_call>${json}</tool_call>`), [spoken, ['read{"path":"a"}']]);
    assert.deepEqual(read(`I call it:\n\n${fenced}`), ['I call it:\n\n', ['read{"path":"a"}']]);
  });

  it('have values of the type that the tool wants', () => {
    const call = '<function=read>\n<parameter=path>\n5\n</parameter>\n<parameter=n>\n7\n</parameter>\n</function>';
    assert.deepEqual(read(call)[1], ['read{"path":"5","n":7}']);
    const typed = "<function=get_weather><parameter=on>True</parameter><parameter=all>['a', 1]</parameter></function>";
    assert.deepEqual(read(typed)[1], ['get_weather{"on":true,"all":["a",1]}']);
    const untyped = typed.replaceAll('on>', 'x>').replace('=on', '=x').replace('=all', '=y');
    assert.deepEqual(read(untyped)[1], [`get_weather{"x":"True","y":"['a', 1]"}`]);
  });

  it('are none in a text about calls, of unknown tools, and in code', () => {
    for (const text of untouched) assert.deepEqual(read(text), [text, []], text);
  });

  it('are none in an answer that is cut off', () => {
    for (const form of forms) assert.deepEqual(read(form, 5, false), [form, []], form);
  });

  it('are looked for in a time that grows with the text and no faster', async () => {
    for (const part of [
      ' ',
      '`',
      '<|tool_call',
      '`[TOOL_CALLS]',
      '{ ',
      '[ ',
      '<tool_call>',
      '<tool_call>x ',
      '```json\n',
      '\n',
    ])
      await assertGrowsNoFaster((size) => read(part.repeat(size)), 5_000, part);
    await assertGrowsNoFaster((size) => read(`<tool_call>read${' '.repeat(size)}`), 20_000);
  });

  it('are the same in whatever pieces they come', () => {
    for (const text of [...forms, ...untouched])
      for (const size of [1, 2, 3, 7]) assert.deepEqual(read(text, size), read(text), `${size}: ${text}`);
    const parts = [
      '<tool_call>',
      '</tool_call>',
      '[TOOL_CALLS]',
      '```json\n',
      '```\n',
      json,
      '`',
      '\n',
      ' ',
      'x',
      '{',
      '<function=read>',
      '<invoke name="read">',
      '<parameter=path>',
      '</parameter>',
      'functools[',
      '<|tool_call',
      's_section_begin|>',
      '“',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts)), fc.integer({ min: 1, max: 9 }), (texts, size) => {
        const text = texts.join('');
        assert.deepEqual(read(text, size), read(text));
      }),
      { numRuns: 2_000 },
    );
  });
});
