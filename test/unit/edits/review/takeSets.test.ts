import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { KeptSet } from '../../../../src/edits/review/keptSet.ts';
import { type ReviewedFile, reviewFile } from '../../../../src/edits/review/reviewedFile.ts';
import { takeSets } from '../../../../src/edits/review/takeSets.ts';

const lines = ['one', 'two', 'three'];
const edit = (line: number) => [{ line, removed: 1, inserted: [`new ${line}`] }];
const of = (set: string, line: number): ReviewedFile => reviewFile(lines, edit(line), set);
/** A file with the hunks of two sets. */
const both = (one: ReviewedFile, other: ReviewedFile): ReviewedFile => ({
  lines,
  hunks: [...one.hunks, ...other.hunks.map((hunk) => ({ ...hunk, id: hunk.id + 10 }))],
});
const kept = (id: string, time: number, review: ReviewedFile, uri = 'file:///a.ts'): KeptSet => ({
  id,
  title: id,
  instruction: '',
  time,
  files: [{ uri, isNew: false, review }],
});
const setsIn = ({ files }: KeptSet): string[][] => files.map(({ review }) => review.hunks.map(({ set }) => set));

describe('sets that another window has written', () => {
  it('are taken as they are where nothing else is shown for their files', () => {
    const { taken, waiting } = takeSets(
      [],
      [kept('1-1', 1, of('1-1', 0)), kept('2-1', 2, of('2-1', 0), 'file:///b.ts')],
    );
    assert.deepEqual(taken.map(setsIn), [[['1-1']], [['2-1']]]);
    assert.deepEqual(waiting, []);
  });

  it('are shown with one that is here, where they know of it', () => {
    const here = kept('1-1', 1, of('1-1', 0));
    const { taken, waiting } = takeSets([here], [kept('2-1', 2, both(of('1-1', 0), of('2-1', 2)))]);
    assert.deepEqual(taken.map(setsIn), [[['1-1', '2-1']], [['1-1', '2-1']]]);
    assert.deepEqual(waiting, []);
  });

  it('wait where they know nothing of what is pending here, whose changes would be gone', () => {
    const here = kept('1-1', 1, of('1-1', 0));
    const { taken, waiting } = takeSets([here], [kept('2-1', 2, of('2-1', 2))]);
    assert.deepEqual(taken.map(setsIn), [[['1-1']]]);
    assert.deepEqual(
      waiting.map(({ id }) => id),
      ['2-1'],
    );
  });

  it('wait for the newest where a window ended between writing two of one file', () => {
    const { taken, waiting } = takeSets([], [kept('1-1', 1, of('1-1', 0)), kept('2-1', 2, of('2-1', 2))]);
    assert.deepEqual(
      [taken, waiting].map((all) => all.map(({ id }) => id)),
      [['2-1'], ['1-1']],
    );
  });

  it('are shown with a set of which all was decided on, or replaced, in its file', () => {
    const decided = {
      ...kept('1-1', 1, of('1-1', 0)),
      files: [{ uri: 'file:///a.ts', isNew: false, review: of('2-1', 2) }],
    };
    const { waiting } = takeSets([], [decided, kept('2-1', 2, of('2-1', 2))]);
    assert.deepEqual(waiting, []);
  });

  it('are shown or wait, each of them, and none that is shown loses a pending hunk', () => {
    const place = fc.record({ line: fc.nat(2), uri: fc.constantFrom('file:///a.ts', 'file:///b.ts') });
    fc.assert(
      fc.property(fc.array(place, { maxLength: 6 }), fc.nat(6), (places, shown) => {
        const all = places.map(({ line, uri }, at) => kept(`${at + 1}-1`, at, of(`${at + 1}-1`, line), uri));
        const beside = all.slice(0, shown).filter(({ files }, at, list) => {
          return list.findIndex((each) => each.files[0]?.uri === files[0]?.uri) === at;
        });
        const news = all.slice(shown);
        const { taken, waiting } = takeSets(beside, news);
        assert.equal(taken.length + waiting.length, beside.length + news.length);
        for (const set of taken) assert.ok(setsIn(set).flat().includes(set.id));
      }),
    );
  });
});
