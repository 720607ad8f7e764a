import assert from 'node:assert/strict';
import { test } from 'node:test';
import { array, double, assert as holds, integer, property, tuple } from 'fast-check';
import { createRowHeights } from '../../../src/webview/parts/windowed/rowHeights.ts';

test('rows stand where their heights put them, whichever were measured, in any order', () => {
  const heights = array(integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 60 });
  const measured = array(tuple(integer({ min: 0, max: 59 }), integer({ min: 1, max: 400 })), { maxLength: 80 });
  holds(
    property(heights, measured, double({ min: 0, max: 1, noNaN: true }), (estimated, measures, part) => {
      const rows = createRowHeights(estimated.length, (row) => estimated[row] ?? 0);
      const known = [...estimated];
      for (const [at, height] of measures) {
        const row = at % known.length;
        // What was asked for before must not be what is answered later.
        rows.topOf(at);
        assert.equal(rows.set(row, height), known[row] !== height);
        known[row] = height;
      }
      const topOf = (row: number): number => known.slice(0, row).reduce((sum, each) => sum + each, 0);
      for (const row of known.keys()) assert.equal(rows.topOf(row), topOf(row));
      assert.equal(rows.total, topOf(known.length));
      const row = rows.at(rows.total * part * 0.999);
      assert.ok(topOf(row) <= rows.total * part && rows.total * part * 0.999 < topOf(row + 1));
    }),
  );
});

test('a place outside of the list is at its ends, and a list without rows has none', () => {
  const rows = createRowHeights(3, () => 10);
  assert.deepEqual([rows.at(-5), rows.at(0), rows.at(10), rows.at(29.9), rows.at(99)], [0, 0, 1, 2, 2]);
  assert.equal(rows.topOf(7), 30);
  const none = createRowHeights(0, () => 10);
  assert.deepEqual([none.at(0), none.total, none.topOf(1)], [-1, 0, 0]);
});

test('a row that differs by less than a browser rounds is as it was', () => {
  const rows = createRowHeights(1, () => 20);
  assert.equal(rows.set(0, 20.01), false);
  assert.equal(rows.total, 20);
});
