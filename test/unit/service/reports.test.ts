import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readCompletionEvents } from '../../../src/service/chat/chat.ts';
import { adjustmentFor } from '../../../src/service/compat/refusedField.ts';
import { errorFromAnswer } from '../../../src/service/errors/errorFromAnswer.ts';
import { chunk, done, events, finish, word } from '../../corpus/pieces.ts';
import { collectCompletion } from '../../support/collect.ts';

/** Public reports (test/corpus/REPORTS.md); the inputs are made anew from what they say. */
async function read(body: string, tools: readonly { name: string }[] = []) {
  const bytes = (async function* () {
    yield Buffer.from(body);
  })();
  const { choices, error } = await collectCompletion(readCompletionEvents(bytes, { url: 'https://host/v1', tools }));
  const { text = '', reasoning = '', toolCalls = [], finishReason } = choices[0] ?? {};
  return { text, reasoning, calls: toolCalls.map((call) => call.name + call.arguments), finishReason, error };
}
const whole = (message: object, reason = 'stop'): string =>
  JSON.stringify({ choices: [{ index: 0, message, finish_reason: reason }] });

describe('An answer that was reported', () => {
  it('macprovider#743: channels of gpt-oss whose marks the server took out', async () => {
    const { text, reasoning } = await read(whole({ content: 'analysisWe should say four.assistantfinalfour' }));
    assert.deepEqual([text, reasoning], ['four', 'We should say four.']);
  });

  it('odysseus#4522: a call in the channel for comments', async () => {
    const content = '<|channel|>commentary to=functions.web_search<|message|>{"q":"x"}<|call|>';
    assert.deepEqual((await read(whole({ content }))).calls, ['web_search{"q":"x"}']);
  });

  it('hermes-agent#62680: a start mark before each channel', async () => {
    const content =
      '<|start|>assistant<|channel|>analysis<|message|>a<|end|>\n<|start|>assistant<|channel|>final<|message|>b<|return|>';
    assert.deepEqual((await read(whole({ content }))).text.trim(), 'b');
  });

  it('maclocal-api#121: thoughts in a channel, and no answer yet', async () => {
    const { text, reasoning } = await read(
      whole({ content: '<|channel|>analysis<|message|>The user asks why.' }, 'length'),
    );
    assert.deepEqual([text, reasoning], ['', 'The user asks why.']);
  });

  it('qvac#2803: a channel that has the name of the role', async () => {
    assert.equal((await read(whole({ content: '<|channel|>assistant<|message|>Hi!<|end|>' }))).text, 'Hi!');
  });

  it('mlx-lm#1867: a call whose form is named', async () => {
    const content = '<|channel|>commentary to=functions.read <|constrain|>json<|message|>{"x":1}<|call|>';
    assert.deepEqual((await read(whole({ content }))).calls, ['read{"x":1}']);
  });

  it('cuga-agent#672: channels of which only the first begins with a mark of its own', async () => {
    const content =
      '<|channel|>analysis<|message|>a<|end|><|channel|>commentary<|message|>b<|end|><|channel|>final<|message|> c';
    assert.equal((await read(whole({ content }))).text, 'b c');
  });

  it('openrag#462: the last words come with the end, which comes twice', async () => {
    const body = events(
      chunk({ content: 'Bonjour' }, {}, { finish_reason: 'stop' }),
      chunk({ content: null }, {}, { finish_reason: 'stop' }),
      done,
    );
    assert.deepEqual([(await read(body)).text, (await read(body)).error], ['Bonjour', undefined]);
  });

  it('mlxcel#204: a call as a tag with parameters', async () => {
    const content = '<tool_call><function=get_weather><parameter=location>SF</parameter></function></tool_call>';
    assert.deepEqual((await read(whole({ content }), [{ name: 'get_weather' }])).calls, [
      'get_weather{"location":"SF"}',
    ]);
  });

  it('mlx-openai-server#83: a call as JSON in a tag', async () => {
    const content = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Tokyo"}}\n</tool_call>';
    const { calls, finishReason } = await read(whole({ content }), [{ name: 'get_weather' }]);
    assert.deepEqual([calls, finishReason], [['get_weather{"city":"Tokyo"}'], 'tool_calls']);
  });

  it('tinker-feedback#128: thoughts, and a call in the text behind them', async () => {
    const content =
      '<think>Manila.</think>\n\n<tool_call>\n<function=get_weather>\n<parameter=city>\nManila\n</parameter>\n</function>\n</tool_call>';
    const { calls, reasoning, text } = await read(whole({ content }), [{ name: 'get_weather' }]);
    assert.deepEqual([calls, reasoning, text], [['get_weather{"city":"Manila"}'], 'Manila.', '']);
  });

  it('omlx#2565: a call as bare JSON', async () => {
    const content = '{"name": "read_file", "arguments": {"path": "test.txt"}}';
    assert.deepEqual((await read(whole({ content }), [{ name: 'read_file' }])).calls, ['read_file{"path":"test.txt"}']);
  });

  it('llama.cpp#13224: blank text beside a call', async () => {
    const call = { id: 'a', type: 'function', function: { name: 'x', arguments: '{}' } };
    const { calls, finishReason } = await read(whole({ content: '\n\n', tool_calls: [call] }, 'tool_calls'));
    assert.deepEqual([calls, finishReason], [['x{}'], 'tool_calls']);
  });
});

describe('A failure within an answer that was reported', () => {
  const fails = async (body: string, kind: string, words: RegExp): Promise<void> => {
    const { error } = await read(body);
    assert.equal(error?.kind, kind);
    assert.match(error?.message ?? '', words);
  };

  it('OmniRoute#8210: an error beside choices that are empty', () =>
    fails(
      events(JSON.stringify({ choices: [], error: { code: 502, message: 'Worker request limit reached (33/32)' } })),
      'server',
      /33\/32/,
    ));

  it('local-operator#223: an error beside a choice that ends with it', () => {
    const error = { code: 502, message: 'Provider disconnected', metadata: { error_type: 'provider_unavailable' } };
    return fails(
      events(word('Hel'), JSON.stringify({ error, choices: [{ index: 0, delta: {}, finish_reason: 'error' }] })),
      'server',
      /disconnected/,
    );
  });

  it('hermes-agent#65631: a chunk without choices, with members of its own for the error', () => {
    const error_message = 'This model has a maximum context length of 163840 tokens.';
    return fails(
      events(JSON.stringify({ choices: null, error_type: 'BadRequestError', error_message })),
      'context-length',
      /163840/,
    );
  });

  it('opencode#39968: a stream that just ends', () => fails(events(word('Hel')), 'truncated', /^$/));

  it('jp#978: a prompt that is too long, told in the stream', () => {
    const error = { code: 400, message: 'prompt is too long: 1284668 tokens > 1000000 maximum' };
    return fails(events(JSON.stringify({ choices: [], error })), 'context-length', /1284668/);
  });

  it('cadis#997: a chunk of usage alone is none', async () => {
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const { text, error } = await read(events(word('Hi'), finish(), JSON.stringify({ usage }), done));
    assert.deepEqual([text, error], ['Hi', undefined]);
  });
});

describe('A refusal that was reported', () => {
  const system = { role: 'system', content: 's' };
  const user = { role: 'user', content: 'u' };
  const field = (status: number, error: unknown, body: object): string | undefined => {
    const read = errorFromAnswer(status, {}, JSON.stringify(error), { url: 'https://host/v1', now: 0 });
    return adjustmentFor(read, { ...body }, [])?.field;
  };

  it('mistral-vibe#1006: roles in turn, from a template of llama.cpp, after a stop', () => {
    const message =
      '\n------------\nWhile executing CallExpression at line 189, column 32 in source:\n↵ {{- raise_exception(…\nError: Jinja Exception: After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results.';
    assert.equal(
      field(500, { error: { code: 500, message, type: 'server_error' } }, { messages: [system, user, user] }),
      'messages.order',
    );
  });

  it('raycast-openai-translator#34: two messages of the user, at Gemma', () => {
    const message = 'Error: Jinja Exception: Conversation roles must alternate user/assistant/user/assistant/...';
    assert.equal(field(500, { error: { code: 500, message } }, { messages: [system, user, user] }), 'messages.order');
  });

  it('jan#6254: a system message, at Gemma', () => {
    const message =
      'Conversation roles must alternate user/assistant/user/assistant/... at row 19, column 27:\n {%- if';
    assert.equal(field(500, { error: { code: 500, message } }, { messages: [system, user] }), 'messages.system');
  });

  it('lorax#215: a system message, at Mixtral, with status 424', () => {
    const error =
      'Request failed during generation: Server error: Conversation roles must alternate user/assistant/...';
    assert.equal(field(424, { error, error_type: 'generation' }, { messages: [system, user] }), 'messages.system');
  });

  it('llmapibenchmark#6: roles in turn, in words alone', () => {
    const error = { message: 'Conversation roles must alternate user/assistant/user/assistant/...' };
    assert.equal(field(400, { error }, { messages: [system, user] }), 'messages.system');
  });

  it('mini-swe-agent#759: roles in turn, after an answer without a call', () => {
    const message =
      'Error: Jinja Exception: After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results.';
    const error = { code: 500, message, type: 'server_error' };
    assert.equal(
      field(500, { error }, { messages: [system, user, { role: 'assistant', content: 'a' }, user, user] }),
      'messages.order',
    );
  });

  it('sglang#892: a system message, at Gemma 2', () => {
    const error = { object: 'error', message: 'System role not supported', code: 500 };
    assert.equal(field(500, error, { messages: [system, user] }), 'messages.system');
  });

  it('Kimi-K2#124: one temperature alone', () => {
    const message = 'invalid temperature: only 0.6 is allowed for this model';
    assert.equal(
      field(400, { error: { message, type: 'invalid_request_error' } }, { messages: [user], temperature: 0.7 }),
      'temperature',
    );
  });

  it('Minnow#291: one temperature alone, told by a gateway', () => {
    const message = 'Error from provider (Moonshot AI): invalid temperature: only 1 is allowed for this model';
    assert.equal(field(400, { error: { message } }, { messages: [user], temperature: 0.7 }), 'temperature');
  });

  it('fast-agent#279: a parameter that a model does not know', () => {
    const message = "Unsupported parameter: 'parallel_tool_calls' is not supported with this model.";
    const error = { message, param: 'parallel_tool_calls', code: 'unsupported_parameter' };
    assert.equal(field(400, { error }, { messages: [user], parallel_tool_calls: true }), 'parallel_tool_calls');
  });

  it('open-swe#628: the default temperature alone', () => {
    const message =
      "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.";
    assert.equal(field(400, { error: { message } }, { messages: [user], temperature: 0 }), 'temperature');
  });

  it('command-code#785: an error beside success: false', () => {
    const error = {
      code: 'INTERNAL_SERVER_ERROR',
      status: 500,
      message: 'An unexpected error occurred. Please try again later.',
    };
    const read = errorFromAnswer(500, {}, JSON.stringify({ success: false, error }), {
      url: 'https://host/v1',
      now: 0,
    });
    assert.deepEqual([read.kind, read.message], ['overloaded', error.message]);
  });
});
