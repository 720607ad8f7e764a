import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createRowCache } from '../../../../src/search/vectors/rowCache.ts';

const stride = 16;
const rowOf = (slot: number): Uint8Array => new Uint8Array(stride).fill(slot % 251);

describe('rows kept in memory', () => {
  test('are found by their slot, with their scale, and put where they are asked for', () => {
    const kept = createRowCache(stride, 0);
    for (const slot of [0, 5, 4_095, 4_096, 10_000]) kept.keep(slot, slot + 0.5, rowOf(slot));
    const target = new Uint8Array(3 * stride);
    for (const slot of [0, 5, 4_095, 4_096, 10_000]) {
      assert.equal(kept.read(slot, target, stride), slot + 0.5);
      assert.deepEqual(target.subarray(stride, 2 * stride), rowOf(slot));
    }
    for (const slot of [1, 4_097, 20_000, 1_000_000]) assert.equal(kept.read(slot, target, 0), undefined);
    assert.deepEqual(target.subarray(0, stride), new Uint8Array(stride));
  });

  test('go when the index has more of them than fit, and none is kept from then on', () => {
    const kept = createRowCache(stride, 100, 100 * stride);
    const target = new Uint8Array(stride);
    kept.keep(99, 1, rowOf(99));
    assert.equal(kept.read(99, target, 0), 1);
    kept.keep(100, 1, rowOf(100));
    kept.keep(3, 1, rowOf(3));
    for (const slot of [3, 99, 100]) assert.equal(kept.read(slot, target, 0), undefined);
    const large = createRowCache(stride, 101, 100 * stride);
    large.keep(3, 1, rowOf(3));
    assert.equal(large.read(3, target, 0), undefined);
  });
});
