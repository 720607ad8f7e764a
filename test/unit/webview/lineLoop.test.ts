import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toLines } from '../../../src/webview/transcript/lines/line.ts';
import { createLineTimes } from '../../../src/webview/transcript/lines/lineTimes.ts';
import { createLineLoop, type LineLoop } from '../../../src/webview/transcript/player/lineLoop.ts';

const spans = [
  [1, 2],
  [2, 4],
  [5, 5],
];
const segments = spans.map(([start = 0, end = 0]) => ({ start, end, time: '', text: 'x' }));
const loop = (): LineLoop => createLineLoop(createLineTimes(toLines({ text: 'x', segments })));

test('a line begins again at its end, as long as it is looped', () => {
  const looped = loop();
  assert.equal(looped.nextAt(2), undefined, 'nothing is looped at first');
  looped.toggle(1.5);
  assert.deepEqual([1.6, 1.99, 2, 2.2].map(looped.nextAt), [undefined, undefined, 1, 1]);
  looped.toggle(1.5);
  assert.equal(looped.nextAt(2), undefined);
});

test('where the user goes, the line there is the one that is looped', () => {
  const looped = loop();
  looped.toggle(1.5);
  looped.moved(3);
  assert.deepEqual([3.9, 4].map(looped.nextAt), [undefined, 2]);
});

test('in a pause the next line that comes is looped', () => {
  const looped = loop();
  looped.toggle(0.2);
  assert.deepEqual([0.9, 1.2, 2].map(looped.nextAt), [undefined, undefined, 1]);
});

test('at the end of the recording the last line begins again, though its end was not reached', () => {
  const looped = loop();
  looped.toggle(3);
  assert.equal(looped.nextAt(Number.POSITIVE_INFINITY), 2);
});

test('a line without a length does not stand still', () => {
  const looped = loop();
  looped.toggle(5);
  assert.equal(looped.nextAt(5), undefined);
});
