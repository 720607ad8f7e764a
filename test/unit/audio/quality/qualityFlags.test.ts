import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { flagSegments, isDoubtful } from '../../../../src/audio/quality/qualityFlags.ts';
import { isLoop } from '../../../../src/audio/quality/repetition.ts';
import type { Segment } from '../../../../src/service/audio/audio.ts';
import { assertGrowsNoFaster } from '../../../support/growth.ts';
import { createSpeech } from '../../../support/simulatedSpeech.ts';

const said = (...texts: string[]): Segment[] => texts.map((text, index) => ({ start: index, end: index + 1, text }));
const measured = (...measures: Partial<Segment>[]): Segment[] =>
  measures.map((each, index) => ({ start: index, end: index + 1, text: `word ${index}`, ...each }));

/** The places, as `first–last kind`. */
async function placesIn(segments: readonly Segment[]): Promise<string[]> {
  return (await flagSegments(segments)).map(({ first, last, reason }) => `${first}–${last} ${reason.kind}`);
}

describe('places worth checking', () => {
  test('quirk 52: segments with the same words in a row are one place, and stay in the text', async () => {
    const segments = said('Hello.', 'The tide is high.', 'the tide is high', 'The tide is high!', 'Bye.');
    const before = structuredClone(segments);
    assert.deepEqual(await flagSegments(segments), [{ first: 1, last: 3, reason: { kind: 'repeat', times: 3 } }]);
    assert.deepEqual(segments, before);
  });

  test('are none where nobody speaks, however often a service says so', async () => {
    assert.deepEqual(await placesIn(said('[Music]', '[Music]', '[Music]', '(silence)', '[BLANK_AUDIO]')), []);
    const unsure = { noSpeechProb: 0.9, avgLogprob: -2 };
    const segments = measured({ ...unsure, text: '[BLANK_AUDIO]' }, { ...unsure, text: '[Anna]: hello' });
    assert.deepEqual(await placesIn(segments), ['1–1 silence']);
    assert.ok(isDoubtful({ start: 0, end: 1, text: '[Music]' }));
  });

  test('people say yes twice', async () => {
    assert.deepEqual(await placesIn(said('Yes.', 'Yes.', 'No.', 'No.', 'No.', '♪', '♪', '♪')), ['2–4 repeat']);
    assert.deepEqual(await placesIn(said('Very, very, very good. I know, I know, I know.')), []);
  });

  test('quirk 52: a phrase that is repeated is a loop, within a segment or over several', async () => {
    const within = said('Hello.', `So ${'thank you, '.repeat(6)}`, 'Bye.');
    const reason = { kind: 'loop', phrase: 'thank you', times: 6 };
    assert.deepEqual(await flagSegments(within), [{ first: 1, last: 1, reason }]);
    const over = said('We go to', 'the sea we', 'go to the', 'sea we go', 'to the sea we go to the sea.');
    assert.deepEqual(await flagSegments(over), [
      { first: 0, last: 4, reason: { kind: 'loop', phrase: 'we go to the sea', times: 4 } },
    ]);
  });

  test('quirk 52: sentences that come again in turn are a loop, however long they are', async () => {
    const pair = [
      'I want to thank everyone here for all of the work you did on this long project today.',
      'And we will see one another again in the next meeting of the board on Monday morning.',
    ];
    const inTurn = said('Hello.', ...Array.from({ length: 20 }, () => pair).flat(), 'Bye.');
    assert.deepEqual(await placesIn(inTurn), ['1–40 loop']);
    assert.ok(
      isLoop(
        inTurn
          .map(({ text }) => text)
          .slice(0, -1)
          .join(' '),
      ),
    );
    const eight = Array.from({ length: 8 }, (_, index) => `${pair[index % 2]} That was number ${index}.`);
    assert.deepEqual(await placesIn(said(...eight, ...eight, ...eight, ...eight)), ['0–31 loop']);
    assert.deepEqual(await placesIn(said(...eight, ...eight)), []);
  });

  test('segments that repeat one another are told once, and not as a loop and by their compression, too', async () => {
    const segments = said(...Array.from({ length: 8 }, () => 'Thanks for watching.'));
    for (const segment of segments) segment.compressionRatio = 9;
    assert.deepEqual(await flagSegments(segments), [{ first: 0, last: 7, reason: { kind: 'repeat', times: 8 } }]);
  });

  test("quirk 52: Whisper's own limits tell where it was unsure, looped, or heard nobody", async () => {
    const flags = await flagSegments(
      measured(
        { avgLogprob: -1, noSpeechProb: 0.6, compressionRatio: 2.4 },
        { avgLogprob: -1.1 },
        { avgLogprob: -0.2, compressionRatio: 2.5 },
        { avgLogprob: -1.2, noSpeechProb: 0.7 },
        // Words that it is sure of are no silence.
        { avgLogprob: -0.2, noSpeechProb: 0.9 },
        { noSpeechProb: 0.8 },
        {},
      ),
    );
    assert.deepEqual(flags, [
      { first: 1, last: 1, reason: { kind: 'low-confidence', avgLogprob: -1.1 } },
      { first: 2, last: 2, reason: { kind: 'compression', compressionRatio: 2.5 } },
      { first: 3, last: 3, reason: { kind: 'silence', noSpeechProb: 0.7 } },
      { first: 5, last: 5, reason: { kind: 'silence', noSpeechProb: 0.8 } },
    ]);
  });

  test('segments that were measured together are one place, with the worst measure', async () => {
    const flags = await flagSegments(measured({ avgLogprob: -1.2 }, { avgLogprob: -2 }, { avgLogprob: -1.5 }, {}));
    assert.deepEqual(flags, [{ first: 0, last: 2, reason: { kind: 'low-confidence', avgLogprob: -2 } }]);
  });

  test('a segment is doubtful by any of the limits alone, so that it is not carried over', () => {
    const doubtful = measured({ avgLogprob: -1.1 }, { compressionRatio: 2.5 }, { avgLogprob: -0.1, noSpeechProb: 0.7 });
    assert.deepEqual([...doubtful, ...measured({}, { avgLogprob: -1 })].map(isDoubtful), [
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  test('speech has none', async () => {
    for (let seed = 1; seed <= 5; seed++) {
      const words = createSpeech(1_800, seed).map(({ text }) => text);
      const texts = Array.from({ length: words.length / 8 }, (_, index) =>
        words.slice(8 * index, 8 * index + 8).join(' '),
      );
      assert.deepEqual(await placesIn(said(...texts)), [], `seed ${seed}`);
      assert.equal(isLoop(words.join(' ')), false);
    }
  });

  test('a loop at the end of a text is told, one long before is not', () => {
    const loop = 'I am going to the store and '.repeat(5);
    const rest = Array.from({ length: 500 }, (_, index) => `word${index}`).join(' ');
    assert.deepEqual([loop, rest + loop, loop + rest, '', '日本'.repeat(20)].map(isLoop), [
      true,
      true,
      false,
      false,
      true,
    ]);
  });

  test('whatever comes: each place is one of the segments, in their order', async () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'the', '♪', '日本', '.'), { maxLength: 40 })
      .map((all) => all.join(' '));
    const measure = fc.option(fc.double(), { nil: undefined });
    const segment = fc.record({
      ...{ start: fc.double(), end: fc.double(), text },
      ...{ avgLogprob: measure, noSpeechProb: measure, compressionRatio: measure },
    });
    await fc.assert(
      fc.asyncProperty(fc.array(segment, { maxLength: 20 }), async (segments) => {
        let before = 0;
        for (const { first, last } of await flagSegments(segments)) {
          assert.ok(before <= first && first <= last && last < segments.length);
          before = first;
        }
      }),
      { numRuns: 500, seed: 13 },
    );
  });

  test('time grows with the text alone: many segments, a long one, and hostile repetitions', async () => {
    const shapes: ((size: number) => string[])[] = [
      (size) => Array.from({ length: size }, (_, index) => `Segment ${index} of the words that are said here.`),
      (size) => Array.from({ length: size }, () => 'a b a b a b c'),
      (size) => [Array.from({ length: 8 * size }, (_, index) => `w${index % 97}`).join(' ')],
      (size) => ['a'.repeat(40 * size)],
      (size) => [`${'a '.repeat(7)}b `.repeat(2 * size)],
    ];
    for (const [index, shape] of shapes.entries()) {
      await assertGrowsNoFaster((size) => flagSegments(said(...shape(size))), 2_500, `shape ${index}`);
    }
  });
});
