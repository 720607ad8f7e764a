import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { splitLines } from '../../../../src/base/lines.ts';
import { applyLineEdits } from '../../../../src/edits/place/lines/lineEdit.ts';
import { toLineEdit } from '../../../../src/edits/review/toLineEdit.ts';
import { applyChanges } from '../../../support/textChanges.ts';

describe('a change of a document', () => {
  it('changes the same lines as it does the text, and none that stay', () => {
    const line = fc.constantFrom('', 'a', 'bc', '  d');
    const lines = fc.array(line, { minLength: 1, maxLength: 8 });
    const text = fc.constantFrom('', 'x', '\n', 'y\nz', '\n\n', 'a\n');
    fc.assert(
      fc.property(lines, text, fc.nat(), fc.nat(), fc.nat(), fc.nat(), (old, written, a, b, c, d) => {
        const place = (at: number, column: number) => {
          const row = at % old.length;
          return { line: row, character: column % ((old[row] ?? '').length + 1) };
        };
        const [one, two] = [place(a, b), place(c, d)];
        const isBefore = one.line < two.line || (one.line === two.line && one.character <= two.character);
        const change = { start: isBefore ? one : two, end: isBefore ? two : one, text: written };
        const edit = toLineEdit(old, change);
        assert.deepEqual(applyLineEdits(old, [edit]), splitLines(applyChanges(old.join('\n'), '\n', [change])));
        const removed = old.slice(edit.line, edit.line + edit.removed);
        if (removed.length > 0 && edit.inserted.length > 0) {
          assert.notEqual(removed[0], edit.inserted[0]);
          assert.notEqual(removed.at(-1), edit.inserted.at(-1));
        }
      }),
      { numRuns: 1000 },
    );
  });
});
