import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { matchesIn } from '../../../../src/search/query/matches.ts';
import { readTerms } from '../../../../src/search/query/queryTerms.ts';

const marked = (line: string, question: string): string[] =>
  matchesIn(line, [...readTerms(question).words.keys()]).map(([start, end]) => line.slice(start, end));

test('words of a question are marked in the parts of names, in any form', () => {
  assert.deepEqual(marked('const headers = parseHTTPHeader(raw_headers);', 'how are headers parsed'), [
    'headers',
    'parse',
    'Header',
    'headers',
  ]);
  assert.deepEqual(marked('BASE64 = base64Url', 'base64'), ['BASE64', 'base64']);
  assert.deepEqual(marked('nothing here', 'tide'), []);
  assert.deepEqual(matchesIn('some line', []), []);
});

test('places are within the line, in order, and do not overlap, whatever it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (line) => {
      let last = 0;
      for (const [start, end] of matchesIn(line, ['a', 'tide', '1'])) {
        assert.ok(start >= last && end > start && end <= line.length);
        last = end;
      }
    }),
  );
});

test('of a long line, some are told', () => {
  assert.equal(matchesIn('tide '.repeat(10_000), ['tide']).length, 50);
});

test('parts of sentences without blanks are marked, as long as they go, and nothing else', () => {
  assert.deepEqual(marked('// 读取配置文件并合并默认值', '配置文件'), ['配置文件']);
  assert.deepEqual(marked('// 读取配置文件并合并默认值', '配置 默认值'), ['配置', '默认值']);
  assert.deepEqual(marked('// ユーザー認証を行う関数', '認証'), ['認証']);
  assert.deepEqual(marked('// 설정을 불러온다', '설정'), ['설정']);
  assert.deepEqual(marked('// 重跑gen-itgc后50条', 'gen-itgc'), ['gen', 'itgc']);
  assert.deepEqual(marked('获取锁之后', '锁'), ['锁']);
  assert.deepEqual(marked('// 读取配置', '删除'), []);
  // A letter of two code units stays whole.
  assert.deepEqual(marked('𠮷野家を探す', '𠮷野'), ['𠮷野']);
});

test('places are those in the line, where folding makes it longer or shorter', () => {
  // github.com/omegat-org/omegat/pull/234, mozilla/pdf.js/pull/9448
  assert.deepEqual(marked('今の気温は20℃です。気温', '気温'), ['気温', '気温']);
  assert.deepEqual(marked('½ of a fraction, ½½ fraction', 'fraction'), ['fraction', 'fraction']);
  assert.deepEqual(marked(`${'가나'.normalize('NFD')} tide`, 'tide'), ['tide']);
  assert.deepEqual(marked('가나다'.normalize('NFD'), '나다'), ['나다'.normalize('NFD')]);
  assert.deepEqual(marked('ﾜｶﾞﾊｲは猫', 'ガハイ'), ['ｶﾞﾊｲ']);
  assert.deepEqual(marked('ＡＰＩの鍵', 'api'), ['ＡＰＩ']);
  assert.deepEqual(marked('cafe\u0301 noir', 'café'), ['cafe\u0301']);
  assert.deepEqual(marked('ที่อยู่ของลูกค้า', 'ที่อยู่'), ['ที่อยู่']);
  assert.deepEqual(marked('Die Straße, STRASSE', 'strasse'), ['Straße', 'STRASSE']);
});

test('words of Russian are marked in other forms, and compounds of German that a word is a part of', () => {
  assert.deepEqual(marked('// Возвращает список токенов', 'токены возвращать'), ['Возвращает', 'токенов']);
  assert.deepEqual(marked('// Prüft den Dateizugriff', 'Zugriff'), ['Dateizugriff']);
  assert.deepEqual(marked('// Öffnet die Verbindungen', 'Verbindung'), ['Verbindungen']);
  assert.deepEqual(marked('const filesystem = timestamp;', 'system stamp'), []);
});

test('places are whole letters, in order, and do not overlap, whatever scripts a line has', () => {
  const letter = fc.oneof(
    fc.constantFrom(...'读取配置ユーザー한국어ฟังก์ชันßﬁ½㍿ﾊﾟｶﾞ𠮷😀\u0301\u0e31Prüfдф -'),
    fc.string({ unit: 'binary', maxLength: 1 }),
  );
  const text = fc.array(letter, { maxLength: 20 }).map((letters) => letters.join(''));
  fc.assert(
    fc.property(text, text, (line, question) => {
      let last = 0;
      for (const [start, end] of matchesIn(line, [...readTerms(question).words.keys()])) {
        assert.ok(start >= last && end > start && end <= line.length);
        for (const at of [start, end]) assert.ok(!/^[\ud800-\udbff][\udc00-\udfff]$/.test(line.slice(at - 1, at + 1)));
        last = end;
      }
    }),
    { numRuns: 2_000 },
  );
});
