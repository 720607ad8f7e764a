import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { answerWords } from '../../../../src/chat/confidence/answerWords.ts';
import { spellTokens } from '../../../../src/chat/confidence/spelledTokens.ts';
import { tokenFork } from '../../../../src/chat/confidence/tokenFork.ts';
import type { TokenLogprob } from '../../../../src/service/chat/completion.ts';

const bytesOf = (text: string): number[] => [...new TextEncoder().encode(text)];
type Top = TokenLogprob['top'][number];
const named = (text: string, logprob = -1, bytes: number[] | null = bytesOf(text)): Top => {
  return { token: text, logprob, bytes };
};
const token = (text: string, ...top: Top[]): TokenLogprob => ({ ...named(text, -0.1), top });

const text = 'High water is at six.';
const tokens = [
  token('High'),
  token(' water'),
  token(' is'),
  token(' at', named(' around', -2)),
  token(' six', named(' six', -0.1), named(' seven', -1), named(' noon', -3)),
  token('.'),
];
const six = text.indexOf(' six');

describe('A fork of an answer at a token', () => {
  test('begins with the text up to it and the alternative, whose tokens are known', () => {
    const fork = tokenFork(text, tokens, six, 1);
    assert.equal(fork?.beginning, 'High water is at noon');
    const words = answerWords(fork.beginning, fork.tokens)?.words ?? [];
    assert.equal(words.map((word) => word.text).join(''), fork.beginning);
    assert.ok(words.every(({ probability }) => probability !== undefined));
  });

  test('can go back to what the model took, and fork again', () => {
    const fork = tokenFork(text, tokens, six, 0);
    assert.ok(fork);
    const whole = `${fork.beginning} o’clock`;
    const known = [...fork.tokens, token(' o', named(' in')), token('’clock')];
    const others = spellTokens(whole, known)?.pieces.find((piece) => piece.text === ' seven')?.others;
    assert.deepEqual(
      others?.map((other) => other.text),
      [' six', ' noon'],
    );
    assert.equal(tokenFork(whole, known, six, 0)?.beginning, 'High water is at six');
    assert.equal(tokenFork(whole, known, fork.beginning.length, 0)?.beginning, 'High water is at seven in');
    const earlier = tokenFork(whole, known, text.indexOf(' at'), 0);
    assert.equal(earlier?.beginning, 'High water is around');
    // What the service did not list itself comes first.
    assert.equal(tokenFork(earlier.beginning, earlier.tokens, text.indexOf(' at'), 0)?.beginning, 'High water is at');
  });

  test('is known by the token alone: what stands before may be of an answer that went on', () => {
    const known = tokens.slice(4);
    assert.equal(tokenFork(text, known, six, 0)?.beginning, 'High water is at seven');
    assert.equal(tokenFork(text, known, 0, 0), undefined);
  });

  test('is none where no token begins, or there is no such alternative, or the tokens are those of another text', () => {
    for (const [at, other] of [
      [six + 1, 0],
      [six, 2],
      [0, 0],
      [text.length, 0],
      [-1, 0],
      [1e9, 0],
    ] as const)
      assert.equal(tokenFork(text, tokens, at, other), undefined);
    assert.equal(tokenFork('Low water', tokens, 0, 0), undefined);
    assert.equal(tokenFork('', [], 0, 0), undefined);
  });

  test('is none from a part of a character, from what ends the answer, and from a token that began in the thoughts', () => {
    const [first = 0] = bytesOf('潮');
    const cases: [Top, string][] = [
      [named('\\xe6', -1, [first]), 'part'],
      [named('\uFFFD', -1, null), 'part'],
      [named('<|im_end|>', -1), 'control'],
      [named('</s>', -1, null), 'control'],
      [named('<end_of_turn>', -1, []), 'control'],
      [named('<｜end▁of▁sentence｜>', -1, null), 'control'],
    ];
    for (const [other, reason] of cases) {
      const known = [token('At'), token(' six', other)];
      const [, piece] = spellTokens('At six', known)?.pieces ?? [];
      assert.equal(piece?.others[0]?.noFork, reason, other.token);
      assert.equal(tokenFork('At six', known, 2, 0), undefined);
    }
    const thought = [token('<think>Hm.'), token('</think>At', named('!'))];
    assert.equal(spellTokens('At', thought)?.pieces[0]?.others[0]?.noFork, 'thoughts');
    assert.equal(tokenFork('At', thought, 0, 0), undefined);
    // Blanks before the text are no thoughts.
    assert.equal(tokenFork('At', [token('\n\nAt', named('Um'))], 0, 0)?.beginning, 'Um');
  });

  test('is possible from what only looks like markup', () => {
    for (const other of ['<s', '<b>', '<|', '|>', '<div>'])
      assert.equal(tokenFork('At', [token('At', named(other))], 0, 0)?.beginning, other);
  });

  test('always begins with the text up to its place, whatever the tokens are', () => {
    const piece = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(fc.tuple(piece, fc.array(piece, { maxLength: 3 })), { minLength: 1 }), (given) => {
        const known = given.map(([each, others]) => token(each, ...others.map((other) => named(other))));
        const whole = given.map(([each]) => each).join('');
        let at = 0;
        for (const each of spellTokens(whole, known)?.pieces ?? []) {
          each.others.forEach((other, index) => {
            const fork = tokenFork(whole, known, at, index);
            assert.equal(fork?.beginning, other.noFork === undefined ? whole.slice(0, at) + other.text : undefined);
            if (fork) assert.ok(spellTokens(`${fork.beginning}…`, [...fork.tokens, token('…')]), 'the map spans it');
          });
          at += each.text.length;
        }
      }),
    );
  });
});
