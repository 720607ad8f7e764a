import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeAs } from '../../../../src/base/encoding/decode.ts';
import { guessEncoding } from '../../../../src/base/encoding/guessEncoding.ts';
import { snippets } from '../../../corpus/encodings/snippets.ts';
import { encodeText } from '../../../support/encodeText.ts';

/** Too short, or in an encoding that is nearly never met: each of these is a text in another encoding, too. */
const misread = [
  'windows-1256: // خطأ → // ньц',
  'cp850: // Ändern → // Žndern',
  'macintosh: /* Initialisiert die Datenbankverbindung für Benutzer */ → /* Initialisiert die Datenbankverbindung fźr Benutzer */',
  'macintosh: // Ändern → // Çndern',
];

test('pieces of source files are read in the encoding that they are in, but for a few that are told', () => {
  assert.ok(snippets.length > 180);
  const wrong = snippets.flatMap(({ encoding, text }) => {
    const bytes = encodeText(text, encoding);
    const read = decodeAs(bytes, guessEncoding(bytes));
    return read === text ? [] : [`${encoding}: ${text} → ${read}`];
  });
  assert.deepEqual(wrong, misread);
});

test('a long line, of which the probe is cut in the middle of a character, is read', () => {
  const text = `x = "${'数据库连接初始化'.repeat(1_000)}";`;
  for (const pad of ['', ' ']) {
    const bytes = encodeText(pad + text, 'gb18030');
    assert.equal(guessEncoding(bytes), 'gb18030');
  }
});

test('the encoding that the user names is taken where it does as well, and not where the text says another', () => {
  const greeting = encodeText('// да', 'koi8-u');
  assert.equal(guessEncoding(greeting, { preferred: 'koi8r' }), 'koi8-r');
  const chinese = encodeText('// 初始化数据库连接，返回错误代码', 'gb18030');
  assert.equal(guessEncoding(chinese, { preferred: 'windows1252' }), 'gb18030');
});

test('a guess has no encoding but those that the user allows', () => {
  const bytes = encodeText('// инициализация базы данных', 'koi8-u');
  assert.equal(guessEncoding(bytes, { among: ['windows1251', 'cp866'] }), 'windows-1251');
  assert.equal(guessEncoding(bytes, { among: ['windows1251', 'koi8u'] }), 'koi8-u');
});
