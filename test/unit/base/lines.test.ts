import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { followLines, splitLines, widenToLines } from '../../../src/base/lines.ts';
import { applyChanges } from '../../support/textChanges.ts';

const lines = fc.array(fc.constantFrom('', 'a', 'b', '  c', '\td', '}'), { minLength: 1, maxLength: 12 });

describe('the lines of a selection', () => {
  it('are whole lines, without a line that the selection only reaches', () => {
    const at = (lineNumber: number, character: number) => ({ line: lineNumber, character });
    assert.deepEqual(widenToLines(at(2, 3), at(4, 1)), { first: 2, last: 4 });
    assert.deepEqual(widenToLines(at(2, 0), at(4, 0)), { first: 2, last: 3 });
    assert.deepEqual(widenToLines(at(2, 0), at(2, 0)), { first: 2, last: 2 });
  });

  it('are found again after any change above or below them', () => {
    const insertion = fc.record({ at: fc.nat(), lines });
    fc.assert(
      fc.property(
        lines,
        lines,
        lines,
        insertion,
        fc.boolean(),
        (above, selected, below, { at, lines: added }, isAbove) => {
          const document = [...above, ...selected, ...below];
          const range = { first: above.length, last: above.length + selected.length - 1 };
          const target = isAbove ? at % above.length : range.last + 1 + (at % below.length);
          const start = { line: target, character: 0 };
          const change = { start, end: start, text: `${added.join('\n')}\n` };
          const changed = splitLines(applyChanges(document.join('\n'), '\n', [change]));
          const { first, last, touched } = followLines(range, change);
          assert.equal(touched, false);
          assert.deepEqual(changed.slice(first, last + 1), selected);
        },
      ),
    );
  });

  it('move up when lines above them are deleted', () => {
    const change = { start: { line: 1, character: 0 }, end: { line: 3, character: 0 }, text: '' };
    assert.deepEqual(followLines({ first: 3, last: 5 }, change), { first: 1, last: 3, touched: false });
  });

  it('grow with what is typed inside them', () => {
    const place = { line: 4, character: 2 };
    assert.deepEqual(followLines({ first: 3, last: 5 }, { start: place, end: place, text: 'x\r\ny' }), {
      first: 3,
      last: 6,
      touched: true,
    });
  });

  it('end where they end when all is written anew with more above them', () => {
    fc.assert(
      fc.property(lines, lines, lines, lines, (above, selected, below, newAbove) => {
        const document = [...above, ...selected, ...below];
        const change = {
          start: { line: 0, character: 0 },
          end: { line: document.length - 1, character: document.at(-1)?.length ?? 0 },
          text: [...newAbove, ...selected, ...below].join('\n'),
        };
        const changed = splitLines(applyChanges(document.join('\n'), '\n', [change]));
        const { first, last, touched } = followLines(
          { first: above.length, last: above.length + selected.length - 1 },
          change,
        );
        assert.deepEqual([first, touched], [0, true]);
        assert.deepEqual(changed.slice(last - selected.length + 1, last + 1), selected);
      }),
    );
  });

  it('are one line where all of them were removed, and more', () => {
    const change = { start: { line: 1, character: 0 }, end: { line: 9, character: 0 }, text: '' };
    assert.deepEqual(followLines({ first: 3, last: 5 }, change), { first: 1, last: 1, touched: true });
  });
});
