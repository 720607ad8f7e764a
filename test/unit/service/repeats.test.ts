import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createRepeatFilter } from '../../../src/service/chat/assembly/repeats.ts';

function filtered(pieces: readonly string[], isLast = false): string {
  let text = '';
  const filter = createRepeatFilter((added) => {
    text += added;
  });
  for (const [at, piece] of pieces.entries()) filter.take(piece, isLast && at === pieces.length - 1);
  filter.end();
  return text;
}

describe('Text that a service repeats', () => {
  it('is taken once where each piece holds all so far', () => {
    const text = 'The quick brown fox jumps';
    for (const size of [1, 3, 10]) {
      const ends = Array.from({ length: Math.ceil(text.length / size) }, (_, at) => (at + 1) * size);
      assert.equal(filtered(ends.map((end) => text.slice(0, end))), text, String(size));
    }
    assert.equal(filtered(['H', 'Hi', 'Hi!']), 'Hi!');
    assert.equal(filtered(['你', '你好', '你好，', '你好，世界', '你好，世界']), '你好，世界');
    assert.equal(filtered(['The quick brown fox', 'The quick brown fox jumps.']), 'The quick brown fox jumps.');
  });

  it('is taken once where the last piece holds the whole answer', () => {
    assert.equal(filtered(['Hel', 'lo', 'Hello']), 'Hello');
    assert.equal(filtered(['Hi', '!', 'Hi!'], true), 'Hi!');
    assert.equal(filtered(['\nThe answer', ' is 42.\n', 'The answer is 42.']), '\nThe answer is 42.\n');
    assert.equal(filtered(['The answer', ' is 42.', 'The answer is 42. [1]']), 'The answer is 42. [1]');
    assert.equal(filtered(['The answer is 42.', 'The answer is 42.'], true), 'The answer is 42.');
  });

  it('is left where it is really written twice', () => {
    const texts = [
      ['ha', 'ha', 'ha'],
      ['ha', 'haha', 'ha'],
      ['no', 'no'],
      ['Row, row\n', 'Row, row\n'],
      ['Row, row\n', 'Row, row\n', 'Row, row\n'],
      ['Row, ', 'row\n', 'Row, row\n', 'Row, row\n', 'gently'],
      ['-', '--', '---', '-----'],
      ['1', '12', '24'],
      ['2', '20'],
      ['a', ' b', 'a b', ' c'],
      ['Yes.', 'Yes. And', ' more'],
      [' ', '  ', '    x'],
    ];
    for (const pieces of texts) assert.equal(filtered(pieces), pieces.join(''), pieces.join('|'));
  });

  it('leaves out nothing of an answer in pieces of which none begins with all before it', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 })), (texts) => {
        const pieces = texts.map((text, at) => `${at}${text}`);
        assert.equal(filtered(pieces), pieces.join(''));
      }),
    );
  });
});
