import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { indexedWords, queryWords } from '../../../../src/search/store/words.ts';

test('a text of ASCII alone is put into the index in the same way as one with other letters', () => {
  const text = fc.array(fc.constantFrom(...'aabcXYYZ019_$ .(\n'), { maxLength: 14 }).map((letters) => letters.join(''));
  fc.assert(
    fc.property(text, (each) => assert.equal(`${indexedWords(each)} e`, indexedWords(`${each} é`))),
    { numRuns: 5_000 },
  );
});

test('every identifier is followed by the words it is made of', () => {
  assert.equal(
    indexedWords('_x = parseHTTPHeader_v2($a1B)'),
    '_x = parseHTTPHeader_v2 parse HTTP Header v2($a1B a1 B)',
  );
});

test('scripts without blanks between words are found by parts of their sentences, and what stands beside them is a word', () => {
  assert.equal(indexedWords('// 读取配置').trim(), '//  读取 取配 配置 置');
  assert.deepEqual(queryWords('配置文件'), ['配置', '置文', '文件']);
  assert.deepEqual(queryWords('重跑gen-itgc后50条'), ['重跑', 'gen', 'itgc', '后', '50', '条']);
  assert.deepEqual(queryWords('ユーザー認証'), ['ユー', 'ーザ', 'ザー', 'ー認', '認証']);
  assert.deepEqual(queryWords('설정을'), ['설정', '정을']);
  // Marks above and below are no letters.
  assert.deepEqual(queryWords('ที่อยู่'), ['ทอ', 'อย']);
});

test('letters are found in every form: full width, ligatures, accents, decomposed', () => {
  assert.deepEqual(queryWords('ＡＰＩ ﬁle Größe café'), ['api', 'file', 'grosse', 'cafe']);
  assert.deepEqual(queryWords('café'.normalize('NFD')), ['cafe']);
  assert.deepEqual(queryWords('が'.normalize('NFD')), ['が']);
});

test('other scripts stay as they are', () => {
  assert.deepEqual(queryWords('открытьФайл'), ['открытьфайл', 'открыть', 'файл']);
  assert.deepEqual(queryWords('הפעלה'), ['הפעלה']);
  assert.equal(indexedWords('résumé = load_café'), 'resume = load_cafe load cafe');
});
