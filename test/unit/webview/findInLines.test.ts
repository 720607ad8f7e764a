import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findInLines, matchFrom, mostMatches } from '../../../src/webview/transcript/lines/findInLines.ts';

const lines = ['Where is the Needle?', 'Nowhere.', 'A needle, and a NEEDLE.'].map((text) => ({ text }));

test('every place of a text is found whatever its case, and none for an empty one', () => {
  assert.deepEqual(findInLines(lines, 'needLE'), [
    { line: 0, nth: 0 },
    { line: 2, nth: 0 },
    { line: 2, nth: 1 },
  ]);
  assert.deepEqual(findInLines(lines, ''), []);
  assert.deepEqual(findInLines(lines, 'haystack'), []);
  assert.equal(findInLines([{ text: 'aaaa' }], 'aa').length, 2, 'places do not overlap');
});

test('a letter that is everywhere is not counted without an end', () => {
  assert.equal(findInLines([{ text: 'a'.repeat(mostMatches * 2) }], 'a').length, mostMatches);
});

test('the next place is the nearest in the direction, and around at the end', () => {
  const found = findInLines(lines, 'needle');
  const next = (line: number, nth: number, by: 1 | -1) =>
    found.indexOf(matchFrom(found, { line, nth }, by) ?? { line, nth });
  assert.deepEqual([next(0, -1, 1), next(0, 0, 1), next(1, -1, 1), next(2, 0, 1), next(2, 1, 1)], [0, 1, 1, 2, 0]);
  assert.deepEqual([next(2, 1, -1), next(2, 0, -1), next(1, 0, -1), next(0, 0, -1)], [1, 0, 0, 2]);
  assert.equal(matchFrom([], { line: 0, nth: 0 }, 1), undefined);
});
