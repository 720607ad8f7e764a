import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { giveWords, segmentsOfWords } from '../../../../src/service/audio/giveWords.ts';
import { joinTexts } from '../../../../src/service/audio/joinTexts.ts';
import { placeWords, readWords, type SpokenTime } from '../../../../src/service/audio/wordTimes.ts';

const word = (text: string, start = 0, end = start): SpokenTime => ({ text, start, end });
const placed = (text: string, ...words: string[]): (readonly [string, number])[] =>
  placeWords(
    text,
    words.map((each) => word(each)),
  ).map((each) => [each.text, each.at]);

describe('Times of words', () => {
  test('are read by either name, as numbers or texts, and a word without a time is left out', () => {
    const raw = [
      { word: ' Guten', start: 0, end: 0.4 },
      { text: 'Morgen', start: '0.4', end: '0.9s' },
      { word: 'im', start: null, end: 1 },
      { word: 'Hafen.', start: 1.2 },
      { word: 'rückwärts', start: 3, end: 2 },
      { word: ' ', start: 1, end: 2 },
      'nichts',
      null,
      { word: 'x'.repeat(300), start: 1, end: 2 },
    ];
    assert.deepEqual(readWords(raw), [
      word('Guten', 0, 0.4),
      word('Morgen', 0.4, 0.9),
      word('Hafen.', 1.2),
      word('rückwärts', 3),
    ]);
    for (const none of [undefined, null, 'words', {}, 3]) assert.deepEqual(readWords(none), []);
  });

  test('there are no more than a day has', () => {
    const raw = Array.from({ length: 500_000 }, () => ({ word: 'a', start: 1, end: 2 }));
    assert.equal(readWords(raw).length, 432_000);
  });

  test('stand where the text has them, with or without their marks and in another case', () => {
    assert.deepEqual(placed('Guten Morgen, Hafen!', 'guten', 'morgen', 'Hafen'), [
      ['Guten', 0],
      ['Morgen', 6],
      ['Hafen', 14],
    ]);
    assert.deepEqual(placed('Guten Morgen, Hafen!', 'Guten', 'Morgen,', 'Hafen!'), [
      ['Guten', 0],
      ['Morgen,', 6],
      ['Hafen!', 14],
    ]);
    assert.deepEqual(placed('港の橋は工事中です。', '港', 'の', '橋', 'は', '工事中', 'です'), [
      ['港', 0],
      ['の', 1],
      ['橋', 2],
      ['は', 3],
      ['工事中', 4],
      ['です', 7],
    ]);
  });

  test('a word that the text does not have takes no other from its place', () => {
    assert.deepEqual(placed('eins zwei drei', 'eins', 'zwo', 'drei'), [
      ['eins', 0],
      ['drei', 10],
    ]);
  });

  test('words beside the segments go to that in whose text they are', async () => {
    const segments = [
      { start: 0, end: 2, text: 'Ja, ja.' },
      { start: 2, end: 4, text: 'Ja, nein.' },
    ];
    const given = await giveWords(segments, [word('Ja', 0, 1), word('ja', 1, 2), word('Ja', 2, 3), word('nein', 3, 4)]);
    assert.deepEqual(
      given.map(({ words }) => words?.map(({ start }) => start)),
      [
        [0, 1],
        [2, 3],
      ],
    );
  });

  test('words without segments make some: one ends with a sentence, or at a pause', () => {
    const text = 'Guten Morgen. Der Hafen ist zu';
    const words = [
      word('Guten', 0, 0.4),
      word('Morgen', 0.4, 1),
      word('Der', 1.1, 1.3),
      word('Hafen', 1.3, 2),
      word('ist', 4, 4.2),
      word('zu', 4.2, 4.5),
    ];
    assert.deepEqual(
      segmentsOfWords(text, words)?.map(({ start, end, text: said }) => [start, end, said]),
      [
        [0, 1, 'Guten Morgen.'],
        [1.1, 2, 'Der Hafen'],
        [4, 4.5, 'ist zu'],
      ],
    );
    assert.equal(segmentsOfWords('ganz andere Worte als diese', words), undefined);
  });

  test('whatever comes: words are found in their order, inside the text, and none twice', () => {
    const some = fc.constantFrom('a', 'ab', 'Straße', '港', 'น้ำ', '.', 'İ', '', ' ', '😀', 'ja', 'JA');
    fc.assert(
      fc.property(
        fc.array(some, { maxLength: 30 }),
        fc.array(some, { maxLength: 30 }),
        fc.constantFrom('', ' '),
        (texts, words, gap) => {
          const text = texts.join(gap);
          let end = 0;
          for (const each of placeWords(
            text,
            words.map((one) => word(one)),
          )) {
            assert.ok(each.at >= end);
            assert.equal(text.slice(each.at, each.at + each.text.length), each.text);
            end = each.at + each.text.length;
          }
          assert.ok(end <= text.length);
        },
      ),
      { numRuns: 2_000, seed: 5 },
    );
  });
});

describe('Texts that are joined', () => {
  test('have a blank between them, but in scripts that have none', () => {
    assert.equal(joinTexts(['Guten', 'Morgen.', '', 'Ja']), 'Guten Morgen. Ja');
    assert.equal(joinTexts(['港の橋は', '工事中です。', '「はい」']), '港の橋は工事中です。「はい」');
    assert.equal(joinTexts(['วันนี้', 'ท่าเรือ']), 'วันนี้ท่าเรือ');
    assert.equal(joinTexts(['오늘', '항구는']), '오늘 항구는');
    assert.equal(joinTexts(['東京', 'Tokyo', '駅']), '東京 Tokyo 駅');
    assert.equal(joinTexts([]), '');
  });
});
