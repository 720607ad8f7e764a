import assert from 'node:assert/strict';
import { test } from 'node:test';
import { estimateTokens } from '../../../../src/base/tokens.ts';
import { type FoundPlace, fitting, onOneLine, placeOf, placeText } from '../../../../src/search/mcp/places.ts';
import type { SearchHit } from '../../../../src/search/query/query.ts';

/** A hit in `a.ts` whose text has so many lines, `l10` for line 10. */
function hit(startLine: number, endLine: number, line: number, lines: readonly number[] = [line]): SearchHit {
  const text = `${Array.from({ length: endLine - startLine + 1 }, (_, at) => `l${startLine + at}`).join('\n')}\n`;
  return {
    root: '/r',
    path: 'a.ts',
    startLine,
    endLine,
    text,
    score: 1,
    why: 'words',
    isWeak: false,
    line,
    preview: '',
    lines,
  };
}
const pathOf = ({ path }: { path: string }): string => path;
const snippet = (each: SearchHit): FoundPlace => placeOf(each, 'snippets', pathOf);

test('a snippet has the line that matters, two on each side, and ends where its chunk does', () => {
  const cases: [SearchHit, number, number][] = [
    [hit(1, 40, 20), 18, 22],
    [hit(1, 40, 1), 1, 3],
    [hit(1, 40, 40), 38, 40],
    [hit(7, 7, 7), 7, 7],
    [hit(1, 40, 20, [20, 24]), 18, 26],
    [hit(1, 40, 20, [13, 20, 27]), 11, 22],
    // A line outside, as of a file that has changed, is the nearest one inside.
    [hit(5, 9, 1), 5, 7],
    [hit(5, 9, 90), 7, 9],
  ];
  for (const [each, startLine, endLine] of cases) {
    const found = snippet(each);
    assert.deepEqual([found.startLine, found.endLine], [startLine, endLine]);
    assert.ok(found.line !== undefined && found.line >= startLine && found.line <= endLine);
    assert.equal(
      found.text,
      Array.from({ length: endLine - startLine + 1 }, (_, at) => `l${startLine + at}`).join('\n'),
    );
    assert.ok(endLine - startLine < 12);
  }
});

test('a line of 100,000 letters is cut in a snippet, at a whole letter, and not in full', () => {
  const long = { ...hit(1, 1, 1), text: '🚢'.repeat(50_000) };
  assert.equal(snippet(long).text, `${'🚢'.repeat(200)}…`);
  assert.equal(snippet({ ...long, text: 'short' }).text, 'short');
  assert.equal(placeOf(long, 'full', pathOf).text?.length, 100_000);
});

test('a place is one line, with its code in a fence that nothing in it closes', () => {
  const place: FoundPlace = { path: 'a.md', startLine: 3, endLine: 5, line: 4, why: 'words' };
  assert.equal(placeText(place), 'a.md:3-5 (words, line 4)');
  assert.equal(placeText({ ...place, endLine: 3 }), 'a.md:3 (words)');
  assert.equal(placeText({ ...place, text: '```\nx\n````\n' }), 'a.md:3-5 (words)\n`````\n```\nx\n````\n`````');
  assert.equal(placeText({ ...place, text: 'x\r\n' }), 'a.md:3-5 (words)\n```\nx\n```');
});

test('the end of a line in a name of a file ends no line of an answer; other letters stay', () => {
  assert.equal(onOneLine('a\nb\rc\td'), 'a\\nb\\rc\\td');
  assert.ok(!/[\n\r\u2028\u2029\0]/.test(onOneLine('a\nb\r\u2028c\u2029d\0')));
  for (const same of ['src/ä 🚢.ts', 'a\\b.ts', '港/口.ts']) assert.equal(onOneLine(same), same);
});

test('places fit into the tokens, and the first is cut around its line where it alone is too long', () => {
  const [one, two] = [placeOf(hit(1, 300, 150), 'full', pathOf), placeOf(hit(1, 5, 2), 'full', pathOf)];
  assert.deepEqual(fitting([two, one], 10_000), [two, one]);
  assert.deepEqual(fitting([two, one], 40), [two]);
  const [cut] = fitting([one, two], 100);
  assert.ok(
    cut !== undefined && cut.startLine > 100 && cut.startLine <= 150 && cut.endLine >= 150 && cut.endLine < 200,
  );
  assert.equal(cut.text?.split('\n').length, cut.endLine - cut.startLine + 1);
  assert.ok(cut.text?.split('\n').includes('l150'));
  assert.ok(estimateTokens(placeText(cut)) <= 100);
});

test('for any tokens, a cut place keeps its bound, its line and whole letters', () => {
  const long = placeOf({ ...hit(1, 1, 1), text: '港🚢'.repeat(1_000) }, 'full', pathOf);
  for (let tokens = 0; tokens < 200; tokens++) {
    const [cut] = fitting([long], tokens);
    assert.deepEqual([cut?.path, cut?.startLine, cut?.endLine], ['a.ts', 1, 1]);
    if (cut?.text === undefined) continue;
    assert.ok(estimateTokens(placeText(cut)) <= tokens);
    assert.ok(/^(港🚢)*港?…$/u.test(cut.text), cut.text);
  }
});

test('a place without code gets none where the tokens are few, and keeps its lines', () => {
  const place = placeOf(hit(10, 90, 40), 'places', pathOf);
  assert.deepEqual(fitting([place], 1), [place]);
});

test('links count, once for each file', () => {
  const place = placeOf(hit(1, 9, 4), 'places', pathOf);
  const uri = `file:///${'x'.repeat(300)}`;
  assert.equal(fitting([place, place, place], 200, [uri, uri, uri]).length, 3);
  assert.equal(fitting([place, place, place], 200, [uri, `${uri}1`, `${uri}2`]).length, 1);
});
