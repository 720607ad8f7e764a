import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { createEngine } from '../../../../src/search/engine.ts';
import { nearFirst } from '../../../../src/search/indexing/nearFirst.ts';
import { createSearchClient } from '../../../../src/search/worker/searchClient.ts';
import { temporaryFolder } from '../../../support/searchFolder.ts';

const script = new URL('../../../../src/search/worker/worker.ts', import.meta.url);
const embed = async (texts: readonly string[]): Promise<Float32Array[]> =>
  texts.map((text) => Float32Array.of(text.length, 1, 1, 1));
const signal = new AbortController().signal;

test('a look at an index that is not there starts no worker and makes no folder', async (t) => {
  const directory = join(temporaryFolder(t), 'search');
  const client = createSearchClient('/there/is/no/such/script.js', directory);
  assert.equal(await client.peek({ model: 'm' }), undefined);
  assert.equal(existsSync(directory), false);
});

test('a look at an index that was left tells what it holds, by model, and changes no file of it', async (t) => {
  const [root, directory] = [temporaryFolder(t), temporaryFolder(t)];
  for (let i = 0; i < 20; i++) writeFileSync(join(root, `f${i}.ts`), `export const ship${i} = ${i};\n`);
  const scope = { roots: [root], maxBytes: 1e6 };
  const engine = createEngine(directory);
  await engine.index(scope, { model: 'm', embed }, signal, () => undefined);
  writeFileSync(join(root, 'new.ts'), 'export const crew = 3;\n');
  await engine.update(scope, [join(root, 'new.ts')], undefined, signal, () => undefined);
  const files = (): string[] =>
    readdirSync(directory)
      .sort()
      .map((name) => `${name} ${statSync(join(directory, name)).size} ${statSync(join(directory, name)).mtimeMs}`);
  const client = createSearchClient(script, directory);
  t.after(() => client.close());
  const half = { files: 21, chunks: 21, embedded: 20, filesDone: 20 };
  assert.deepEqual(await client.peek({ model: 'm' }), half, 'while another window has it open');
  engine.close();
  const before = files();
  assert.deepEqual(await client.peek({ model: 'm' }), half);
  assert.deepEqual(await client.peek({ model: 'other' }), { ...half, embedded: 0, filesDone: undefined });
  assert.deepEqual(await client.peek(), { ...half, embedded: 0, filesDone: undefined });
  assert.deepEqual(files(), before);
});

test('files near those that are open are read first, others in the order of the list', async (t) => {
  const list = ['a/x.ts', 'z.ts', 'a/b/c/deep.ts', 'q/y.ts', 'a/b/two.ts', 'a/b/one.ts'];
  assert.deepEqual(nearFirst(list, ['a/b/one.ts']), [
    'a/b/one.ts',
    'a/b/two.ts',
    'a/x.ts',
    'a/b/c/deep.ts',
    'z.ts',
    'q/y.ts',
  ]);
  assert.deepEqual(nearFirst(list, []), list);

  const [first, second] = [temporaryFolder(t), temporaryFolder(t)];
  for (const [root, folder] of [
    [first, 'hull'],
    [second, 'sails'],
    [second, 'tackle'],
  ] as const) {
    mkdirSync(join(root, folder));
    for (let i = 0; i < 60; i++) writeFileSync(join(root, folder, `f${i}.ts`), `export const ${folder}${i} = ${i};\n`);
  }
  const directory = temporaryFolder(t);
  const engine = createEngine(directory);
  const near = [join(second, 'tackle', 'f7.ts'), '/else/where.ts'];
  await engine.index({ roots: [first, second], maxBytes: 1e6, near }, undefined, signal, () => undefined);
  engine.close();
  const database = new DatabaseSync(join(directory, 'index.db'), { readOnly: true });
  const read = database.prepare('SELECT path FROM files ORDER BY id').all();
  database.close();
  const folders = read.map(({ path }) => String(path).split('/')[0]);
  // A few are read at once, so that neighbours may change places.
  assert.deepEqual([...new Set(folders.slice(0, 50))], ['tackle']);
  assert.deepEqual([...new Set(folders.slice(70, 110))], ['sails']);
  assert.deepEqual([...new Set(folders.slice(130))], ['hull']);
});
