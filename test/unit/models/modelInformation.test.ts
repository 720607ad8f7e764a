import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { languageModelVendor, Tool } from '../../../src/ids/ids.ts';
import { capabilitiesOf, levelField, takesImages } from '../../../src/models/catalog/capabilities.ts';
import { createModelLists } from '../../../src/models/catalog/modelLists.ts';
import { familyAndVersion, modelIdentifier } from '../../../src/models/catalog/modelName.ts';
import { limitsOf } from '../../../src/models/catalog/tokenLimits.ts';
import { type ModelDetails, readModelDetails } from '../../../src/service/models/modelDetails.ts';
import { fitsPattern } from '../../../src/service/models/modelPattern.ts';
import { createFakeClock } from '../../support/fakeClock.ts';

describe('what a list tells of a model', () => {
  for (const [server, entry, details] of [
    ['a plain one', { id: 'm', object: 'model' }, {}],
    ['vLLM', { id: 'm', max_model_len: 32768, owned_by: 'vllm' }, { contextLength: 32768, owner: 'vllm' }],
    [
      'Groq',
      { id: 'm', context_window: 131072, max_completion_tokens: 32768, owned_by: 'Meta' },
      { contextLength: 131072, maxOutput: 32768, owner: 'Meta' },
    ],
    [
      'OpenRouter',
      {
        id: 'm',
        context_length: 200000,
        architecture: { input_modalities: ['text', 'image'], modality: 'text+image->text' },
        top_provider: { max_completion_tokens: 64000, context_length: 200000 },
      },
      { contextLength: 200000, maxOutput: 64000, vision: true },
    ],
    ['an image maker', { id: 'm', architecture: { modality: 'text->image' } }, { vision: false }],
    [
      'Mistral',
      { id: 'm', max_context_length: 40000, capabilities: { vision: false } },
      { contextLength: 40000, vision: false },
    ],
    ['LM Studio', { id: 'm', type: 'vlm', max_context_length: 4096 }, { contextLength: 4096, vision: true }],
    [
      'llama.cpp',
      { id: 'm', capabilities: ['completion', 'multimodal'], meta: { n_ctx_train: 8192 } },
      { contextLength: 8192, vision: true },
    ],
    ['one with odd values', { id: 'm', context_length: '8k', max_completion_tokens: 0, owned_by: null }, {}],
    ['a bare name', 'm', {}],
  ] as const) {
    test(`by ${server}`, () => assert.deepEqual(readModelDetails(entry), details));
  }
});

describe('how much a model reads and writes', () => {
  test('is taken from the list, with room for an answer', () => {
    assert.deepEqual(limitsOf({ contextLength: 100_000, maxOutput: 8_000 }), {
      maxInputTokens: 92_000,
      maxOutputTokens: 8_000,
      assumed: false,
    });
  });

  test('leaves something to read where a service gives the whole context as the longest answer', () => {
    const { maxInputTokens, maxOutputTokens } = limitsOf({ contextLength: 8_192, maxOutput: 8_192 });
    assert.deepEqual([maxInputTokens, maxOutputTokens], [6_144, 8_192]);
  });

  test('is assumed where the list does not say, and known to be', () => {
    assert.deepEqual(limitsOf({}), { maxInputTokens: 114_688, maxOutputTokens: 16_384, assumed: true });
    assert.equal(limitsOf({ contextLength: 2_048 }).maxOutputTokens, 512);
  });
});

describe('whether a model takes images', () => {
  for (const name of ['gpt-4o-mini', 'qwen2.5-vl-72b', 'Qwen/Qwen3-VL-8B', 'llava:7b', 'pixtral-12b', 'gemma3:4b'])
    test(`is told by the name ${name}`, () => assert.equal(takesImages(name, {}), true));
  for (const name of ['meta-llama/llama-4-scout', 'google/gemma-3-27b-it', 'llama3.2-vision:11b', 'internvl3-8b'])
    test(`is told by the name ${name}`, () => assert.equal(takesImages(name, {}), true));
  for (const name of ['llama-3.3-70b', 'gemma-2-9b', 'gemma3:1b', 'mistral-7b', 'parley-chat', 'evlm-text', 'gpt-3.5'])
    test(`is not told by the name ${name}`, () => assert.equal(takesImages(name, {}), false));

  test('is what the list says, whatever the name', () => {
    assert.equal(takesImages('gpt-4o', { vision: false }), false);
    assert.equal(takesImages('plain', { vision: true }), true);
  });
});

describe('the name of a model', () => {
  for (const [model, family, version] of [
    ['llama3.2:3b', 'llama3.2', '3b'],
    ['meta-llama/Llama-3.3-70B-Instruct', 'Llama-3.3-70B-Instruct', 'latest'],
    ['gpt-4o-2024-11-20', 'gpt-4o', '2024-11-20'],
    ['claude-20250514', 'claude', '20250514'],
    ['plain', 'plain', 'latest'],
    ['odd/', 'odd/', 'latest'],
  ] as const) {
    test(`${model} gives family and version`, () => assert.deepEqual(familyAndVersion(model), { family, version }));
  }

  test('makes an identifier with the address, so that two services may offer the same model', () => {
    assert.notEqual(modelIdentifier('https://a/v1', 'm'), modelIdentifier('https://b/v1', 'm'));
    assert.equal(modelIdentifier('https://a/v1', 'meta/Llama-3.3_x:free'), 'https://a/v1#meta/Llama-3.3_x:free');
    assert.equal(modelIdentifier('https://a/v1', '[a](b) $é'), 'https://a/v1#%5Ba%5D%28b%29%20%24%C3%A9');
  });
});

describe('lists of models', () => {
  const reason = new Error('no');
  function setUp<T>() {
    const clock = createFakeClock(0);
    let late = 0;
    const lists = createModelLists<T>(clock, () => {
      late++;
    });
    const get = (address: string, ask: () => Promise<T>, otherwise?: T) =>
      lists.get(address, { ask, patience: 1_000, otherwise, tooLate: () => new Error('late') });
    return { clock, lists, get, late: () => late };
  }
  const never = () => new Promise<never>(() => {});

  test('are asked for once while they are fresh, each address for itself', async () => {
    const { clock, lists, get } = setUp<number>();
    let asked = 0;
    const ask = async () => ++asked;
    const found = await Promise.all([get('a', ask), get('a', ask), get('b', ask)]);
    assert.deepEqual(found, [{ list: 1 }, { list: 1 }, { list: 2 }]);
    await clock.advance(59_999);
    assert.deepEqual(await get('a', ask), { list: 1 });
    await clock.advance(1);
    assert.deepEqual(await get('a', ask), { list: 3 });
    lists.refresh();
    assert.deepEqual(await get('a', ask), { list: 4 });
    lists.clear();
    assert.deepEqual(await get('a', ask), { list: 5 });
  });

  test('that failed are asked for again after a rest, and at once where somebody looks', async () => {
    const { clock, lists, get } = setUp<string>();
    let asked = 0;
    const fails = () => {
      asked++;
      return Promise.reject(reason);
    };
    await assert.rejects(get('a', fails), reason);
    await assert.rejects(get('a', fails), reason);
    assert.equal(asked, 1);
    lists.refresh();
    await assert.rejects(get('a', fails), reason);
    assert.equal(asked, 2);
    await clock.advance(5_000);
    assert.deepEqual(await get('a', async () => 'yes'), { list: 'yes' });
  });

  test('stay as they were last, with the reason, when the service fails', async () => {
    const { clock, lists, get } = setUp<string>();
    assert.deepEqual(await get('a', async () => 'old'), { list: 'old' });
    await clock.advance(60_000);
    assert.deepEqual(await get('a', () => Promise.reject(reason)), { list: 'old', failure: reason });
    lists.refresh();
    assert.deepEqual(await get('a', () => Promise.reject(reason)), { list: 'old', failure: reason });
    lists.clear();
    assert.deepEqual(await get('a', () => Promise.reject(reason), 'named'), { list: 'named', failure: reason });
  });

  test('that take long are not waited for; it is told when they come', async () => {
    const { clock, get, late } = setUp<string>();
    let come: (list: string) => void = () => {};
    const slow = () =>
      new Promise<string>((resolve) => {
        come = resolve;
      });
    const first = assert.rejects(get('a', slow), /late/);
    const second = get('a', never, 'named');
    await clock.advance(1_000);
    await first;
    const { list, failure } = await second;
    // Who comes later does not wait from the beginning.
    const third = get('a', never, 'named');
    await clock.advance(0);
    assert.equal((await third).list, 'named');
    assert.deepEqual([list, String(failure), late()], ['named', 'Error: late', 0]);
    come('whole');
    await clock.advance(0);
    assert.ok(late() > 0);
    assert.deepEqual(await get('a', never), { list: 'whole' });
    assert.equal(clock.sleeping, 0);
  });
});

describe('what a list tells of a model’s abilities', () => {
  for (const [server, entry, details] of [
    ['OpenRouter', { supported_parameters: ['tools', 'temperature'] }, { toolCalling: true }],
    ['OpenRouter, of a model without tools', { supported_parameters: ['temperature'] }, { toolCalling: false }],
    [
      'OpenRouter, of a model that thinks',
      {
        supported_parameters: ['tools', 'reasoning_effort'],
        reasoning: { supported_efforts: ['high', 'low'], default_effort: 'low' },
      },
      { toolCalling: true, efforts: ['high', 'low'], defaultEffort: 'low' },
    ],
    [
      'a list that names the field alone',
      { supported_parameters: ['reasoning_effort'] },
      { toolCalling: false, efforts: ['low', 'medium', 'high'] },
    ],
    ['Mistral', { capabilities: { function_calling: false } }, { toolCalling: false }],
    ['LM Studio', { capabilities: ['tool_use'] }, { toolCalling: true }],
    ['LiteLLM', { supports_function_calling: true }, { toolCalling: true }],
    [
      'GitHub',
      {
        capabilities: {
          supports: { tool_calls: true, reasoning_effort: ['low', 'high'] },
          limits: { max_context_window_tokens: 9000, max_output_tokens: 900 },
        },
      },
      { contextLength: 9000, maxOutput: 900, toolCalling: true, efforts: ['low', 'high'] },
    ],
    [
      'one that says nonsense',
      {
        supported_parameters: 'all',
        capabilities: { function_calling: 'yes' },
        reasoning_efforts: [1, '$(x)', 'a\nb', ''],
      },
      {},
    ],
    ['one that slipped', { context_length: 1e15, max_output_tokens: -1 }, {}],
  ] as const) {
    test(`by ${server}`, () => assert.deepEqual(readModelDetails(entry), details));
  }

  test('names a bounded number of levels', () => {
    const many = Array.from({ length: 1_000 }, (_, index) => `level${index}`);
    assert.equal(readModelDetails({ reasoning_efforts: many }).efforts?.length, 12);
  });
});

describe('a pattern of model names', () => {
  for (const [pattern, name] of [
    ['qwen3', 'Qwen3'],
    ['qwen3*', 'qwen3:8b'],
    ['*/llama*instruct', 'meta-llama/Llama-3.3-70B-Instruct'],
    ['*', ''],
    ['a*a', 'aa'],
    ['*b*b*', 'abcb'],
    ['a.c+(x)', 'a.c+(x)'],
  ] as const) {
    test(`${pattern} fits ${name || 'nothing'}`, () => assert.equal(fitsPattern(pattern, name), true));
  }
  for (const [pattern, name] of [
    ['qwen3', 'qwen3:8b'],
    ['a*a', 'a'],
    ['ab*ba', 'aba'],
    ['*b*b*', 'abc'],
    ['a.c', 'abc'],
    ['', 'a'],
    ['a'.repeat(257), 'a'.repeat(257)],
  ] as const) {
    test(`${pattern.slice(0, 20)} does not fit ${name.slice(0, 20)}`, () =>
      assert.equal(fitsPattern(pattern, name), false));
  }

  test('with many stars looks at a name once', () => {
    const name = 'a'.repeat(512);
    let looks = 0;
    const watched = Object.assign(Object(name), {
      toLowerCase: () => watched,
      indexOf: (text: string, from: number) => {
        looks++;
        return name.indexOf(text, from);
      },
    });
    assert.equal(fitsPattern(`${'*a'.repeat(100)}*b`, watched), false);
    assert.ok(looks <= 101, `${looks} looks`);
  });
});

describe('what a model can do', () => {
  const of = (setting: unknown, details: ModelDetails = {}) => capabilitiesOf('qwen3:8b', details, setting);

  test('is what the setting says, then the list, then what is usual', () => {
    assert.deepEqual(of({}), {
      toolCalling: true,
      imageInput: false,
      maxInputTokens: 114_688,
      maxOutputTokens: 16_384,
      assumed: true,
    });
    const listed: ModelDetails = {
      toolCalling: false,
      vision: true,
      contextLength: 8_192,
      efforts: ['low'],
      defaultEffort: 'low',
    };
    assert.deepEqual(of({}, listed), {
      toolCalling: false,
      imageInput: true,
      maxInputTokens: 6_144,
      maxOutputTokens: 2_048,
      assumed: false,
      thinking: { levels: ['low'], usual: 'low', field: 'reasoning_effort' },
    });
    const said = {
      toolCalling: true,
      imageInput: false,
      maxInputTokens: 1_000,
      maxOutputTokens: 100,
      thinkingLevels: [],
    };
    assert.deepEqual(of({ 'qwen*': said }, listed), {
      toolCalling: true,
      imageInput: false,
      maxInputTokens: 1_000,
      maxOutputTokens: 100,
      assumed: false,
    });
  });

  test('is said by all patterns that fit, the later ones over the earlier', () => {
    const setting = {
      '*': { toolCalling: false, imageInput: true },
      'qwen3*': { toolCalling: true },
      'llama*': { imageInput: false },
    };
    const { toolCalling, imageInput } = of(setting);
    assert.deepEqual([toolCalling, imageInput], [true, true]);
  });

  test('is not changed by values that make no sense', () => {
    for (const setting of [null, 7, [], 'x', { '*': 7 }, { '*': null }]) assert.deepEqual(of(setting), of({}));
    const odd = {
      toolCalling: 'yes',
      maxInputTokens: -1,
      maxOutputTokens: Number.NaN,
      thinkingLevels: [{}, '', null],
      thinkingField: 'a b',
    };
    assert.deepEqual(of({ '*': odd }), of({}));
  });

  test('may be to think as hard as it is told, in the field that the service wants', () => {
    const levelsIn = (said: object) => {
      const { thinking } = of({ '*': said });
      assert.ok(thinking);
      return thinking;
    };
    const plain = levelsIn({ thinkingLevels: ['low', 'high'] });
    assert.deepEqual(levelField(plain, 'high'), { reasoning_effort: 'high' });
    assert.equal(levelField(plain, 'medium'), undefined);
    assert.equal(levelField(plain, 'default'), undefined);
    assert.equal(levelField(plain, undefined), undefined);
    const nested = levelsIn({ thinkingLevels: [true, false], thinkingField: 'chat_template_kwargs.enable_thinking' });
    assert.deepEqual(levelField(nested, false), { chat_template_kwargs: { enable_thinking: false } });
    for (const thinkingField of ['messages', 'model', '__proto__.x', 'a.b.c.d.e', 'a..b']) {
      assert.equal(levelsIn({ thinkingLevels: ['low'], thinkingField }).field, 'reasoning_effort', thinkingField);
    }
  });
});

describe('the manifest', () => {
  const { contributes } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8'));

  test('has the vendor and the tools of ids.ts, no more and no fewer', () => {
    assert.deepEqual(
      contributes.languageModelChatProviders.map(({ vendor }: { vendor: string }) => vendor),
      [languageModelVendor],
    );
    assert.deepEqual(
      contributes.languageModelTools.map(({ name }: { name: string }) => name),
      Object.values(Tool),
    );
  });

  test('lets VS Code keep the key as a secret, and offers tools in trusted folders only', () => {
    const [{ configuration }] = contributes.languageModelChatProviders;
    assert.equal(configuration.properties.apiKey.secret, true);
    assert.deepEqual(configuration.required, ['url']);
    for (const { when } of contributes.languageModelTools) assert.match(when, /isWorkspaceTrusted/);
  });
});
