import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { modelsMatching } from '../../../../src/editor/connection/modelFilter.ts';

const names = [
  'Qwen/Qwen3-Coder-30B-A3B',
  'Qwen/Qwen3-8B',
  'meta-llama/Llama-3.3-70B',
  'whisper-large-v3',
  'Größe/Modell',
];
const items = names.map((label) => ({ label }));
const found = (typed: string): string[] => modelsMatching(items, typed).map(({ label }) => label);

describe('a model that is typed', () => {
  test('is found by its words, in any order and however they are joined', () => {
    assert.deepEqual(found('qwen3 coder'), ['Qwen/Qwen3-Coder-30B-A3B']);
    assert.deepEqual(found('coder QWEN3'), ['Qwen/Qwen3-Coder-30B-A3B']);
    assert.deepEqual(found('llama 70b'), ['meta-llama/Llama-3.3-70B']);
    assert.deepEqual(found('größe'), ['Größe/Modell']);
    assert.deepEqual(found('qwen3'), ['Qwen/Qwen3-Coder-30B-A3B', 'Qwen/Qwen3-8B']);
  });

  test('is found by its letters where no name has its words', () => {
    assert.deepEqual(found('whsprlg'), ['whisper-large-v3']);
    assert.deepEqual(found('q3c30'), ['Qwen/Qwen3-Coder-30B-A3B']);
  });

  test('is not found where no name has its letters, and an empty text finds all', () => {
    assert.deepEqual(found('gpt 5'), []);
    assert.deepEqual(found('  '), names);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (typed) => {
        for (const item of modelsMatching(items, typed)) assert.ok(items.includes(item));
      }),
      { numRuns: 300, seed: 13 },
    );
  });
});
