import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type Cue, toSubtitles } from '../../../../src/audio/subtitles/cues.ts';
import { guidelines } from '../../../../src/audio/subtitles/guidelines.ts';
import { oneLine } from '../../../../src/audio/transcript/timedText.ts';
import { isNoSpeech, type Segment, withoutSounds } from '../../../../src/service/audio/audio.ts';
import { anyText, orderedSegments } from '../segments.ts';

const { charactersPerLine, charactersPerSecond, shortestMs, longestMs, gapMs, lingerMs, latestMs, briefestMs } =
  guidelines;
const cuesOf = (...segments: readonly (readonly [start: number, end: number, text: string])[]): Cue[] => [
  ...toSubtitles(segments.map(([start, end, text]) => ({ start, end, text }))),
];
const show = (cues: readonly Cue[]): string[] =>
  cues.map(({ startMs, endMs, lines }) => `${startMs}-${endMs} ${lines.join(' / ')}`);

/** Words of speech, at a speed at which it can be read. */
const sentences = fc
  .array(
    fc.constantFrom(
      'the',
      'tide',
      'comes',
      'at',
      'six',
      'harbour,',
      'and',
      'boats',
      'wait.',
      'Nobody',
      'extraordinarily',
    ),
    {
      minLength: 1,
      maxLength: 60,
    },
  )
  .map((words) => words.join(' '));

/** @param shortest of a cue, in milliseconds; what is said faster than anybody speaks stands shorter */
function assertLaidOut(cues: readonly Cue[], shortest: number = briefestMs): void {
  for (const [index, { startMs, endMs, lines }] of cues.entries()) {
    const shown = JSON.stringify(cues[index]);
    assert.ok(lines.length === 1 || lines.length === 2, shown);
    assert.ok(
      lines.every((line) => line !== '' && line.trim() === line && line.length <= charactersPerLine),
      shown,
    );
    assert.ok(Number.isInteger(startMs) && Number.isInteger(endMs) && startMs >= 0, shown);
    assert.ok(endMs - startMs >= shortest && endMs - startMs <= longestMs, shown);
    const next = cues[index + 1];
    assert.ok(next === undefined || next.startMs - endMs >= gapMs, `${shown} ${JSON.stringify(next)}`);
  }
}

describe('subtitles', () => {
  test('have nothing where nobody speaks, and brackets that are speech', () => {
    assert.deepEqual(
      show(cuesOf([0, 10, '[BLANK_AUDIO]'], [10, 12, 'Hello.'], [12, 14, '(silence)'], [14, 20, '[Musik] Bye.'])),
      ['10000-12000 Hello.', '14000-20000 Bye.'],
    );
    assert.deepEqual(show(cuesOf([0, 2, '[Anna]: hello'], [3, 5, '(laughs) no'])), [
      '0-2000 [Anna]: hello',
      '3000-5000 (laughs) no',
    ]);
  });

  test('keep the rules and every word, whatever was said and whenever', () => {
    const segment = fc.record({
      start: fc.oneof(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.double({ min: 0, max: 100, noNaN: true }),
      ),
      end: fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.double({ min: 0, max: 100, noNaN: true })),
      text: fc.oneof(anyText, sentences, fc.string({ minLength: 80, maxLength: 300 })),
    });
    const letters = (all: readonly string[]): string => all.join('').replace(/[\s\p{Cc}]/gu, '');
    fc.assert(
      fc.property(fc.oneof(orderedSegments(anyText), fc.array(segment, { maxLength: 12 })), (segments) => {
        const cues = [...toSubtitles(segments)];
        assertLaidOut(cues);
        const inOrder = segments.toSorted((a, b) => a.start - b.start);
        // A text that is a note of music alone, or a sound in brackets, is no word.
        const spoken = inOrder.map(({ text }) => withoutSounds(oneLine(text))).filter((text) => !isNoSpeech(text));
        assert.equal(letters(cues.flatMap(({ lines }) => lines)), letters(spoken));
      }),
      { numRuns: 1000 },
    );
  });

  test('of speech that is not too fast begin with their words, can be read, and stand no longer than they should', () => {
    const calm = fc.array(fc.tuple(sentences, fc.integer({ min: 600, max: 5000 }), fc.nat(20)), { minLength: 1 });
    fc.assert(
      fc.property(calm, (parts) => {
        let at = 0;
        const segments = parts.map(([text, pauseMs, slowness]): Segment & { startMs: number; endMs: number } => {
          const startMs = at + pauseMs;
          at = Math.ceil(
            startMs + Math.max(shortestMs, (text.length / charactersPerSecond) * 1000) * (1 + slowness / 10),
          );
          return { start: startMs / 1000, end: at / 1000, text, startMs, endMs: at };
        });
        const cues = [...toSubtitles(segments)];
        assertLaidOut(cues, shortestMs);
        for (const { startMs, endMs, text } of segments) {
          const own = cues.filter((cue) => cue.startMs >= startMs && cue.startMs < endMs);
          assert.equal(own.flatMap(({ lines }) => lines).join(' '), text);
          assert.equal(own[0]?.startMs, startMs);
          const neededBy = ({ lines }: Cue): number => (lines.join(' ').length / charactersPerSecond) * 1000;
          // A sentence such as “Wait.” stands longer than it takes to read, at the cost of those beside it.
          const taken = own.reduce((sum, cue) => sum + Math.max(0, shortestMs - neededBy(cue)), 0);
          for (const cue of own) {
            assert.ok(cue.endMs <= Math.max(endMs + lingerMs, cue.startMs + shortestMs));
            // What two cues side by side lose is the gap between them.
            const needed = neededBy(cue) - taken;
            const given = cue.endMs - cue.startMs;
            assert.ok(given >= Math.min(needed - gapMs - 1000 / charactersPerSecond, longestMs), JSON.stringify(cue));
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  test('of fast speech come together rather than later and later', () => {
    const cues = cuesOf(...Array.from({ length: 600 }, (_, index) => [index / 2, index / 2 + 0.4, 'Yes.'] as const));
    assertLaidOut(cues, shortestMs);
    assert.ok((cues.at(-1)?.startMs ?? Number.POSITIVE_INFINITY) <= 299_500 + latestMs);
    assert.equal(cues.flatMap(({ lines }) => lines.join(' ').split(' ')).length, 600);
  });

  test('begin a second after their words at the latest, however fast somebody speaks', () => {
    const fast = fc.array(
      fc.tuple(sentences, fc.integer({ min: 0, max: 400 }), fc.integer({ min: 5, max: 100 }), fc.boolean()),
      { minLength: 1, maxLength: 40 },
    );
    fc.assert(
      fc.property(fast, (parts) => {
        let at = 0;
        const segments = parts.map(([text, pauseMs, perSecond, isShown]) => {
          const start = at + pauseMs;
          at = start + Math.max(briefestMs + gapMs, (text.length / perSecond) * 1000);
          return { start: start / 1000, end: (isShown ? at : start) / 1000, text };
        });
        const cues = [...toSubtitles(segments)];
        assertLaidOut(cues);
        // When each word is shown first, in their order.
        const shownAt = cues.flatMap(({ startMs, lines }) =>
          lines.flatMap((line) => line.split(' ').map(() => startMs)),
        );
        let word = 0;
        for (const { start, text } of segments) {
          assert.ok((shownAt[word] ?? 0) <= Math.round(start * 1000) + latestMs, text);
          word += text.split(' ').length;
        }
      }),
      { numRuns: 500 },
    );
  });

  test('divide a long segment at the ends of its sentences and clauses, and share the time by length', () => {
    const text =
      'The harbour master has asked all skippers to come in. High water is at six o’clock in the morning, and the gate closes an hour later.';
    assert.deepEqual(show(cuesOf([10, 20, text])), [
      '10000-13976 The harbour master has asked / all skippers to come in.',
      '14060-17360 High water is at six o’clock / in the morning,',
      '17444-20000 and the gate closes an hour later.',
    ]);
  });

  test('do not take the point of a title for the end of a sentence', () => {
    assert.deepEqual(show(cuesOf([0, 4, 'The boat that came in last night is of Dr. Miller from the office.'])), [
      '0-4000 The boat that came in last night / is of Dr. Miller from the office.',
    ]);
  });

  test('join a segment that is too short to be seen with its neighbour, when both are of one sentence', () => {
    assert.deepEqual(show(cuesOf([0, 0.4, 'High water'], [0.5, 2.5, 'is at six.'])), ['0-2500 High water is at six.']);
    assert.deepEqual(show(cuesOf([0, 2, 'High water is'], [2.1, 2.5, 'at six.'])), ['0-2500 High water is at six.']);
    // Sentences, pauses, and segments that can be seen alone are left apart.
    assert.equal(cuesOf([0, 0.4, 'Yes.'], [0.5, 2.5, 'High water is at six.']).length, 2);
    assert.equal(cuesOf([0, 0.4, 'High water'], [1.5, 3.5, 'is at six.']).length, 2);
    assert.equal(cuesOf([0, 1.4, 'High water'], [1.5, 3.5, 'is at six.']).length, 2);
    assert.equal(cuesOf([0, 0.4, 'High water'], [0.5, 7.5, 'is at six.']).length, 2);
  });

  test('stand a little longer than the words where they could not be read else, as far as the next cue lets them', () => {
    const fast = 'Seventeen letters a second.';
    assert.deepEqual(show(cuesOf([0, 1, fast], [9, 10, 'Later.'])), [`0-1500 ${fast}`, '9000-10000 Later.']);
    assert.deepEqual(show(cuesOf([0, 1, fast], [1.3, 3, 'Later.'])), [`0-1216 ${fast}`, '1300-3000 Later.']);
    assert.deepEqual(show(cuesOf([0, 1, 'Short one.'])), ['0-1000 Short one.']);
  });

  test('stand seven seconds at most, and are not cut into single words for that', () => {
    assert.deepEqual(show(cuesOf([0, 60, 'High water is at six.'])), ['0-7000 High water is at six.']);
  });

  test('stay apart where segments overlap or stand at one place, and the next begins later', () => {
    assert.deepEqual(show(cuesOf([0, 5, 'One.'], [3, 6, 'Two.'])), ['0-2916 One.', '3000-6000 Two.']);
    assert.deepEqual(show(cuesOf([1, 1, 'One.'], [1, 1, 'Two.'], [4, 5, 'Three.'])), [
      '1000-1834 One.',
      '1918-2752 Two.',
      '4000-5000 Three.',
    ]);
  });

  test('are in order of time', () => {
    assert.deepEqual(show(cuesOf([5, 6, 'Two.'], [1, 2, 'One.'])), ['1000-2000 One.', '5000-6000 Two.']);
  });

  test('tear no word but one that is longer than a line, and no character', () => {
    const torn = cuesOf([0, 9, `see ${'a'.repeat(50)} there`]).flatMap(({ lines }) => lines);
    assert.deepEqual(torn, ['see', 'a'.repeat(42), `${'a'.repeat(8)} there`]);
    const family = '👩‍👩‍👧';
    for (const line of cuesOf([0, 9, family.repeat(30)]).flatMap(({ lines }) => lines)) {
      assert.equal(line.replaceAll(family, ''), '');
    }
    assert.deepEqual(
      cuesOf([
        0,
        9,
        '今日は港に船がたくさん来ました。明日は風が強くなりますので、気をつけてください。皆さん、おはようございます。',
      ]).flatMap(({ lines }) => lines),
      [
        '今日は港に船がたくさん来ました。',
        '明日は風が強くなりますので、気をつけてください。皆さん、おはようございます。',
      ],
    );
  });

  test('of a text without end or border are made in time', () => {
    for (const part of ['a', ' a', '. ', 'a.', '。', '\u0301', '👩‍', 'the ']) {
      const [cue] = toSubtitles([{ start: 0, end: 1, text: part.repeat(1_000_000 / part.length) }]);
      assert.ok(cue !== undefined);
      assertLaidOut(cuesOf([0, 1, part.repeat(100_000 / part.length)]));
    }
  });
});
