import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { indexedWords } from '../../../../src/search/store/words.ts';

test('a text of ASCII alone is put into the index in the same way as one with other letters', () => {
  const text = fc.array(fc.constantFrom(...'aabcXYYZ019_$ .(\n'), { maxLength: 14 }).map((letters) => letters.join(''));
  fc.assert(
    fc.property(text, (each) => assert.equal(`${indexedWords(each)} é`, indexedWords(`${each} é`))),
    { numRuns: 5_000 },
  );
});

test('every identifier is followed by the words it is made of', () => {
  assert.equal(
    indexedWords('_x = parseHTTPHeader_v2($a1B)'),
    '_x = parseHTTPHeader_v2 parse HTTP Header v2($a1B a1 B)',
  );
});
