import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ServiceError } from '../../../src/base/errors.ts';
import { toRequestFields } from '../../../src/models/requests/requestFields.ts';
import { readArguments } from '../../../src/models/requests/toolArguments.ts';

const tool = (name: string) => ({ name, description: `Does ${name}`, inputSchema: { type: 'object' } });

describe('options of VS Code', () => {
  test('become fields where the document knows them, and go along as they are where not', () => {
    const modelOptions = { temperature: 0.5, reasoning_effort: 'low', max_tokens: 9 };
    assert.deepEqual(toRequestFields({ modelOptions, mustCall: false }), {
      fields: { temperature: 0.5, max_tokens: 9 },
      extra: { reasoning_effort: 'low' },
    });
  });

  test('never change the model, the messages or the stream; notes of VS Code to itself are not sent', () => {
    const modelOptions = { model: 'x', messages: [], stream: false, _correlation: 'x', toString: 1 };
    assert.deepEqual(toRequestFields({ modelOptions, mustCall: false }), { fields: {}, extra: { toString: 1 } });
  });

  test('offer tools, one without a schema as one that takes nothing', () => {
    const tools = [tool('a'), { name: 'b', description: 'B' }];
    assert.deepEqual(toRequestFields({ tools, mustCall: false }).fields, {
      tools: [
        {
          type: 'function',
          function: { name: 'a', description: 'Does a', parameters: { type: 'object', properties: {} } },
        },
        { type: 'function', function: { name: 'b', description: 'B', parameters: { type: 'object', properties: {} } } },
      ],
    });
  });

  test('require a call, also where there is one tool alone', () => {
    const choice = (...names: string[]) =>
      toRequestFields({ tools: names.map(tool), mustCall: true }).fields.tool_choice;
    assert.equal(choice('a'), 'required');
    assert.equal(choice('a', 'b'), 'required');
    assert.equal(choice(), undefined);
  });

  test('the tools that VS Code offers stand before those of modelOptions', () => {
    const modelOptions = { tools: [], parallel_tool_calls: false };
    const { fields } = toRequestFields({ modelOptions, tools: [tool('a')], mustCall: false });
    assert.equal(fields.tools?.length, 1);
    assert.equal(fields.parallel_tool_calls, false);
  });
});

describe('the arguments of a tool call', () => {
  const read = (text: string) => readArguments({ name: 'look', arguments: text }, 'https://host/v1');

  test('are an object; none at all is an empty one', () => {
    assert.deepEqual(read('{"a":[1]}'), { a: [1] });
    assert.deepEqual(read(' '), {});
  });

  for (const text of ['{"a":', 'look here', '[1]', '"no"', '7']) {
    test(`that are ${text} are an error that names the tool: nothing is made up`, () => {
      assert.throws(
        () => read(text),
        (error) => error instanceof ServiceError && error.kind === 'malformed' && error.param === 'look',
      );
    });
  }
});
