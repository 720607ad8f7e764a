import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathTest } from '../../../../src/search/query/filter/queryFilter.ts';
import { openFolderIndex, ownScope } from '../../../../src/search/registry/folderIndex.ts';
import { openIndexRegistry } from '../../../../src/search/registry/indexRegistry.ts';
import { temporaryFolder } from '../../../support/searchFolder.ts';

test('a glob goes by the path from the folder that is asked, whether it is a root, lies in one or has one in it', () => {
  const passes = (glob: string, root: string, path: string, ...within: string[]): boolean | undefined =>
    pathTest({ globs: [glob], within })?.(root, path);
  assert.equal(passes('inner/src/**', '/w/inner', 'src/a.ts', '/w'), true);
  assert.equal(passes('src/**', '/w/inner', 'src/a.ts', '/w'), false);
  assert.equal(passes('{inner,other}/**/a.ts', '/w/inner', 'src/a.ts', '/w'), true);
  assert.equal(passes('!inner/**', '/w/inner', 'src/a.ts', '/w'), false);
  assert.equal(passes('src/**', '/w', 'inner/src/a.ts', '/w/inner'), true);
  assert.equal(passes('inner/**', '/w', 'inner/src/a.ts', '/w/inner'), false);
  assert.equal(passes('src/**', '/w', 'inner/src/a.ts', '/w'), false);
  // Of several folders, each file goes by its own; a name of a folder is no glob.
  assert.equal(passes('a.ts', '/w', 'x [1]*/a.ts', '/w/x [1]*', '/w/y'), true);
  assert.equal(passes('./a.ts', '/w', 'y/a.ts', '/w/x [1]*', '/w/y'), true);
  assert.equal(passes('./a.ts', '/w', 'y/z/a.ts', '/w/y'), false);
  assert.equal(passes('**', '/w', 'yz/a.ts', '/w/y'), false);
  assert.equal(passes('/src/a.ts', '/w', 'src/a.ts'), true, 'without a folder it goes by the root');
  assert.equal(pathTest({ globs: [], within: ['/w'] }, undefined, ['/w', '/w/inner']), undefined);
  assert.equal(pathTest({ globs: [], within: ['/w/inner'] }, undefined, ['/w', '/w/inner'])?.('/w', 'a.ts'), false);
});

/** An editor's index of these roots in a folder, which has these files. */
async function indexed(t: TestContext, roots: readonly string[], files: readonly string[]) {
  const [root, data] = [temporaryFolder(t), temporaryFolder(t)];
  for (const path of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), 'export const harbour = 1;\n');
  }
  const directory = join(data, 'editor');
  mkdirSync(directory);
  const scope = { ...ownScope, roots: roots.map((each) => join(root, each)) };
  await openIndexRegistry(data).write({ version: 1, directory, scope, usedAt: Date.now() });
  const never = new AbortController().signal;
  return async (folder: string) => {
    const index = await openFolderIndex(data, [join(root, folder)]);
    t.after(() => index.close());
    await index.prepare(never, () => undefined);
    const pathsOf = (found: readonly { root: string; path: string }[]): string[] =>
      found.map((each) => join(each.root, each.path).slice(root.length + 1)).sort();
    return {
      find: async (text: string, ...globs: string[]) =>
        pathsOf((await index.search({ text, globs, limit: 20 }, never)).hits),
      define: async (...globs: string[]) => pathsOf(await index.definitions('harbour', globs, never)),
    };
  };
}

test('a root inside another one is found by its path from the folder', async (t) => {
  const files = ['src/a.ts', 'inner/src/b.ts', 'inner/docs/c.ts', 'other/src/d.ts'];
  const open = await indexed(t, ['', 'inner'], files);
  const { find, define } = await open('');
  assert.deepEqual(await find('harbour'), [...files].sort());
  for (const glob of ['inner/src/**', './inner/src/*.ts', 'in*/{src,lib}/**']) {
    assert.deepEqual(await find('harbour', glob), ['inner/src/b.ts'], glob);
    assert.deepEqual(await define(glob), ['inner/src/b.ts'], glob);
  }
  assert.deepEqual(await find('harbour', 'src/**'), ['src/a.ts']);
  assert.deepEqual(await find('harbour', '!inner/**'), ['other/src/d.ts', 'src/a.ts']);
});

test('operators of a question go by the folder that is asked, too', async (t) => {
  const open = await indexed(t, [''], ['packages/a/src/a.ts', 'packages/a/b.ts', 'packages/c/src/c.ts']);
  const { find } = await open('packages/a');
  assert.deepEqual(await find('harbour file:src/*.ts'), ['packages/a/src/a.ts']);
  assert.deepEqual(await find('harbour file:packages/'), []);
  assert.deepEqual(await find('harbour -path:src/'), ['packages/a/b.ts']);
  assert.deepEqual(await find('harbour lang:ts'), ['packages/a/b.ts', 'packages/a/src/a.ts']);
  const whole = await open('');
  assert.deepEqual(await whole.find('harbour file:packages/c/'), ['packages/c/src/c.ts']);
});
