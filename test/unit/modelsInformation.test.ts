import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { languageModelVendor, Tool } from '../../src/ids.ts';
import { familyAndVersion, limitsOf, modelIdentifier, takesImages } from '../../src/models/information.ts';
import { createModelLists } from '../../src/models/modelLists.ts';
import { readModelDetails } from '../../src/service/modelDetails.ts';

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
  });
});

describe('lists of models', () => {
  test('are asked for once while they are fresh, each address for itself', async () => {
    let now = 0;
    let asked = 0;
    const lists = createModelLists<number>(() => now);
    const ask = async () => ++asked;
    assert.deepEqual(await Promise.all([lists.get('a', ask), lists.get('a', ask), lists.get('b', ask)]), [1, 1, 2]);
    now = 59_999;
    assert.equal(await lists.get('a', ask), 1);
    now = 60_000;
    assert.equal(await lists.get('a', ask), 3);
    lists.clear();
    assert.equal(await lists.get('a', ask), 4);
  });

  test('that failed are asked for again', async () => {
    const lists = createModelLists<string>(() => 0);
    await assert.rejects(lists.get('a', async () => Promise.reject(new Error('no'))));
    assert.equal(await lists.get('a', async () => 'yes'), 'yes');
  });
});

describe('the manifest', () => {
  const { contributes } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));

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
