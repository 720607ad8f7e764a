import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { diffArrays } from 'diff';
import { mergePieces, type TranslatedPiece } from '../../../../src/audio/merge/mergePieces.ts';
import { spokenWords, wordKeys } from '../../../../src/audio/merge/spokenWords.ts';
import { cutSpoken, languages } from '../../../support/spokenLanguages.ts';

/** Seams at which words were lost or doubled. */
async function wrongSeams(name: string, others: number): Promise<{ surplus: number; seams: number }> {
  let [surplus, seams] = [0, 0];
  for (let seed = 1; seed <= 6; seed++) {
    const { text, pieces } = cutSpoken(languages[name] ?? assert.fail(name), 600, seed * 31, others);
    const merged = wordKeys((await mergePieces(pieces)).text);
    if (others === 0)
      assert.deepEqual(
        diffArrays(wordKeys(text), merged).filter(({ added, removed }) => added || removed),
        [],
      );
    surplus += merged.length - wordKeys(text).length;
    seams += pieces.length - 1;
  }
  return { surplus, seams };
}

describe('Seams of texts in other languages, without times', () => {
  for (const name of Object.keys(languages)) {
    test(`no word is doubled or lost in ${name}, with blanks between words or without`, async () => {
      await wrongSeams(name, 0);
    });

    test(`what both pieces heard is there once in ${name}, also where one word in twenty is another one`, async () => {
      const { surplus, seams } = await wrongSeams(name, 0.05);
      assert.ok(Math.abs(surplus) <= seams / 2, `${surplus} characters or words at ${seams} seams`);
    });
  }

  const piece = (from: number, to: number, start: number, end: number, text: string): TranslatedPiece => ({
    ...{ from, to, start, end, startsQuiet: false },
    translation: { text, segments: undefined },
  });

  test('a text without blanks goes on without one, and one with blanks has one', async () => {
    const japanese = await mergePieces([
      piece(0, 12, 0, 10, '港の橋は金曜日まで工事中です'),
      piece(8, 20, 10, 20, '金曜日まで工事中ですので、迂回してください。'),
    ]);
    assert.equal(japanese.text, '港の橋は金曜日まで工事中ですので、迂回してください。');
    const korean = await mergePieces([
      piece(0, 10, 0, 10, '오늘 항구는'),
      { ...piece(10, 20, 10, 20, '닫혀 있습니다.'), startsQuiet: true },
    ]);
    assert.equal(korean.text, '오늘 항구는 닫혀 있습니다.');
  });

  test('a mark of Thai stays with its letter', () => {
    assert.deepEqual(
      spokenWords('น้ำที่').map(({ at }) => at),
      [0, 2, 3],
    );
  });

  test('words keep their times across a seam, each once', async () => {
    const said = (text: string, from: number) => ({
      text,
      segments: [
        {
          start: 0,
          end: 6,
          text,
          words: text.split(' ').map((word, at) => ({ text: word, start: at + from, end: at + from + 0.8 })),
        },
      ],
    });
    const { segments } = await mergePieces([
      { ...piece(0, 6, 0, 5, ''), translation: said('eins zwei drei vier fünf sechs', 0) },
      { ...piece(4, 10, 5, 10, ''), translation: said('fünf sechs sieben acht neun zehn', 0) },
    ]);
    const words = segments?.flatMap((segment) => segment.words ?? []) ?? [];
    assert.deepEqual(words.map(({ text }) => text).join(' '), 'eins zwei drei vier fünf sechs sieben acht neun zehn');
    assert.deepEqual(
      words.map(({ start }) => start),
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    );
  });

  test('the language is that of most of the text, and one piece that is a translation makes the whole one', async () => {
    const of = (text: string, language: string, more = {}) => ({ text, segments: undefined, language, ...more });
    const merged = await mergePieces([
      { ...piece(0, 10, 0, 10, ''), startsQuiet: true, translation: of('kurz', 'english') },
      {
        ...piece(10, 20, 10, 20, ''),
        startsQuiet: true,
        translation: of('ein langer Satz auf Deutsch', 'german', { isTranslated: true }),
      },
    ]);
    assert.deepEqual([merged.language, merged.isTranslated], ['german', true]);
  });
});
