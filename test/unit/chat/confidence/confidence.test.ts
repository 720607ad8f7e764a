import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { spellTokens } from '../../../../src/chat/confidence/spelledTokens.ts';
import { createTokenStore } from '../../../../src/chat/confidence/tokenStore.ts';
import { perplexity, wordsOf } from '../../../../src/chat/confidence/wordConfidence.ts';
import type { TokenLogprob } from '../../../../src/service/chat/completion.ts';

const bytesOf = (text: string): number[] => [...new TextEncoder().encode(text)];
const token = (text: string, logprob = -0.1, more: Partial<TokenLogprob> = {}): TokenLogprob => {
  return { token: text, logprob, bytes: bytesOf(text), top: [], ...more };
};
const spelled = (text: string, tokens: readonly TokenLogprob[]) => {
  const read = spellTokens(text, tokens);
  return read && [read.at, read.pieces.map((piece) => piece.text)];
};

describe('Tokens of an answer', () => {
  test('spell its text', () => {
    assert.deepEqual(spelled('At six.', [token('At'), token(' six'), token('.')]), [0, ['At', ' six', '.']]);
    const without = [token('At', -0.1, { bytes: null }), token(' six', -0.1, { bytes: null })];
    assert.deepEqual(spelled('At six', without), [0, ['At', ' six']]);
  });

  test('that share a character are one piece, as likely as all of them together', () => {
    const [first = 0, ...rest] = bytesOf('潮');
    const read = spellTokens('a潮b', [
      token('a'),
      token('\\xe6', -1, { bytes: [first] }),
      token('\\xbd\\xae', -2, { bytes: rest }),
      token('b'),
    ]);
    assert.deepEqual(
      read?.pieces.map(({ text, logprob }) => [text, logprob]),
      [
        ['a', -0.1],
        ['潮', -3],
        ['b', -0.1],
      ],
    );
  });

  test('may begin with thoughts and blanks that are not of the text, or be the end of one that goes on', () => {
    assert.deepEqual(spelled('six', [token('<think>hm</think>\n'), token('si'), token('x\n')]), [0, ['si', 'x']]);
    assert.deepEqual(spelled('At six.', [token(' six'), token('.')]), [2, [' six', '.']]);
  });

  test('of another text are none', () => {
    assert.equal(spellTokens('At six.', [token('At'), token(' seven')]), undefined);
    assert.equal(spellTokens('At six.', []), undefined);
    assert.equal(spellTokens('', [token('At')]), undefined);
  });

  test('with a value that says nothing have none, and no alternatives that are themselves', () => {
    const top = [token('At', -0.1), token('Um', -2), token('Zz', -9999)].map(({ top: _, ...each }) => each);
    const [piece] = spellTokens('At', [token('At', -9999, { top })])?.pieces ?? [];
    assert.deepEqual([piece?.logprob, piece?.others], [undefined, [{ text: 'Um', logprob: -2 }]]);
  });

  test('that nobody could have chosen are no alternatives', () => {
    const top = [
      ['At', -0.1],
      ['A', Number.POSITIVE_INFINITY],
      ['B', Number.NEGATIVE_INFINITY],
      ['C', Number.NaN],
      ['D', 3],
      ['Um', -2],
      ['Um', -3],
      ['Oh', -1],
    ] as const;
    const given = top.map(([text, logprob]) => ({ token: text, logprob, bytes: bytesOf(text) }));
    const [piece] = spellTokens('At', [token('At', -0.1, { top: given })])?.pieces ?? [];
    assert.deepEqual(piece?.others, [
      { text: 'Oh', logprob: -1 },
      { text: 'Um', logprob: -2 },
    ]);
    // The name of a token may differ from its text.
    const named = { token: 'ĠAt', logprob: -0.1, bytes: bytesOf(' At') };
    assert.deepEqual(spellTokens(' At', [token(' At', -0.1, { top: [named] })])?.pieces[0]?.others, []);
  });

  test('have 20 alternatives at most, the likeliest', () => {
    const top = Array.from({ length: 10_000 }, (_, index) => {
      return { token: `t${index}`, logprob: -1 - ((index * 7) % 10_000), bytes: null };
    });
    const [piece] = spellTokens('At', [token('At', -0.1, { top })])?.pieces ?? [];
    assert.deepEqual(
      piece?.others.map(({ logprob }) => logprob),
      Array.from({ length: 20 }, (_, index) => -1 - index),
    );
  });

  test('of which a part alone is known, are followed by words of which nothing is', () => {
    const read = spellTokens('At six o’clock.', [token('At'), token(' six')]);
    assert.deepEqual(
      read?.pieces.map(({ text, logprob }) => [text, logprob]),
      [
        ['At', -0.1],
        [' six', -0.1],
        [' o’clock.', undefined],
      ],
    );
  });

  test('stand for the characters that the service could not tell by their parts', () => {
    const [mark, none] = ['\uFFFD', { bytes: null }];
    const parts = (text: string) => [token('Hi'), token(` ${text}`, -1), token(text, -2), token('!')];
    assert.deepEqual(spelled('Hi 😀!', parts(mark)), [0, ['Hi', ' 😀', '!']]);
    assert.deepEqual(spelled('a潮', [token('a'), token(mark, -1, none), token(mark, -1, none)]), [0, ['a', '潮']]);
    assert.deepEqual(spelled('a潮b', [token('a'), token('', -1, none), token('', -1), token('b')]), [
      0,
      ['a', '潮', 'b'],
    ]);
    assert.equal(spellTokens('Hi 😀!', parts(mark))?.pieces[1]?.logprob, -3);
    const thought = [token('hm潮'), token(mark), token('six')];
    assert.deepEqual(spelled('潮港six', [...thought, token('<|im_end|>')]), [0, ['潮', '港', 'six']]);
    // Nor do they stand for any other text.
    assert.equal(spellTokens('Hi you!', parts(mark)), undefined);
    assert.equal(spellTokens('Ho 😀!', parts(mark)), undefined);
    assert.equal(spellTokens('😀', [token(mark), token('x')]), undefined);
  });

  test('are read by the names of the vocabulary, where a service gives those', () => {
    const names = (...texts: string[]) => texts.map((text) => token(text, -1, { bytes: null }));
    assert.deepEqual(spelled('a潮', names('a', '<0xE6>', '<0xBD>', '<0xAE>')), [0, ['a', '潮']]);
    assert.deepEqual(spelled('a潮', names('a', 'bytes:\\xe6\\xbd', 'bytes:\\xae')), [0, ['a', '潮']]);
    assert.deepEqual(spelled('a\nb', names('a', '<0x0A>', 'b')), [0, ['a', '\n', 'b']]);
    assert.deepEqual(spelled('At six\né', names('At', 'Ġsix', 'Ċ', 'Ã©')), [0, ['At', ' six', '\n', 'é']]);
    assert.deepEqual(spelled('At six', names('▁At', '▁six')), [0, ['At', ' six']]);
    const top = [{ token: 'Ġten', logprob: -2, bytes: null }];
    const [, piece] = spellTokens('At six', [token('At'), token('Ġsix', -1, { top })])?.pieces ?? [];
    assert.deepEqual(piece?.others, [{ text: ' ten', logprob: -2 }]);
    // An answer that speaks of such names has them as they are.
    assert.deepEqual(spelled('is Ġsix', names('is', ' Ġ', 'six')), [0, ['is', ' Ġ', 'six']]);
    assert.deepEqual(spelled('<0x0A>', names('<0x0A>')), [0, ['<0x0A>']]);
  });

  test('of which parts are not known spell every text, in any script', () => {
    const letters = fc.array(fc.oneof(fc.constantFrom('a', ' ', 'é', '潮', '😀', 'ن', '\u0301'), fc.string()));
    fc.assert(
      fc.property(letters, fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1 }), (all, sizes) => {
        const text = all.join('');
        const bytes = bytesOf(text);
        const tokens: TokenLogprob[] = [];
        for (let at = 0, i = 0; at < bytes.length; i++) {
          const piece = bytes.slice(at, at + (sizes[i % sizes.length] ?? 1));
          tokens.push(token(new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(piece)), -1));
          at += piece.length;
        }
        const read = spellTokens(text, tokens);
        // Where two characters in a row may each stand for a part, less may be known, but never something else.
        if (read !== undefined) assert.ok(text.endsWith(read.pieces.map((piece) => piece.text).join('')));
      }),
    );
  });

  test('spell every text, wherever it is cut', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.array(fc.nat({ max: 4 })), (text, sizes) => {
        const bytes = bytesOf(text);
        const tokens: TokenLogprob[] = [];
        for (let at = 0, i = 0; at < bytes.length; i++) {
          const size = (sizes[i % Math.max(1, sizes.length)] ?? 0) + 1;
          tokens.push(token('?', -1, { bytes: bytes.slice(at, at + size) }));
          at += size;
        }
        const read = spellTokens(text, tokens);
        assert.equal(read?.pieces.map((piece) => piece.text).join(''), text);
        assert.equal(
          wordsOf(read.pieces)
            .map((word) => word.text)
            .join(''),
          text,
        );
      }),
    );
  });
});

describe('Words of an answer', () => {
  const words = (...texts: string[]) =>
    wordsOf(texts.map((text) => ({ text, logprob: Math.log(0.5), others: [] }))).map((word) => [
      word.text,
      word.probability,
    ]);

  test('are as likely as all of their tokens together', () => {
    assert.deepEqual(words('The', ' qu', 'ick', ' fox', '.'), [
      ['The', 0.5],
      [' quick', 0.25],
      [' fox.', 0.25],
    ]);
  });

  test('have the blanks before them, also those that are tokens of their own', () => {
    assert.deepEqual(
      words('One', '\n', '\n', 'Two ', 'three').map(([text]) => text),
      ['One', '\n\nTwo ', 'three'],
    );
  });

  test('of which one token is not told are not told of, whatever the others are', () => {
    const of = (...tokens: [string, number | undefined][]) =>
      wordsOf(tokens.map(([text, logprob]) => ({ text, logprob, others: [] }))).map((word) => word.probability);
    assert.deepEqual(of(['He', undefined], ['llo', -0.001]), [undefined]);
    assert.deepEqual(of(['He', 0], ['llo', undefined]), [undefined]);
    assert.deepEqual(of([' ', undefined], ['\n', undefined]), [undefined]);
    assert.deepEqual(of(['\n', undefined], ['He', 0], ['llo', 0]), [1], 'of a blank nobody is unsure');
  });

  test('begin with no mark that belongs to the letter before', () => {
    const of = (...texts: string[]) => words(...texts).map(([text]) => text);
    assert.deepEqual(of('ก', 'ัน'), ['กัน']);
    assert.deepEqual(of('e', '\u0301', 't'), ['e\u0301t']);
    assert.deepEqual(of('ก', 'น'), ['ก', 'น']);
  });

  test('are tokens where a script puts no blanks between words', () => {
    assert.deepEqual(
      words('高', '潮', '是', 'six', ' o', 'clock').map(([text]) => text),
      ['高', '潮', '是', 'six', ' oclock'],
    );
    assert.deepEqual(
      words('𠀀', '𠀁').map(([text]) => text),
      ['𠀀', '𠀁'],
    );
  });

  test('of which nothing is known have no probability; a rounded one is 1 at most', () => {
    const pieces = [
      { text: 'a', logprob: undefined, others: [] },
      { text: ' b', logprob: 1e-9, others: [] },
    ];
    assert.deepEqual(
      wordsOf(pieces).map(({ probability }) => probability),
      [undefined, 1],
    );
    assert.equal(perplexity([]), undefined);
    assert.equal(perplexity([{ text: 'a', logprob: Math.log(0.25), others: [] }]), 4);
  });
});

describe('Tokens that are kept', () => {
  test('are those of the answers that were added to last, and of a longer answer its end', () => {
    const store = createTokenStore();
    const many = Array.from({ length: 250_000 }, () => token('x'));
    for (const answer of ['a', 'b', 'c']) store.add(answer, many);
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map((answer) => store.of(answer).length),
      [0, 250_000, 250_000, 0],
    );
    for (let i = 0; i < 3; i++) store.add('d', many);
    assert.deepEqual([store.of('c').length, store.of('d').length], [0, 500_000]);
  });

  test('are fewer where they have many alternatives', () => {
    const store = createTokenStore();
    const top = Array.from({ length: 20 }, (_, index) => ({ token: `${index}`, logprob: -1, bytes: null }));
    store.add(
      'a',
      Array.from({ length: 25_000 }, () => token('x', -1, { top })),
    );
    assert.equal(store.of('a').length, Math.floor(500_000 / 21));
  });
});
