import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { createSearchClient, type SearchClient } from '../../src/search/client.ts';
import type { Meant } from '../../src/search/engine.ts';
import { storageError } from '../../src/search/storage.ts';
import { ServiceError } from '../../src/service/errors.ts';
import { temporaryFolder } from './searchFolder.ts';

const script = new URL('../../src/search/worker.ts', import.meta.url);

function client(t: TestContext, directory: string): SearchClient {
  const created = createSearchClient(script, directory);
  t.after(() => created.close());
  return created;
}

/** What a program says that runs in a process of its own. */
function outputOf(t: TestContext, program: string, ...args: string[]): string {
  const file = join(temporaryFolder(t), 'program.mjs');
  writeFileSync(file, program);
  const { stdout, stderr } = spawnSync(process.execPath, [...args, file], { encoding: 'utf8', timeout: 60_000 });
  return stdout.trim() || stderr;
}

test('what the disk and the database say is told by its reason', () => {
  const reasonOf = (details: object): string | undefined => {
    const error = storageError(Object.assign(new Error('words'), details));
    return error instanceof ServiceError ? error.hint : undefined;
  };
  assert.equal(reasonOf({ code: 'ENOSPC' }), 'full');
  assert.equal(reasonOf({ code: 'EROFS' }), 'read-only');
  assert.equal(reasonOf({ code: 'ERR_SQLITE_ERROR', errcode: 13 }), 'full');
  assert.equal(reasonOf({ code: 'ERR_SQLITE_ERROR', errcode: 8 | (4 << 8) }), 'read-only');
  assert.equal(reasonOf({ code: 'ERR_SQLITE_ERROR', errcode: 267 }), 'damaged');
  assert.equal(reasonOf({ code: 'ERR_SQLITE_ERROR', errcode: 1 }), undefined);
});

test('a database that is full says so', (t) => {
  const database = new DatabaseSync(join(temporaryFolder(t), 'full.db'));
  database.exec('CREATE TABLE t (x); PRAGMA max_page_count = 2');
  try {
    database.exec('INSERT INTO t VALUES (hex(zeroblob(100000)))');
    assert.fail('it was not full');
  } catch (error) {
    assert.equal((storageError(error) as ServiceError).hint, 'full');
  } finally {
    database.close();
  }
});

test('a storage folder that cannot be written to ends the call with a reason', (t) => {
  const directory = temporaryFolder(t);
  chmodSync(directory, 0o555);
  const program = `
    import { createSearchClient } from ${JSON.stringify(new URL('../../src/search/client.ts', import.meta.url).href)};
    // Root may write anywhere.
    if (process.getuid() === 0) process.setuid(65534);
    const client = createSearchClient(new URL(${JSON.stringify(script.href)}), ${JSON.stringify(join(directory, 'index'))});
    await client.status().catch((error) => console.log(error.kind, error.hint));
    await client.close();`;
  assert.equal(outputOf(t, program), 'storage read-only');
});

test('without node:sqlite the call ends with a reason, and no worker is left', (t) => {
  const program = `
    import { createSearchClient } from ${JSON.stringify(new URL('../../src/search/client.ts', import.meta.url).href)};
    const client = createSearchClient(new URL(${JSON.stringify(script.href)}), '/nowhere');
    await client.status().catch((error) => console.log(error.kind, error.hint));`;
  assert.equal(outputOf(t, program, '--no-experimental-sqlite'), 'storage sqlite');
});

test('damage in the middle of the database is said; the next run builds it again and pays for nothing twice', async (t) => {
  const [directory, root] = [temporaryFolder(t), temporaryFolder(t)];
  for (let number = 0; number < 60; number++) {
    writeFileSync(join(root, `${number}.ts`), `export const value${number} = "${'text '.repeat(100)}";\n`);
  }
  const scope = { roots: [root], maxBytes: 1024 * 1024 };
  let sent = 0;
  const meant: Meant = {
    model: 'm',
    embed: async (texts) => {
      sent += texts.length;
      return texts.map((text) => Float32Array.of(text.length, 1, 1));
    },
  };
  const first = createSearchClient(script, directory);
  await first.index(scope, meant);
  await first.close();
  const paidFor = sent;
  const path = join(directory, 'index.db');
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0x5a, 8_192));
  const search = client(t, directory);
  await assert.rejects(search.index(scope, meant), { kind: 'storage', hint: 'damaged' });
  const result = await search.index(scope, meant);
  assert.equal(result.files, 60);
  assert.equal(sent, paidFor);
  assert.ok(readdirSync(directory).includes('index.db.damaged'));
});

test('a model whose vectors get another length is built anew, once, and never takes the old ones for new', async (t) => {
  const [directory, root] = [temporaryFolder(t), temporaryFolder(t)];
  for (const name of ['a', 'b', 'c']) writeFileSync(join(root, `${name}.ts`), `export const ${name} = "${name}";\n`);
  const scope = { roots: [root], maxBytes: 1024 * 1024 };
  let length = 3;
  const meant: Meant = {
    model: 'm',
    origin: 'https://service.test',
    embed: async (texts) => texts.map((text) => new Float32Array(length).fill(text.length)),
  };
  const search = createSearchClient(script, directory, join(directory, 'paid.db'));
  t.after(() => search.close());
  assert.equal((await search.index(scope, meant)).embedded, 3);
  length = 5;
  writeFileSync(join(root, 'd.ts'), 'export const d = "d";\n');
  await assert.rejects(search.index(scope, meant), { kind: 'malformed', hint: 'another length' });
  assert.equal((await search.index(scope, meant)).embedded, 3);
  assert.equal((await search.index(scope, meant)).embedded, 0);
  const question = { text: 'export', limit: 5, globs: [] };
  assert.equal((await search.search(scope.roots, question, meant)).by, 'both');
});
