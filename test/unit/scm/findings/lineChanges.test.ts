import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { followLines, type LineRange } from '../../../../src/base/lines.ts';
import { lineChanges } from '../../../../src/scm/findings/lineChanges.ts';

const moved = (line: number, before: readonly string[], after: readonly string[]): number =>
  lineChanges(before, after).reduce<LineRange>(followLines, { first: line, last: line }).first;

describe('the lines of a file in a text that was typed in', () => {
  it('are where they stand there', () => {
    const typed = fc.array(fc.constantFrom('mine', ''), { maxLength: 2 });
    const some = fc.array(fc.tuple(fc.constantFrom('a', 'b', '}'), fc.boolean(), typed), { maxLength: 8 });
    const old = (lines: readonly [string, boolean, string[]][]) => lines.map(([line]) => line);
    const now = (lines: readonly [string, boolean, string[]][]) =>
      lines.flatMap(([line, isKept, written]) => [...written, ...(isKept ? [line] : [])]);
    fc.assert(
      fc.property(some, some, (above, below) => {
        const before = [...old(above), 'the line', ...old(below)];
        const after = [...now(above), 'the line', ...now(below)];
        assert.equal(moved(above.length, before, after), now(above).length);
      }),
      { numRuns: 500 },
    );
  });

  it('stay in order where nothing of the text is left', () => {
    const before = Array.from({ length: 3_000 }, (_, at) => `old ${at}`);
    const after = ['first', ...before.map((text) => `new ${text}`), 'last'];
    assert.equal(lineChanges(before, after).length, 1);
    assert.equal(moved(0, ['kept', ...before, 'kept, too'], ['kept', ...after, 'kept, too']), 0);
    assert.equal(moved(3_001, ['kept', ...before, 'kept, too'], ['kept', ...after, 'kept, too']), 3_003);
  });
});
