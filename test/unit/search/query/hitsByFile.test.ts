import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { firstHits, firstLimit, hitsByFile, placesLimit } from '../../../../src/search/query/hitsByFile.ts';

interface Hit {
  readonly file: string;
  readonly at: number;
  readonly isWeak: boolean;
}
const fileOf = ({ file }: Hit): string => file;
const hits = (files: string, weakFrom = Number.POSITIVE_INFINITY): Hit[] =>
  [...files].map((file, at) => ({ file, at, isWeak: at >= weakFrom }));
const shown = (all: readonly Hit[]): string => all.map(({ file, at }) => `${file}${at}`).join(' ');

test('hits stand by their files, the file with the best hit first and its best hit first', () => {
  assert.equal(shown(hitsByFile(hits('abac'), fileOf).flat()), 'a0 a2 b1 c3');
});

test('one file shows its best places first, and does not fill the list', () => {
  assert.equal(shown(firstHits(hits('aaaaaabac'), fileOf)), 'a0 a1 a2 b6 c8');
  assert.equal(shown(firstHits(hits('a'.repeat(100)), fileOf)), 'a0 a1 a2');
});

test('the tail of weak hits is left for later, and a weak one before a good one is not', () => {
  assert.equal(shown(firstHits(hits('abcd', 2), fileOf)), 'a0 b1');
  assert.equal(shown(firstHits(hits('abcd', 0), fileOf)), '');
  const weak = hits('abc').map((hit, at) => ({ ...hit, isWeak: at === 1 }));
  assert.equal(shown(firstHits(weak, fileOf)), 'a0 b1 c2');
});

test('no hit is lost or shown twice, files stand in the order of their best hits, and the first are few', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...'abcdefghijklmnop'), { maxLength: 120 }), (files) => {
      const all = hits(files.join(''));
      const grouped = hitsByFile(all, fileOf);
      assert.deepEqual(new Set(grouped.flat()), new Set(all));
      assert.equal(grouped.flat().length, all.length);
      assert.deepEqual(
        grouped.map(([first]) => first?.file),
        [...new Set(files)],
      );
      const first = firstHits(all, fileOf);
      assert.ok(first.length <= firstLimit);
      for (const group of hitsByFile(first, fileOf)) assert.ok(group.length <= placesLimit);
    }),
  );
});
