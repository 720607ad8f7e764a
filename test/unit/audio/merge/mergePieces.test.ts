import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { mergePieces, type TranslatedPiece } from '../../../../src/audio/merge/mergePieces.ts';
import { wordKeys } from '../../../../src/audio/merge/spokenWords.ts';
import { joinTexts, type Segment, type Translation } from '../../../../src/service/audio/audio.ts';
import { assertGrowsNoFaster } from '../../../support/growth.ts';
import { simulateMerge } from '../../../support/judgeMerge.ts';

/** A piece that owns `start` to `end`, and hears two seconds more on either side of a cut. */
function piece(start: number, end: number, translation: Partial<Translation>, more: Partial<TranslatedPiece> = {}) {
  const { text = translation.segments?.map((segment) => segment.text).join(' ') ?? '', ...rest } = translation;
  const place = { start, end, from: Math.max(0, start - 2), to: end + 2, startsQuiet: false };
  return { ...place, ...more, translation: { text, segments: undefined, ...rest } };
}

/** Segments from times in the whole recording, as a piece gives them. */
const timed = (
  from: number,
  ...segments: (readonly [start: number, end: number, text: string])[]
): Partial<Translation> => ({
  segments: segments.map(([start, end, text]) => ({ start: start - from, end: end - from, text })),
});
const shown = (segments: readonly Segment[] | undefined): string[] | undefined =>
  segments?.map(({ start, end, text }) => `${Number(start.toFixed(2))}–${Number(end.toFixed(2))} ${text}`);

describe('pieces of a recording, put together', () => {
  test('segments of each begin where its audio begins, and a segment belongs to the piece that owns its midpoint', async () => {
    const { text, segments } = await mergePieces([
      piece(0, 10, timed(0, [0, 4, 'Good morning.'], [5, 8.9, 'The harbour opens.'], [9.1, 10.5, 'Mind the tide.'])),
      piece(10, 20, timed(8, [9.1, 10.5, 'Mind the tide!'], [11, 15, 'Ships may leave.'])),
    ]);
    assert.deepEqual(shown(segments), [
      '0–4 Good morning.',
      '5–8.9 The harbour opens.',
      '9.1–10.5 Mind the tide.',
      '11–15 Ships may leave.',
    ]);
    assert.equal(text, 'Good morning. The harbour opens. Mind the tide. Ships may leave.');
  });

  test('segments that go over the border on both sides are cut where their words are the same', async () => {
    const before = timed(0, [5, 9, 'The harbour opens at six'], [9.1, 12, 'and closes at ten in the']);
    const { segments } = await mergePieces([
      piece(0, 10, before),
      piece(10, 20, timed(8, [8, 11.5, 'at six. And closes at ten.'], [11.6, 15, 'In the evening it is dark.'])),
    ]);
    assert.deepEqual(shown(segments), [
      '5–9 The harbour opens at six',
      '9.1–11.5 And closes at ten.',
      '11.6–15 In the evening it is dark.',
    ]);
  });

  test('segments that begin and end nowhere together become one, whose times the service gave', async () => {
    const { segments } = await mergePieces([
      piece(0, 10, timed(0, [6, 12, 'The harbour opens at six and closes at'])),
      piece(10, 20, timed(8, [8, 14, 'at six and closes at ten in the evening.'])),
    ]);
    assert.deepEqual(shown(segments), ['6–14 The harbour opens at six and closes at ten in the evening.']);
  });

  test('what only one piece heard at the border is kept, and so are two texts that have nothing in common', async () => {
    const late = timed(0, [5, 9, 'The harbour opens.'], [10.2, 11.8, 'Hear, hear!']);
    const alone = await mergePieces([piece(0, 10, late), piece(10, 20, timed(8, [14, 16, 'Ships may leave.']))]);
    assert.deepEqual(shown(alone.segments), [
      '5–9 The harbour opens.',
      '10.2–11.8 Hear, hear!',
      '14–16 Ships may leave.',
    ]);
    const both = await mergePieces([
      piece(0, 10, { text: 'One two three.' }),
      piece(10, 20, { text: 'Four five six.' }),
    ]);
    assert.equal(both.text, 'One two three. Four five six.');
    assert.equal(both.segments, undefined);
    assert.deepEqual(
      shown(both.blocks),
      ['0–10 One two three.', '10–20 Four five six.'],
      'each over what its piece owns',
    );
    // Neither midpoint would keep what is said from 9 to 10.5.
    const across = await mergePieces([
      piece(0, 10, timed(0, [5, 9, 'The harbour opens'], [9, 12, 'at half past six'])),
      piece(10, 20, timed(8, [8, 10.5, 'and it starts at 6:30'], [10.5, 13, 'each day'])),
    ]);
    assert.match(across.text, /^The harbour opens (at half past six|and it starts at 6:30) each day$/);
  });

  test('texts without times are joined at the longest words that they have in common, whatever the case and the stops', async () => {
    const { text, segments } = await mergePieces([
      piece(0, 10, { text: 'The harbour opens at six, and ships may lea.' }),
      piece(10, 20, { text: 'Pens at six and Ships may leave, at ten.' }),
    ]);
    assert.equal(text, 'The harbour opens at six, and Ships may leave, at ten.');
    assert.equal(segments, undefined);
  });

  /** Two texts without times, of pieces that share four seconds. */
  const joined = async (left: string, right: string, more: Partial<TranslatedPiece> = {}): Promise<string> =>
    (await mergePieces([piece(0, 10, { text: left }), piece(10, 20, { text: right }, more)])).text;

  test('a word that both heard at a cut is there once, where there are no times', async () => {
    assert.equal(await joined('And so he told', 'Told him to wait.'), 'And so he Told him to wait.');
    assert.equal(await joined('We saw a', 'A ship.'), 'We saw A ship.');
    assert.equal(await joined('He came to the har', 'The harbour.'), 'He came to The harbour.');
  });

  test('a word that was said twice is there twice, within a piece, at a cut in a pause, and where both heard both', async () => {
    assert.equal(
      await joined('It was very very good.', 'Good, and very very late.'),
      'It was very very Good, and very very late.',
    );
    assert.equal(await joined('It was very very', 'Very very good.'), 'It was very very good.');
    const quiet = { from: 9.75, startsQuiet: true };
    assert.equal(await joined('He told.', 'Told him to wait.', quiet), 'He told. Told him to wait.');
  });

  test('one word in common that is not at the ends tells nothing where there are no times', async () => {
    const [left, right] = ['He saw the big old dog of the house.', 'There a cat barked at me.'];
    assert.equal(await joined(left, right), `${left} ${right}`);
    assert.equal(
      await joined('He saw the dog run off.', 'In all of the city it rained.'),
      'He saw the dog run off. In all of the city it rained.',
    );
  });

  test('words that are said again in turn are those nearest to the ends', async () => {
    assert.equal(
      await joined('He sang merry wilka ingra merry wilka.', 'Merry wilka ingra with us.'),
      'He sang merry wilka ingra merry wilka ingra with us.',
    );
  });

  test('a piece without segments is one over the time that it owns, where others have some', async () => {
    const { segments } = await mergePieces([
      piece(0, 10, timed(0, [0, 4, 'Good morning.'], [5, 11, 'The harbour opens at six.'])),
      piece(10, 20, { text: 'Opens at six. Ships may leave now.' }),
      piece(20, 30, timed(18, [18.5, 21, 'may leave now.'], [23, 25, 'Bye.'])),
    ]);
    assert.deepEqual(shown(segments), [
      '0–4 Good morning.',
      '5–11 The harbour opens at six.',
      '11–18.5 Ships',
      '18.5–21 may leave now.',
      '23–25 Bye.',
    ]);
  });

  test('a text of which the segments of its piece leave something out is kept whole', async () => {
    const part = { ...timed(0, [0, 2, 'One two.']), text: 'One two. Three four five.' };
    const quiet = { from: 10, startsQuiet: true };
    const { text, segments } = await mergePieces([
      piece(0, 10, part),
      piece(10, 20, timed(10, [11, 12, 'Six.']), quiet),
    ]);
    assert.equal(text, 'One two. Three four five. Six.');
    assert.deepEqual(shown(segments), ['0–10 One two. Three four five.', '11–12 Six.']);
    const torn = { ...timed(0, [0, 2, 'Northbound'], [2, 3, 'ships.']), text: 'North bound ships.' };
    assert.deepEqual(shown((await mergePieces([piece(0, 10, torn)])).segments), ['0–2 Northbound', '2–3 ships.']);
  });

  test('a cut in a pause shares no words: what is said on both sides was said twice', async () => {
    const pieces = [
      piece(0, 10, timed(0, [5, 9.8, 'He said: thank you.'])),
      piece(10, 20, timed(9.75, [9.75, 14, 'Thank you. Bye.']), { from: 9.75, startsQuiet: true }),
    ];
    assert.equal((await mergePieces(pieces)).text, 'He said: thank you. Thank you. Bye.');
  });

  test('pieces without words leave no trace, and no pieces are no text', async () => {
    assert.deepEqual(await mergePieces([]), { text: '', segments: undefined });
    const silent = [piece(0, 10, {}), piece(10, 20, timed(8, [9, 12, ' '])), piece(20, 30, { text: 'Hello.' })];
    const blocks = [{ start: 20, end: 30, text: 'Hello.' }];
    assert.deepEqual(await mergePieces(silent), { text: 'Hello.', segments: undefined, blocks });
  });

  test('the whole is no translation where any words of it are none', async () => {
    const untranslated = { language: 'german' };
    const german = piece(10, 20, { text: 'Guten Tag zusammen.', untranslated });
    const silent = piece(20, 30, { text: '', untranslated: { language: 'french' } });
    const english = piece(0, 10, { text: 'Hello.' });
    assert.deepEqual((await mergePieces([english, german, silent])).untranslated, untranslated);
    assert.equal('untranslated' in (await mergePieces([english, silent])), false);
  });

  test('what was measured of segments stays with them; one made of two has the worse', async () => {
    const [one, two] = [
      piece(0, 10, timed(0, [6, 12, 'The harbour opens at six and closes at'])),
      piece(10, 20, timed(8, [8, 14, 'at six and closes at ten in the evening.'])),
    ];
    Object.assign(one.translation.segments?.[0] ?? {}, { avgLogprob: -0.2, noSpeechProb: 0.7 });
    Object.assign(two.translation.segments?.[0] ?? {}, { avgLogprob: -1.2, noSpeechProb: 0.1, compressionRatio: 1.5 });
    const { segments } = await mergePieces([one, two]);
    const { avgLogprob, noSpeechProb, compressionRatio } = segments?.[0] ?? {};
    assert.deepEqual([segments?.length, avgLogprob, noSpeechProb, compressionRatio], [1, -1.2, 0.7, 1.5]);
  });

  const cutting = { pieceSeconds: 30, overlap: [3, 8], inPauses: 0.2, preRoll: 0.25 } as const;
  const exact = { segments: true, timeError: 0, otherWords: 0 };

  test('with segments, no word at a border is lost or doubled', async () => {
    for (let seed = 1; seed <= 5; seed++) {
      const verdict = await simulateMerge(1_800, cutting, exact, seed);
      assert.ok(verdict.borders > 40 && verdict.words > 3_000);
      assert.deepEqual([verdict.lost, verdict.doubled], [0, 0], `seed ${seed}`);
    }
  });

  test('with times that are off by a third of a second, none either', async () => {
    for (let seed = 1; seed <= 5; seed++) {
      const { lost, doubled, backwards } = await simulateMerge(1_800, cutting, { ...exact, timeError: 0.3 }, seed);
      assert.deepEqual([lost, doubled, backwards], [0, 0, 0], `seed ${seed}`);
    }
  });

  test('quirk 51: times are those of the pieces as they were cut: no drift over an hour, never backwards', async () => {
    for (let seed = 1; seed <= 3; seed++) {
      const { drift, backwards } = await simulateMerge(3_600, cutting, exact, seed);
      assert.ok(drift <= 0.05, `seed ${seed}: ${drift} s`);
      assert.equal(backwards, 0);
    }
  });

  test('without segments, at most one border in a hundred is wrong', async () => {
    let [borders, wrong] = [0, 0];
    for (let seed = 1; seed <= 5; seed++) {
      const verdict = await simulateMerge(1_800, cutting, { ...exact, segments: false }, seed);
      borders += verdict.borders;
      wrong += verdict.wrongBorders;
    }
    assert.ok(borders > 200 && wrong <= borders / 100, `${wrong} of ${borders}`);
  });

  test('two translations that differ in one word of ten are joined at 97 borders in 100, with times or without', async () => {
    for (const segments of [true, false]) {
      const service = { segments, timeError: 0.1, otherWords: 0.05 };
      let [borders, wrong] = [0, 0];
      for (let seed = 1; seed <= 5; seed++) {
        const verdict = await simulateMerge(1_800, cutting, service, seed);
        borders += verdict.borders;
        wrong += verdict.wrongBorders;
      }
      assert.ok(wrong <= 0.03 * borders, `${wrong} of ${borders}`);
    }
  });

  const anySeconds = fc.oneof(fc.double({ min: -5, max: 40, noNaN: true }), fc.constantFrom(0, 1e9, -1e9, 5e-324));
  const anyText = fc.oneof(
    fc
      .array(fc.constantFrom('the', 'The', 'harbour,', 'six.', '…', '日本', 'a', ''), { maxLength: 12 })
      .map((words) => words.join(' ')),
    fc.string({ unit: 'binary', maxLength: 20 }),
  );
  const anySegment = fc.record({ start: anySeconds, end: anySeconds, text: anyText });
  const anyPieces = fc
    .array(
      fc.record({
        length: fc.double({ min: 0.1, max: 30, noNaN: true }),
        shared: fc.double({ min: 0, max: 5, noNaN: true }),
        startsQuiet: fc.boolean(),
        text: anyText,
        segments: fc.option(fc.array(anySegment, { maxLength: 8 }), { nil: undefined }),
      }),
      { maxLength: 6 },
    )
    .map((list) => {
      let start = 0;
      return list.map(({ length, shared, startsQuiet, text, segments }): TranslatedPiece => {
        const end = start + length;
        const place = { start, end, from: Math.max(0, start - shared), to: end + shared, startsQuiet };
        start = end;
        return { ...place, translation: { text, segments } };
      });
    });

  test('whatever comes: times never go backwards nor beyond the audio, and the text is that of the segments', async () => {
    await fc.assert(
      fc.asyncProperty(anyPieces, async (pieces) => {
        const { text, segments } = await mergePieces(pieces);
        const last = Math.max(0, ...pieces.map(({ to }) => to));
        let end = 0;
        for (const segment of segments ?? []) {
          assert.ok(
            segment.start >= end && segment.end >= segment.start && segment.end <= last,
            JSON.stringify(segment),
          );
          assert.ok(segment.text.trim() !== '');
          end = segment.end;
        }
        if (segments !== undefined) assert.equal(text, joinTexts(segments.map((segment) => segment.text)));
      }),
      { numRuns: 1_000, seed: 13 },
    );
  });

  test('whatever comes: pieces that share no audio keep all their words, in their order', async () => {
    await fc.assert(
      fc.asyncProperty(anyPieces, async (pieces) => {
        const apart = pieces.map((each) => ({ ...each, from: each.start, to: each.end }));
        const words = apart.flatMap(({ translation: { text, segments } }) => {
          const [timed, all] = [segments?.flatMap((segment) => wordKeys(segment.text)) ?? [], wordKeys(text)];
          const isSpoken = segments?.some((segment) => segment.text.trim() !== '');
          return isSpoken && timed.length >= Math.min(all.length - 1, 0.9 * all.length) ? timed : all;
        });
        assert.deepEqual(wordKeys((await mergePieces(apart)).text), words);
      }),
      { numRuns: 500, seed: 13 },
    );
  });

  test('time grows with the segments, and a segment of a megabyte is looked at near the border only', async () => {
    const many = (count: number): TranslatedPiece[] =>
      Array.from({ length: 10 }, (_, index) => {
        const segments = Array.from(
          { length: count },
          (_each, place) => [place, place + 1, `word ${place} of it`] as const,
        );
        return piece(index * count, (index + 1) * count, timed(0, ...segments), { to: (index + 1) * count });
      });
    await assertGrowsNoFaster((count) => mergePieces(many(count)), 500);
    const long = 'the same words again '.repeat(50_000);
    for (const text of [long, long.replaceAll(' ', '')]) {
      const both = [piece(0, 10, { text }), piece(10, 20, { text })];
      assert.ok((await mergePieces(both)).text.length > text.length);
      const inSegments = await mergePieces([
        piece(0, 10, timed(0, [0, 12, text])),
        piece(10, 20, timed(8, [8, 20, text])),
      ]);
      assert.ok(inSegments.text.length > text.length);
    }
  });
});
