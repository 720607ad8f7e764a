import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { acceptHunks } from '../../../../src/edits/review/decideHunks.ts';
import { joinKeptSets, type KeptSet, readKeptSet, writeKeptSet } from '../../../../src/edits/review/keptSet.ts';
import { addWhole, followEdit, rejectHunks, reviewFile } from '../../../../src/edits/review/reviewedFile.ts';

const lines = ['one', 'two', 'three', 'four', 'five', 'six'];
const edits = [
  { line: 0, removed: 1, inserted: ['ONE'] },
  { line: 2, removed: 2, inserted: [] },
  { line: 5, removed: 0, inserted: ['between', 'them'] },
];

function kept(review = reviewFile(lines, edits)): KeptSet {
  return {
    id: '17-1',
    title: 'a title',
    instruction: 'do it',
    time: 17,
    files: [{ uri: 'file:///a.ts', isNew: false, review }],
  };
}

describe('a set of changes on disk', () => {
  it('is read as it was written, whatever was decided and typed', () => {
    const ids = fc.uniqueArray(fc.nat(2));
    const typed = fc.array(
      fc.record({ line: fc.nat(2), removed: fc.nat(2), inserted: fc.array(fc.string({ maxLength: 3 })) }),
    );
    fc.assert(
      fc.property(ids, ids, typed, (accepted, rejected, edited) => {
        let review = acceptHunks(reviewFile(lines, edits), new Set(accepted)).next;
        review = rejectHunks(review, new Set(rejected));
        for (const edit of edited)
          if (edit.line + edit.removed <= review.lines.length) review = followEdit(review, edit);
        assert.deepEqual(readKeptSet(writeKeptSet(kept(review)) ?? ''), kept(review));
      }),
    );
  });

  it('is read with what becomes of a file as a whole', () => {
    for (const whole of [{ kind: 'delete' }, { kind: 'rename', from: 'file:///a', to: 'file:///b' }] as const) {
      const { file } = addWhole(reviewFile(lines, edits), whole, 9, '17-1');
      assert.deepEqual(readKeptSet(writeKeptSet(kept(file)) ?? ''), kept(file));
    }
  });

  it('has its files as they were last in any set, without the changes of sets that are gone', () => {
    const both = reviewFile(lines, edits);
    const of = (id: string, time: number, sets: readonly string[]): KeptSet => {
      const hunks = both.hunks.flatMap((hunk, at) => ({ ...hunk, set: sets[at] ?? '' }));
      return { ...kept({ lines, hunks }), id, time };
    };
    const joined = joinKeptSets([of('1-1', 20, ['1-1', '2-1', 'gone']), of('2-1', 10, ['2-1', '2-1', '2-1'])]);
    assert.deepEqual(
      joined.map(({ id, files }) => [id, files.map(({ review }) => review.hunks.map(({ set }) => set))]),
      [
        ['1-1', [['1-1', '2-1']]],
        ['2-1', [['1-1', '2-1']]],
      ],
    );
  });

  it('is nothing where it is cut short, or something else', () => {
    const whole = writeKeptSet(kept()) ?? '';
    for (let end = 0; end < whole.length; end++) assert.equal(readKeptSet(whole.slice(0, end)), undefined);
    for (const other of ['[]', 'null', '{"version":1}', '{"version":1,"files":{}}'])
      assert.equal(readKeptSet(other), undefined);
  });

  it('is nothing where a change lies outside of its file, or in another change', () => {
    const review = reviewFile(lines, edits);
    assert.equal(readKeptSet(writeKeptSet(kept({ ...review, lines: lines.slice(0, 3) })) ?? ''), undefined);
    assert.equal(readKeptSet(writeKeptSet(kept({ ...review, hunks: review.hunks.toReversed() })) ?? ''), undefined);
  });

  it('is not written where it is too large', () => {
    const review = reviewFile(
      Array.from({ length: 21 }, () => 'x'.repeat(1_000_000)),
      [],
    );
    assert.equal(writeKeptSet(kept(review)), undefined);
  });
});
