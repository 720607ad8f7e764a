import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TextChange } from '../../../../src/base/lines.ts';
import { moveLines } from '../../../../src/search/ui/results/moveLines.ts';

const hit = { startLine: 10, endLine: 20, line: 15 };
const change = (text: string, from: [number, number], to = from): TextChange => ({
  start: { line: from[0], character: from[1] },
  end: { line: to[0], character: to[1] },
  text,
});

describe('The lines of a hit', () => {
  for (const [what, made, moved] of [
    ['stay where they are when something changes below', change('a\nb', [20, 0]), 0],
    ['move down with a line added far above', change('\n', [2, 3]), 1],
    ['move down with a line put right before them', change('// why\n', [9, 0]), 1],
    ['move up with lines removed above', change('', [2, 0], [5, 0]), -3],
    ['move up with the lines right before them removed', change('', [7, 0], [9, 0]), -2],
    ['move with lines of Windows', change('a\r\nb\r\n', [0, 0]), 2],
  ] as const) {
    it(what, () => {
      const { startLine, endLine, line } = hit;
      assert.deepEqual(moveLines(hit, made), {
        startLine: startLine + moved,
        endLine: endLine + moved,
        line: line + moved,
        touched: false,
      });
    });
  }

  for (const [what, made, lines] of [
    ['a letter typed in them', change('x', [12, 4]), [10, 20, 15]],
    ['a line added above the best one', change('\n', [12, 4]), [10, 21, 16]],
    ['a line added under the best one', change('\n', [17, 4]), [10, 21, 15]],
    ['the line before them joined to the first', change('', [8, 7], [9, 0]), [9, 19, 14]],
    ['all of them removed, and more', change('', [5, 0], [25, 0]), [6, 6, 6]],
  ] as const) {
    it(`know of ${what}`, () => {
      const [startLine, endLine, line] = lines;
      assert.deepEqual(moveLines(hit, made), { startLine, endLine, line, touched: true });
    });
  }
});
