import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { splitLines } from '../../../../src/base/lines.ts';
import { applyLineEdits, type LineEdit } from '../../../../src/edits/place/lines/lineEdit.ts';
import { acceptHunks, reopenHunks } from '../../../../src/edits/review/decideHunks.ts';
import {
  followEdit,
  followText,
  followUndo,
  linesOf,
  pendingHunks,
  type ReviewedFile,
  rejectHunks,
  reviewFile,
} from '../../../../src/edits/review/reviewedFile.ts';
import { hunkAt, reviewText, toFileLine, toFileRange } from '../../../../src/edits/review/reviewText.ts';

const line = fc.constantFrom('', 'a', 'b', '  c', '\td', '}', 'x', 'k');
const lines = fc.array(line, { minLength: 1, maxLength: 14 });
/** An edit of lines of a text that is not known yet: places are taken modulo its length. */
const someEdit = fc.record({ line: fc.nat(30), removed: fc.nat(4), inserted: fc.array(line, { maxLength: 3 }) });

function fitted({ line: at, removed, inserted }: LineEdit, count: number): LineEdit {
  const first = at % (count + 1);
  return { line: first, removed: Math.min(removed, count - first), inserted };
}

const all = (file: ReviewedFile): Set<number> => new Set(file.hunks.map(({ id }) => id));
const whole = (before: readonly string[], after: readonly string[]): LineEdit[] => [
  { line: 0, removed: before.length, inserted: after },
];

function assertSound(file: ReviewedFile): void {
  let end = 0;
  for (const hunk of file.hunks) {
    assert.ok(hunk.line >= end, 'in order, without overlap');
    end = hunk.line + hunk.count;
  }
  assert.ok(end <= file.lines.length);
}

describe('a reviewed file', () => {
  it('accepted as a whole is the text of the model', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const file = reviewFile(before, whole(before, after));
        assertSound(file);
        const { next, edits } = acceptHunks(file, all(file));
        assert.deepEqual(next.lines, after);
        assert.deepEqual(applyLineEdits(before, edits), after);
        assert.deepEqual(pendingHunks(next), []);
      }),
    );
  });

  it('is as the user has it when all is rejected, whatever was typed', () => {
    fc.assert(
      fc.property(lines, lines, fc.array(someEdit, { maxLength: 6 }), (before, after, typed) => {
        let file = reviewFile(before, whole(before, after));
        let own: readonly string[] = before;
        for (const each of typed) {
          const edit = fitted(each, own.length);
          own = applyLineEdits(own, [edit]);
          file = followEdit(file, edit);
          assertSound(file);
        }
        assert.deepEqual(rejectHunks(file, all(file)).lines, own);
        assert.deepEqual(pendingHunks(rejectHunks(file, all(file))), []);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps its changes in order where a line is written again that stood below one of several at a place', () => {
    let file = reviewFile(['k', 'b', 'k'], whole(['k', 'b', 'k'], ['\td', 'k', 'x', 'b']));
    for (const inserted of [[], [], ['b']]) {
      file = followEdit(file, { line: 0, removed: inserted.length === 0 ? 1 : 0, inserted });
      assertSound(file);
    }
    assert.deepEqual(acceptHunks(file, all(file)).next.lines, ['\td', 'x', 'b']);
  });

  it('has what was typed and what was proposed where the two do not meet', () => {
    fc.assert(
      fc.property(lines, lines, lines, lines, (above, before, after, below) => {
        const old = [...above, ...before, ...below];
        const edits = [{ line: above.length, removed: before.length, inserted: after }];
        let file = reviewFile(old, edits);
        const first = Math.min(...file.hunks.map((hunk) => hunk.line));
        const last = Math.max(...file.hunks.map((hunk) => hunk.line + hunk.count));
        // Around an insertion nothing would be left that says where it belongs.
        if (file.hunks.length === 0 || first === last) return;
        file = followEdit(file, { line: last, removed: old.length - last, inserted: ['typed below'] });
        file = followEdit(file, { line: 0, removed: first, inserted: ['typed', 'above'] });
        const next = acceptHunks(file, all(file)).next.lines;
        const wanted = applyLineEdits(old, edits);
        const rest = wanted.slice(first, wanted.length - (old.length - last));
        assert.deepEqual(next, ['typed', 'above', ...rest, 'typed below']);
      }),
      { numRuns: 500 },
    );
  });

  it('takes each decision back, in any order', () => {
    fc.assert(
      fc.property(
        lines,
        lines,
        fc.array(fc.tuple(fc.nat(9), fc.boolean()), { maxLength: 12 }),
        (before, after, steps) => {
          let file = reviewFile(before, whole(before, after));
          for (const [id, isAccepted] of steps) {
            const ids = new Set([id]);
            file = isAccepted ? acceptHunks(file, ids).next : rejectHunks(file, ids);
            assertSound(file);
          }
          const back = reopenHunks(file, all(file)).next;
          assert.deepEqual(back.lines, before);
          assert.deepEqual(back.hunks, reviewFile(before, whole(before, after)).hunks);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('is as it was after undo of what was accepted and typed in between, and redo has the same again', () => {
    const typing = fc.record({ line: fc.nat(30) });
    const steps = fc.array(fc.oneof(typing, fc.nat(5)), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(lines, lines, steps, (before, after, made) => {
        let file = reviewFile(before, whole(before, after));
        const texts = [file.lines];
        let states: ReviewedFile[] = [];
        for (const [at, step] of made.entries()) {
          if (typeof step === 'number') {
            const { next } = acceptHunks(file, new Set([step]));
            states = [...states, file, next];
            file = next;
          } else {
            file = followEdit(file, {
              line: step.line % (file.lines.length + 1),
              removed: 0,
              inserted: [`mine ${at}`],
            });
          }
          texts.push(file.lines);
        }
        const last = file;
        const go = (to: readonly string[]): void => {
          file = followUndo(file, to, states);
          assertSound(file);
          assert.deepEqual(file.lines, to);
        };
        for (const text of texts.toReversed().slice(1)) go(text);
        assert.deepEqual(acceptHunks(file, all(file)).next.lines, after);
        for (const text of texts.slice(1)) go(text);
        assert.deepEqual(acceptHunks(file, all(file)).next.lines, acceptHunks(last, all(last)).next.lines);
      }),
      { numRuns: 1000 },
    );
  });

  it('never loses lines of the user to a hunk that was accepted after typing', () => {
    fc.assert(
      fc.property(lines, lines, fc.array(someEdit, { minLength: 1, maxLength: 4 }), (before, after, typed) => {
        let file = reviewFile(before, whole(before, after));
        for (const [at, each] of typed.entries()) {
          const edit = { ...fitted(each, file.lines.length), removed: 0, inserted: [`mine ${at}`] };
          file = followEdit(file, edit);
        }
        const { next } = acceptHunks(file, all(file));
        assertSound(next);
        for (const at of typed.keys()) assert.ok(next.lines.includes(`mine ${at}`));
      }),
      { numRuns: 500 },
    );
  });

  it('finds its lines again in a text that was written anew', () => {
    fc.assert(
      fc.property(lines, lines, lines, (before, after, anew) => {
        const file = followText(reviewFile(before, whole(before, after)), anew);
        assertSound(file);
        assert.deepEqual(file.lines, anew);
      }),
    );
  });

  const old = ['one', 'two', 'three', 'four', 'five'];
  const edit: LineEdit = { line: 1, removed: 3, inserted: ['2', 'three', '4'] };

  it('has a hunk for each run of lines that changes', () => {
    const { hunks } = reviewFile(old, [edit]);
    assert.deepEqual(
      hunks.map((hunk) => [hunk.line, hunk.base, hunk.proposed]),
      [
        [1, ['two'], ['2']],
        [3, ['four'], ['4']],
      ],
    );
  });

  it('says that a hunk contradicts what was typed, and no longer once that is taken back', () => {
    let file = reviewFile(old, [edit]);
    file = followEdit(file, { line: 1, removed: 1, inserted: ['TWO'] });
    assert.equal(file.hunks[0]?.merged, undefined);
    assert.deepEqual(acceptHunks(file, all(file)).next.lines, ['one', 'TWO', 'three', '4', 'five']);
    file = followEdit(file, { line: 1, removed: 1, inserted: ['two'] });
    assert.deepEqual(file.hunks[0]?.merged, ['2']);
  });

  it('merges what was typed beside the lines that change, in one stroke with them', () => {
    const file = followEdit(reviewFile(old, [edit]), { line: 0, removed: 2, inserted: ['ONE', 'two'] });
    assert.deepEqual(acceptHunks(file, all(file)).next.lines, ['ONE', '2', 'three', '4', 'five']);
  });

  const inserted = { line: 2, removed: 0, inserted: ['  y();'] };
  const code = ['function a() {', '  x();', '}', '', 'b();'];

  it('says that an insertion has no place once both lines beside it are gone, until one of them is back', () => {
    let file = reviewFile(code, [inserted]);
    file = followEdit(file, { line: 0, removed: 2, inserted: [] });
    assert.deepEqual(file.hunks[0]?.merged, ['  y();']);
    file = followEdit(file, { line: 0, removed: 1, inserted: [] });
    assert.equal(file.hunks[0]?.merged, undefined);
    assert.deepEqual(acceptHunks(file, all(file)).next.lines, ['', 'b();']);
    file = followEdit(file, { line: 0, removed: 0, inserted: ['}'] });
    assert.deepEqual(acceptHunks(file, all(file)).next.lines, ['  y();', '}', '', 'b();']);
  });

  it('has a place for an insertion at the edge of the file, whatever is written beside it', () => {
    const file = followEdit(reviewFile([''], [{ line: 0, removed: 0, inserted: ['new'] }]), {
      line: 0,
      removed: 1,
      inserted: ['mine'],
    });
    assert.deepEqual(acceptHunks(file, all(file)).next.lines, ['new', 'mine']);
  });

  it('without any text is one empty line, as a document is, and comes back from that', () => {
    const kept = reviewFile(['a', 'keep', 'b'], whole(['a', 'keep', 'b'], ['keep']));
    for (const file of [
      reviewFile(['a', 'b'], whole(['a', 'b'], [])),
      followEdit(kept, { line: 1, removed: 1, inserted: [] }),
    ]) {
      const { edits: written, next } = acceptHunks(file, all(file));
      assert.deepEqual(next.lines, ['']);
      assert.deepEqual(splitLines(applyLineEdits(file.lines, written).join('\n')), ['']);
      assertSound(next);
      assert.deepEqual(reopenHunks(next, all(next)).next.lines, file.lines);
    }
  });

  it('joins hunks that one stroke touches', () => {
    const file = followEdit(reviewFile(old, [edit]), { line: 0, removed: 5, inserted: ['none of it'] });
    assert.equal(file.hunks.length, 1);
    assert.equal(file.hunks[0]?.merged, undefined);
    assert.deepEqual(followEdit(file, { line: 0, removed: 1, inserted: old }).hunks[0]?.merged, [
      'one',
      '2',
      'three',
      '4',
      'five',
    ]);
  });

  it('counts a hunk as accepted that the user wrote', () => {
    const file = followEdit(reviewFile(old, [edit]), { line: 1, removed: 1, inserted: ['2'] });
    assert.deepEqual(
      file.hunks.map(({ state }) => state),
      ['accepted', 'pending'],
    );
  });

  it('is shown in one column, the new lines below the old ones', () => {
    const text = reviewText(reviewFile(old, [edit]));
    assert.deepEqual(text.lines, ['one', 'two', '2', 'three', 'four', '4', 'five']);
    assert.deepEqual(
      text.lines.map((_, at) => toFileLine(text, at)),
      [0, 1, 2, 2, 3, 4, 4],
    );
    assert.deepEqual(
      text.lines.map((_, at) => hunkAt(text, at)?.line),
      [undefined, 1, 1, undefined, 4, 4, undefined],
    );
  });

  it('leads from lines of its text to those of the file, of a change to all that it is about', () => {
    const text = reviewText(reviewFile(old, [edit, { line: 5, removed: 0, inserted: ['6'] }]));
    assert.deepEqual(text.lines, ['one', 'two', '2', 'three', 'four', '4', 'five', '6']);
    const range = (first: number, last: number) => toFileRange(text, { first, last });
    assert.deepEqual(range(0, 0), { first: 0, last: 0 });
    assert.deepEqual(range(2, 2), { first: 1, last: 1 });
    assert.deepEqual(range(0, 1), { first: 0, last: 1 });
    assert.deepEqual(range(3, 4), { first: 2, last: 3 });
    assert.deepEqual(range(7, 7), { first: 4, last: 5 });
  });

  it('shows lines that are those of the file where no new ones are', () => {
    fc.assert(
      fc.property(lines, lines, fc.array(someEdit, { maxLength: 4 }), (before, after, typed) => {
        let file = reviewFile(before, whole(before, after));
        for (const each of typed) file = followEdit(file, fitted(each, file.lines.length));
        const text = reviewText(file);
        const isNew = new Set(
          text.shown.flatMap((each) => Array.from({ length: each.added }, (_, at) => each.line + each.removed + at)),
        );
        const rest = text.lines.filter((_, at) => !isNew.has(at));
        assert.deepEqual(rest, file.lines);
        for (const [at, shown] of text.lines.entries())
          if (!isNew.has(at)) assert.equal(file.lines[toFileLine(text, at)], shown);
        for (const { hunk, line: at, removed } of text.shown)
          assert.deepEqual(text.lines.slice(at, at + removed), linesOf(hunk, file));
      }),
    );
  });
});
