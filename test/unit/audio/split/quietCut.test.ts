import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Loudness } from '../../../../src/audio/split/levels/level.ts';
import { findQuietCut } from '../../../../src/audio/split/plan/quietCut.ts';

/** Levels every 20 ms: loud, but for the pauses given as start, end and decibels. */
function levels(...pauses: [start: number, end: number, decibels: number][]): Loudness[] {
  return Array.from({ length: 1_000 }, (_, i) => {
    const start = i * 0.02;
    const pause = pauses.find(([from, to]) => start >= from && start < to);
    // A voice is not as loud at each moment.
    const decibels = pause?.[2] ?? -20 + 4 * Math.sin(i / 3);
    return { start, end: start + 0.02, decibels };
  });
}
const window = { from: 0, to: 20, target: 10 };

describe('choosing a cut', () => {
  test('falls into the middle of the only pause', () => {
    const { time, isQuiet } = findQuietCut(levels([4, 4.6, -60]), window);
    assert.ok(Math.abs(time - 4.3) < 0.1, String(time));
    assert.equal(isQuiet, true);
  });

  test('takes what is quiet for a room that is never silent', () => {
    const { time, isQuiet } = findQuietCut(levels([4, 4.6, -28]), window);
    assert.ok(Math.abs(time - 4.3) < 0.1, String(time));
    assert.equal(isQuiet, true);
  });

  test('prefers a long pause to a short one that is nearer and deeper, and of like ones the nearer', () => {
    assert.ok(Math.abs(findQuietCut(levels([10, 10.25, -70], [3, 4, -60]), window).time - 3.5) < 0.3);
    assert.ok(Math.abs(findQuietCut(levels([2, 2.6, -60], [8, 8.6, -60], [18, 18.6, -60]), window).time - 8.3) < 0.1);
  });

  test('in a long pause cuts near the target, but not at its edge', () => {
    assert.ok(Math.abs(findQuietCut(levels([5, 15, -60]), window).time - 10) < 0.05);
    const { time } = findQuietCut(levels([10.1, 19, -60]), window);
    assert.ok(time > 10.4 && time < 11, String(time));
  });

  test('does not take the closing of a t for a pause, nor a curve without contrast', () => {
    const consonants = Array.from({ length: 15 }, (_, i): [number, number, number] => [i + 1, i + 1.06, -60]);
    assert.equal(findQuietCut(levels(...consonants), window).isQuiet, false);
    const flat = levels().map((level, i) => ({ ...level, decibels: -40 + (i % 2) }));
    const { time, isQuiet } = findQuietCut(flat, window);
    assert.equal(isQuiet, false);
    assert.ok(Math.abs(time - 10) < 1, String(time));
  });

  test('leaves a word out of what the piece after it hears before the cut, or is in no pause', () => {
    const { time, isQuiet } = findQuietCut(levels([4, 5.2, -60]), { ...window, heardBefore: 0.9 });
    assert.ok(isQuiet && time >= 4.9 && time < 5.2, String(time));
    assert.equal(findQuietCut(levels([4, 5.2, -60]), { ...window, heardBefore: 1.3 }).isQuiet, false);
    // A longer one is taken, however far it is.
    const other = findQuietCut(levels([9.8, 10.05, -70], [3, 4.2, -60]), { ...window, heardBefore: 0.3 });
    assert.ok(other.isQuiet && other.time < 4, String(other.time));
  });

  test('goes to the target where nothing is known', () => {
    assert.deepEqual(findQuietCut([], window), { time: 10, isQuiet: false });
  });

  test('is always within the window, whatever the levels', () => {
    const anyLevel = fc.record({
      start: fc.double({ min: -5, max: 30, noNaN: true }),
      length: fc.double({ min: 0, max: 3, noNaN: true }),
      decibels: fc.double({ min: -120, max: 40, noNaN: true }),
    });
    const anyWindow = fc.tuple(
      fc.double({ min: 0, max: 10, noNaN: true }),
      fc.double({ min: 0, max: 20, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
    );
    fc.assert(
      fc.property(fc.array(anyLevel, { maxLength: 60 }), anyWindow, (some, [from, width, share]) => {
        const to = from + width;
        const given = some.map(({ start, length, decibels }) => ({ start, end: start + length, decibels }));
        const { time } = findQuietCut(given, { from, to, target: from + share * width });
        assert.ok(time >= from && time <= to, `${from} ${time} ${to}`);
      }),
    );
  });
});
