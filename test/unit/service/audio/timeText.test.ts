import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { readTimeText } from '../../../../src/service/audio/timeText.ts';

describe('a time as a text', () => {
  test('is a number, what a clock shows, or a duration', () => {
    const times = {
      '4.3': 4.3,
      ' 4.3 s ': 4.3,
      '1e1': 10,
      '-0.5': -0.5,
      '4300000000': 4_300_000_000,
      '00:00:04.300': 4.3,
      '01:02:03,4': 3_723.4,
      '2:05': 125,
      '100:00:00': 360_000,
      '1m4.5s': 64.5,
      '1h0m0s': 3_600,
      '500ms': 0.5,
      '4300000000ns': 4.3,
      '2µs': 2e-6,
    };
    for (const [text, time] of Object.entries(times))
      assert.ok(Math.abs((readTimeText(text) ?? Number.NaN) - time) < 1e-9, `${text}: ${readTimeText(text)}`);
  });

  test('is none where it is something else', () => {
    for (const text of [
      '',
      ' ',
      'soon',
      'NaN',
      'Infinity',
      '4,3',
      '1:2:3:4',
      '12:',
      ':12',
      's',
      'm4',
      '4s3m',
      '0x10',
      '٤',
    ])
      assert.equal(readTimeText(text), undefined, text);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const time = readTimeText(text);
        assert.ok(time === undefined || Number.isFinite(time));
      }),
      { numRuns: 500, seed: 13 },
    );
  });
});
