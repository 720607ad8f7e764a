import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { openStore } from '../../../../src/search/store/store.ts';
import { temporaryFolder } from '../../../support/searchFolder.ts';
import { vectorFor } from '../../../support/searchWindow.ts';

const files = 1_000;

interface Said {
  /** What was said to the user, each sentence once. */
  errors: string[];
  filesDone: number;
  /** Questions that were answered meanwhile. */
  searches: number;
}

function folder(t: TestContext) {
  const [directory, root, logs] = [temporaryFolder(t), temporaryFolder(t), temporaryFolder(t)];
  for (let i = 0; i < files; i++) writeFileSync(join(root, `f${i}.ts`), `export const ship${i} = ${i};\n`);
  const log = join(logs, 'sent');
  /** Opens a window, which builds and asks. @param own an index of its own, and the vector cache of the machine */
  const window = (...own: [] | [directory: string, cachePath: string]): ChildProcess => {
    const script = join(import.meta.dirname, '../../../support/searchWindow.ts');
    const [index = directory, ...cache] = own;
    const child = spawn(process.execPath, [script, index, root, log, ...cache], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.after(() => child.kill('SIGKILL'));
    return child;
  };
  /** The numbers of the files whose texts were sent, by all windows. */
  const sent = (): string[] => (existsSync(log) ? readFileSync(log, 'utf8').split('\n').filter(Boolean) : []);
  /** What is wrong with the index, looked at from outside. */
  const damage = (): unknown[] => {
    const bad: unknown[] = ['index.db', 'vectors.db'].flatMap((name) => {
      const database = new DatabaseSync(join(directory, name), { readOnly: true });
      const found = database.prepare('PRAGMA integrity_check').get()?.['integrity_check'];
      database.close();
      return found === 'ok' ? [] : [found];
    });
    const store = openStore(directory);
    for (let number = 0; number < files; number += 7) {
      const [nearest] = store.findNearest(store.space('m'), vectorFor(number), 1);
      const path = nearest && store.chunk(nearest.id)?.path;
      if (path !== `f${number}.ts`) bad.push(`${path} instead of f${number}.ts`);
    }
    if (store.filesDone(store.space('m')) !== files) bad.push('not all files are done');
    store.close();
    return bad;
  };
  return { window, sent, damage };
}

async function said(window: ChildProcess): Promise<Said> {
  assert.ok(window.stdout);
  return JSON.parse(await text(window.stdout)) as Said;
}

test('two windows build and search one folder at once: no error, nothing is sent twice, the index is whole', async (t) => {
  const { window, sent, damage } = folder(t);
  const both = await Promise.all([window(), window()].map(said));
  for (const { errors, filesDone, searches } of both) {
    assert.deepEqual([errors, filesDone], [[], files]);
    assert.ok(searches > 10, `${searches} questions were answered`);
  }
  assert.equal(sent().length, files);
  assert.equal(new Set(sent()).size, files);
  assert.deepEqual(damage(), []);
});

test('a window that is killed while it builds lets the other go on, and only what was on its way is sent again', async (t) => {
  const { window, sent, damage } = folder(t);
  const first = window();
  while (sent().length < 100) await new Promise((resolve) => setTimeout(resolve, 5));
  const second = window();
  const answer = said(second);
  first.kill('SIGKILL');
  await once(first, 'exit');
  const { errors, filesDone } = await answer;
  assert.deepEqual([errors, filesDone], [[], files]);
  assert.equal(new Set(sent()).size, files);
  // Three requests of at most 64 texts.
  assert.ok(sent().length - files <= 192, `${sent().length - files} were sent twice`);
  assert.deepEqual(damage(), []);
});

test('two windows with an index of their own, as of two clones, send no text twice', async (t) => {
  const { window, sent } = folder(t);
  const cachePath = join(temporaryFolder(t), 'vectors.db');
  const both = await Promise.all([temporaryFolder(t), temporaryFolder(t)].map((own) => said(window(own, cachePath))));
  for (const { errors, filesDone } of both) assert.deepEqual([errors, filesDone], [[], files]);
  assert.equal(sent().length, files);
  assert.equal(new Set(sent()).size, files);
});
