import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findInLines, matchFrom, mostMatches, replaceIn } from '../../../src/webview/transcript/lines/findInLines.ts';

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

test('what is found is replaced, at one place or all, whatever its case, and the rest stays as it is', () => {
  const text = 'A needle, and a NEEDLE.';
  assert.equal(replaceIn(text, 'needle', 'pin'), 'A pin, and a pin.');
  assert.equal(replaceIn(text, 'Needle', '$& needle', 1), 'A needle, and a $& needle.');
  assert.equal(replaceIn(text, 'haystack', 'pin'), text);
  assert.equal(replaceIn(text, '', 'pin'), text);
  assert.equal(replaceIn('İstanbul, near the İ quay', 'quay', 'pier'), 'İstanbul, near the İ pier');
  assert.equal(replaceIn('Größe und GRÖSSE', 'größe', 'size'), 'size und GRÖSSE');
  assert.equal(replaceIn('港の船、港の人', '港', '埠頭'), '埠頭の船、埠頭の人');
});
