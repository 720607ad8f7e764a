import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { checkPattern, fillPattern, type NameTokens } from '../../../../src/audio/export/namePattern.ts';

const tokens: NameTokens = { name: 'aviso_1', ext: 'srt', lang: 'en', date: '2026-11-20' };
const named = (name: string): string => fillPattern('{name}.{lang}.{ext}', { ...tokens, name });

describe('the name of a saved file', () => {
  test('is made by a pattern', () => {
    assert.equal(fillPattern('{name}.{lang}.{ext}', tokens), 'aviso_1.en.srt');
    assert.equal(fillPattern('{date} {name} ({name}).{ext}', tokens), '2026-11-20 aviso_1 (aviso_1).srt');
    assert.equal(fillPattern('{name}{other}{toString}{}.{ext}', tokens), 'aviso_1{other}{toString}{}.srt');
  });

  test('has nothing that a disk, or Windows, would not take', () => {
    assert.equal(named('../../etc/passwd'), '.._.._etc_passwd.en.srt');
    assert.equal(named('a<b>c:d"e|f?g*h\\i\n'), 'a_b_c_d_e_f_g_h_i_.en.srt');
    assert.equal(fillPattern('../{name}.{ext}', tokens), '.._aviso_1.srt');
    assert.equal(fillPattern('{name}.{ext}. .', tokens), 'aviso_1.srt');
    assert.equal(fillPattern('{name}', { ...tokens, name: '..' }), '_');
    assert.equal(named('gpj.\u202eexe'), 'gpj._exe.en.srt');
    for (const device of ['CON', 'nul', 'Com1', 'LPT9', 'COM¹', 'conout$', 'aux ']) {
      assert.match(named(device), /^[a-z]+[\d¹$]?_ ?\.en\.srt$/i, device);
    }
    assert.equal(named('console'), 'console.en.srt');
    assert.equal(named('com10'), 'com10.en.srt');
  });

  test('is short enough for every disk, and keeps its ending', () => {
    assert.equal(named('a'.repeat(1000)), `${'a'.repeat(233)}.en.srt`);
    const long = named('港'.repeat(300));
    assert.ok(Buffer.byteLength(long) <= 240 && long.endsWith('港.en.srt'), long);
    assert.ok(Buffer.byteLength(fillPattern('{name}{name}{name}.{ext}', { ...tokens, name: 'a'.repeat(300) })) <= 240);
    assert.equal(fillPattern(`${'港'.repeat(79)}aa. {name}.{ext}`, tokens), `${'港'.repeat(79)}aa`);
  });

  test('is a sound one for every pattern and every recording', () => {
    const anything = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.constantFrom('', '.', '..', 'NUL', 'nul.txt', ' ', '/', 'C:\\a', '\ud800'),
    );
    const pattern = fc
      .array(fc.oneof(fc.constantFrom('{name}', '{ext}', '{lang}', '{date}', '.', ' '), anything), { maxLength: 6 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(pattern, anything, anything, anything, anything, (form, name, ext, lang, date) => {
        const file = fillPattern(form, { name, ext, lang, date });
        assert.ok(Buffer.byteLength(file) >= 1 && Buffer.byteLength(file) <= 240, file);
        assert.ok(!/[<>:"/\\|?*\p{Cc}]|[. ]$|^\s/u.test(file), JSON.stringify(file));
        assert.ok(!/^(con|prn|aux|nul|com\d|lpt\d) *(\.|$)/i.test(file), file);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('a naming pattern', () => {
  test('is one that tells recordings and formats apart, without folders', () => {
    assert.equal(checkPattern('{name}.{lang}.{ext}'), undefined);
    assert.equal(checkPattern('{date} {name}.{ext}'), undefined);
    for (const [pattern, reason] of [
      ['', 'empty'],
      [' ', 'empty'],
      ['{lang}.{ext}', 'no-name'],
      ['{name}', 'no-ext'],
      ['subtitles/{name}.{ext}', 'path'],
      ['..\\{name}.{ext}', 'path'],
      [`{name}.{ext}${'a'.repeat(200)}`, 'too-long'],
    ]) {
      assert.deepEqual(checkPattern(pattern ?? ''), { reason }, pattern);
    }
    assert.deepEqual(checkPattern('{name}.{languge}.{ext}'), { reason: 'unknown-token', token: 'languge' });
  });
});
