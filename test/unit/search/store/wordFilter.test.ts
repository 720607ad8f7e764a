import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { chunkText } from '../../../../src/search/chunker/chunker.ts';
import { databaseName } from '../../../../src/search/store/schema/database.ts';
import { openStore } from '../../../../src/search/store/store.ts';
import { findWords } from '../../../../src/search/store/wordIndex.ts';
import { temporaryFolder } from '../../../support/searchFolder.ts';

/** A database of 60 files, which remembers the SQL that was prepared. */
function recorded(t: TestContext) {
  const directory = temporaryFolder(t);
  const store = openStore(directory);
  for (let n = 0; n < 60; n++) {
    const text = `export const tide${n} = harbour(${n});\nexport const ${n % 3 === 0 ? 'pilot' : 'keel'}${n} = 1;\n`;
    const content = { hash: text, chunks: chunkText(text), lines: 2 };
    store.putFiles('/r', [{ path: `f${n}.ts`, stamp: { size: 1, mtimeMs: 1 }, content }]);
  }
  const files = Array.from({ length: 60 }, (_, n) => store.fileId('/r', `f${n}.ts`)).filter((id) => id !== undefined);
  store.close();
  const database = new DatabaseSync(join(directory, databaseName), { readOnly: true });
  t.after(() => database.close());
  const prepared: string[] = [];
  const recording = new Proxy(database, {
    get(target, name) {
      if (name !== 'prepare') return Reflect.get(target, name) as unknown;
      return (sql: string): StatementSync => {
        prepared.push(sql);
        return target.prepare(sql);
      };
    },
  });
  return { database, recording, prepared, files };
}

/** How the word index is entered: `M` by the words, and `=` where each chunk of the files is looked up by its number. */
function waysIn(database: DatabaseSync, sql: string): string[] {
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all('"tide"', '[1]', 10) as { detail: string }[];
  return plan.flatMap(({ detail }) => /words VIRTUAL TABLE INDEX \d+:(\S*)/.exec(detail)?.[1] ?? []);
}

test('with a filter, the words are looked up once, and not anew for every chunk of the files', (t) => {
  const { database, recording, prepared, files } = recorded(t);
  findWords(recording, ['tide', 'harbour'], 10, files);
  const found = prepared.filter((sql) => sql.includes('MATCH') && sql.includes('json_each'));
  assert.equal(found.length, 1);
  const [sql = ''] = found;
  for (const way of waysIn(database, sql)) assert.match(way, /^M\d*$/);
  assert.equal(waysIn(database, sql).length, 1);
  // The same without the sign is what took seconds: the test can tell them apart.
  assert.ok(waysIn(database, sql.replace('+rowid', 'rowid')).some((way) => way.includes('=')));
});

test('a filter that all files pass changes nothing of what is found; others leave out just what they should', (t) => {
  const { recording, files } = recorded(t);
  for (const words of [['harbour'], ['pilot', 'tide'], ['keel', 'harbour', 'pilot'], ['nothing']]) {
    const all = findWords(recording, words, 500, undefined);
    assert.deepEqual(findWords(recording, words, 500, files), all);
    assert.deepEqual(findWords(recording, words, 500, []), []);
    const some = files.filter((id) => id % 4 === 0);
    const chunks = recording.prepare('SELECT id FROM chunks WHERE file IN (SELECT value FROM json_each(?))');
    const ids = new Set(chunks.all(JSON.stringify(some)).map(({ id }) => id));
    assert.deepEqual(
      findWords(recording, words, 500, some),
      all.filter(({ id }) => ids.has(id)),
    );
  }
});
