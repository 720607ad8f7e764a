import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type PlainText,
  plain,
  plainInMarkdown,
  plainLines,
  showUnseen,
  withIcon,
  withoutUnseen,
} from '../../../src/editor/text/plainText.ts';

/** As VS Code 1.139 looks for them (`linkedText.ts`, `iconLabels.ts`). The suites in a real VS Code judge; this is for speed. */
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
const icon = /\$\((.*?)\)/;

describe('plain text', () => {
  test('holds no link, however its parts were put together', () => {
    const texts = [
      '[Show the invoice](command:workbench.action.terminal.new)',
      '[a](command:b "title")',
      '[[a]](file:///etc/passwd)',
      `${plain('[a]')}${plain('(https://example.com)')}`,
      `[a]${'\u2060'.repeat(3)}(command:b)`,
      '[a]\u2060\u2060\u200B(command:b)',
    ];
    for (const text of texts) assert.doesNotMatch(plain(text), link);
  });

  test('holds no icon', () => {
    for (const text of ['$(trash)', '\\$(trash)', '$$(trash)', '$(sync~spin)', '$($(a))'])
      assert.doesNotMatch(plain(text), icon);
  });

  test('holds no link where VS Code puts it into Markdown', () => {
    assert.equal(plain('<command:a> a<b <3'), '<\u2060command:a> a<\u2060b <3');
    assert.equal(plainInMarkdown('https://a.b www.a.b c@d.e'), 'https:\u2060//a.b www\u2060.a.b c@\u2060d.e');
  });

  test('loses what cannot be seen where it is said so, and keeps what writing needs', () => {
    assert.equal(withoutUnseen('a\u202Eb\u200Bc\u0000\u{E0041}d\n\te\r\n'), 'abcd\n\te\r\n');
    assert.equal(withoutUnseen('👩‍👩‍👧 ❤️ می‌خواهم [a](b)'), '👩‍👩‍👧 ❤️ می‌خواهم [a](b)');
  });

  test('reads as it was written', () => {
    const text = 'café 日本 ａ שלום 👩‍👩‍👧 ❤️ 1️⃣ می‌خواهم क्‍ष 葛󠄀 [a] (b) $x';
    assert.equal(plain(text), text);
    assert.equal(plain('[a](b) $(c)').replaceAll('\u2060', ''), '[a](b) $(c)');
  });

  test('shows what turns the direction, has no width or is a control', () => {
    assert.equal(plain('invoice\u202Egpj.exe'), 'invoice\\u{202E}gpj.exe');
    assert.equal(plain('a\u0000\u001B[31mb\u009B'), 'a\\u{0000}\\u{001B}[31mb\\u{009B}');
    assert.equal(plain('a\u200Bb\u2060c\uFEFF'), 'a\\u{200B}b\\u{2060}c\\u{FEFF}');
    assert.equal(plain('\u{E0041}\u{EB4C}\uD800\uFE0F'), '\\u{E0041}\\u{EB4C}\\u{D800}\\u{FE0F}');
    assert.equal(showUnseen('a\n\tb\u061C'), 'a\n\tb\\u{061C}');
  });

  test('is one line, and has one clear cut', () => {
    assert.equal(plain('one\r\ntwo\n\n\tthree\u2028four'), 'one two three four');
    assert.equal(plain('x'.repeat(1_001)), `${'x'.repeat(999)}…`);
    assert.equal(plain('x'.repeat(1_000)), 'x'.repeat(1_000));
    assert.equal(plain(`${'x'.repeat(3)}😀😀`, { length: 5 }), 'xxx…');
    assert.ok(plain('\u202E'.repeat(1_000)).length <= 1_000);
  });

  test('stays the same when it is made plain again', () => {
    const texts = [
      '[a](command:b)',
      '$(trash)',
      '<command:a>',
      '\u202E\u2060',
      'x'.repeat(5_000),
      'a\nb',
      ']\u2060(',
      '👩‍👩‍👧 [a](b)',
    ];
    for (const text of texts)
      for (let length = 1; length < 20; length++)
        assert.equal(plain(plain(text, { length }), { length }), plain(text, { length }), `${text} ${length}`);
    const marks = '\u202E'.repeat(999);
    assert.equal(plain(plain(marks)), plain(marks));
  });

  test('has icons and line breaks of our own only', () => {
    assert.equal(withIcon('watch', '$(trash)'), '$(watch) $\u2060(trash)');
    assert.equal(plainLines('a\n\n[c](command:d)\r\u2028'), 'a\n\n[c]\u2060(command:d) ');
  });

  test('is a type that a text is not', () => {
    // @ts-expect-error a text is not plain by itself
    const text: PlainText = 'text';
    assert.equal(typeof text, 'string');
  });
});
