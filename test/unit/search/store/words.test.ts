import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import fc from 'fast-check';
import { compoundQuery } from '../../../../src/search/letters/compounds.ts';
import { indexedWords, matchExpression, queryWords, wordProblem } from '../../../../src/search/store/words.ts';

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

/** Texts of many scripts, with marks, forms that NFKC changes, surrogates, and what breaks words. */
const manyScripts = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...'读取配置文件ユーザー認証한국어설정ฟังก์ชันที่อยู่ΑρχείοφайлЁёŸßÆøİıﬁ½㍿ﾊﾟｶﾞＡＰＩ𠮷😀\u0301\u200d\u0e31',
      ),
      fc.constantFrom(...'aabXYZ09_$ .-(\n\u00a0"*^'),
      fc.string({ unit: 'binary', maxLength: 2 }),
    ),
    { maxLength: 24 },
  )
  .map((letters) => letters.join(''));

test('the splitter takes any text, and gives each word once, without marks that a tokenizer would break it at', () => {
  fc.assert(
    fc.property(manyScripts, (text) => {
      const words = queryWords(text);
      assert.equal(new Set(words).size, words.length);
      assert.ok(words.every((word) => word !== '' && !/\s/.test(word)));
      indexedWords(text);
      assert.ok(matchExpression(words, compoundQuery) !== undefined);
    }),
    { numRuns: 3_000 },
  );
});

test('any part of a text without blanks is found in it, whatever stands around it', () => {
  const letter = fc.constantFrom(...'读取配置文件并合默认值ユーザー認証한국어설정คำนวณราคา𠮷');
  const run = fc.array(letter, { minLength: 1, maxLength: 12 }).map((letters) => letters.join(''));
  const around = fc.constantFrom('', ' ', '// ', 'gen-', '"', '。', '：', '5', 'é');
  fc.assert(
    fc.property(around, run, around, fc.nat(), fc.nat(), (before, text, after, one, other) => {
      const letters = [...text].filter((each) => !/\p{M}/u.test(each));
      const [from, to] = [one % letters.length, other % letters.length].sort((a, b) => a - b) as [number, number];
      const part = letters.slice(from, to + 1).join('');
      const indexed = new Set(indexedWords(`${before}${text}${after}`).split(/\s+/));
      const words = queryWords(part);
      const isThere = (word: string): boolean =>
        [...word].length > 1 ? indexed.has(word) : [...indexed].some((each) => each.startsWith(word));
      assert.ok(words.every(isThere), `${part} in ${text}: ${words} of ${[...indexed]}`);
    }),
    { numRuns: 2_000 },
  );
});

test('a question is taken by the index as it is, whatever its letters', () => {
  const database = new DatabaseSync(':memory:');
  database.exec(
    "CREATE VIRTUAL TABLE words USING fts5 (path, names, body, content = '', contentless_delete = 1, tokenize = 'porter unicode61')",
  );
  const add = database.prepare('INSERT INTO words (path, names, body) VALUES (?, ?, ?)');
  const find = database.prepare('SELECT rowid FROM words WHERE words MATCH ? LIMIT 1');
  fc.assert(
    fc.property(manyScripts, (text) => {
      add.run('', '', indexedWords(`für und ${text}`));
      const words = queryWords(text);
      if (words.length === 0) return;
      find.all(matchExpression(words, compoundQuery));
      for (const word of words) find.all(matchExpression([word]));
    }),
    { numRuns: 500 },
  );
  database.close();
});

test('stop words of other languages count where a question has two of them, and never hide a name', () => {
  assert.deepEqual(queryWords('Wo wird die Verbindung geöffnet?'), ['verbindung', 'geoffnet']);
  assert.deepEqual(queryWords('let the worker die'), ['let', 'worker', 'die']);
  assert.deepEqual(queryWords('die'), ['die']);
  assert.deepEqual(queryWords('где функция parseConfig'), ['parseconfig', 'parse', 'config']);
  assert.deepEqual(queryWords('回调函数'), ['回调', '调函', '函数']);
  assert.deepEqual(queryWords('哪里'), ['哪里']);
  assert.equal(wordProblem('哪里'), 'common');
  assert.equal(wordProblem('где это'), 'common');
  assert.equal(wordProblem('？'), 'none');
});

test('what English has is indexed as before, and words of German a second time', () => {
  const english = 'the filesystem of the timestamp: größer'.replace('größer', 'greater');
  assert.equal(indexedWords(english), english);
  const words = indexedWords('Prüft die Dateigröße').split(' ');
  assert.deepEqual(words.slice(0, 3), ['Pruft', 'die', 'Dateigrosse']);
  assert.ok(words.slice(3).every((word) => /^[\ue0dd-\ue0df][a-z]*$/.test(word)));
  assert.equal(matchExpression(['verbindung']), '"verbindung"');
});
