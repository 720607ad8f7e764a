import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { mentionsIn } from '../../../src/webview/chat/message/mentionsIn.ts';

const wordsOf = (text: string, names: readonly string[]): string[] =>
  mentionsIn(text, names).map(({ start, end, name }) => {
    assert.equal(text.slice(start, end), names[name]);
    return `${start}:${names[name]}`;
  });

describe('Names of attachments in a question', () => {
  it('are found wherever they stand as a whole', () => {
    const names = ['mergeMap.ts', 'concatMap.ts'];
    assert.deepEqual(wordsOf('Compare mergeMap.ts and concatMap.ts in a table', names), [
      '8:mergeMap.ts',
      '24:concatMap.ts',
    ]);
    assert.deepEqual(wordsOf('(mergeMap.ts), “concatMap.ts”: mergeMap.ts.', names).length, 3);
    assert.deepEqual(wordsOf('mergeMap.tsとconcatMap.tsを比べて', names).length, 2, 'where no spaces part words');
  });

  it('are none within a longer word, a path or a longer name', () => {
    for (const text of [
      'a.tsx',
      'ba.ts',
      'src/a.ts',
      'a.ts/b',
      'a.ts.map',
      'a.ts-old',
      'the-a.ts',
      'x.a.ts',
      '@a.ts',
      'ça.ts',
    ])
      assert.deepEqual(wordsOf(text, ['a.ts']), [], text);
    assert.deepEqual(wordsOf('overlapsMore', ['overlaps']), []);
  });

  it('are the longest where one is within another', () => {
    assert.deepEqual(wordsOf('See a.ts:3-9 and a.ts', ['a.ts', 'a.ts:3-9']), ['4:a.ts:3-9', '17:a.ts']);
    assert.deepEqual(wordsOf('the terminal', ['', ' ']), []);
  });

  it('never overlap, come in order, and are bounded, whatever the text', () => {
    const piece = fc.constantFrom('a.ts', 'b', ' ', '.', '/', 'a', 'é', '語', '\u{1F600}', '\uD83D');
    const text = fc.array(piece, { maxLength: 600 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(
        text,
        fc.array(
          text.map((each) => each.slice(0, 8)),
          { maxLength: 6 },
        ),
        (all, names) => {
          let before = 0;
          const found = mentionsIn(all, names);
          assert.ok(found.length <= 200);
          for (const { start, end, name } of found) {
            assert.ok(start >= before && end > start);
            assert.equal(all.slice(start, end), names[name]);
            before = end;
          }
        },
      ),
    );
  });
});
