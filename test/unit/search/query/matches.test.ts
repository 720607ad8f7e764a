import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { matchesIn } from '../../../../src/search/query/matches.ts';
import { readTerms } from '../../../../src/search/query/queryTerms.ts';

const marked = (line: string, question: string): string[] =>
  matchesIn(line, [...readTerms(question).words.keys()]).map(([start, end]) => line.slice(start, end));

test('words of a question are marked in the parts of names, in any form', () => {
  assert.deepEqual(marked('const headers = parseHTTPHeader(raw_headers);', 'how are headers parsed'), [
    'headers',
    'parse',
    'Header',
    'headers',
  ]);
  assert.deepEqual(marked('BASE64 = base64Url', 'base64'), ['BASE64', 'base64']);
  assert.deepEqual(marked('nothing here', 'tide'), []);
  assert.deepEqual(matchesIn('some line', []), []);
});

test('places are within the line, in order, and do not overlap, whatever it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (line) => {
      let last = 0;
      for (const [start, end] of matchesIn(line, ['a', 'tide', '1'])) {
        assert.ok(start >= last && end > start && end <= line.length);
        last = end;
      }
    }),
  );
});

test('of a long line, some are told', () => {
  assert.equal(matchesIn('tide '.repeat(10_000), ['tide']).length, 50);
});
