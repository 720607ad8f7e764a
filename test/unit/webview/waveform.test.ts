import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waveformPath } from '../../../src/webview/transcript/player/waveform.ts';

test('a waveform has a column for each peak, as high above the middle as below', () => {
  assert.equal(waveformPath([1, 0.5], 10), 'M0 1V0H1V0.5H2V1.5H1V2H0Z');
});

test('of more peaks than columns, the loudest of some is one column', () => {
  assert.equal(waveformPath([0.1, 1, 0.5, 0.2], 2), waveformPath([1, 0.5], 2));
  assert.equal(waveformPath(Array(10_000).fill(0.5), 800).match(/H/g)?.length, 1600);
});

test('silence is a thin line, and nothing stands out of the picture', () => {
  assert.equal(waveformPath([0, Number.NaN], 2), waveformPath([0.03, 0.03], 2));
  assert.equal(waveformPath([7], 1), waveformPath([1], 1));
});
