import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { applyResolved, judge, readEditCases } from '../../../corpus/editCases.ts';

const cases = readEditCases();

describe('Answers to edits', () => {
  it('are in the corpus in every form, and in at least twelve languages', () => {
    assert.ok(cases.length >= 120, `${cases.length} cases`);
    assert.ok(new Set(cases.map(({ language }) => language)).size >= 12);
    assert.ok(new Set(cases.map(({ form }) => form)).size >= 12);
  });

  for (const one of cases) {
    const what = { applied: 'is applied as meant', nothing: 'proposes nothing', unresolved: 'is not guessed at' };
    it(`${one.name} ${what[one.expect]}`, () => {
      if (judge(one, applyResolved) === 'right') return;
      assert.deepEqual(applyResolved(one) ?? new Map(), one.after);
    });
  }
});
