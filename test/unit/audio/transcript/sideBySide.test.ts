import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { bilingualBlocks, textsBeside } from '../../../../src/audio/transcript/sideBySide.ts';
import type { Segment } from '../../../../src/service/audio/audio.ts';

const at = (start: number, end: number, text: string): Segment => ({ start, end, text });

describe('Both texts of a recording', () => {
  test('are put line by line by their times', () => {
    const german = [at(0, 2, 'Guten Morgen.'), at(2, 4, 'Der Hafen ist zu.'), at(6, 8, 'Danke.')];
    const english = [
      at(0.2, 2.1, 'Good morning.'),
      at(2.1, 3, 'The harbour'),
      at(3, 4.2, 'is closed.'),
      at(6.3, 7, 'Thanks.'),
    ];
    assert.deepEqual(textsBeside(german, english), ['Good morning.', 'The harbour is closed.', 'Thanks.']);
  });

  test('a line that is said over several of the other text has all of them', () => {
    const english = [at(0, 6, 'Good morning, the harbour is closed.')];
    const german = [at(0, 2, 'Guten Morgen,'), at(2, 6, 'der Hafen ist zu.')];
    assert.deepEqual(textsBeside(english, german), ['Guten Morgen, der Hafen ist zu.']);
    assert.deepEqual(bilingualBlocks(german, english), [
      { start: 0, end: 6, spoken: 'Guten Morgen, der Hafen ist zu.', english: 'Good morning, the harbour is closed.' },
    ]);
  });

  test('what is said where the other text has nothing stands alone', () => {
    const blocks = bilingualBlocks([at(0, 2, 'Ja.'), at(20, 22, 'Nein.')], [at(0, 2, 'Yes.'), at(10, 12, 'Maybe.')]);
    assert.deepEqual(
      blocks.map(({ spoken, english }) => [spoken, english]),
      [
        ['Ja.', 'Yes.'],
        ['', 'Maybe.'],
        ['Nein.', ''],
      ],
    );
  });

  test('whatever comes: nothing of either text is lost or there twice', () => {
    const time = fc.double({ min: -5, max: 60, noNaN: true });
    const segments = (name: string) =>
      fc
        .array(fc.tuple(time, time), { maxLength: 25 })
        .map((all) =>
          all.map(([start, length], index) =>
            at(start, start + Math.abs(length) / 5, index % 7 === 6 ? ' ' : `${name}${index}`),
          ),
        );
    const names = (texts: readonly string[]): string[] => texts.join(' ').split(/\s+/).filter(Boolean).sort();
    fc.assert(
      fc.property(segments('a'), segments('b'), (some, others) => {
        const all = (list: readonly Segment[]): string[] => names(list.map(({ text }) => text));
        if (all(some).length > 0) assert.deepEqual(names(textsBeside(some, others)), all(others));
        const blocks = bilingualBlocks(some, others);
        assert.deepEqual(names(blocks.map(({ spoken }) => spoken)), all(some));
        assert.deepEqual(names(blocks.map(({ english }) => english)), all(others));
      }),
      { numRuns: 2_000, seed: 3 },
    );
  });
});
