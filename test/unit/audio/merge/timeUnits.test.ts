import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { mergePieces } from '../../../../src/audio/merge/mergePieces.ts';
import { inSeconds } from '../../../../src/audio/merge/timeUnits.ts';
import type { Segment } from '../../../../src/service/audio/audio.ts';

const said = (...times: (readonly [start: number, end: number])[]): Segment[] =>
  times.map(([start, end], index) => ({ start, end, text: `word ${index}` }));
const timesOf = (segments: readonly Segment[] | undefined): unknown =>
  segments?.map(({ start, end }) => [Number(start.toFixed(3)), Number(end.toFixed(3))]);

/** What becomes of times in a piece that is half a minute long. */
const inPiece = async (...times: (readonly [start: number, end: number])[]): Promise<unknown> => {
  const segments = said(...times);
  const translation = { text: segments.map(({ text }) => text).join(' '), segments };
  const piece = { start: 0, end: 30, from: 0, to: 30, startsQuiet: true, translation };
  const merged = await mergePieces([piece]);
  assert.equal(merged.text, translation.text);
  return timesOf(merged.segments);
};

const right = [
  [0, 4.3],
  [4.3, 9],
  [9, 12],
];

describe('the unit of times', () => {
  test('is that in which they lie within the sound: nanoseconds, microseconds, milliseconds, seconds', async () => {
    for (const unit of [1e9, 1e6, 1e3, 1]) {
      assert.deepEqual(await inPiece([0, 4.3 * unit], [4.3 * unit, 9 * unit], [9 * unit, 12 * unit]), right);
      assert.deepEqual(await inPiece([0, 12 * unit]), [[0, 12]]);
    }
  });

  test('is none where they lie beyond the sound in each: then there are no times', async () => {
    assert.equal(await inPiece([0, 4e12], [4e12, 9e12], [9e12, 12e12]), undefined);
    assert.equal(await inPiece([0, 2], [5e5, 6e5]), undefined);
  });

  test('is seconds where one time alone is wrong, and where a service is off by its last window', async () => {
    assert.deepEqual(await inPiece([0, 2], [5e5, 6e5], [4, 6], [6, 8]), [
      [0, 2],
      [2, 4],
      [4, 6],
      [6, 8],
    ]);
    assert.deepEqual(await inPiece([0, 12], [28, 45]), [
      [0, 12],
      [28, 30],
    ]);
  });

  test('an end that is open is that of the piece', async () => {
    const segments = said([0, 4], [4, 4]);
    const open = segments.map((segment, index) => (index === 1 ? { ...segment, isOpen: true as const } : segment));
    const piece = {
      start: 60,
      end: 90,
      from: 60,
      to: 90,
      startsQuiet: true,
      translation: { text: 'word 0 word 1', segments: open },
    };
    const { segments: merged } = await mergePieces([piece]);
    assert.deepEqual(timesOf(merged), [
      [60, 64],
      [64, 90],
    ]);
    assert.ok(merged?.every((segment) => !('isOpen' in segment)));
  });

  test('whatever the unit, times are those in seconds', () => {
    const lengths = fc.array(fc.integer({ min: 200, max: 9_000 }), { minLength: 2, maxLength: 40 });
    fc.assert(
      fc.property(lengths, fc.constantFrom(1e3, 1e6, 1e9), (all, unit) => {
        let end = 0;
        const segments = all.map((length) => {
          const start = end;
          end += length / 1000;
          return { start, end, text: 'word' };
        });
        // Speech that ends with the sound, or with a third of it.
        for (const seconds of [end, 3 * end]) {
          if ((all[0] ?? 0) * (unit / 1000) <= seconds) continue;
          const scaled = segments.map((segment) => ({
            ...segment,
            start: segment.start * unit,
            end: segment.end * unit,
          }));
          assert.deepEqual(timesOf(inSeconds(scaled, seconds)), timesOf(segments));
          assert.equal(inSeconds(segments, seconds), segments);
        }
      }),
      { numRuns: 300, seed: 13 },
    );
  });
});
