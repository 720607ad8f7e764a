import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, test } from 'node:test';
import { errorKinds, ServiceError } from '../../../../src/base/errors.ts';
import { cliErrorText } from '../../../../src/search/cli/cliErrors.ts';
import { ageText, costOf, costText, languageOf, sizeText } from '../../../../src/search/cli/cliText.ts';
import { createTerminal } from '../../../../src/search/cli/terminal/cliTerminal.ts';
import { printable, printableJson } from '../../../../src/search/cli/terminal/printable.ts';

describe('what a person reads in a terminal', () => {
  test('runs nothing: what a terminal acts on is written as its number', () => {
    assert.equal(printable('a\u001b]0;title\u0007b'), 'a\\u{1b}]0;title\\u{7}b');
    assert.equal(printable('\u009b31m'), '\\u{9b}31m');
    assert.equal(printable('user\u202etxt.exe'), 'user\\u{202e}txt.exe');
    assert.equal(printable('über\tdie 船\n'), 'über\tdie 船\n');
  });

  test('JSON reads as the same value, and has nothing a terminal acts on', () => {
    const value = { a: '\u001b[31m\u009b\u202e\u2028', b: ['船', '\ud83d\ude00', '\ud800'] };
    const text = printableJson(value);
    for (const character of ['\u001b', '\u009b', '\u202e', '\u2028']) assert.ok(!text.includes(character));
    assert.deepEqual(JSON.parse(text), value);
  });

  test('the language is that of the environment, and English where it names none', () => {
    assert.equal(languageOf({ LANG: 'de_DE.UTF-8' }), 'de-DE');
    assert.equal(languageOf({ LANG: 'de_DE', LC_ALL: 'fr_CH.UTF-8' }), 'fr-CH');
    assert.equal(languageOf({ LANG: 'sr_RS@latin' }), 'sr-RS');
    for (const LANG of ['C', 'C.UTF-8', 'POSIX', '', '../../etc', undefined]) assert.equal(languageOf({ LANG }), 'en');
  });

  test('a cost has two digits however little it is, and none without a price', () => {
    assert.equal(costOf(500_000, 0.02), 0.01);
    assert.equal(costOf(10, undefined), undefined);
    assert.equal(costOf(10, 0), undefined);
    assert.deepEqual([0.000123456, 0.5, 1234.567].map(costText), ['0.00012', '0.5', '1,235']);
  });

  test('sizes and ages are short', () => {
    assert.deepEqual([999, 1500, 24_300_000, 2_000_000_000].map(sizeText), ['999 bytes', '1.5 kB', '24.3 MB', '2 GB']);
    const now = 1_000_000_000_000;
    assert.equal(ageText(now, now), 'now');
    assert.equal(ageText(now - 3 * 3_600_000, now), '3 hours ago');
    assert.equal(ageText(now + 5_000, now), 'now');
  });

  test('each error of a service is one sentence and one step, and an unexpected one shows nothing of itself', () => {
    for (const kind of errorKinds) {
      const { sentence, next } = cliErrorText(new ServiceError(kind, { url: 'https://a.example/v1', hint: 'x' }));
      assert.match(sentence, /\S\.?$/, kind);
      assert.match(next, /^[A-Z“-].*\.$/, kind);
    }
    const { sentence } = cliErrorText(new TypeError('sk-secret'));
    assert.doesNotMatch(sentence, /secret/);
  });
});

describe('a terminal', () => {
  /** Streams that keep what is written. */
  function streams(isTTY: boolean) {
    const made = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
    return Object.assign(made, {
      stdin: Object.assign(made.stdin, { isTTY }),
      stderr: Object.assign(made.stderr, { isTTY, columns: 20 }),
    });
  }
  const textOf = (stream: PassThrough): string => String(stream.read() ?? '');

  test('shows progress in one line that is cleared before anything else, cut to its width', () => {
    const { stdin, stdout, stderr } = streams(true);
    const terminal = createTerminal({ stdin, stdout, stderr });
    terminal.progress('Reading a very long list of files');
    terminal.note('Done.');
    assert.equal(textOf(stderr), '\r\u001b[KReading a very long\r\u001b[KDone.\n');
  });

  test('shows none in a file or a pipe, and takes no answer from it', async () => {
    const { stdin, stdout, stderr } = streams(false);
    const terminal = createTerminal({ stdin, stdout, stderr });
    terminal.progress('Reading');
    stdin.write('y\n');
    assert.equal(await terminal.ask('Send?', new AbortController().signal), false);
    assert.equal(textOf(stderr), '');
  });

  test('takes y for yes, and anything else, the end and Ctrl+C for no', async () => {
    const ask = async (typed: string | undefined, abort = false): Promise<boolean> => {
      const { stdin, stdout, stderr } = streams(true);
      const stop = new AbortController();
      const answer = createTerminal({ stdin, stdout, stderr }).ask('Send?', stop.signal);
      if (typed === undefined) stdin.end();
      else stdin.write(typed);
      if (abort) stop.abort();
      return answer;
    };
    assert.equal(await ask('y\n'), true);
    assert.equal(await ask('Yes\n'), true);
    assert.equal(await ask('\n'), false);
    assert.equal(await ask('no\n'), false);
    assert.equal(await ask(undefined), false);
    assert.equal(await ask('', true), false);
  });
});
