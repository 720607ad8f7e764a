import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ServiceError } from '../../../src/base/errors.ts';
import { readCompletionEvents } from '../../../src/service/chat/chat.ts';
import { chunk, done, events, finish, word } from '../../corpus/pieces.ts';
import { collectCompletion } from '../../support/collect.ts';

const source = { url: 'https://host/v1/chat/completions' };

async function* packets(...texts: (string | Error)[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) {
    if (typeof text !== 'string') throw text;
    yield Buffer.from(text);
  }
}
const read = (...texts: (string | Error)[]) => collectCompletion(readCompletionEvents(packets(...texts), source));

/** A body that says what was asked of it. */
function watched(...texts: string[]) {
  const seen = { asked: 0, closed: false };
  const body: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        const text = texts[seen.asked++];
        return text === undefined ? { done: true, value: undefined } : { done: false, value: Buffer.from(text) };
      },
      return: async () => {
        seen.closed = true;
        return { done: true, value: undefined };
      },
    }),
  };
  return { body, seen };
}

describe('an answer', () => {
  test('keeps every member of the document', async () => {
    const usage = {
      prompt_tokens: 1,
      completion_tokens: 2,
      total_tokens: 3,
      prompt_time: 0.1,
      completion_time: 0.2,
      queue_time: 0,
      total_time: 0.3,
    };
    const logprobs = {
      content: [
        { token: 'hi', logprob: -0.5, bytes: [104, 105], top_logprobs: [{ token: 'ho', logprob: -1, bytes: null }] },
      ],
    };
    const body = chunk(
      { content: 'hi', refusal: 'no' },
      { system_fingerprint: 'fp', usage },
      { logprobs, finish_reason: 'eos' },
    );
    assert.deepEqual(await read(events(body, done)), {
      id: 'chatcmpl-1',
      created: 1763683200,
      model: 'm',
      systemFingerprint: 'fp',
      choices: [
        {
          index: 0,
          text: 'hi',
          reasoning: '',
          refusal: 'no',
          toolCalls: [],
          logprobs: [
            { token: 'hi', logprob: -0.5, bytes: [104, 105], top: [{ token: 'ho', logprob: -1, bytes: null }] },
          ],
          finishReason: 'stop',
          rawFinishReason: 'eos',
        },
      ],
      usage: {
        promptTokens: 1,
        completionTokens: 2,
        totalTokens: 3,
        promptTime: 0.1,
        completionTime: 0.2,
        queueTime: 0,
        totalTime: 0.3,
      },
      adjustments: [],
    });
  });

  test('names model and identity once, however many chunks repeat them', async () => {
    const types: string[] = [];
    for await (const event of readCompletionEvents(packets(events(word('x'), word('y'), finish(), done)), source)) {
      types.push(event.type);
    }
    assert.deepEqual(types, ['model', 'identity', 'text', 'text', 'finish']);
  });

  test('quirk 3: is over with [DONE], and its body is closed at once', async () => {
    const { body, seen } = watched(events(word('hi'), finish(), done), 'never asked for');
    assert.equal((await collectCompletion(readCompletionEvents(body, source))).choices[0]?.text, 'hi');
    assert.deepEqual(seen, { asked: 1, closed: true });
  });

  test('is passed on packet by packet, in every form', async () => {
    const forms = [events(word('hi')), `${word('hi')}\n`, `data: ${word('hi')}\ndata: ${word('ho')}\n`];
    for (const form of forms) {
      const { body, seen } = watched(form, events(finish(), done));
      for await (const event of readCompletionEvents(body, source)) if (event.type === 'text') break;
      assert.deepEqual(seen, { asked: 1, closed: true }, form);
    }
  });

  test('that broke keeps what came, with its mark', async () => {
    const broken = await read(events(word('so far')), new ServiceError('reset'));
    assert.deepEqual([broken.choices[0]?.text, broken.error?.kind], ['so far', 'truncated']);
    const stalled = await read(events(word('so far')), new ServiceError('timeout'));
    assert.deepEqual([stalled.choices[0]?.text, stalled.error?.kind], ['so far', 'timeout']);
    const early = await read(new ServiceError('reset'));
    assert.equal(early.error?.kind, 'reset');
  });

  test('quirk 2: that has finished stays whole whatever happens to the connection', async () => {
    for (const kind of ['reset', 'timeout'] as const) {
      assert.equal((await read(events(word('hi'), finish()), new ServiceError(kind))).error, undefined);
    }
    assert.equal((await read(events(word('hi'), finish()), new ServiceError('cancelled'))).error?.kind, 'cancelled');
  });

  test('passes on a fault of the program as it is', async () => {
    await assert.rejects(read(new TypeError('a bug')), TypeError);
  });

  test('of which a thought was cut keeps the thought', async () => {
    const cut = await read(events(word('<think>Hm, <'))); // the last character may begin a tag
    assert.deepEqual([cut.choices[0]?.reasoning, cut.error?.kind], ['Hm, <', 'truncated']);
  });
});

describe('quirk 54: log-probabilities', () => {
  const logprobsOf = async (...logprobs: unknown[]) =>
    (await read(events(...logprobs.map((each) => chunk({ content: 'x' }, {}, { logprobs: each })), done))).choices[0]
      ?.logprobs;
  const token = (logprob: unknown) => ({ content: [{ token: 'x', logprob, bytes: [120] }] });

  test('below reason are the least there is', async () => {
    assert.deepEqual(
      (await logprobsOf(token(-1e30), token(null)))?.map((each) => each.logprob),
      [-9999, -9999],
    );
  });

  test('a hair above 0 are rounding', async () => {
    assert.equal((await logprobsOf(token(1e-7)))?.[0]?.logprob, 0);
  });

  test('above 0 mean that the service does not normalise: none is given', async () => {
    assert.deepEqual(await logprobsOf(token(3.5), token(-1)), []);
  });

  test('of the older form are read, and null, missing and odd bytes are no bytes', async () => {
    const bare = [{ token: 'x', logprob: -1, top_logprobs: { x: -1, y: -2 } }];
    assert.deepEqual(
      (await logprobsOf(bare))?.[0]?.top.map((each) => each.token),
      ['x', 'y'],
    );
    const many = Array.from({ length: 10_000 }, (_, index) => ({ token: `t${index}`, logprob: index / 10 - 1000 }));
    const [first] = (await logprobsOf({ content: [{ token: 'x', logprob: -1, top_logprobs: many }] })) ?? [];
    assert.deepEqual([first?.top.length, first?.top[0]?.token], [20, 't9999'], 'the likeliest of very many');
    const older = { tokens: ['a'], token_logprobs: [-1], top_logprobs: [{ a: -1, b: -2 }] };
    const top = [
      { token: 'a', logprob: -1, bytes: null },
      { token: 'b', logprob: -2, bytes: null },
    ];
    assert.deepEqual(await logprobsOf(older), [{ token: 'a', logprob: -1, bytes: null, top }]);
    const odd = { content: [{ token: 'a', logprob: -1, bytes: [300] }, { token: 1 }, null] };
    assert.deepEqual(await logprobsOf(odd, null), [{ token: 'a', logprob: -1, bytes: null, top: [] }]);
  });
});

describe('a choice', () => {
  const piece = (index: unknown, content: string) => JSON.stringify({ choices: [{ index, delta: { content } }] });

  test('is known by its number, also where that is a text', async () => {
    const { choices } = await read(events(piece('0', 'a'), piece('1', 'x'), piece('0', 'b'), piece('1', 'y'), done));
    assert.deepEqual(
      choices.map(({ text }) => text),
      ['ab', 'xy'],
    );
    for (const index of [null, undefined, 'first', '', [1], {}])
      assert.equal((await read(events(piece(index, 'a'), piece(index, 'b'), done))).choices[0]?.text, 'ab');
  });

  test('may come with a usage of which some is not known', async () => {
    const usageOf = async (usage: unknown) =>
      (await read(events(chunk({ content: 'x' }, { usage }, { finish_reason: 'stop' }), done))).usage;
    const details = {
      prompt_tokens_details: { cached_tokens: -1 },
      completion_tokens_details: { reasoning_tokens: 2 },
    };
    assert.deepEqual(await usageOf({ prompt_tokens: -1, completion_tokens: 5, queue_time: -0.03, ...details }), {
      completionTokens: 5,
      reasoningTokens: 2,
    });
    assert.deepEqual(await usageOf({ prompt_tokens: 0, completion_tokens: 5 }), {
      promptTokens: 0,
      completionTokens: 5,
    });
    const endless = chunk({ content: 'x' }, { usage: { prompt_tokens: 9 } }, { finish_reason: 'stop' });
    assert.equal((await read(events(endless.replace('9}', '1e999}'), done))).usage, undefined);
    for (const odd of [null, {}, [], { prompt_tokens: '5' }, { prompt_tokens: -1 }])
      assert.equal(await usageOf(odd), undefined);
  });

  test('may have numbers that JSON lacks', async () => {
    const logprobs = '{"content":[{"token":"x","logprob":-Infinity,"bytes":[120]},{"token":"y","logprob":NaN}]}';
    const rest = `"message":{"content":"NaN \\" Infinity"},"finish_reason":"stop","logprobs":${logprobs}`;
    const body = `{"choices":[{"index":0,${rest}}]}`;
    for (const text of [body, events(body, done)]) {
      const [choice] = (await read(text)).choices;
      assert.equal(choice?.text, 'NaN " Infinity');
      assert.deepEqual(
        choice?.logprobs?.map(({ logprob }) => logprob),
        [-9999, -9999],
      );
    }
    assert.ok((await read(body.replace('NaN}', 'Nan}')).catch(() => undefined))?.choices.length !== 1);
  });
});

describe('quirk 55: the bounds of an answer', () => {
  const mebibyte = 'x'.repeat(1024 * 1024);

  async function kindOf(body: Iterable<string>): Promise<string | undefined> {
    async function* bytes() {
      for (const text of body) yield Buffer.from(text);
    }
    let length = 0;
    try {
      for await (const event of readCompletionEvents(bytes(), source))
        if (event.type === 'text') length += event.text.length;
    } catch (error) {
      assert.ok(error instanceof ServiceError);
      assert.ok(length <= 65 * mebibyte.length);
      return error.kind;
    }
    return undefined;
  }
  function* endless(first: string, more: string): Iterable<string> {
    yield first;
    for (;;) yield more;
  }

  test('hold for one event, one line, one body', async () => {
    for (const start of ['data: ', '{"a":"', '[', 'data: {\ndata: ', ': ']) {
      assert.equal(await kindOf(endless(start, mebibyte)), 'malformed', start);
    }
    assert.equal(await kindOf(endless('data: x', '\ndata: x'.repeat(50_000))), 'malformed');
  });

  test('hold for all text together', async () => {
    assert.equal(await kindOf(endless('', events(word(mebibyte)))), 'answer-too-long');
  });

  test('count text in bytes, as a character of most letters takes several', async () => {
    const maxLength = 1024 * 1024;
    let length = 0;
    async function* bytes() {
      for (;;) yield Buffer.from(events(word('中'.repeat(10_000))));
    }
    await assert.rejects(
      async () => {
        for await (const event of readCompletionEvents(bytes(), { ...source, maxLength }))
          if (event.type === 'text') length += event.text.length;
      },
      { kind: 'answer-too-long' },
    );
    assert.ok(length > maxLength / 3 - 10_000 && length < maxLength / 3 + 10_000, `${length}`);
  });

  test('hold for the arguments of a call, and for the number of calls', async () => {
    const piece = (index: number, args: string) =>
      events(chunk({ tool_calls: [{ index, function: { name: 'f', arguments: args } }] }));
    assert.equal(await kindOf(endless(piece(0, '{"a":"'), piece(0, mebibyte))), 'malformed');
    const many = Array.from({ length: 200 }, (_, i) => ({ id: `c${i}`, function: { name: 'f', arguments: '{}' } }));
    assert.equal(await kindOf([events(chunk({ tool_calls: many }))]), 'malformed');
  });

  test('an answer within them is whole', async () => {
    const whole = await read(events(word(mebibyte), word(mebibyte), finish(), done));
    assert.equal(whole.choices[0]?.text.length, 2 * mebibyte.length);
    assert.equal(whole.error, undefined);
  });
});
