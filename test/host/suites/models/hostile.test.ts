import assert from 'node:assert/strict';
import {
  type LanguageModelChat,
  LanguageModelChatMessage,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
  lm,
} from 'vscode';
import { chunk, finish } from '../../../corpus/pieces.ts';
import { connectToScripted, type ScriptedService, startScripted, streamed } from '../support/scriptedService.ts';
import { disconnect, setting } from '../support/service.ts';

const vendor = 'parley';
const bell = String.fromCharCode(7);
const rightToLeft = String.fromCharCode(0x202e);
const entries = (count: number, make: (index: number) => object) =>
  Array.from({ length: count }, (_, index) => make(index));
/** JSON whose value is nested so deep. */
const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

/** Lists that no sound service sends; the names that VS Code is given, or how many there are. */
const lists: Readonly<Record<string, readonly [list: unknown, expected: string[] | number]>> = {
  'of 20,000 entries': [entries(20_000, (index) => ({ id: `model-${index}` })), 1_000],
  'with names of megabytes': [[{ id: 'a'.repeat(3_000_000) }, { id: 'b'.repeat(513) }, { id: 'short' }], ['short']],
  'with one name many times': [entries(5_000, () => ({ id: 'same' })), ['same']],
  'with slashes, spaces and hashes in the names': [[{ id: 'a/b c#d' }, { id: '/' }, { id: ' ' }, { id: '#' }], 4],
  'with lengths that are none': [
    [
      { id: 'a', context_length: -5 },
      { id: 'b', context_length: 1e300 },
      { id: 'c', context_length: '9' },
      { id: 'd', context_length: 0.5 },
    ],
    ['a', 'b', 'c', 'd'],
  ],
  'with a context of one token': [[{ id: 'a', context_length: 1, max_completion_tokens: 9e15 }], ['a']],
  'with icons, line breaks and control characters': [
    [{ id: '$(trash)\nx' }, { id: `a${bell}b` }, { id: `a${rightToLeft}b` }],
    3,
  ],
  'with names of objects’ own members': [[{ id: '__proto__' }, { id: 'constructor' }, { id: 'toString' }], 3],
  'with levels of thinking without number': [
    [{ id: 'a', reasoning_efforts: entries(100_000, (i) => Object(`l${i}`)) }],
    ['a'],
  ],
  'with an entry that is nested deeper than any is': [`{"data":[{"id":"a","architecture":${nested(5_000)}}]}`, []],
  'with owners of megabytes': [[{ id: 'a', owned_by: 'o'.repeat(2_000_000) }], ['a']],
  'that is null': ['{"data":null}', []],
  'that is a number': ['7', []],
  'that is no JSON': ['{"data":[{"id":', []],
};

/** Streams that no sound service sends; what the asker reads, and the code of the error it ends with. */
const streams: Readonly<
  Record<string, readonly [data: (string | object)[], text: string | number, code: string | undefined]>
> = {
  'a hundred thousand pieces of one letter': [
    [...entries(100_000, () => JSON.parse(chunk({ content: 'x' }))), finish()],
    100_000,
    undefined,
  ],
  'a thought of megabytes': [
    [chunk({ reasoning_content: 't'.repeat(4_000_000) }), chunk({ content: 'x' }), finish()],
    'x',
    undefined,
  ],
  'calls without number': [
    entries(1_000, (index) =>
      JSON.parse(chunk({ tool_calls: [{ index, id: `c${index}`, function: { name: 'f', arguments: '{}' } }] })),
    ),
    '',
    'malformed',
  ],
  'a call whose arguments are nested deep': [
    [
      chunk({ tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: nested(20_000) } }] }),
      finish('tool_calls'),
    ],
    '',
    'malformed',
  ],
  'a call whose name is megabytes long': [
    [
      chunk({ tool_calls: [{ index: 0, id: 'c', function: { name: 'f'.repeat(2_000_000), arguments: '{}' } }] }),
      finish('tool_calls'),
    ],
    '',
    'malformed',
  ],
  'details of thoughts without number': [
    [
      ...entries(5_000, (index) => JSON.parse(chunk({ reasoning_details: [{ index, type: 'x', text: 'y' }] }))),
      chunk({ content: 'x' }),
      finish(),
    ],
    'x',
    undefined,
  ],
  'details of thoughts that are nested deep': [
    [`{"choices":[{"index":0,"delta":{"content":"x","reasoning_details":[${nested(5_000)}]}}]}`, finish()],
    'x',
    undefined,
  ],
  'usage that is no number': [
    [chunk({ content: 'x' }, { usage: { prompt_tokens: 'many', completion_tokens: -1 } }), finish()],
    'x',
    undefined,
  ],
};

describe('Hostile services through VS Code', () => {
  let service: ScriptedService;
  beforeEach(async () => {
    service = await startScripted();
  });
  afterEach(async () => {
    await disconnect();
    await service.close();
  });
  const models = (): Thenable<LanguageModelChat[]> => lm.selectChatModels({ vendor });

  it('a list of models, however odd, leaves what can be asked, and the next list is read', async () => {
    for (const [name, [list, expected]] of Object.entries(lists)) {
      service.list(list);
      await connectToScripted(service);
      const found = await models();
      if (typeof expected === 'number') assert.equal(found.length, expected, name);
      else
        assert.deepEqual(
          found.map((model) => model.name),
          expected,
          name,
        );
      for (const model of found) {
        assert.ok(
          Number.isSafeInteger(model.maxInputTokens) && model.maxInputTokens > 0,
          `${name}: ${model.maxInputTokens}`,
        );
      }
      await disconnect();
      await service.close();
      service = await startScripted();
    }
  }).timeout(120_000);

  it('a model is asked by the name its service gave it, whatever is in it', async () => {
    const names = ['a/b c#d', '$(trash)\nx', '__proto__', `a${rightToLeft}b`];
    service.list(names.map((id) => ({ id })));
    service.answer(streamed([chunk({ content: 'x' }), finish()], (response) => void response.end()));
    await connectToScripted(service);
    const found = await models();
    for (const model of found)
      for await (const _piece of (await model.sendRequest([LanguageModelChatMessage.User('Hello')])).text);
    assert.deepEqual(new Set(service.bodies.map((body) => body['model'])), new Set(names));
  });

  it('a stream, however odd, ends in its text or in an error, and the next request is answered', async () => {
    await connectToScripted(service);
    await setting('parley.chat.model', 'm');
    const [model] = await models();
    assert.ok(model);
    for (const [name, [data, expected, code]] of Object.entries(streams)) {
      service.answer(streamed(data, (response) => void response.end()));
      let text = '';
      let calls = 0;
      let error: { code?: string } | undefined;
      try {
        for await (const part of (await model.sendRequest([LanguageModelChatMessage.User('Hello')])).stream) {
          if (part instanceof LanguageModelTextPart) text += part.value;
          if (part instanceof LanguageModelToolCallPart) calls++;
        }
      } catch (thrown) {
        error = thrown as { code?: string };
      }
      assert.equal(error?.code, code, `${name}: ${error}`);
      if (typeof expected === 'number') assert.equal(text.length, expected, name);
      else assert.equal(text, expected, name);
      assert.ok(calls <= 128, name);
    }
  }).timeout(120_000);
});
