import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { applyLineEdits, type LineEdit } from '../../../../src/edits/place/lines/lineEdit.ts';
import { acceptHunks, reopenHunks } from '../../../../src/edits/review/decideHunks.ts';
import { mergeReview, rebaseEdits } from '../../../../src/edits/review/mergeReview.ts';
import { pendingExcerpt, pendingText, toPendingRange } from '../../../../src/edits/review/pendingText.ts';
import {
  addWhole,
  followEdit,
  followUndo,
  isDeleted,
  pendingHunks,
  type ReviewedFile,
  rejectHunks,
  renamedTo,
  reviewFile,
  withoutSet,
} from '../../../../src/edits/review/reviewedFile.ts';
import { reviewText } from '../../../../src/edits/review/reviewText.ts';

const line = fc.constantFrom('', 'one', 'two', '  three', '}', 'four', 'five');
const lines = fc.array(line, { minLength: 1, maxLength: 12 });
const ids = fc.uniqueArray(fc.nat(8), { maxLength: 8 });

const whole = (before: readonly string[], after: readonly string[]): LineEdit[] => [
  { line: 0, removed: before.length, inserted: after },
];
const by = (set: string, firstId: number) => ({ set, firstId, titleOf: (id: string) => `title of ${id}` });
const all = (file: ReviewedFile): Set<number> => new Set(file.hunks.map(({ id }) => id));
const of = (file: ReviewedFile, set: string): Set<number> =>
  new Set(file.hunks.filter((hunk) => hunk.set === set).map(({ id }) => id));

/** A review with one set over another. */
function stack(base: readonly string[], first: readonly string[], second: readonly string[]) {
  const below = reviewFile(base, whole(base, first), 'a');
  return { below, ...mergeReview(below, whole(pendingText(below), second), by('b', 100)) };
}

function assertSound({ lines: text, hunks }: ReviewedFile): void {
  let end = 0;
  for (const hunk of hunks) {
    assert.ok(hunk.line >= end, 'in order, without overlap');
    end = hunk.line + hunk.count;
    if (hunk.state === 'pending') assert.deepEqual(text.slice(hunk.line, end), hunk.base);
  }
  assert.ok(end <= text.length);
  assert.equal(new Set(hunks.map(({ id }) => id)).size, hunks.length);
}

describe('a review of a second set over a first one', () => {
  it('accepted as a whole is the newest text, and rejected as a whole the file as it was', () => {
    fc.assert(
      fc.property(lines, lines, lines, (base, first, second) => {
        const { file } = stack(base, first, second);
        assertSound(file);
        assert.deepEqual(pendingText(file), second);
        assert.deepEqual(acceptHunks(file, all(file)).next.lines, second);
        assert.deepEqual(rejectHunks(file, all(file)).lines, base);
      }),
      { numRuns: 2000 },
    );
  });

  it('has only lines of the three texts, whichever changes are accepted', () => {
    fc.assert(
      fc.property(lines, lines, lines, fc.nat(), (base, first, second, choice) => {
        const { file } = stack(base, first, second);
        const some = file.hunks.filter((_, at) => (choice >> at) % 2 === 1).map(({ id }) => id);
        const { next } = acceptHunks(file, new Set(some));
        assertSound({ ...next, hunks: next.hunks.filter(({ state }) => state === 'pending') });
        const known = new Set<string>([...base, ...first, ...second, '']);
        assert.ok(next.lines.every((each) => known.has(each)));
        const rest = acceptHunks(next, all(next)).next.lines;
        if (next.lines.length > 1) assert.deepEqual(rest, second);
      }),
      { numRuns: 1000 },
    );
  });

  it('is the first set alone once the second is taken away, but for what it replaced', () => {
    fc.assert(
      fc.property(lines, lines, lines, (base, first, second) => {
        const { below, file, replaced } = stack(base, first, second);
        const gone = new Set(replaced.map(({ id }) => id));
        const left = below.hunks.filter(({ id }) => !gone.has(id));
        assert.deepEqual(withoutSet(file, 'b').hunks, left);
        assert.ok(file.hunks.every(({ set, replaces }) => set === 'b' || replaces === undefined));
      }),
      { numRuns: 1000 },
    );
  });

  it('is the same where the first was decided on in part before', () => {
    fc.assert(
      fc.property(lines, lines, lines, ids, ids, (base, first, second, accepted, rejected) => {
        const below = reviewFile(base, whole(base, first), 'a');
        const decided = rejectHunks(acceptHunks(below, new Set(accepted)).next, new Set(rejected));
        const { file } = mergeReview(decided, whole(pendingText(decided), second), by('b', 100));
        assertSound(file);
        assert.deepEqual(pendingText(file), second);
        assert.deepEqual(rejectHunks(file, all(file)).lines, decided.lines);
      }),
      { numRuns: 1000 },
    );
  });

  it('has what was typed before and after, and three sets over each other as well as two', () => {
    const typed = fc.array(
      fc.record({ line: fc.nat(30), removed: fc.nat(2), inserted: fc.array(line, { maxLength: 2 }) }),
      {
        maxLength: 4,
      },
    );
    fc.assert(
      fc.property(lines, lines, lines, lines, typed, (base, first, second, third, strokes) => {
        let { file } = stack(base, first, second);
        let own: readonly string[] = base;
        for (const { line: at, removed, inserted } of strokes) {
          const from = at % (own.length + 1);
          const edit = { line: from, removed: Math.min(removed, own.length - from), inserted };
          own = applyLineEdits(own, [edit]);
          file = followEdit(file, edit);
        }
        // A document has one line at least.
        if (own.length === 0) return;
        const { file: top } = mergeReview(file, whole(pendingText(file), third), by('c', 200));
        assert.deepEqual(pendingText(top), third);
        assert.deepEqual(rejectHunks(top, all(top)).lines, own);
      }),
      { numRuns: 1000 },
    );
  });

  it('keeps what is newer where undo leads back to a time before', () => {
    fc.assert(
      fc.property(lines, lines, lines, ids, (base, first, second, accepted) => {
        const below = reviewFile(base, whole(base, first), 'a');
        const { next } = acceptHunks(below, new Set(accepted));
        const { file, replaced } = mergeReview(next, whole(pendingText(next), second), by('b', 100));
        const gone = new Set(replaced.map(({ id }) => id));
        const states = [below, next].map((state) => ({
          ...state,
          hunks: state.hunks.filter(({ id }) => !gone.has(id)),
        }));
        const back = followUndo(file, base, states);
        assert.deepEqual(back.lines, base);
        let end = 0;
        for (const hunk of back.hunks) {
          assert.ok(hunk.line >= end, 'in order, without overlap');
          end = hunk.line + hunk.count;
        }
        const newer = new Set(pendingHunks(file).map(({ id }) => id));
        assert.ok(back.hunks.filter(({ id }) => id >= 100).every(({ id }) => newer.has(id)));
      }),
      { numRuns: 1000 },
    );
  });

  const base = ['alpha();', 'beta();', 'gamma();', 'delta();', 'epsilon();'];
  const below = reviewFile(base, [{ line: 1, removed: 1, inserted: ['BETA();', 'more();'] }], 'a');

  it('leaves alone what it does not touch, and each set can be accepted by itself', () => {
    const { file, replaced } = mergeReview(below, [{ line: 4, removed: 1, inserted: ['DELTA();'] }], by('b', 7));
    assert.deepEqual(replaced, []);
    assert.deepEqual(acceptHunks(file, of(file, 'a')).next.lines, [
      ...['alpha();', 'BETA();', 'more();', 'gamma();', 'delta();', 'epsilon();'],
    ]);
    assert.deepEqual(acceptHunks(file, of(file, 'b')).next.lines, [
      ...['alpha();', 'beta();', 'gamma();', 'DELTA();', 'epsilon();'],
    ]);
  });

  it('takes the place of what it touches, from the file’s own lines to the newest text, and says of which set', () => {
    const { file, replaced } = mergeReview(below, [{ line: 2, removed: 1, inserted: ['MORE();'] }], by('b', 7));
    assert.deepEqual(replaced, below.hunks);
    assert.deepEqual(
      file.hunks.map(({ set, base: old, proposed, replaces }) => [set, old, proposed, replaces]),
      [['b', ['beta();'], ['BETA();', 'MORE();'], ['title of a']]],
    );
  });

  it('has nothing left where it takes the first one back', () => {
    const { file, replaced } = mergeReview(below, whole(pendingText(below), base), by('b', 7));
    assert.deepEqual(file.hunks, []);
    assert.equal(replaced.length, 1);
  });

  it('keeps lines that are inserted at one place in the order in which they were proposed', () => {
    const first = reviewFile(base, [{ line: 2, removed: 0, inserted: ['first();'] }], 'a');
    for (const [at, wanted] of [
      [2, ['second();', 'first();']],
      [3, ['first();', 'second();']],
    ] as const) {
      const { file, replaced } = mergeReview(first, [{ line: at, removed: 0, inserted: ['second();'] }], by('b', 7));
      assert.deepEqual(replaced, []);
      const { next } = acceptHunks(file, all(file));
      assert.deepEqual(next.lines.slice(2, 4), wanted);
      assert.deepEqual(acceptHunks(file, of(file, 'b')).next.lines[2], 'second();');
    }
  });

  it('takes edits of an older pending text, and those win where both changed a line', () => {
    const from = ['alpha();', 'beta();', 'gamma();'];
    const edits = [{ line: 1, removed: 1, inserted: ['newest();'] }];
    assert.deepEqual(applyLineEdits(['more();', ...from], rebaseEdits(edits, from, ['more();', ...from])), [
      ...['more();', 'alpha();', 'newest();', 'gamma();'],
    ]);
    const other = ['alpha();', 'other();', 'gamma();'];
    assert.deepEqual(applyLineEdits(other, rebaseEdits(edits, from, other)), ['alpha();', 'newest();', 'gamma();']);
  });

  it('shows what is pending with lines around it, and finds lines of the file again there', () => {
    const many = Array.from({ length: 40 }, (_, at) => `line${at}();`);
    const file = reviewFile(many, [
      { line: 10, removed: 2, inserted: ['new();'] },
      { line: 30, removed: 0, inserted: ['more();', 'most();'] },
    ]);
    assert.deepEqual(pendingExcerpt(file).split('\n'), [
      ...['Line 8:', 'line7();', 'line8();', 'line9();', 'new();', 'line12();', 'line13();', 'line14();'],
      ...[
        'Line 27:',
        'line27();',
        'line28();',
        'line29();',
        'more();',
        'most();',
        'line30();',
        'line31();',
        'line32();',
      ],
    ]);
    const range = (first: number, last: number) => toPendingRange(file, { first, last });
    assert.deepEqual(range(0, 9), { first: 0, last: 9 });
    assert.deepEqual(range(11, 12), { first: 10, last: 11 });
    assert.deepEqual(range(29, 30), { first: 28, last: 31 });
    assert.deepEqual(range(39, 39), { first: 40, last: 40 });
  });

  it('says the text that is pending, of a file without lines, too', () => {
    assert.deepEqual(pendingText(below), acceptHunks(below, all(below)).next.lines);
    const empty = reviewFile(['a'], whole(['a'], []), 'a');
    assert.deepEqual(pendingText(empty), ['']);
    const { file } = mergeReview(empty, [{ line: 0, removed: 0, inserted: ['b'] }], by('b', 7));
    assert.deepEqual(pendingText(file), ['b', '']);
  });
});

describe('a change of a file as a whole', () => {
  const lines = ['one();', 'two();', 'three();'];
  const below = reviewFile(lines, [{ line: 1, removed: 1, inserted: ['TWO();'] }], 'a');
  const gone = addWhole(below, { kind: 'delete' }, 7, 'b');
  const rename = { kind: 'rename', from: 'file:///a.ts', to: 'file:///b.ts' } as const;

  it('that deletes it takes the place of all that is pending, and leaves the lines to the file', () => {
    assert.deepEqual(gone.replaced, below.hunks);
    assert.deepEqual(pendingText(gone.file), ['']);
    const text = reviewText(gone.file);
    assert.deepEqual([text.lines, text.shown[0]?.removed, text.shown[0]?.added], [lines, 3, 0]);
    const { next, edits } = acceptHunks(gone.file, new Set([7]));
    assert.deepEqual([next.lines, edits, isDeleted(next)], [lines, [], true]);
    assert.deepEqual(reopenHunks(next, new Set([7])).next, gone.file);
    assert.equal(isDeleted(rejectHunks(gone.file, new Set([7]))), false);
  });

  it('that deletes it contradicts whatever is typed there, until that is taken back', () => {
    for (const line of [0, 1, 3]) {
      const typed = followEdit(gone.file, { line, removed: 0, inserted: ['mine();'] });
      assert.deepEqual(acceptHunks(typed, new Set([7])).next.hunks[0]?.state, 'pending');
      const back = followEdit(typed, { line, removed: 1, inserted: [] });
      assert.deepEqual(back, gone.file);
    }
  });

  it('that deletes it gives way to a later edit', () => {
    const { file, replaced } = mergeReview(gone.file, [{ line: 0, removed: 0, inserted: ['new();'] }], by('c', 9));
    assert.equal(replaced.length, 1);
    assert.deepEqual(acceptHunks(file, all(file)).next.lines, ['new();', '']);
  });

  it('that renames it is decided on beside the others, wherever something is typed', () => {
    const { file, replaced } = addWhole(below, rename, 7, 'b');
    assert.deepEqual(replaced, []);
    assert.equal(renamedTo(file), rename.to);
    const typed = followEdit(file, { line: 0, removed: 1, inserted: ['mine();', 'one();'] });
    assert.deepEqual(
      typed.hunks.map(({ line, count, state }) => [line, count, state]),
      [
        [0, 0, 'pending'],
        [2, 1, 'pending'],
      ],
    );
    const { next, edits } = acceptHunks(typed, new Set([7]));
    assert.deepEqual([edits, renamedTo(next), pendingHunks(next).length], [[], undefined, 1]);
    assert.deepEqual(acceptHunks(next, all(next)).next.lines, ['mine();', 'one();', 'TWO();', 'three();']);
    const later = addWhole(file, { ...rename, to: 'file:///c.ts' }, 8, 'c');
    assert.deepEqual(
      later.replaced.map(({ id }) => id),
      [7],
    );
    const merged = mergeReview(file, [{ line: 0, removed: 0, inserted: ['new();'] }], by('c', 9));
    assert.deepEqual(pendingText(merged.file), ['new();', 'one();', 'TWO();', 'three();']);
  });
});
