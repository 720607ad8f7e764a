import assert from 'node:assert/strict';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { readGlossary } from '../../../src/audio/prompt/glossary.ts';
import { decodeAs } from '../../../src/base/encoding/decode.ts';
import { scanAll } from '../../../src/search/indexing/scan.ts';
import { openStore } from '../../../src/search/store/store.ts';
import type { Scope } from '../../../src/workspace/fileFilter.ts';
import { type DiffOf, gitDiff } from '../../../src/workspace/git/gitDiff.ts';
import { git } from '../../attack/gitPrograms.ts';
import { encodeText } from '../../support/encodeText.ts';
import { temporaryFolder } from '../../support/searchFolder.ts';

const never = new AbortController().signal;

function indexed(t: TestContext, files: Readonly<Record<string, Uint8Array>>) {
  const root = temporaryFolder(t);
  for (const [path, bytes] of Object.entries(files)) writeFileSync(join(root, path), bytes);
  const store = openStore(temporaryFolder(t));
  t.after(() => store.close());
  const scan = (encodings?: Scope['encodings']): Promise<void> =>
    scanAll(store, { roots: [root], maxBytes: 1 << 20, ...(encodings && { encodings }) }, never, () => undefined);
  const texts = (): string[] =>
    [...store.itemsWithout(store.space('m'))]
      // The path goes along with the first chunk of a file.
      .map(({ text }) => text.replace(/^\S+\n\n/, ''))
      .sort();
  const known = (path: string) => store.known(root, path);
  return { root, scan, texts, known };
}

test('the index has the words of files in any encoding, with no setting at all', async (t) => {
  const { scan, texts } = indexed(t, {
    'a.c': encodeText('/* 初始化数据库连接 */\nint a;\n', 'gb18030'),
    'b.c': encodeText('/* 初始化資料庫連線 */\nint b;\n', 'big5'),
    'c.c': encodeText('/* 데이터베이스 초기화 */\nint c;\n', 'euc-kr'),
    'd.c': encodeText('/* Инициализация базы данных */\nint d;\n', 'windows-1251'),
  });
  await scan();
  assert.deepEqual(
    texts().map((text) => text.split('\n')[0]),
    [
      '/* Инициализация базы данных */',
      '/* 初始化数据库连接 */',
      '/* 初始化資料庫連線 */',
      '/* 데이터베이스 초기화 */',
    ],
  );
});

test('a new setting has the files read again at the next run, and those whose text is the same stay as they are', async (t) => {
  const bytes = encodeText('// вход\nint a;\n', 'windows-1251');
  const { root, scan, texts, known } = indexed(t, { 'a.c': bytes, 'b.c': Buffer.from('// back\nint b;\n') });
  await scan();
  const before = known('b.c');
  await scan({ [root]: { encoding: 'koi8r', guess: false } });
  assert.equal(texts()[1], `// ${decodeAs(encodeText('вход', 'windows-1251'), 'koi8-r')}\nint a;\n`);
  assert.deepEqual(known('b.c'), before);
  await scan({ [root]: { encoding: 'utf8', byName: [{ end: '.c', setting: { encoding: 'windows1251' } }] } });
  assert.deepEqual(texts(), ['// back\nint b;\n', '// вход\nint a;\n']);
});

test('our own rule file is read as what it is: PowerShell writes UTF-16', async (t) => {
  const { scan, texts } = indexed(t, {
    '.parleyignore': Buffer.from('\ufeffprivate.c\r\n机密.c\r\n', 'utf16le'),
    'private.c': Buffer.from('int secret;\n'),
    '机密.c': Buffer.from('int secret;\n'),
    'open.c': Buffer.from('int open;\n'),
  });
  await scan();
  assert.deepEqual(
    texts().filter((text) => text.startsWith('int')),
    ['int open;\n'],
  );
});

test('terms of a glossary in another encoding are read', async (t) => {
  const root = temporaryFolder(t);
  mkdirSync(join(root, '.parley'));
  writeFileSync(join(root, '.parley/glossary.txt'), encodeText('数据库连接\n初始化程序\n', 'gb18030'));
  assert.deepEqual(await readGlossary(root), ['数据库连接', '初始化程序']);
});

function repository(t: TestContext, files: Readonly<Record<string, Uint8Array>>) {
  const root = temporaryFolder(t);
  const write = (changed: Readonly<Record<string, Uint8Array>>): void => {
    for (const [path, bytes] of Object.entries(changed)) writeFileSync(join(root, path), bytes);
  };
  git(root, 'init', '-q', '-b', 'main');
  write(files);
  git(root, 'add', '-A');
  git(root, 'commit', '-qm', 'one');
  const diff = async (of: DiffOf, rules?: Parameters<typeof gitDiff>[3]): Promise<string> => {
    const found = await gitDiff(root, of, never, rules);
    assert.ok(found.kind === 'diff', JSON.stringify(found));
    assert.deepEqual(found.gaps, []);
    return found.text;
  };
  return { root, write, diff };
}

test('a diff has each file in its own encoding, staged or not', async (t) => {
  const chinese = (end: string): Buffer => encodeText(`// 初始化数据库连接\nint a;\n// ${end}\n`, 'gb18030');
  const russian = (end: string): Buffer => encodeText(`// Инициализация\nint b;\n// ${end}\n`, 'windows-1251');
  const { root, write, diff } = repository(t, {
    '中文.c': chinese('返回值'),
    'b.c': russian('ошибка чтения'),
    'c.c': Buffer.from('// 初始化\n'),
  });
  write({
    '中文.c': chinese('返回错误代码'),
    'b.c': russian('нет данных'),
    'c.c': Buffer.from('// 初始化完成\n'),
  });
  const isWhole = (text: string): void => {
    assert.match(text, /^ \/\/ 初始化数据库连接\n int a;\n-\/\/ 返回值\n\+\/\/ 返回错误代码$/m);
    assert.match(text, /^ \/\/ Инициализация\n int b;\n-\/\/ ошибка чтения\n\+\/\/ нет данных$/m);
    assert.match(text, /^-\/\/ 初始化\n\+\/\/ 初始化完成$/m);
    assert.ok(!text.includes('\ufffd'));
  };
  isWhole(await diff('unstaged'));
  isWhole(await diff({ since: 'main' }));
  git(root, 'add', '-A');
  isWhole(await diff('staged'));
  assert.match(await diff('staged'), /^\+\+\+ b\/中文\.c$/m);
});

test('a change of the encoding itself is told in readable lines', async (t) => {
  const text = '// 初始化数据库连接\nint a;\n// 返回错误代码\n';
  const { root, write, diff } = repository(t, { 'a.c': encodeText(text, 'gb18030') });
  write({ 'a.c': Buffer.from(text.replace('错误', '状态')) });
  const unstaged = await diff('unstaged');
  assert.match(unstaged, /^ \/\/ 初始化数据库连接\n int a;\n-\/\/ 返回错误代码\n\+\/\/ 返回状态代码$/m);
  git(root, 'add', '-A');
  const staged = await diff('staged');
  assert.match(staged, /^-\/\/ 初始化数据库连接\n\+\/\/ 初始化数据库连接$/m);
  assert.match(staged, /^-\/\/ 返回错误代码\n\+\/\/ 返回状态代码$/m);
});

test('a diff follows the setting of the folder', async (t) => {
  const of = (word: string): Buffer => encodeText(`// ${word}\n`, 'koi8-u');
  const { root, write, diff } = repository(t, { 'a.c': of('вход') });
  write({ 'a.c': of('выход') });
  const rules = { encoding: 'windows1251', byName: [{ end: '.c', setting: { encoding: 'koi8r' } }] };
  assert.match(await diff('unstaged', rules), /^-\/\/ вход\n\+\/\/ выход$/m);
  git(root, 'add', '-A');
  assert.match(await diff('staged', rules), /^-\/\/ вход\n\+\/\/ выход$/m);
  renameSync(join(root, 'a.c'), join(root, 'a.h'));
  git(root, 'add', '-A');
  assert.match(
    await diff('staged', rules),
    new RegExp(`^\\+// ${decodeAs(encodeText('выход', 'koi8-u'), 'windows-1251')}$`, 'm'),
  );
});

test('lines of a file that look like the head of another one change nothing of how the rest is read', async (t) => {
  const of = (word: string): Buffer =>
    encodeText(`// 初始化数据库连接\n\rdiff --git a/x b/x\n@@ -1 +1 @@\n-- a/${word}\n// ${word}\n`, 'gb18030');
  const { root, write, diff } = repository(t, { 'a.c': of('返回值') });
  write({ 'a.c': of('返回错误代码') });
  git(root, 'add', '-A');
  assert.match(await diff('staged'), /^-\/\/ 返回值\n\+-- a\/返回错误代码\n\+\/\/ 返回错误代码$/m);
});
