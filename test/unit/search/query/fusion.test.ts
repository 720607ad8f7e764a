import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { scoresOf } from '../../../../src/search/query/fusion.ts';
import type { Nearest } from '../../../../src/search/types.ts';

const hits = (...cosines: number[]): Nearest[] => cosines.map((cosine, id) => ({ id, cosine }));

test('the nearest counts the more the better it stands out', () => {
  const others = Array.from({ length: 20 }, (_, at) => 0.5 - at / 100);
  const [alone, crowded] = [scoresOf(hits(0.9, ...others)).get(0), scoresOf(hits(0.51, ...others)).get(0)];
  assert.ok(alone !== undefined && crowded !== undefined && alone > 0.7 && crowded < 0.5, `${alone} and ${crowded}`);
});

test('what counts is how cosines differ, not the range that a model has them in', () => {
  const cosines = Array.from({ length: 12 }, (_, at) => 0.9 / (at + 1));
  const raised = scoresOf(hits(...cosines.map((cosine) => 0.7 + cosine / 4)));
  for (const [id, score] of scoresOf(hits(...cosines))) assert.ok(Math.abs(score - (raised.get(id) ?? 0)) < 1e-9);
});

test('a text that stands in many places stands out no less for that', () => {
  const others = Array.from({ length: 20 }, (_, at) => 0.5 - at / 100);
  const copies = Array.from({ length: 12 }, () => 0.9);
  const [one, many] = [scoresOf(hits(0.9, ...others)).get(0), scoresOf(hits(...copies, ...others)).get(0)];
  assert.ok(one !== undefined && many !== undefined && Math.abs(one - many) < 0.05, `${one} and ${many}`);
});

test('a hit alone, and hits that are all as near, count in full', () => {
  assert.deepEqual([...scoresOf(hits(0.3)).values()], [1]);
  assert.deepEqual([...scoresOf(hits(0.3, 0.3)).values()], [1, 1]);
  assert.equal(scoresOf([]).size, 0);
});

test('scores are from 0 to 1, in the order of the hits', () => {
  const cosines = fc.array(fc.double({ min: 1e-6, max: 1, noNaN: true }), { maxLength: 120 });
  fc.assert(
    fc.property(cosines, (some) => {
      const scores = [...scoresOf(hits(...some.sort((a, b) => b - a))).values()];
      for (const [at, score] of scores.entries()) {
        assert.ok(score >= 0 && score <= 1);
        assert.ok(at === 0 || score <= (scores[at - 1] as number));
      }
    }),
  );
});
