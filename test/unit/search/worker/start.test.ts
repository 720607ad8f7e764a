import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { createSearchClient } from '../../../../src/search/worker/searchClient.ts';
import { temporaryFolder } from '../../../support/searchFolder.ts';

const root = join(import.meta.dirname, '../../../..');

/** The modules a file loads when it is loaded; imports of types alone are gone by then. */
function loadedBy(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(/^(?:import|export)\s(?!type\b)[^'"]*?from\s+'([^']+)'/gm)].map(([, name = '']) =>
    name.startsWith('.') ? relative(root, join(root, dirname(file), name)) : name,
  );
}

test('the extension loads no database, no walk and no chunker: those are in the worker', () => {
  const loaded = new Set<string>();
  const visit = (file: string): void => {
    for (const name of loadedBy(file)) {
      if (loaded.has(name)) continue;
      loaded.add(name);
      if (name.startsWith('src/')) visit(name);
    }
  };
  for (const file of globSync('src/search/ui/**/*.ts', { cwd: root })) visit(file);
  assert.ok(loaded.has('src/search/worker/searchClient.ts'));
  for (const name of [
    'node:sqlite',
    'ignore',
    'src/search/engine.ts',
    'src/search/store/store.ts',
    'src/workspace/fileList.ts',
  ]) {
    assert.ok(!loaded.has(name), `${name} is loaded with the extension`);
  }
});

test('a client that is not asked anything starts no worker and makes no folder', async (t) => {
  const directory = join(temporaryFolder(t), 'search');
  const client = createSearchClient('/there/is/no/such/script.js', directory);
  await client.close();
  assert.equal(existsSync(directory), false);
});

test('a worker that cannot start rejects the call, and does not leave it waiting', async (t) => {
  const client = createSearchClient(join(temporaryFolder(t), 'none.mjs'), temporaryFolder(t));
  await assert.rejects(client.status());
});

test('a question asked as the index is closed waits, and starts no worker on what is being deleted', async (t) => {
  const script = new URL('../../../../src/search/worker/worker.ts', import.meta.url);
  const directory = join(temporaryFolder(t), 'search');
  const client = createSearchClient(script, directory);
  const other = createSearchClient(script, join(temporaryFolder(t), 'other'));
  t.after(() => Promise.all([client.close(), other.close()]));
  const asked = client.status();
  let isMadeTooEarly = false;
  await client.close(async () => {
    // As long as a worker takes to start and to make its files.
    await other.status();
    isMadeTooEarly = existsSync(directory);
  });
  assert.equal((await asked).indexed.files, 0);
  assert.equal(isMadeTooEarly, false);
  assert.equal(existsSync(directory), true);
});
