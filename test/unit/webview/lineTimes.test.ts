import assert from 'node:assert/strict';
import { test } from 'node:test';
import { array, double, assert as holds, property, tuple } from 'fast-check';
import { toLines } from '../../../src/webview/transcript/lines/line.ts';
import { createLineTimes } from '../../../src/webview/transcript/lines/lineTimes.ts';

const lines = (...spans: readonly (readonly [start: number, end: number])[]) =>
  toLines({ text: 'x', segments: spans.map(([start, end]) => ({ start, end, time: '', text: 'x' })) });

test('a line is heard from its start until before its end, and none in a pause', () => {
  const times = createLineTimes(lines([1, 2], [2, 3], [5, 9]));
  assert.deepEqual([0, 1, 1.99, 2, 3, 4.9, 5, 9].map(times.at), [
    ...[undefined, 0, 0, 1],
    ...[undefined, undefined, 2, undefined],
  ]);
  assert.equal(times.end, 9);
  assert.deepEqual([times.spanOf(1)?.start, times.spanOf(3)], [2, undefined]);
});

test('a transcript without lines, or without times, has none that is heard', () => {
  assert.equal(createLineTimes([]).at(0), undefined);
  assert.equal(createLineTimes(toLines({ text: 'One.\n\nTwo.', segments: [] })).at(0), undefined);
});

test('of lines in any order, the one that began last is heard, as a look at each of them finds it', () => {
  const second = double({ min: 0, max: 20, noNaN: true });
  holds(
    property(array(tuple(second, second), { maxLength: 40 }), second, (pairs, at) => {
      const spans = pairs.map(([start, length]) => [start, start + length] as const);
      const began = spans.flatMap(([start], line) => (start <= at ? [{ start, line }] : []));
      const last = began.reduce((a, b) => (b.start >= a.start ? b : a), { start: -1, line: -1 });
      const expected = at < (spans[last.line]?.[1] ?? 0) ? last.line : undefined;
      assert.equal(createLineTimes(lines(...spans)).at(at), expected);
    }),
  );
});

test('reasons to check a line become one text, and those of no line are left out', () => {
  const segments = [1, 2].map((start) => ({ start, end: start + 1, time: '', text: 'x' }));
  const checks = [
    { segment: 1, reason: 'It repeats.' },
    { segment: 1, reason: 'It is unsure.' },
    { segment: 7, reason: 'It is nowhere.' },
  ];
  const reasons = toLines({ text: 'x', segments, checks }).map(({ reason }) => reason);
  assert.deepEqual(reasons, [undefined, 'It repeats. It is unsure.']);
});
