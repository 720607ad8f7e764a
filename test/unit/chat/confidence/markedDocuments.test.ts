import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { splitLines, type TextChange } from '../../../../src/base/lines.ts';
import { codeLines } from '../../../../src/chat/confidence/marks/codeLines.ts';
import { type LineMark, moveMarks } from '../../../../src/chat/confidence/marks/lineMarks.ts';
import { createMarkedDocuments } from '../../../../src/chat/confidence/marks/markedDocuments.ts';
import type { TokenLogprob } from '../../../../src/service/chat/completion.ts';

/** Tokens of a text; each word is less sure than the one before. */
function tokensOf(text: string): TokenLogprob[] {
  const pieces = text.match(/\s+|[^\s]+/g) ?? [];
  return pieces.map((token, index) => ({ token, logprob: -0.001 * (index + 1), bytes: null, top: [] }));
}

const at = (line: number, character: number) => ({ line, character });
const inserted = (text: string, line = 0, character = 0): TextChange => {
  return { start: at(line, character), end: at(line, character), text };
};

/** The text after a change, as VS Code counts lines. */
function applied(text: string, { start, end, text: fresh }: TextChange): string {
  const lines = splitLines(text);
  const [before, after] = [lines.slice(0, start.line), lines.slice(end.line + 1)];
  const joined = `${lines[start.line]?.slice(0, start.character)}${fresh}${lines[end.line]?.slice(end.character)}`;
  return [...before, joined, ...after].join('\n');
}

const texts = (marks: readonly LineMark[]) => marks.map(({ text }) => text);
/** What stands in a document where the marks are. */
const covered = (text: string, marks: readonly LineMark[]): (string | undefined)[] => {
  const lines = splitLines(text);
  return marks.map(({ line, start, end }) => lines[line]?.slice(start, end));
};

const code = 'function tide(hour) {\n  const low = 3;\n\n  return hour - low;\n}';
const answer = `Sure:\n\n\`\`\`js\n${code}\n\`\`\`\n\nThat is it.`;

function marksOf(answered: string, given: string | undefined, change: TextChange): readonly LineMark[] {
  const documents = createMarkedDocuments();
  documents.expect(answered, tokensOf(answered), given);
  documents.change('d', [change]);
  return documents.of('d');
}

const allWords = code.split(/\s+/);

describe('Words of code that came from an answer', () => {
  test('are marked where they stand, with what was told of them', () => {
    const marks = marksOf(answer, code, inserted(code, 7, 4));
    assert.deepEqual(texts(marks), allWords);
    const [first] = marks;
    assert.deepEqual([first?.line, first?.start, first?.end], [7, 4, 12]);
    assert.deepEqual([marks[3]?.line, marks[3]?.start], [8, 2]);
    const index = tokensOf(answer).findIndex(({ token }) => token === 'function');
    assert.equal(first?.percent, Math.round(1000 * Math.exp(-0.001 * (2 * index + 1))) / 10);
  });

  test('are found again where lines end in another way, or are indented and trimmed', () => {
    for (const text of [
      code.replaceAll('\n', '\r\n'),
      code.replaceAll(/^/gm, '\t\t'),
      code.replaceAll(/^ {2}/gm, '\t'),
      code.replaceAll(/$/gm, '  '),
      `\n\n${code}\n`,
    ]) {
      const marks = marksOf(answer, code, inserted(text));
      assert.deepEqual(texts(marks), allWords, JSON.stringify(text));
      assert.deepEqual(covered(text, marks), allWords);
    }
  });

  test('are found in an answer that has its code in a list or a quote, or ends its lines in another way', () => {
    for (const prefix of ['   ', '> ', '> > ', '\t'])
      for (const end of ['\n', '\r\n']) {
        const quoted = answer.split('\n').map((line) => `${prefix}${line}`.trimEnd());
        const marks = marksOf(quoted.join(end), code, inserted(code));
        assert.deepEqual(texts(marks), allWords, JSON.stringify([prefix, end]));
      }
  });

  test('are those alone that come into the document: an accepted change, of which other lines are the file’s', () => {
    const change = 'before();\nfunction tide(hour) {\n  const low = 3;\n  return hour + low;\n}\nlater();';
    const marks = marksOf(answer, code, inserted(change));
    assert.deepEqual(texts(marks), ['function', 'tide(hour)', '{', 'const', 'low', '=', '3;']);
  });

  test('of any block are known where all changes of an answer are accepted', () => {
    const marks = marksOf(answer, undefined, inserted('  return hour - low;'));
    assert.deepEqual(texts(marks), ['return', 'hour', '-', 'low;']);
  });

  test('are not marked where it is not sure which words of the answer they are', () => {
    const twice = `${answer}\n\n${answer}`;
    assert.deepEqual(marksOf(twice, code, inserted(code)), [], 'the same block twice');
    const repeated = 'next();\nnext();\nlast();';
    const block = `\`\`\`\n${repeated}\n\`\`\``;
    assert.deepEqual(texts(marksOf(block, repeated, inserted('next();'))), []);
    assert.deepEqual(texts(marksOf(block, repeated, inserted('next();\nlast();'))), ['next();', 'last();']);
    assert.deepEqual(marksOf(answer, code, inserted('}')), [], 'a sign that somebody types');
    assert.deepEqual(marksOf(answer, code, inserted('const high = 3;')), [], 'another line');
    assert.deepEqual(marksOf(answer, 'elsewhere();', inserted('elsewhere();')), [], 'code of another answer');
  });

  test('are not marked where nothing is known, or the probabilities are those of another text', () => {
    const documents = createMarkedDocuments();
    documents.expect(answer, [], code);
    documents.expect(answer, tokensOf('Low water'), code);
    assert.equal(documents.change('d', [inserted(code)]), false);
    assert.deepEqual(documents.of('d'), []);
  });

  test('are not taken for those of another answer that has the same lines', () => {
    const documents = createMarkedDocuments();
    documents.expect(answer, tokensOf(answer), code);
    const other = answer.replace('tide', 'springTide');
    documents.expect(other, [], code.replace('tide', 'springTide'));
    documents.change('d', [inserted(code.replace('tide', 'springTide'))]);
    assert.deepEqual(documents.of('d'), []);
    documents.change('d', [inserted(`${code}\n`)]);
    assert.deepEqual(texts(documents.of('d')), allWords);
  });

  test('are marked in a new document that is the code, and in no other that is opened', () => {
    const documents = createMarkedDocuments();
    documents.expect(answer, tokensOf(answer), code);
    assert.equal(documents.open('other', `${code}\nmore();`), false);
    assert.equal(documents.open('new', `${code}\n`), true);
    assert.deepEqual(texts(documents.of('new')), allWords);
    documents.close('new');
    assert.deepEqual(documents.of('new'), []);
  });
});

describe('Marks of words', () => {
  function setUp() {
    const documents = createMarkedDocuments();
    documents.expect(answer, tokensOf(answer), code);
    documents.change('d', [inserted(code)]);
    return {
      documents,
      edited: (...changes: TextChange[]) => [documents.change('d', changes), documents.of('d')] as const,
    };
  }

  test('move with what is written around them', () => {
    const { edited } = setUp();
    const [isOther, marks] = edited(inserted('// a\n// b\n'));
    assert.equal(isOther, false);
    assert.deepEqual([marks[0]?.line, marks[0]?.start], [2, 0]);
    const [, pushed] = edited(inserted('/* x */ ', 2, 0));
    assert.deepEqual(
      pushed.slice(0, 4).map(({ line, start }) => [line, start]),
      [
        [2, 8],
        [2, 17],
        [2, 28],
        [3, 2],
      ],
    );
    const [, broken] = edited(inserted('\n    ', 2, 17));
    assert.deepEqual(
      broken.slice(0, 3).map(({ line, start }) => [line, start]),
      [
        [2, 8],
        [3, 4],
        [3, 15],
      ],
    );
  });

  test('go where a mark or a part of a sign is written to the last letter', () => {
    const mark = (text: string) =>
      ({ line: 0, start: 0, end: text.length, text, percent: 9, band: 4, word: { tokens: [] } }) satisfies LineMark;
    const isLeft = (text: string, typed: string): boolean => {
      const at = { line: 0, character: text.length };
      return moveMarks([mark(text)], { start: at, end: at, text: typed }).length === 1;
    };
    for (const [text, typed] of [
      ['cafe', '\u0301'],
      ['नमस्त', 'े'],
      ['नमस्ते', 'क'],
      ['👩', '\u200D💻'],
      ['👍', '🏽'],
    ] as const)
      assert.ok(!isLeft(text, typed), text + typed);
    for (const typed of [' े', ';', '👍']) assert.ok(isLeft('cafe', typed), typed);
  });

  test('go where the word is changed, and stay where something else is written beside it', () => {
    for (const change of [
      inserted('x', 1, 10),
      inserted('er', 1, 11),
      inserted('s', 1, 8),
      { start: at(1, 9), end: at(1, 10), text: '' },
      { start: at(1, 2), end: at(1, 11), text: 'let low' },
    ]) {
      const [isOther, marks] = setUp().edited(change);
      assert.equal(isOther, true, JSON.stringify(change));
      assert.equal(marks.filter(({ line, text }) => line === 1 && text === 'low').length, 0, JSON.stringify(change));
    }
    assert.ok(texts(setUp().edited(inserted(': number', 1, 11))[1]).includes('low'));
    assert.ok(texts(setUp().edited(inserted('(', 1, 8))[1]).includes('low'));
  });

  test('are as good as new after several changes at once, the last one first', () => {
    const { documents } = setUp();
    const changes = [inserted(' // end', 4, 1), inserted('\n', 2, 0), inserted('// start\n', 0, 0)];
    documents.change('d', changes);
    const text = changes.reduce(applied, code);
    const marks = documents.of('d');
    assert.deepEqual(covered(text, marks), texts(marks));
    assert.deepEqual(texts(marks), allWords);
  });

  test('are bounded, in a document and in all of them', () => {
    const long = Array.from({ length: 12_000 }, (_, index) => `word${index};`).join('\n');
    const whole = `\`\`\`\n${long}\n\`\`\``;
    assert.equal(marksOf(whole, long, inserted(long)).length, 10_000);
    const documents = createMarkedDocuments();
    documents.expect(answer, tokensOf(answer), code);
    for (let each = 0; each < 25; each++) documents.change(`d${each}`, [inserted(code)]);
    assert.deepEqual([documents.of('d4').length, documents.of('d5').length], [0, allWords.length]);
  });

  test('take no longer for an answer that is one line again and again', () => {
    const same = 'x'.repeat(20);
    const lines = Array.from({ length: 40_000 }, () => same);
    assert.equal(codeLines(lines.join('\n'), [...lines.slice(0, 20_000), 'end'].join('\n')), undefined);
    assert.equal(codeLines(lines.join('\n'), same), undefined);
  });

  test('stand on what they say, whatever is inserted and edited', () => {
    const word = fc.constantFrom('tide', 'low = 3;', '}', '', 'return hour;', 'const a', '  x', '潮 = 𠀀');
    const block = fc.array(word, { minLength: 1, maxLength: 8 });
    const change = fc.record({
      from: fc.nat(200),
      length: fc.nat(8),
      text: fc.constantFrom('', 'x', '\n', ' ', 'tide\n', '\r\n '),
    });
    fc.assert(
      fc.property(block, block, fc.array(change, { maxLength: 6 }), fc.nat(3), (own, others, edits, depth) => {
        const documents = createMarkedDocuments();
        const given = own.join('\n');
        const answered = `Sure:\n\`\`\`\n${given}\n\`\`\`\n${others.join('\n')}`;
        documents.expect(answered, tokensOf(answered), given);
        let text = [...others, ...own].map((line) => ' '.repeat(depth) + line).join('\n');
        documents.change('d', [inserted(text)]);
        for (const { from, length, text: fresh } of edits) {
          const next = { start: placeIn(text, from), end: placeIn(text, from + length), text: fresh };
          documents.change('d', [next]);
          text = applied(text, next);
        }
        const marks = documents.of('d');
        assert.deepEqual(covered(text, marks), texts(marks));
        for (const mark of marks) assert.ok(answered.includes(mark.text));
      }),
    );
  });
});

/** The line and character of an offset, at most the end. */
function placeIn(text: string, offset: number) {
  const lines = splitLines(text.slice(0, offset));
  return at(lines.length - 1, lines.at(-1)?.length ?? 0);
}
