import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { bothTexts, exportBoth } from '../../../../src/audio/export/exportBoth.ts';
import { bilingualCues } from '../../../../src/audio/subtitles/bilingualCues.ts';
import type { Transcript } from '../../../../src/audio/transcript/transcript.ts';
import type { Segment } from '../../../../src/service/audio/audio.ts';

const at = (start: number, end: number, text: string): Segment => ({ start, end, text });
const lines = (spoken: Segment[], english: Segment[]) => [...bilingualCues(spoken, english)].map((cue) => cue.lines);

describe('Subtitles in two languages', () => {
  test('have what is spoken over the English, with its times', () => {
    const cues = [
      ...bilingualCues(
        [at(0, 2, 'Guten Morgen.'), at(3, 5, 'Danke.')],
        [at(0, 2, 'Good morning.'), at(3, 5, 'Thanks.')],
      ),
    ];
    assert.deepEqual(cues, [
      { startMs: 0, endMs: 2000, lines: ['Guten Morgen.', 'Good morning.'] },
      { startMs: 3000, endMs: 5000, lines: ['Danke.', 'Thanks.'] },
    ]);
  });

  test('are cut in both texts where a line would be too long, at the ends of sentences where these are near', () => {
    const spoken = 'Die Nordbrücke bleibt bis Freitag gesperrt. Bitte nehmen Sie solange die Fähre am alten Kai.';
    const english = 'The north bridge stays closed until Friday. Please take the ferry at the old quay until then.';
    assert.deepEqual(lines([at(0, 9, spoken)], [at(0, 9, english)]).slice(0, 1), [
      ['Die Nordbrücke bleibt bis Freitag gesperrt.', 'The north bridge stays closed until Friday.'],
    ]);
    const all = lines([at(0, 9, spoken)], [at(0, 9, english)]);
    assert.equal(all.map(([above]) => above).join(' '), spoken);
    assert.equal(all.map(([, below]) => below).join(' '), english);
  });

  test('divide scripts without blanks between their words', () => {
    const spoken = '港の北の橋は金曜日まで工事中ですので、古い岸壁の渡し船をご利用ください。';
    const all = lines([at(0, 8, spoken)], [at(0, 8, 'The north bridge is closed until Friday; take the ferry.')]);
    assert.ok(all.length > 1);
    assert.equal(all.map(([above]) => above).join(''), spoken);
  });

  test('one line stands alone where the other language has nothing; music has no line', () => {
    assert.deepEqual(lines([at(0, 2, 'Ja.'), at(2, 4, '[Musik]')], [at(0, 2, 'Yes.'), at(30, 32, 'Bye.')]), [
      ['Ja.', 'Yes.'],
      ['Bye.'],
    ]);
  });

  test('whatever comes: cues are in order, none overlaps the next, and no word is lost', () => {
    const segments = fc
      .array(fc.tuple(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 1, max: 30 })), { maxLength: 12 })
      .map((all) => {
        let end = 0;
        return all.map(([pause, words]) => {
          const start = end + pause;
          end = start + 1 + words / 3;
          return at(start, end, Array.from({ length: words }, (_, index) => `w${index}`).join(' '));
        });
      });
    fc.assert(
      fc.property(segments, segments, (spoken, english) => {
        let end = 0;
        let count = 0;
        for (const cue of bilingualCues(spoken, english)) {
          assert.ok(cue.startMs >= end && cue.endMs > cue.startMs, JSON.stringify(cue));
          assert.ok(cue.lines.length <= 2 && cue.lines.every((line) => line !== '' && !line.includes('\n')));
          count += cue.lines.join(' ').split(' ').length;
          end = cue.endMs;
        }
        const wanted = [...spoken, ...english].reduce((sum, { text }) => sum + text.split(' ').length, 0);
        assert.equal(count, wanted);
      }),
      { numRuns: 500, seed: 8 },
    );
  });

  test('are there where one text is spoken and the other its translation, in either order', async () => {
    const text = (more: Partial<Transcript>): Transcript =>
      ({ version: 1, fileName: 'a.mp3', text: 'x', segments: [at(0, 1, 'x')], ...more }) as Transcript;
    const [spoken, english] = [text({ task: 'transcribe', text: 'Ja.', segments: [at(0, 1, 'Ja.')] }), text({})];
    assert.deepEqual(bothTexts(spoken, english), bothTexts(english, spoken));
    assert.equal(bothTexts(english, english), undefined);
    assert.equal(bothTexts(spoken, text({ untranslated: {} })), undefined);
    assert.equal(bothTexts(text({ task: 'transcribe', segments: undefined }), english), undefined);
    const both = bothTexts(spoken, english) ?? assert.fail();
    const { content } = await exportBoth(both, new AbortController().signal);
    assert.equal(content, '1\n00:00:00,000 --> 00:00:01,000\nJa.\nx\n');
  });
});
