import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import type { EmbeddingModel } from '../../../src/search/embedding/embeddingModel.ts';
import { createSearchClient } from '../../../src/search/worker/searchClient.ts';
import { temporaryFolder } from '../../support/searchFolder.ts';

const script = new URL('../../../src/search/worker/worker.ts', import.meta.url);

/** The paths that each question finds in files with these comments, the best first. */
async function findings(t: TestContext, comments: Record<string, string>, questions: readonly string[]) {
  const root = temporaryFolder(t);
  for (const [path, comment] of Object.entries(comments)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), `// ${comment}\nexport const value = 1;\n`);
  }
  const scope = { roots: [root], maxBytes: 1024 * 1024 };
  const search = createSearchClient(script, temporaryFolder(t));
  t.after(() => search.close());
  await search.index(scope, undefined);
  const found: Record<string, string[]> = {};
  for (const text of questions) {
    const { hits } = await search.search(scope.roots, { text, limit: 5, globs: [] }, undefined);
    found[text] = hits.map(({ path }) => path);
  }
  return found;
}

async function eachFinds(
  t: TestContext,
  comments: Record<string, string>,
  questions: Record<string, string | undefined>,
) {
  const found = await findings(t, comments, Object.keys(questions));
  for (const [question, path] of Object.entries(questions)) assert.equal(found[question]?.[0], path, question);
}

test('parts of sentences that were reported as not found are found', async (t) => {
  const comments = {
    // github.com/rohitg00/agentmemory/pull/224, abhigyanpatwari/GitNexus/pull/2339, campfirein/byterover-cli/pull/712
    'ai.ts': '人工智能技术发展迅速',
    'orders.ts': '采购订单自动审批流程',
    'login.ts': '认证系统使用JWT令牌',
    // streetwriters/sqlite-better-trigram/pull/9, haydenbleasel/blume/pull/132
    'apple.ts': 'リンゴを食べます',
    'law.ts': '資金決済法',
    'fragments.ts': '資金の決済と方法',
    // plur-ai/plur/issues/832
    'deploy.ts': '한국어 테스트 배포',
    'single.ts': 'A单B',
    'thai.ts': 'ฟังก์ชันสำหรับตรวจสอบเลขบัตรประชาชน',
  };
  await eachFinds(t, comments, {
    ...{ 人工智能: 'ai.ts', 技术: 'ai.ts', 发展: 'ai.ts', 审批流程: 'orders.ts', 采购: 'orders.ts' },
    ...{
      认证: 'login.ts',
      令牌: 'login.ts',
      jwt: 'login.ts',
      食べ: 'apple.ts',
      を食べ: 'apple.ts',
      リンゴ: 'apple.ts',
    },
    ...{ 資金決済法: 'law.ts', 테스트: 'deploy.ts', 배포: 'deploy.ts', 한국: 'deploy.ts', 单: 'single.ts' },
    ...{ ตรวจสอบ: 'thai.ts', บัตร: 'thai.ts' },
    // Not in any.
    ...{ 删除: undefined, 削除: undefined, 삭제: undefined, ลบไฟล์: undefined },
  });
});

test('a letter alone is found wherever it stands', async (t) => {
  const comments = {
    'lock.ts': '获取锁之后写入',
    'end.ts': '释放文件锁',
    'value.ts': '기본 값',
    'none.ts': '读取配置',
  };
  const found = await findings(t, comments, ['锁', '값', '门']);
  assert.deepEqual(found['锁']?.sort(), ['end.ts', 'lock.ts']);
  assert.deepEqual([found['값'], found['门']], [['value.ts'], []]);
});

test('words of Russian and Greek are found in their other forms', async (t) => {
  const comments = {
    'tokens.ts': 'Возвращает список токенов пользователя',
    'settings.ts': 'Загрузка настроек из файла',
    'tree.ts': 'Обход всех ёлок в лесу',
    'greek.ts': 'Διαβάζει τα αρχεία από τον δίσκο',
  };
  await eachFinds(t, comments, {
    ...{ возвращать: 'tokens.ts', токен: 'tokens.ts', пользователи: 'tokens.ts', ТОКЕНАМИ: 'tokens.ts' },
    ...{ загрузку: 'settings.ts', файлы: 'settings.ts', елок: 'tree.ts', αρχείο: 'greek.ts', δισκος: 'greek.ts' },
    ...{ удалить: undefined, сервер: undefined },
  });
});

test('compounds of German and Finnish are found by their first and last parts, and words in other forms', async (t) => {
  const comments = {
    'access.ts': 'Prüft den Dateizugriff und schreibt ihn nicht auf',
    'connect.ts': 'Öffnet die Datenbankverbindung',
    'sizes.ts': 'Liefert die Groesse der Liste und wird nicht gespeichert',
    // github.com/danielnaber/openthesaurus/issues/16
    'costume.ts': 'im Evaskostüm',
    // Lucene's TestCompoundWordTokenFilter
    'wire.ts': 'Die Drahtschere für den Überwacher',
    'finnish.ts': 'Palauttaa tiedostonimen, jos sitä ei löydy',
  };
  await eachFinds(t, comments, {
    ...{ Datei: 'access.ts', Dateien: 'access.ts', Zugriff: 'access.ts', Zugriffe: 'access.ts', prüfen: 'access.ts' },
    ...{ Verbindung: 'connect.ts', Verbindungen: 'connect.ts', Datenbank: 'connect.ts', oeffnet: 'connect.ts' },
    ...{ Größe: 'sizes.ts', Grösse: 'sizes.ts', groesse: 'sizes.ts', Größen: 'sizes.ts', Listen: 'sizes.ts' },
    ...{ Kostuem: 'costume.ts', Kostüm: 'costume.ts', Evaskostuem: 'costume.ts', Schere: 'wire.ts', Draht: 'wire.ts' },
    ...{ tiedosto: 'finnish.ts', Server: undefined, Griffel: undefined },
  });
});

test('code of English is found by no part of its words', async (t) => {
  const comments = {
    'time.ts': 'The timestamp of the filesystem',
    'umlaut.ts': 'A naïve façade',
    'data.ts': 'Dataset und Format werden nicht geändert',
  };
  const found = await findings(t, comments, ['stamp', 'system', 'facade', 'naive', 'mestamp']);
  assert.deepEqual(found, { stamp: [], system: [], facade: ['umlaut.ts'], naive: ['umlaut.ts'], mestamp: [] } as never);
});

test('letters are found however they are written', async (t) => {
  const comments = {
    'turkish.ts': 'ışık ve İstanbul',
    'danish.ts': 'Læser filen på ny, søg',
    'polish.ts': 'Łączy się z serwerem',
    'vietnamese.ts': 'Đọc tệp cấu hình',
    'kana.ts': 'ﾜｶﾞﾊｲは猫',
    'arabic.ts': 'مُحَمَّد يقرأ الملف',
    'wide.ts': 'ＡＰＩの鍵を２つ',
  };
  await eachFinds(t, comments, {
    ...{ isik: 'turkish.ts', istanbul: 'turkish.ts', ISTANBUL: 'turkish.ts', laeser: 'danish.ts', sog: 'danish.ts' },
    ...{ laczy: 'polish.ts', cau: 'vietnamese.ts', doc: 'vietnamese.ts', ワガハイ: 'kana.ts', محمد: 'arabic.ts' },
    ...{ api: 'wide.ts', ＡＰＩ: 'wide.ts', 鍵: 'wide.ts' },
  });
});

test('a name of code in a question of another language is found first', async (t) => {
  const root = temporaryFolder(t);
  const files = {
    'config.ts': 'export function parseConfig(text: string) {\n  return JSON.parse(text);\n}\n',
    'other.ts':
      '// 在哪里调用函数，如何定义函数，どこで呼び出されていますか、関数は、Wo wird die Funktion aufgerufen\nexport const a = 1;\n',
    'more.ts': '// где вызывается функция, ฟังก์ชันถูกเรียกที่ไหน, 함수는 어디에서 호출되나요\nexport const b = 2;\n',
    'parse.ts': 'export function parseDate(config: string) {\n  return config;\n}\n',
  };
  for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text);
  const scope = { roots: [root], maxBytes: 1024 * 1024 };
  const search = createSearchClient(script, temporaryFolder(t));
  t.after(() => search.close());
  await search.index(scope, undefined);
  for (const text of [
    '在哪里调用parseConfig函数？',
    'parseConfig関数はどこで呼び出されていますか',
    'parseConfig 함수는 어디에서 호출되나요?',
    'ฟังก์ชันparseConfigถูกเรียกที่ไหน',
    'Wo wird die Funktion parseConfig aufgerufen?',
    'Где вызывается функция parseConfig?',
    'où est appelée la fonction parseConfig',
  ]) {
    const { hits } = await search.search(scope.roots, { text, limit: 3, globs: [] }, undefined);
    assert.equal(hits[0]?.path, 'config.ts', text);
  }
});

test('an index of the version before takes the words in by a scan, and nothing is sent', async (t) => {
  const root = temporaryFolder(t);
  writeFileSync(join(root, 'a.ts'), '// Возвращает 配置文件 und die Größe\nexport const a = 1;\n');
  const scope = { roots: [root], maxBytes: 1024 * 1024 };
  const directory = temporaryFolder(t);
  let sent = 0;
  const embeddingModel: EmbeddingModel = {
    model: 'm',
    embed: async (texts) => {
      sent += texts.length;
      return texts.map(() => Float32Array.from([1, 0]));
    },
  };
  const before = createSearchClient(script, directory);
  await before.index(scope, embeddingModel);
  await before.close();
  assert.equal(sent, 1);
  const database = new DatabaseSync(join(directory, 'index.db'));
  // Version 0.11 had this schema, and none of these words.
  database.exec("PRAGMA user_version = 7; INSERT INTO words (words) VALUES ('delete-all')");
  database.close();
  const search = createSearchClient(script, directory);
  t.after(() => search.close());
  await search.index(scope, embeddingModel);
  assert.equal(sent, 1, 'nothing is sent again');
  for (const text of ['配置', 'возвращать', 'groesse']) {
    const { hits } = await search.search(scope.roots, { text, limit: 3, globs: [] }, undefined);
    assert.equal(hits[0]?.path, 'a.ts', text);
  }
});
