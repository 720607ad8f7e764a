import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { presetName, readRequest, writeRequest } from '../../../src/chat/parameters/requestJson.ts';

const parameters = { temperature: 0.5, stop: ['END'], tools: [{ type: 'function', function: { name: 'tide' } }] };
const read = (text: string, own: { model?: string } = {}) => readRequest(text, { parameters, ...own }, 'usual');

describe('A request as JSON', () => {
  test('changes nothing as it was written', () => {
    assert.deepEqual(read(writeRequest({ parameters }, 'usual')), { change: {} });
    assert.deepEqual(read(writeRequest({ parameters }, 'mine'), { model: 'mine' }), { change: {} });
  });

  test('sets what it has, and takes the rest back to the settings', () => {
    assert.deepEqual(read('{"temperature": 0.5, "seed": 7, "tools": null}'), {
      change: { parameters: { seed: 7, stop: null, tools: null } },
    });
    assert.deepEqual(read('{}', { model: 'mine' }), {
      change: { parameters: { temperature: null, stop: null, tools: null }, model: null },
    });
  });

  test('changes nothing by a null of what is not set, or by a byte order mark', () => {
    const same = JSON.stringify(parameters).slice(1);
    assert.deepEqual(read(`\uFEFF{"seed": null, ${same}`), { change: {} });
  });

  test('has a model of its own where it is not that of the settings', () => {
    const same = JSON.stringify(parameters).slice(1);
    assert.deepEqual(read(`{"model": "other",${same}`), { change: { model: 'other' } });
    assert.deepEqual(read(`{"model": "usual",${same}`, { model: 'other' }), { change: { model: null } });
  });

  test('says what is wrong, and where', () => {
    for (const text of ['', '{', '[]', '7', 'null']) assert.deepEqual(read(text), { problem: { kind: 'json' } }, text);
    assert.deepEqual(read('{"messages": []}'), { problem: { kind: 'unknown', param: 'messages' } });
    assert.deepEqual(read('{"__proto__": 1}'), { problem: { kind: 'unknown', param: '__proto__' } });
    assert.deepEqual(read('{"model": ""}'), {
      problem: { kind: 'value', param: 'model', takes: 'the name of a model' },
    });
    assert.deepEqual(read('{"tools": [{"type": "function", "function": {"name": "a b"}}]}'), {
      problem: {
        ...{ kind: 'value', param: 'tools[0].function.name' },
        takes: 'at most 64 letters, digits, underscores and hyphens',
      },
    });
  });
});

describe('A preset', () => {
  test('has the name of its file, in any language, and no path', () => {
    for (const [file, name] of [
      ['exact.json', 'exact'],
      ['Two words 2.JSON', 'Two words 2'],
      ['Ru\u0308ckfrage.json', 'Rückfrage'],
      ['精确.json', '精确'],
    ] as const) {
      assert.equal(presetName(file), name);
    }
    for (const file of [
      '.json',
      '../a.json',
      'a/b.json',
      'a\\b.json',
      '.hidden.json',
      'a.md',
      'a .json',
      `${'x'.repeat(65)}.json`,
    ]) {
      assert.equal(presetName(file), undefined, file);
    }
  });
});
