import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { applyResolved, judge, readEditCases } from '../../../corpus/editCases.ts';

const cases = readEditCases();

/** What is not read as meant yet: nothing is proposed for these. One that comes to be read so is taken off. */
const open = new Set([
  'elided/cpp-german-wording',
  'sessions/deploy-script-rollback',
  'sessions/deposit-record-path-comments',
  'sessions/rotation-signs-only',
]);

describe('Answers to edits', () => {
  it('are in the corpus in every form, and in at least twelve languages', () => {
    assert.ok(cases.length >= 120, `${cases.length} cases`);
    assert.ok(new Set(cases.map(({ language }) => language)).size >= 12);
    assert.ok(new Set(cases.map(({ form }) => form)).size >= 12);
  });

  it('are read as meant but for those that are known', () => {
    const others = cases.filter((one) => judge(one, applyResolved) !== 'right').map(({ name }) => name);
    assert.deepEqual(new Set(others), open);
  });

  for (const one of cases.filter(({ name }) => !open.has(name))) {
    const what = { applied: 'is applied as meant', nothing: 'proposes nothing', unresolved: 'is not guessed at' };
    it(`${one.name} ${what[one.expect]}`, () => {
      if (judge(one, applyResolved) === 'right') return;
      assert.deepEqual(applyResolved(one) ?? new Map(), one.after);
    });
  }
});
