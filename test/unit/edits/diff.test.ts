import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { TextChange } from '../../../src/base/lines.ts';
import { diffHunks, type Hunk, removedParts } from '../../../src/edits/diff.ts';
import { joinTouching, toTextChange } from '../../../src/edits/lineChange.ts';
import { applyLineEdits } from '../../../src/edits/place/lines/lineEdit.ts';
import { applyChanges } from '../../support/textChanges.ts';

const line = fc.constantFrom('', 'a', 'b', '  c', '\td', '}');
const lines = fc.array(line, { minLength: 1, maxLength: 12 });
const maybeLines = fc.array(line, { maxLength: 12 });
const eol = fc.constantFrom('\n', '\r\n');

function toChanges(document: readonly string[], first: number, ending: string, hunks: readonly Hunk[]): TextChange[] {
  const source = { eol: ending, lineCount: document.length, lengthOf: (at: number) => document[at]?.length ?? 0 };
  return hunks.map(({ line: at, removed, inserted }) =>
    toTextChange({ line: first + at, removed: removed.length, inserted }, source),
  );
}

describe('the difference of two texts', () => {
  it('is made of hunks with a kept line between two of them', () => {
    fc.assert(
      fc.property(maybeLines, maybeLines, (before, after) => {
        const hunks = diffHunks(before, after);
        for (const [at, { line: from, removed, inserted }] of hunks.entries()) {
          assert.ok(removed.length + inserted.length > 0);
          assert.deepEqual(before.slice(from, from + removed.length), removed);
          assert.ok(from + removed.length < (hunks[at + 1]?.line ?? Number.POSITIVE_INFINITY));
        }
        const edits = hunks.map((hunk) => ({ ...hunk, removed: hunk.removed.length }));
        assert.deepEqual(applyLineEdits(before, edits), after);
      }),
      { numRuns: 500 },
    );
  });

  it('leaves the lines alone that stay, however many others change', () => {
    const before = Array.from({ length: 4000 }, (_, at) => (at % 3 === 0 ? '}' : `line ${at}`));
    const after = before.map((text, at) => (at % 3 === 1 ? `${text} changed` : text));
    const hunks = diffHunks(before, after);
    assert.equal(hunks.length, 1333);
    assert.ok(hunks.every(({ removed, inserted }) => removed.length === 1 && inserted.length === 1));
  });

  it('applied to the old text gives the new text, with LF and with CRLF, anywhere in a document', () => {
    fc.assert(
      fc.property(maybeLines, lines, maybeLines, maybeLines, eol, (above, before, below, after, ending) => {
        const document = [...above, ...before, ...below];
        const changes = toChanges(document, above.length, ending, diffHunks(before, after));
        const expected = [...above, ...after, ...below].join(ending);
        assert.equal(applyChanges(document.join(ending), ending, changes), expected);
      }),
      { numRuns: 500 },
    );
  });

  it('has changes that do not overlap, in order', () => {
    fc.assert(
      fc.property(maybeLines, lines, maybeLines, maybeLines, (above, before, below, after) => {
        const changes = toChanges([...above, ...before, ...below], above.length, '\n', diffHunks(before, after));
        for (const [index, change] of changes.entries()) {
          const next = changes[index + 1];
          if (next === undefined) continue;
          const isBefore =
            change.end.line < next.start.line ||
            (change.end.line === next.start.line && change.end.character <= next.start.character);
          assert.ok(isBefore, JSON.stringify([change, next]));
        }
      }),
    );
  });

  it('is written as edits that meet nowhere, of which some touched', () => {
    const someEdits = fc.array(fc.tuple(fc.nat(2), fc.nat(2), fc.array(line, { maxLength: 2 })), { maxLength: 5 });
    fc.assert(
      fc.property(lines, someEdits, (document, some) => {
        let at = 0;
        const edits = some.flatMap(([kept, removed, inserted]) => {
          const edit = { line: at + kept, removed, inserted };
          at = edit.line + removed;
          return at <= document.length && removed + inserted.length > 0 ? [edit] : [];
        });
        const expected = applyLineEdits(document, edits);
        // A document without lines is none.
        if (expected.length === 0) expected.push('');
        const hunks = joinTouching(edits).map((edit) => ({
          ...edit,
          removed: document.slice(edit.line, edit.line + edit.removed),
        }));
        assert.equal(applyChanges(document.join('\n'), '\n', toChanges(document, 0, '\n', hunks)), expected.join('\n'));
      }),
      {
        numRuns: 1000,
        examples: [
          [
            ['a', 'b', '}'],
            [
              [1, 1, []],
              [0, 1, []],
            ],
          ],
        ],
      },
    );
  });

  it('is empty for the same text', () => {
    fc.assert(fc.property(lines, (same) => assert.deepEqual(diffHunks(same, same), [])));
  });

  it('names one changed line with the lines before and after it left alone', () => {
    assert.deepEqual(diffHunks(['a', 'old', 'c'], ['a', 'new', 'c']), [
      { line: 1, removed: ['old'], inserted: ['new'] },
    ]);
  });

  it('gives up on the exact difference of very long texts that have nothing in common', () => {
    const before = Array.from({ length: 3000 }, (_, at) => `old ${at}`);
    const after = Array.from({ length: 3000 }, (_, at) => `new ${at}`);
    assert.deepEqual(diffHunks(before, after), [{ line: 0, removed: before, inserted: after }]);
  });

  it('compares texts of any length', () => {
    const before = Array.from({ length: 300_000 }, (_, at) => `line ${at}`);
    const after = ['first', ...before.slice(1, -1), 'last'];
    assert.deepEqual(
      diffHunks(before, after).map(({ line: at }) => at),
      [0, 299_999],
    );
  });

  it('marks the words of a line that are gone', () => {
    assert.deepEqual(removedParts('let total = 1;', 'let sum = 1;'), [[4, 9]]);
    assert.deepEqual(removedParts('same', 'same'), []);
  });
});
