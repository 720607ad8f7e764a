import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  mostRows,
  openFirst,
  readDataTree,
  reveal,
  rowsOf,
  showMore,
  shutAll,
  WrittenNumber,
} from '../../../src/webview/chat/message/data/dataNode.ts';

describe('the tree of an answer', () => {
  test('has numbers as they were written', () => {
    const root = readDataTree('[12345678901234567890, 1.50, 1e2, 7, -0]');
    const values = Array.from({ length: root.size }, (_, at) => root.child(at).value);
    assert.deepEqual(
      values.map((value) => (value instanceof WrittenNumber ? value.text : value)),
      ['12345678901234567890', '1.50', '1e2', 7, '-0'],
    );
  });

  test('shows a part of what is long, more of it on demand, and never too much', () => {
    const root = readDataTree(JSON.stringify(Array.from({ length: 100_000 }, (_, at) => at)));
    root.isOpen = true;
    assert.equal(rowsOf(root).length, 102);
    for (let times = 0; times < 10; times++) showMore(root, 'after');
    assert.deepEqual([root.from, root.to], [800, 1100]);
    for (let times = 0; times < 20; times++) showMore(root, 'before');
    assert.deepEqual([root.from, root.to], [0, 300]);
    reveal(root, [99_999]);
    assert.deepEqual([root.from, root.to], [99_949, 100_000]);
    shutAll(root);
    assert.equal(rowsOf(root).length, 1);
  });

  test('goes to every place of a value, and as far as there is one', () => {
    const path = (value: unknown, picks: readonly number[]): (string | number)[] => {
      const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
      const key = keys[(picks[0] ?? 0) % Math.max(1, keys.length)];
      if (key === undefined || picks.length === 0) return [];
      const inner = (value as Record<string, unknown>)[key];
      return [Array.isArray(value) ? Number(key) : key, ...path(inner, picks.slice(1))];
    };
    fc.assert(
      fc.property(fc.json(), fc.array(fc.nat(), { maxLength: 6 }), fc.nat(80), (json, picks, most) => {
        const root = readDataTree(json);
        openFirst(root, most);
        const way = path(JSON.parse(json), picks);
        const node = reveal(root, way);
        assert.equal(node.level, way.length + 1);
        const rows = rowsOf(root);
        assert.ok(rows.some((row) => row.node === node && row.more === undefined));
        assert.ok(rows.length <= mostRows + 200);
        assert.equal(reveal(root, [...way, 'no such member']).level, node.level);
      }),
    );
  });
});
