import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ServiceError } from '../../../../../src/base/errors.ts';
import { parseQuery } from '../../../../../src/search/query/filter/parseQuery.ts';
import { compileRule, type TextRule } from '../../../../../src/search/query/filter/textRule.ts';

/** The rules of a question, each as `kind source`, with `-` in front where it must not be held. */
const rulesOf = (question: string): string[] =>
  (parseQuery(question).rules ?? []).map(({ kind, source, isNegative }) => `${isNegative ? '-' : ''}${kind} ${source}`);

test('quotes of every kind are a phrase, whose words are searched for as well', () => {
  for (const question of ['"open gate"', '“open gate”', '„open gate“', '„open gate”', '«open gate»', '»open gate«'])
    assert.deepEqual(parseQuery(`retry ${question} now`), {
      text: 'retry open gate now',
      filters: { globs: [] },
      rules: [{ kind: 'phrase', source: 'open gate', isNegative: false }],
    });
  assert.deepEqual(rulesOf(String.raw`"say \"hi\" to"`), ['phrase say "hi" to']);
  assert.deepEqual(rulesOf('-"open gate" NOT "closed gate"'), ['-phrase open gate', '-phrase closed gate']);
});

test('a quote alone, one inside a word, and empty quotes are text, or nothing', () => {
  for (const question of ['5" pipe', 'say "hello', 'print("hello")', "don't", 'a ""', 'it’s “open'])
    assert.deepEqual(rulesOf(question), [], question);
});

test('NOT and - leave out words, phrases, expressions and what operators name', () => {
  assert.deepEqual(rulesOf('gate NOT harbour -lock'), ['-word harbour', '-word lock']);
  assert.equal(parseQuery('gate NOT harbour -lock').text, 'gate');
  const { filters } = parseQuery('gate NOT path:src/ -file:old NOT lang:ts,js');
  assert.deepEqual(filters, { globs: ['!**/src/**', '!**/*old*', '!**/*old*/**'], notLanguages: ['ts', 'js'] });
  assert.deepEqual(rulesOf(String.raw`gate -/open\w+/ NOT symbol:lock`), [
    String.raw`-pattern open\w+`,
    '-symbol lock',
  ]);
  assert.deepEqual(rulesOf('gate NOT foo.bar'), ['-phrase foo.bar']);
});

test('what only looks like a NOT or an option is text', () => {
  for (const question of [
    ...['NOT NULL constraint failed', 'IF NOT EXISTS', 'it must NOT be open', 'file NOT found', 'NOT', 'a NOT '],
    ...['git push --force', 'ls -la', 'cc -std=c99', 'a - b', 'x -1', 'open-gate', '404 NOT FOUND'],
  ]) {
    assert.deepEqual(rulesOf(question), [], question);
    assert.equal(parseQuery(question).text, question.trim());
  }
});

test('an expression stands between slashes; a path does not', () => {
  assert.deepEqual(rulesOf(String.raw`/from_py\w+/`), [String.raw`pattern from_py\w+`]);
  assert.deepEqual(parseQuery('gate /open|close/i').rules, [
    { kind: 'pattern', source: 'open|close', flags: 'i', isNegative: false },
  ]);
  assert.deepEqual(rulesOf(String.raw`/a\/b[/]c+/`), [String.raw`pattern a\/b[/]c+`]);
  assert.deepEqual(rulesOf('/open \\w+ now/'), ['pattern open \\w+ now']);
  for (const question of [
    '/usr/lib/',
    'src/foo/',
    '/tmp/',
    '/a.b/',
    '/* note */',
    '// a (b) //',
    '/start or /help (x)',
  ])
    assert.deepEqual(rulesOf(question), [], question);
});

test('a symbol is named as it stands in code, or by an expression', () => {
  assert.deepEqual(rulesOf('symbol:openGate()'), ['symbol openGate']);
  assert.equal(parseQuery('symbol:openGate').text, 'openGate');
  assert.deepEqual(rulesOf(String.raw`symbol:/^open\w+$/`), [String.raw`symbol-pattern ^open\w+$`]);
  assert.deepEqual(rulesOf('symbol: open'), []);
  assert.deepEqual(parseQuery('path:"my folder/"').filters.globs, ['**/my folder/**']);
});

test('no question is too odd to be read, and none grows', () => {
  const piece = fc.constantFrom(
    ...['"', '“', '”', '/', '\\', '-', 'NOT ', 'path:', 'symbol:', 'a', ' ', '(', '[', '+', '\n'],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const question = pieces.join('');
      const { text, rules = [] } = parseQuery(question);
      assert.ok(text.length <= question.length);
      assert.ok(rules.length <= 20);
    }),
  );
  const long = parseQuery('"a" '.repeat(2_500));
  assert.equal(long.rules?.length, 20);
});

const holds = (rule: Pick<TextRule, 'kind' | 'source' | 'flags'>, text: string, names: string[] = []): boolean =>
  compileRule({ ...rule, isNegative: false }).holds({ text, names });

test('a phrase is held over any blanks, in any letters while all typed ones are small', () => {
  const phrase = (source: string, text: string) => holds({ kind: 'phrase', source }, text);
  assert.ok(phrase('open the gate', 'We Open\n   the\tgate now'));
  assert.ok(phrase('a.b(c) $x', 'A.B(C)  $X'));
  assert.ok(phrase('from_py', 'def from_pydantic(): ...'));
  assert.ok(!phrase('Open the', 'open the gate'));
  assert.ok(!phrase('open the gate', 'open a gate'));
});

test('a word is held whole, also as a part of an identifier', () => {
  const word = (source: string, text: string) => holds({ kind: 'word', source }, text);
  assert.ok(word('cache', 'const vectorCache = 1'));
  assert.ok(word('cache', 'CACHE_SIZE'));
  assert.ok(!word('cache', 'cachet'));
});

test('an expression matches in lines, and in any letters while all typed ones are small', () => {
  const pattern = (source: string, text: string, flags?: string) =>
    holds({ kind: 'pattern', source, ...(flags === undefined ? {} : { flags }) }, text);
  assert.ok(pattern('^def \\w+$', 'a\ndef open\nb'));
  assert.ok(pattern('gate\\W', 'GATE.'));
  assert.ok(!pattern('Gate', 'gate'));
  assert.ok(pattern('Gate', 'gate', 'i'));
  assert.ok(holds({ kind: 'symbol', source: 'Store.open' }, '', ['reopenAll']));
  assert.ok(!holds({ kind: 'symbol', source: 'close' }, 'close', ['open']));
});

test('what is no expression is refused with the reason', () => {
  for (const source of ['(open', 'a{2,1}', '[z-a]', 'x'.repeat(2_000)])
    assert.throws(
      () => compileRule({ kind: 'pattern', source, isNegative: false }),
      (error) => error instanceof ServiceError && error.kind === 'invalid-request' && error.param === 'pattern',
    );
});
