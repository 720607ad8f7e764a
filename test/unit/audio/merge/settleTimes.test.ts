import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { settleTimes } from '../../../../src/audio/merge/settleTimes.ts';

/** Times of segments of a piece from 100 to 130 seconds, and what becomes of them. */
function settled(...times: (readonly [start: number, end: number])[]): (readonly [start: number, end: number])[] {
  const segments = times.map(([start, end], index) => ({ start, end, text: `${index}` }));
  const result = settleTimes(segments, { from: 100, to: 130 });
  assert.deepEqual(
    result.map(({ text }) => text),
    segments.map(({ text }) => text),
  );
  return result.map(({ start, end }) => [start, end]);
}

describe('times of a piece', () => {
  test('are those of the recording', () => {
    assert.deepEqual(settled([0, 2.5], [3, 30]), [
      [100, 102.5],
      [103, 130],
    ]);
  });

  test('end with the audio: Whisper hears half a minute, whatever there is', () => {
    assert.deepEqual(settled([-0.1, 12], [28, 45], [30.2, 45]), [
      [100, 112],
      [128, 130],
      [130, 130],
    ]);
  });

  test('are never those of two segments at once', () => {
    assert.deepEqual(settled([0, 9], [5, 7], [6, 8]), [
      [100, 105],
      [105, 106],
      [106, 108],
    ]);
    assert.deepEqual(settled([0, 2], [0, 3], [4, 6]), [
      [100, 102],
      [102, 104],
      [104, 106],
    ]);
  });

  test('that fit in nowhere are set by their neighbours, and move no others', () => {
    assert.deepEqual(settled([0, 2], [28, 29], [4, 6], [0, 1], [8, 9], [5e5, 5e5 + 1], [10, 12]), [
      [100, 102],
      [102, 103],
      [104, 106],
      [106, 107],
      [108, 109],
      [109, 110],
      [110, 112],
    ]);
  });

  test('never go backwards nor beyond the audio, whatever the service says', () => {
    const seconds = fc.double({ min: -50, max: 80, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(seconds, seconds), { maxLength: 30 }), (times) => {
        let before = 100;
        for (const [start, end] of settled(...times)) {
          assert.ok(start >= before && end >= start && end <= 130);
          before = end;
        }
      }),
      { numRuns: 1_000, seed: 13 },
    );
  });
});
