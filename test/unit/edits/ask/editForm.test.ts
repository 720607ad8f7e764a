import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chooseForm, type FormChoice, setForm } from '../../../../src/edits/ask/editForm.ts';

const choose = (choice: Partial<FormChoice>) =>
  chooseForm({
    setting: 'auto',
    byModel: {},
    model: 'some/model',
    hasTools: undefined,
    learned: {},
    selectedLines: 100,
    ...choice,
  });

describe('the form of an edit question', () => {
  it('is the tool where the model has tools, however long the selection is', () => {
    for (const selectedLines of [1, 40, 400]) assert.equal(choose({ hasTools: true, selectedLines }), 'tool');
    assert.equal(choose({ learned: { tool: { worked: 1, failed: 0 } } }), 'tool');
  });

  it('is blocks where nobody says that it has tools, and up to 40 lines are written anew as a whole', () => {
    for (const hasTools of [undefined, false]) {
      assert.equal(choose({ hasTools, selectedLines: 41 }), 'blocks');
      assert.equal(choose({ hasTools, selectedLines: 40 }), 'whole');
    }
  });

  it('is none that the model did badly', () => {
    assert.equal(choose({ learned: { blocks: { worked: 0, failed: 2 } } }), 'whole');
    assert.equal(choose({ learned: { blocks: { worked: 1, failed: 2 } } }), 'blocks');
    assert.equal(choose({ hasTools: true, learned: { tool: { worked: 1, failed: 3 } } }), 'blocks');
    assert.equal(choose({ hasTools: true, learned: { tool: { worked: 1, failed: 2 } } }), 'tool');
  });

  it('is not the tool where the service refused it, whatever is set', () => {
    const learned = { tool: { worked: 0, failed: 0, isRefused: true } };
    assert.equal(choose({ hasTools: true, learned }), 'blocks');
    assert.equal(choose({ setting: 'tool', learned }), 'blocks');
    assert.equal(choose({ setting: 'tool', learned, selectedLines: 3 }), 'blocks');
    assert.equal(choose({ setting: 'whole', learned }), 'whole');
  });

  it('is what the user set, by the last pattern that fits, else for all models', () => {
    assert.equal(choose({ setting: 'whole', hasTools: true }), 'whole');
    assert.equal(choose({ setting: 'blocks', selectedLines: 1 }), 'blocks');
    const byModel = { 'some/*': 'blocks', '*model': 'whole', 'other*': 'tool' };
    assert.equal(choose({ setting: 'tool', byModel }), 'whole');
    assert.equal(choose({ setting: 'whole', byModel: { '*': 'auto' }, hasTools: true }), 'tool');
  });

  it('passes over values that make no sense', () => {
    for (const setting of [undefined, 7, 'diff', null]) assert.equal(choose({ setting }), 'blocks');
    for (const byModel of [null, [], 'tool', { '*': 'diff' }, { '*': 3 }])
      assert.equal(setForm(byModel, 'whole', 'm'), 'whole');
  });
});
