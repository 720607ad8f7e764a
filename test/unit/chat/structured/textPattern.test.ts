import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { readPattern } from '../../../../src/chat/structured/check/textPattern.ts';

const matches = (pattern: string, text: string): boolean | undefined =>
  readPattern(pattern)?.test(text, { steps: 1e6 });

describe('a pattern of a schema', () => {
  test('matches what the engine of JavaScript matches', () => {
    const atom = fc.constantFrom(
      'a',
      'b',
      '.',
      '[ab]',
      '[^a]',
      '\\w',
      '\\d',
      '(?:a|b)',
      '(ab)',
      '(?=a)',
      '(?!b)',
      '\\b',
      '^',
      '$',
      '\\u0061',
      '\\.',
    );
    const times = fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,2}', '{2,}', '*?');
    const part = fc.tuple(atom, times).map(([one, many]) => (/^(?:\(\?[=!]|\\b|\^|\$)/.test(one) ? one : one + many));
    const pattern = fc
      .array(
        fc.array(part, { minLength: 1, maxLength: 4 }).map((all) => all.join('')),
        { minLength: 1, maxLength: 3 },
      )
      .map((all) => all.join('|'));
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '.', '1', ' ', '\n', '👩'), maxLength: 8 });
    fc.assert(
      fc.property(pattern, text, (source, given) => {
        assert.equal(matches(source, given), new RegExp(source, 'u').test(given));
      }),
      { numRuns: 1000 },
    );
  });

  test('takes steps by its length times that of the text, and no more than there are', () => {
    const effort = { steps: 2_000_000 };
    assert.equal(readPattern('^(a+)+$')?.test(`${'a'.repeat(50_000)}b`, effort), false);
    assert.ok(effort.steps > 0);
    assert.equal(readPattern('^(a+)+$')?.test('a'.repeat(50_000), { steps: 100 }), undefined);
  });

  test('is read as it stands where it is none with the flag u', () => {
    assert.equal(matches('^[\\w-.]+\\-$', 'a.b-'), true);
  });

  test('is none where it is of a language whose signs are plain letters in JavaScript', () => {
    for (const source of ['\\A\\d+\\Z', '^[[:alpha:]]+$', '^\\p{L}+\\_$', '\\h+\\_', '(?P<year>\\d+)', '[[:^digit:]]'])
      assert.equal(readPattern(source), undefined, source);
    for (const [source, text] of [
      ['^\\_\\d\\@$', '_7@'],
      ['^\\\\A\\-$', '\\A-'],
      ['^[[:]]$', '[]'],
      ['^\\p{L}$', 'é'],
    ] as const)
      assert.equal(matches(source, text), true, source);
  });

  test('is none where it looks back, repeats too often, or is too long', () => {
    for (const source of [
      '(?<=a)b',
      '(?<!a)b',
      '(.)\\1',
      'a{5000}',
      '((a{100}){100}){100}',
      '(',
      'a'.repeat(3000),
      `${'('.repeat(100)}a${')'.repeat(100)}`,
    ])
      assert.equal(readPattern(source), undefined, source.slice(0, 20));
  });
});
