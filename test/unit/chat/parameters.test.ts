import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  isParameter,
  longestParameter,
  type ParameterName,
  type Parameters,
  parameterForms,
  parameterNames,
} from '../../../src/chat/parameters/parameterForms.ts';
import { readParameter, writeParameter } from '../../../src/chat/parameters/parameterText.ts';
import { neededBy, sentParameters } from '../../../src/chat/parameters/sentParameters.ts';

const tool = { type: 'function', function: { name: 'tide', parameters: { type: 'object' } } };

/** What a person writes, and what is sent. */
const written: readonly (readonly [ParameterName, string, unknown])[] = [
  ['temperature', '0.7', 0.7],
  ['temperature', ' 0,7 ', 0.7],
  ['seed', '-9', -9],
  ['max_tokens', '1e3', 1000],
  ['logprobs', 'true', true],
  ['stream', 'false', false],
  ['user', 'me and you', 'me and you'],
  ['stop', 'END', 'END'],
  ['stop', 'END\nSTOP', ['END', 'STOP']],
  ['stop', 'a\\nb', 'a\nb'],
  ['stop', 'C:\\\\n', 'C:\\n'],
  ['stop', '  ', '  '],
  ['response_format', 'json_object', { type: 'json_object' }],
  [
    'response_format',
    '{"type": "json_schema", "json_schema": {"name": "a"}}',
    { type: 'json_schema', json_schema: { name: 'a' } },
  ],
  ['tool_choice', 'auto', 'auto'],
  ['tool_choice', ' {"type":"function","function":{"name":"tide"}}', { type: 'function', function: { name: 'tide' } }],
  ['logit_bias', '{"50256": -100}', { 50256: -100 }],
  ['tools', JSON.stringify([tool]), [tool]],
];

describe('Parameters as they are written', () => {
  test('are read as what is sent', () => {
    for (const [name, text, value] of written)
      assert.deepEqual(readParameter(name, text), { value }, `${name} ${text}`);
  });

  test('are read in the letters of a person’s keyboard', () => {
    for (const [name, text, value] of [
      ['frequency_penalty', '−1', -1],
      ['temperature', '０．７', 0.7],
      ['temperature', '.5', 0.5],
      ['temperature', '1.125', 1.125],
      ['max_tokens', '４０００', 4000],
      ['seed', '1e3', 1000],
    ] as const)
      assert.deepEqual(readParameter(name, text), { value }, text);
  });

  test('are not guessed where four thousand may be four', () => {
    for (const text of [
      '4,000',
      '4.000',
      '1,234,567',
      '4 000',
      '4\u202F000',
      '0x10',
      '1_000',
      '0b1',
      'Infinity',
      '--1',
    ])
      assert.deepEqual(readParameter('max_tokens', text), { problem: 'number' }, text);
    assert.deepEqual(readParameter('temperature', '0x1'), { problem: 'number' });
    assert.deepEqual(readParameter('max_tokens', '4000'), { value: 4000 });
  });

  test('nothing written takes a field back to the settings', () => {
    for (const name of parameterNames) assert.deepEqual(readParameter(name, ''), { value: null }, name);
    for (const name of ['temperature', 'tools', 'user'] as const) {
      assert.deepEqual(readParameter(name, ' \n '), { value: null }, name);
    }
    assert.deepEqual(readParameter('stop', '\n\n'), { value: null });
  });

  test('what a field does not take is refused, with the place of the mistake', () => {
    assert.deepEqual(readParameter('temperature', 'warm'), { problem: 'number' });
    assert.deepEqual(readParameter('tools', '[{'), { problem: 'json' });
    for (const [name, text, param] of [
      ['temperature', '-1', 'temperature'],
      ['top_p', '1.5', 'top_p'],
      ['max_tokens', '0', 'max_tokens'],
      ['n', '129', 'n'],
      ['n', '1.5', 'n'],
      ['logprobs', 'yes', 'logprobs'],
      ['logit_bias', '{"1": "much"}', 'logit_bias'],
      ['tools', '[]', 'tools'],
      ['tools', '[{"type": "function", "function": {"name": "a b"}}]', 'tools[0].function.name'],
      ['response_format', '{"type": ""}', 'response_format.type'],
      ['response_format', '{"type": "json_schema"}', 'response_format.json_schema'],
      ['user', 'x'.repeat(longestParameter), 'user'],
    ] as const) {
      const read = readParameter(name, text);
      assert.ok('problem' in read && read.problem === 'value', `${name} ${text.slice(0, 40)}`);
      assert.equal(read.param, param);
    }
  });

  test('are written so that they are read as the same', () => {
    for (const [name, , value] of written) {
      assert.deepEqual(readParameter(name, writeParameter(name, value as never)), { value }, `${name} ${value}`);
    }
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1, unit: 'binary' }), { minLength: 2 }), (stops) => {
        assert.deepEqual(readParameter('stop', writeParameter('stop', stops)), { value: stops });
      }),
    );
    fc.assert(
      fc.property(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }), (value) => {
        assert.deepEqual(readParameter('temperature', writeParameter('temperature', value)), { value });
      }),
    );
  });

  test('no text makes a value that is not taken', () => {
    fc.assert(
      fc.property(fc.constantFrom(...parameterNames), fc.oneof(fc.string(), fc.json()), (name, text) => {
        const read = readParameter(name, text);
        if ('value' in read && read.value !== null) assert.ok(isParameter(name, read.value));
      }),
    );
  });
});

describe('Parameters as they are sent', () => {
  const all: Parameters = {
    ...{ top_logprobs: 5, tool_choice: 'auto', parallel_tool_calls: true, function_call: 'none' },
    ...{ stream_options: { include_usage: true }, temperature: 0 },
  };

  test('what means nothing without another field stays behind', () => {
    assert.deepEqual(sentParameters(all, false), { stream: false, fields: { temperature: 0 } });
    assert.equal(neededBy('top_logprobs', { ...all, logprobs: false }, true), 'logprobs');
  });

  test('goes where the other field is set', () => {
    const { fields, stream } = sentParameters({ ...all, logprobs: true, tools: [tool] }, true);
    assert.deepEqual(
      [fields.top_logprobs, fields.tool_choice, fields.stream_options, fields.function_call, stream],
      [5, 'auto', { include_usage: true }, undefined, true],
    );
  });

  test('the conversation decides on the stream before the settings', () => {
    assert.equal(sentParameters({ stream: false }, true).stream, false);
    assert.equal(sentParameters({ stream: true }, false).stream, true);
    assert.deepEqual(sentParameters({ stream: false }, true).fields, {});
  });

  test('every field of the document is there, but for the messages and the model', () => {
    assert.equal(Object.keys(parameterForms).length, 20);
  });
});
