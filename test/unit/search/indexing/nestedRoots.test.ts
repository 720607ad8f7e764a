import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { explainFile } from '../../../../src/search/indexing/explainFile.ts';
import { scanAll, scanSome } from '../../../../src/search/indexing/scan.ts';
import { openStore } from '../../../../src/search/store/store.ts';
import { temporaryFolder } from '../../../support/searchFolder.ts';

const never = new AbortController().signal;
const files = {
  'tide.ts': 'export const tide = 1;\n',
  'packages/a/gate.ts': 'export const gate = 1;\n',
  'packages/a/keys/prices.ts': 'export const prices = 1;\n',
  'packages/apart.ts': 'export const apart = 1;\n',
  '.parleyignore': 'packages/a/keys/\n',
};

function open(t: TestContext) {
  const outer = temporaryFolder(t);
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(outer, path)), { recursive: true });
    writeFileSync(join(outer, path), text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  const inner = join(outer, 'packages', 'a');
  const store = openStore(temporaryFolder(t));
  t.after(() => store.close());
  const paths = (root: string): string[] => [...store.pathsOf(root)].sort();
  const scan = (...roots: string[]) => scanAll(store, { roots, maxBytes: 1e6 }, never, () => undefined);
  return { outer, inner, store, write, paths, scan };
}

test('a file of a folder inside another one is in the index once, as the inner one’s', async (t) => {
  const { outer, inner, paths, scan, store, write } = open(t);
  for (const roots of [
    [outer, inner],
    [inner, outer],
  ]) {
    await scan(...roots);
    assert.deepEqual(paths(outer), ['.parleyignore', 'packages/apart.ts', 'tide.ts']);
    assert.deepEqual(paths(inner), ['gate.ts', 'keys/prices.ts']);
    const scope = { roots, maxBytes: 1e6 };
    write('packages/a/gate.ts', 'export const gate = 2;\n');
    write('packages/a/new.ts', 'export const fresh = 2;\n');
    await scanSome(store, scope, [join(inner, 'gate.ts'), join(inner, 'new.ts')], never);
    assert.deepEqual(paths(outer), ['.parleyignore', 'packages/apart.ts', 'tide.ts']);
    assert.deepEqual(paths(inner), ['gate.ts', 'keys/prices.ts', 'new.ts']);
    rmSync(join(inner, 'new.ts'));
    await scanSome(store, scope, [join(inner, 'new.ts')], never);
    assert.deepEqual(paths(inner), ['gate.ts', 'keys/prices.ts']);
  }
  await scan(outer);
  assert.ok(paths(outer).includes('packages/a/gate.ts'));
  assert.deepEqual(paths(inner), []);
});

test('what a .parleyignore of the outer folder and the setting name stays out of the inner one, and it is said which line', async (t) => {
  const { outer, inner, store, scan, write } = open(t);
  const scope = { roots: [outer, inner], maxBytes: 1e6 };
  await scan(outer, inner);
  assert.equal(store.known(inner, 'keys/prices.ts')?.reason, 'parleyignore');
  const rule = { file: join(outer, '.parleyignore'), line: 1, pattern: 'packages/a/keys/' };
  const why = () => explainFile(store, scope, inner, 'keys/prices.ts', undefined, never);
  assert.deepEqual(await why(), { kind: 'excluded', exclusion: { reason: 'parleyignore', rule } });
  await scanAll(store, { ...scope, exclude: ['packages/a/gate.ts'] }, never, () => undefined);
  assert.equal(store.known(inner, 'gate.ts')?.reason, 'setting');
  // A rule nearer to the file counts more, as everywhere.
  write('.parleyignore', 'prices.ts\n');
  write('packages/a/.parleyignore', '!prices.ts\n');
  await scan(outer, inner);
  assert.equal(store.known(inner, 'keys/prices.ts')?.reason, undefined);
  assert.equal((await why()).kind, 'indexed');
});
