import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  hasOtherWords,
  parseBias,
  parseTokenIds,
  readTokenIds,
  readWords,
  textsOfWord,
  tokenizeBody,
  withBias,
} from '../../../src/chat/parameters/logitBias.ts';

describe('Biases of words', () => {
  it('are written with commas of any script between the words, each once', () => {
    assert.deepEqual(readWords(' delve, tapestry ,delve\nin this age,潮、海، موج'), [
      ...['delve', 'tapestry', 'in this age', '潮', '海', 'موج'],
    ]);
    assert.deepEqual(readWords(`, ,\n${'x'.repeat(101)}`), []);
    assert.equal(readWords(Array.from({ length: 500 }, (_, at) => `w${at}`).join()).length, 20);
    assert.deepEqual(textsOfWord('tide'), [' tide', 'tide']);
    assert.deepEqual(
      ['a, b,, a', 'x'.repeat(101), Array.from({ length: 21 }, (_, at) => at).join()].map(hasOtherWords),
      [...[false, true, true]],
    );
  });

  it('are for the tokens that a server tells, in the form of any', () => {
    for (const [answer, ids] of [
      [{ count: 2, max_model_len: 8192, tokens: [9906, 0] }, [9906, 0]],
      [{ tokens: [{ id: 198, piece: '\n' }] }, [198]],
      [
        [1, 2],
        [1, 2],
      ],
    ] as const)
      assert.deepEqual(readTokenIds(answer), ids);
    for (const odd of [
      ...[undefined, null, '', {}, { tokens: [] }, { tokens: ['a'] }, { tokens: [-1] }, { tokens: [1.5] }],
      ...[{ tokens: [1e9] }, { tokens: [1, null] }, { tokens: Array(300).fill(1) }, { error: 'no' }],
    ])
      assert.equal(readTokenIds(odd), undefined, JSON.stringify(odd));
    assert.deepEqual(JSON.parse(tokenizeBody('m', ' "x"')).prompt, ' "x"');
  });

  it('are for the ids that a person writes', () => {
    assert.deepEqual(parseTokenIds(' 1734, 50256;7 '), [1734, 50256, 7]);
    assert.deepEqual(parseTokenIds('１７３４、50256，7；8'), [1734, 50256, 7, 8]);
    for (const odd of ['', ' ', 'delve', '-1', '1.5', '1e3', '99999999', '1 x'])
      assert.equal(parseTokenIds(odd), undefined, odd);
  });

  it('run from -100 to 100', () => {
    assert.deepEqual(['-100', '100', '0', '1.5', '-2,5', '−7'].map(parseBias), [-100, 100, 0, 1.5, -2.5, -7]);
    for (const odd of ['', '101', '-101', 'never', 'NaN', '1 2', '0x10', '−'])
      assert.equal(parseBias(odd), undefined, odd);
  });

  it('stand beside those that are there; 0 takes one away', () => {
    assert.deepEqual(withBias(undefined, [1, 2], -100), { 1: -100, 2: -100 });
    assert.deepEqual(withBias({ 1: -100, 3: 5 }, [1], 2), { 1: 2, 3: 5 });
    assert.deepEqual(withBias({ 1: -100, 3: 5 }, [1], 0), { 3: 5 });
    assert.equal(withBias({ 1: -100 }, [1], 0), undefined);
    assert.deepEqual(withBias('odd', [1], 1), { 1: 1 });
  });

  it('hold for any ids: each has the bias that was given last, and no other is another', () => {
    const ids = fc.array(fc.nat(200_000), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(ids, ids, fc.integer({ min: 1, max: 100 }), (before, later, bias) => {
        const all = withBias(withBias(undefined, before, -1), later, bias) ?? {};
        for (const id of later) assert.equal(all[id], bias);
        for (const id of before) if (!later.includes(id)) assert.equal(all[id], -1);
      }),
    );
  });
});
