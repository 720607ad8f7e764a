import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFieldMemory } from '../../../src/service/compat/fieldMemory.ts';

const url = 'https://one.example/v1';
const other = 'https://two.example/v1';

describe('what was learned of models', () => {
  it('has how well each did with a form', () => {
    const memory = createFieldMemory();
    assert.deepEqual(memory.forms(url, 'm'), {});
    for (const outcome of ['worked', 'failed', 'worked'] as const) memory.noteForm(url, 'm', 'tool', outcome);
    memory.noteForm(url, 'm', 'blocks', 'failed');
    assert.deepEqual(memory.forms(url, 'm'), { tool: { worked: 2, failed: 1 }, blocks: { worked: 0, failed: 1 } });
    assert.deepEqual(memory.forms(other, 'm'), {});
  });

  it('has a refusal, until the form works after all', () => {
    const memory = createFieldMemory();
    memory.noteForm(url, 'm', 'tool', 'refused');
    memory.noteForm(url, 'm', 'tool', 'failed');
    assert.equal(memory.forms(url, 'm')['tool']?.isRefused, true);
    memory.noteForm(url, 'm', 'tool', 'worked');
    assert.equal(memory.forms(url, 'm')['tool']?.isRefused, undefined);
  });

  it('counts later answers for more', () => {
    const memory = createFieldMemory();
    for (let at = 0; at < 200; at++) memory.noteForm(url, 'm', 'tool', 'failed');
    for (let at = 0; at < 25; at++) memory.noteForm(url, 'm', 'tool', 'worked');
    const { worked, failed } = memory.forms(url, 'm')['tool'] ?? assert.fail();
    assert.ok(worked > failed && failed <= 20, `${worked} and ${failed}`);
  });

  it('is kept for the 100 models that something was learned of last', () => {
    const memory = createFieldMemory();
    for (let at = 0; at < 120; at++) memory.noteForm(url, `m${at}`, 'tool', 'worked');
    memory.add(url, 'm30', { field: 'seed' });
    memory.noteForm(url, 'last', 'tool', 'worked');
    const models = memory.all().map(({ model }) => model);
    assert.equal(models.length, 100);
    assert.equal(models.at(-1), 'last');
    assert.ok(models.includes('m30') && !models.includes('m0') && !models.includes('m20'));
  });

  it('is that of all windows: each writes one model of what is there', () => {
    const store = new Map<string, unknown>();
    const [one, two] = [createFieldMemory(store), createFieldMemory(store)];
    one.noteForm(url, 'a', 'tool', 'worked');
    two.noteForm(url, 'b', 'tool', 'failed');
    one.noteForm(url, 'b', 'tool', 'worked');
    assert.deepEqual(two.forms(url, 'b'), { tool: { worked: 1, failed: 1 } });
    assert.deepEqual(
      one.all().map(({ origin, model }) => [origin, model]),
      [
        ['https://one.example', 'a'],
        ['https://one.example', 'b'],
      ],
    );
  });

  it('is forgotten by service, and by model', () => {
    const memory = createFieldMemory();
    for (const [address, model] of [
      [url, 'a'],
      [url, 'b c'],
      [other, 'a'],
    ] as const)
      memory.noteForm(address, model, 'tool', 'worked');
    memory.forgetModel({ origin: 'https://one.example', model: 'b c' });
    assert.deepEqual(memory.forms(url, 'b c'), {});
    assert.notDeepEqual(memory.forms(url, 'a'), {});
    memory.forget(url);
    assert.deepEqual(memory.forms(url, 'a'), {});
    assert.notDeepEqual(memory.forms(other, 'a'), {});
  });

  it('passes over what it cannot read', () => {
    const forms = { tool: { worked: 'x' }, blocks: { worked: 1, failed: 0 } };
    const store = new Map<string, unknown>([
      ['service.learned', [['https://one.example m', { adjustments: [], forms }], ['x'], 3, null]],
    ]);
    assert.deepEqual(createFieldMemory(store).forms(url, 'm'), { blocks: { worked: 1, failed: 0 } });
    store.set('service.learned', 'nonsense');
    assert.deepEqual(createFieldMemory(store).all(), []);
  });
});
