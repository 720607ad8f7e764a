import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decoderOf, editorName, standardName } from '../../../../src/base/encoding/codePages.ts';
import { decode, decodeAs, encodingOf } from '../../../../src/base/encoding/decode.ts';
import { encodingSetting } from '../../../../src/base/encoding/encodingRules.ts';
import { versionEncodings } from '../../../../src/base/encoding/versionEncodings.ts';
import { encodeText } from '../../../support/encodeText.ts';

const hex = (bytes: string): Buffer => Buffer.from(bytes, 'hex');

/** As other tools write them. */
const known: Readonly<Record<string, readonly [bytes: string, text: string]>> = {
  GBK: ['2f2a20b3f5cabcbbafcafdbeddbfe2c1acbdd3202a2f', '/* 初始化数据库连接 */'],
  Big5: ['2f2a20aaeca96ca4c6b8eaaec6ae77b373bd75202a2f', '/* 初始化資料庫連線 */'],
  'EUC-KR': ['2f2a20b5a5c0ccc5cdbaa3c0ccbdba20c3cab1e2c8ad202a2f', '/* 데이터베이스 초기화 */'],
  'Windows-1251': ['2f2a20c8ede8f6e8e0ebe8e7e0f6e8ff20e1e0e7fb20e4e0ededfbf5202a2f', '/* Инициализация базы данных */'],
  'KOI8-R': ['2f2a20e9cec9c3c9c1ccc9dac1c3c9d120c2c1dad920c4c1ceced9c8202a2f', '/* Инициализация базы данных */'],
  'Windows-1252': ['2f2f204772f6df6520646572205475657220fc6265727072fc66656e', '// Größe der Tuer überprüfen'],
};
for (const [name, [bytes, text]] of Object.entries(known)) {
  test(`${name} is read as the text that it is, with no setting at all`, () => {
    assert.equal(decode(hex(bytes)), text);
  });
}

test('characters of four bytes in GB18030 are read', () => {
  const bytes = Buffer.concat([encodeText('// 数据库：', 'gb18030'), hex('9534b235'), Buffer.from('\n')]);
  assert.equal(decode(bytes, { encoding: 'gb18030' }), '// 数据库：𠮷\n');
});

test('valid UTF-8 is UTF-8, whatever it holds', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (drawn) => {
      const text = `/ ${drawn.replaceAll('\0', '')}`;
      const bytes = Buffer.from(text);
      assert.equal(decode(bytes), text);
      assert.equal(decode(bytes, { encoding: 'utf8' }), text);
      assert.equal(decode(bytes, { encoding: 'gbk', guess: true }), text);
    }),
  );
});

test('no bytes make it throw, whatever the setting says', () => {
  const setting = fc.record(
    {
      encoding: fc.oneof(fc.string(), fc.constantFrom('gbk', 'utf16le', 'cp437', 'windows1251', '__proto__', 'hex')),
      guess: fc.boolean(),
      candidates: fc.array(fc.constantFrom('gbk', 'eucjp', 'nothing')),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), setting, (bytes, said) => {
      const text = decode(bytes, said);
      assert.ok(text === undefined || typeof text === 'string');
      assert.equal(text === undefined, encodingOf(bytes, said) === undefined);
    }),
  );
});

test('ASCII stays as it is in every encoding of a setting', () => {
  for (const encoding of ['gbk', 'shiftjis', 'utf16le', 'cp437', 'koi8r', 'no such encoding'])
    assert.equal(decode(Buffer.from('const a = "~\\";\r\n'), { encoding }), 'const a = "~\\";\r\n');
});

test('a few broken bytes leave UTF-8 what it is', () => {
  const broken = (...parts: readonly (string | number)[]): Buffer =>
    Buffer.concat(parts.map((part) => (typeof part === 'number' ? Buffer.of(part) : Buffer.from(part))));
  assert.equal(decode(broken('// 初始化', 0xff, '数据库\n')), '// 初始化\ufffd数据库\n');
  assert.equal(decode(broken('// Größe und Maß', 0xe4, '\n')), '// Größe und Maß\ufffd\n');
  assert.equal(decode(broken('// инициализация', 0xd0)), '// инициализация\ufffd');
  const cut = Buffer.from('// 初始化数据库').subarray(0, -1);
  assert.equal(decode(cut), '// 初始化数据\ufffd');
});

test('a character that is cut at the end leaves the rest what it is', () => {
  const text = '// 初始化数据库连接';
  assert.equal(decode(encodeText(text, 'gb18030').subarray(0, -1))?.slice(0, -2), text.slice(0, -2));
  assert.equal(decode(encodeText('// 接続を初期化する', 'shift_jis').subarray(0, -1))?.slice(0, 8), '// 接続を初期');
});

test('German and French files with few letters beyond ASCII stay Windows-1252', () => {
  for (const text of ['für', '// à', 'Größe', 'naïve façade', 'x = "Übung"; // ß', 'l’été', '© Müller', '20 °C', 'é'])
    assert.equal(encodingOf(encodeText(text, 'windows-1252')), 'windows-1252', text);
});

test('two encodings in one file leave most of it readable', () => {
  const gbk = encodeText('// 初始化数据库连接\n// 返回错误代码\n// 如果文件不存在则创建\n', 'gb18030');
  const mixed = Buffer.concat([gbk, Buffer.from('// 结束\n')]);
  assert.match(decode(mixed) ?? '', /^\/\/ 初始化数据库连接\n\/\/ 返回错误代码\n\/\/ 如果文件不存在则创建\n\/\/ /);
});

test('UTF-16 without a mark is read in either order, be it ASCII, Chinese or both, and with an odd byte at its end', () => {
  const chinese = '// 初始化数据库连接\nint main() { return 0; }\n/* 如果用户不存在则创建新用户 */\n';
  for (const text of [chinese, 'plain text\n', 'Größe\n', '初始化数据库连接', 'Привет, мир!\n', '한국어 문자\n']) {
    for (const encoding of ['utf-16le', 'utf-16be']) {
      const bytes = encodeText(text, encoding);
      assert.equal(decode(bytes), text, `${encoding}: ${text}`);
      assert.equal(decode(Buffer.concat([bytes, Buffer.of(0x20)]))?.slice(0, text.length), text, `${encoding}, odd`);
    }
  }
});

test('a mark at the begin goes before the setting', () => {
  assert.equal(decode(Buffer.from('\ufeff初始化', 'utf16le'), { encoding: 'gbk' }), '初始化');
  assert.equal(decode(Buffer.from('\ufeff初始化'), { encoding: 'gbk' }), '初始化');
});

test('what is no text is none, whatever the setting says', () => {
  for (const bytes of [
    Buffer.of(1, 2, 0, 3),
    Buffer.of(0, 0, 0, 0),
    hex('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489'),
    hex('7f454c4602010100000000000000000003003e0001000000'),
    Buffer.from(Int16Array.from({ length: 400 }, (_, index) => 900 * Math.sin(index / 9)).buffer),
    Buffer.from(Float32Array.from({ length: 400 }, (_, index) => index / 7).buffer),
    Buffer.from(Uint16Array.from({ length: 400 }, (_, index) => (index * 40_503) % 65_536).buffer),
  ])
    for (const encoding of ['utf8', 'gbk', 'windows1252'])
      assert.equal(decode(bytes, { encoding }), undefined, bytes.toString('hex').slice(0, 40));
});

test('the setting says what a text is, where several fit', () => {
  const bytes = encodeText('// вход', 'windows-1251');
  assert.equal(decode(bytes, { encoding: 'windows1251' }), '// вход');
  assert.equal(decode(bytes, { encoding: 'koi8r' }), decodeAs(bytes, 'koi8-r'));
  assert.equal(decode(encodeText('Größe', 'cp437'), { encoding: 'cp437' }), 'Größe');
  assert.equal(decode(encodeText('// 返回', 'big5').subarray(0), { encoding: 'cp950' }), '// 返回');
});

test('a file in UTF-8 in a folder of another encoding is read as UTF-8 where it is no text of that one', () => {
  const text = '// 初始化\nint x; // 返回值\n';
  assert.equal(decode(Buffer.from(text), { encoding: 'gbk' }), text);
});

test('with a guess, what the bytes look like goes before the setting', () => {
  const bytes = encodeText('/* Инициализация базы данных */', 'koi8-u');
  assert.equal(decode(bytes, { encoding: 'gbk', guess: true }), '/* Инициализация базы данных */');
});

test('every encoding that VS Code names is known, but for one that nobody decodes', () => {
  const names = [
    ...[
      'utf8',
      'utf8bom',
      'utf16le',
      'utf16be',
      'windows1252',
      'iso88591',
      'iso88593',
      'iso885915',
      'macroman',
      'cp437',
    ],
    ...['windows1256', 'iso88596', 'windows1257', 'iso88594', 'iso885914', 'windows1250', 'iso88592', 'cp852'],
    ...['windows1251', 'cp866', 'cp1125', 'iso88595', 'koi8r', 'koi8u', 'iso885913', 'windows1253', 'iso88597'],
    ...[
      'windows1255',
      'iso88598',
      'iso885910',
      'iso885916',
      'windows1254',
      'iso88599',
      'windows1258',
      'gbk',
      'gb18030',
    ],
    ...['cp950', 'big5hkscs', 'shiftjis', 'eucjp', 'euckr', 'windows874', 'iso885911', 'koi8ru', 'gb2312', 'cp865'],
    ...['cp850', 'koi8t'],
  ];
  const unknown = names.filter((name) => decoderOf(name) === undefined);
  assert.deepEqual(unknown, ['koi8t']);
  for (const encoding of [
    'gb18030',
    'shift_jis',
    'euc-kr',
    'big5',
    'koi8-u',
    'ibm866',
    'macintosh',
    'windows-1251',
    'cp850',
  ]) {
    const name = editorName(encoding) ?? '';
    assert.ok(names.includes(name), `${encoding}: ${name}`);
    assert.equal(standardName(name), encoding);
  }
});

test('a setting of a language holds for its files, the longest ending first, and not for those of VS Code itself', () => {
  const [c, special] = [{ encoding: 'gb18030' }, { encoding: 'cp866' }];
  const rules = {
    encoding: 'windows1251',
    byName: [
      { end: '/makefile', setting: special },
      { end: '.d.c', setting: special },
      { end: '.c', setting: c },
    ],
  };
  const encodingAt = (path: string): string | undefined => encodingSetting(rules, path).encoding;
  assert.equal(encodingAt('src/main.c'), 'gb18030');
  assert.equal(encodingAt('src/MAIN.C'), 'gb18030');
  assert.equal(encodingAt('src/main.d.c'), 'cp866');
  assert.equal(encodingAt('Makefile'), 'cp866');
  assert.equal(encodingAt('NotMakefile'), 'windows1251');
  assert.equal(encodingAt('.vscode/settings.json'), undefined);
  assert.deepEqual(encodingSetting(undefined, 'a.c'), {});
});

test('two versions of a file are in one encoding, unless one of them is UTF-8', () => {
  const after = encodeText('// 初始化数据库连接\n// 返回错误代码\n', 'gb18030');
  const before = encodeText('// 仙\n', 'gb18030');
  assert.deepEqual(versionEncodings(before, after, {}), ['gb18030', 'gb18030']);
  assert.deepEqual(versionEncodings(after, Buffer.from('// 初始化数据库连接\n'), {}), ['gb18030', 'utf-8']);
});
