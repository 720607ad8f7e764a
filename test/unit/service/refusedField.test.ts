import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ErrorDetails, ServiceError } from '../../../src/base/errors.ts';
import { adjust } from '../../../src/service/compat/adjust.ts';
import { type Adjustment, createFieldMemory } from '../../../src/service/compat/fieldMemory.ts';
import { adjustmentFor } from '../../../src/service/compat/refusedField.ts';

const body = {
  model: 'm',
  messages: [{ role: 'user', content: 'hi' }],
  stream: true,
  stream_options: { include_usage: true },
  tools: [],
  max_tokens: 10,
  seed: 1,
  logprobs: true,
  top_logprobs: 2,
  temperature: 0.2,
  n: 1,
  user: 'u',
  stop: 'x',
  parallel_tool_calls: true,
  reasoning_effort: 'low',
};

const refusal = (message: string, details: ErrorDetails = {}) =>
  new ServiceError('bad-request', { status: 400, message, ...details });

describe('a refused field', () => {
  const refused: [field: string, message: string, param?: string][] = [
    ['seed', 'Unrecognized request argument supplied: seed'],
    ['stream_options', "Extra inputs are not permitted, field: 'stream_options', value: {'include_usage': True}"],
    ['stream_options', 'body.stream_options: Extra inputs are not permitted'],
    ['stream_options', "Unknown parameter: 'stream_options.include_usage'.", 'stream_options.include_usage'],
    ['logprobs', '`logprobs` is not supported with this model'],
    ['top_logprobs', "property 'top_logprobs' is unsupported: not supported yet"],
    ['logprobs', 'This model does not support logprobs.'],
    ['parallel_tool_calls', "m does not support parameters: {'parallel_tool_calls': True}"],
    ['user', "Unknown parameter: 'user'."],
    ['stop', 'property stop is not supported'],
    ['reasoning_effort', 'reasoning_effort: Additional properties are not allowed'],
    [
      'temperature',
      "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
      'temperature',
    ],
    ['stream', 'Streaming is not supported by this model.', 'stream'],
    ['stream', 'Your organization must be verified to stream this model.'],
    ['seed', 'seed: Input should be None'],
    ['top_logprobs', '`temperature` and `top_logprobs` cannot both be specified for this model.'],
    ['temperature', 'Invalid parameter. This model only supports temperature = 1'],
    ['stop', "Unsupported value: 'stop'"],
    ['stream', 'Value error, stream must be false'],
    ['reasoning_effort', 'Reasoning effort is not supported by this model'],
    ['stream_options', '不支持参数 stream_options'],
  ];
  for (const [field, message, param] of refused) {
    test(`quirk 24: ${field} is seen in “${message}”`, () => {
      assert.deepEqual(adjustmentFor(refusal(message, { param }), body, []), { field });
    });
  }

  test('is known by the code of the service, where it names the field', () => {
    const details = { status: 400, message: 'Your organization is not verified.', param: 'stream' };
    const error = new ServiceError('bad-request', details, { code: 'unsupported_value' });
    assert.deepEqual(adjustmentFor(error, body, []), { field: 'stream' });
    const range = new ServiceError(
      'bad-request',
      { ...details, param: 'temperature' },
      { code: 'decimal_above_max_value' },
    );
    assert.equal(adjustmentFor(range, body, []), undefined);
  });

  test('is seen at 422 and 500, too, where the words are those of a refusal', () => {
    for (const status of [400, 422, 500]) {
      const message = "Completions.create() got an unexpected keyword argument 'stream_options'";
      assert.deepEqual(adjustmentFor(refusal(message, { status }), body, []), { field: 'stream_options' });
    }
    const failure = new ServiceError('server', { status: 500, message: 'seed: unknown failure' });
    assert.equal(adjustmentFor(failure, body, []), undefined);
  });

  test('is left out, or set, by the one value that a service takes', () => {
    const only = refusal('invalid temperature: only 1 is allowed for this model');
    assert.deepEqual(adjustmentFor(only, body, []), { field: 'temperature' });
    const { temperature: _, ...without } = body;
    const insisting = { field: 'temperature', value: 1 };
    assert.deepEqual(adjustmentFor(only, without, [{ field: 'temperature' }]), insisting);
    assert.equal(adjust(without, [insisting]).body['temperature'], 1);
    const thinking = refusal('parameter.enable_thinking must be set to false for non-streaming calls');
    assert.deepEqual(adjustmentFor(thinking, { ...body, stream: false }, []), {
      field: 'enable_thinking',
      value: false,
    });
    const streams = refusal('This model only supports stream mode, please enable the stream parameter.');
    assert.deepEqual(adjustmentFor(streams, { ...body, stream: false }, []), { field: 'stream', value: true });
    for (const words of ['temperature must be at most 2', 'top_logprobs must be 0 or more', 'n must be 1 to 8'])
      assert.equal(adjustmentFor(refusal(words), body, []), undefined, words);
  });

  const others: [message: string, param?: string][] = [
    ['temperature must be at most 2', 'temperature'],
    ["'max_tokens' is too large: 9999999. This model supports at most 4096 completion tokens.", 'max_tokens'],
    ['The last message must be from the user, which is not supported'],
    ['messages[0].name is not supported', 'messages[0].name'],
    ["Unknown field 'tools[0].strict'.", 'tools[0].strict'],
    ['The model is not available'],
    ['temperature: Input should be less than or equal to 1', 'temperature'],
    ['stop: array too long. Expected at most 4', 'stop'],
    [''],
  ];
  for (const [message, param] of others) {
    test(`is not seen in “${message}”`, () => {
      assert.equal(adjustmentFor(refusal(message, { param }), body, []), undefined);
    });
  }

  test('is seen in no answer of another status', () => {
    const error = refusal('Unknown parameter: seed', { status: 404 });
    assert.equal(adjustmentFor(error, body, []), undefined);
    assert.equal(adjustmentFor(new Error('Unknown parameter: seed'), body, []), undefined);
  });

  test('quirk 24: max_tokens goes by its other name, and is left out where that is refused too', () => {
    const first = adjustmentFor(
      refusal(
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      ),
      body,
      [],
    );
    assert.deepEqual(first, { field: 'max_tokens', renamedTo: 'max_completion_tokens' });
    const renamed = adjust(body, [first as Adjustment]);
    assert.equal(renamed.body['max_completion_tokens'], 10);
    const second = adjustmentFor(
      refusal('Unknown parameter: max_completion_tokens'),
      renamed.body,
      renamed.adjustments,
    );
    assert.deepEqual(second, { field: 'max_tokens' });
  });

  test('quirk 23: n is left out by any service that objects to more than one choice', () => {
    const error = refusal("'n' : number must be at most 1", { param: 'n' });
    assert.deepEqual(adjustmentFor(error, { ...body, n: 2 }, []), { field: 'n' });
    assert.equal(adjustmentFor(error, body, []), undefined);
  });

  test('quirk 25: json_schema falls back to json_object, with the schema in words, and then to nothing', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } };
    const asked = { ...body, response_format: { type: 'json_schema', json_schema: { name: 'x', schema } } };
    const first = adjustmentFor(refusal("response_format.type: must be one of 'text', 'json_object'"), asked, []);
    assert.deepEqual(first, { field: 'response_format', renamedTo: 'json_object' });
    const weaker = adjust(asked, [first as Adjustment]).body;
    assert.deepEqual(weaker['response_format'], { type: 'json_object' });
    assert.match(JSON.stringify(weaker['messages']), /properties/);
    const second = adjustmentFor(refusal('response_format is not supported'), weaker, [first as Adjustment]);
    assert.deepEqual(second, { field: 'response_format' });
    const inWords = adjust(asked, [second as Adjustment]).body;
    assert.equal('response_format' in inWords, false);
    assert.match(JSON.stringify(inWords['messages']), /fits this JSON schema.*properties/);
  });

  test('a service that takes no response_format is asked for JSON in words, and for plain text as before', () => {
    const left = (type: string) => adjust({ ...body, response_format: { type } }, [{ field: 'response_format' }]).body;
    assert.match(JSON.stringify(left('json_object')['messages']), /one JSON object, and nothing else/);
    assert.deepEqual(left('text')['messages'], body.messages);
    assert.equal('response_format' in left('text'), false);
  });

  test('a fault that a service finds in the schema is no refusal of schemas', () => {
    const asked = { ...body, response_format: { type: 'json_schema', json_schema: { name: 'x', schema: {} } } };
    const said = "Invalid schema for response_format 'x': In context=(), 'default' is not permitted.";
    assert.equal(adjustmentFor(refusal(said, { param: 'response_format' }), asked, []), undefined);
  });

  test('takes with it what means nothing without it', () => {
    assert.equal('top_logprobs' in adjust(body, [{ field: 'logprobs' }]).body, false);
    const whole = adjust(body, [{ field: 'stream' }]).body;
    assert.deepEqual([whole['stream'], whole['stream_options']], [false, undefined]);
  });

  test('is no adjustment of a request that does not have it', () => {
    assert.deepEqual(adjust({ model: 'm' }, [{ field: 'seed' }, { field: 'stream' }]).adjustments, []);
  });
});

describe('the memory of refused fields', () => {
  test('is kept by origin and model, and survives in its store', () => {
    const stored = new Map<string, unknown>();
    const store = {
      get: (key: string) => stored.get(key),
      set: (key: string, value: unknown) => void stored.set(key, structuredClone(value)),
    };
    createFieldMemory(store).add('https://a.example/v1', 'm', { field: 'seed' });
    const later = createFieldMemory(store);
    assert.deepEqual(later.adjustments('https://a.example/other', 'm'), [{ field: 'seed' }]);
    assert.deepEqual(later.adjustments('https://a.example/v1', 'n'), []);
    assert.deepEqual(later.adjustments('https://b.example/v1', 'm'), []);
    later.forget('https://a.example/v1');
    assert.deepEqual(createFieldMemory(store).adjustments('https://a.example/v1', 'm'), []);
  });
});
