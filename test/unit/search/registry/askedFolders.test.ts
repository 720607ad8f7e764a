import assert from 'node:assert/strict';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { type TestContext, test } from 'node:test';
import { readPath } from '../../../../src/search/mcp/toolRun.ts';
import { askedFolders, isTooWide } from '../../../../src/search/registry/askedFolders.ts';
import { openFolderIndex, ownScope } from '../../../../src/search/registry/folderIndex.ts';
import { openIndexRegistry } from '../../../../src/search/registry/indexRegistry.ts';
import { asHome, temporaryFolder } from '../../../support/searchFolder.ts';

function folders(t: TestContext) {
  const root = temporaryFolder(t);
  const [a, b, inner, link] = [join(root, 'a'), join(root, 'b'), join(root, 'a', 'inner'), join(root, 'link')];
  for (const folder of [inner, b]) mkdirSync(folder, { recursive: true });
  symlinkSync(a, link);
  writeFileSync(join(root, 'file'), '');
  return { root, a, b, inner, link };
}

test('what is asked for twice, by a link or inside another, is one folder; what is none is named', async (t) => {
  const { root, a, b, inner, link } = folders(t);
  const found = async (...given: string[]) => {
    const { folders: some, missing } = await askedFolders(given);
    return [some.map(({ real }) => real), missing];
  };
  assert.deepEqual(await found(a, b), [[a, b], []]);
  assert.deepEqual(await found(inner, link, a), [[a], []]);
  assert.deepEqual(await found(`${a}/`, a), [[a], []]);
  assert.deepEqual(await found(join(root, 'file'), join(root, 'none'), b), [
    [b],
    [join(root, 'file'), join(root, 'none')],
  ]);
});

test('a path of an argument is read from the folder, whole, by a link and as an address; never outside', async (t) => {
  const { root, a, inner, link } = folders(t);
  const index = await openFolderIndex(join(root, 'data'), [link]);
  t.after(() => index.close());
  const inside = {
    'x.ts': 'x.ts',
    './inner/../x.ts': 'x.ts',
    [join(a, 'x.ts')]: 'x.ts',
    [join(link, 'inner', 'y.ts')]: 'inner/y.ts',
    [`file://${inner}/y%20z.ts`]: 'inner/y z.ts',
    '...': '...',
    '..x/y': '..x/y',
  };
  for (const [given, path] of Object.entries(inside))
    assert.deepEqual(readPath(index, given), { root: a, path }, given);
  const outside = [
    '..',
    '../b/x.ts',
    'inner/../../b',
    '/',
    '/etc/passwd',
    `${a}x/y.ts`,
    join(root, 'b', 'x.ts'),
    'file://other/x',
    'file:///%00',
    'x\0.ts',
  ];
  for (const given of outside)
    assert.throws(() => readPath(index, given), /is in none of the folders of this search/, given);
});

test('of several folders, a relative path is of the first that it can be in', async (t) => {
  const { root, a, b } = folders(t);
  const index = await openFolderIndex(join(root, 'data'), [a, b]);
  t.after(() => index.close());
  writeFileSync(join(b, 'only.ts'), 'export const only = 1;\n');
  await index.prepare(new AbortController().signal, () => undefined);
  assert.deepEqual(readPath(index, 'only.ts'), { root: b, path: 'only.ts' });
  assert.deepEqual(readPath(index, 'none.ts'), { root: a, path: 'none.ts' });
  assert.deepEqual(readPath(index, '../b/only.ts'), { root: b, path: 'only.ts' });
});

test('a home folder, one above it and the root of a disk have more than code in them; what lies inside has not', async (t) => {
  const { root, a, b, inner, link } = folders(t);
  const top = parse(root).root;
  for (const wide of [a, root, top]) assert.equal(await isTooWide(wide, a), true, wide);
  assert.equal(await isTooWide(a, link), true, 'a home may be a link');
  for (const narrow of [inner, b, `${a}-more`]) assert.equal(await isTooWide(narrow, a), false, narrow);
  // A user of a container may have no home, and its root is a root all the same.
  for (const home of ['', '.']) assert.deepEqual([await isTooWide(a, home), await isTooWide(top, home)], [false, true]);
});

test('nobody makes an index of a home folder or a disk by asking; one that is there answers', async (t) => {
  const { root, a, b, inner, link } = folders(t);
  asHome(t, a);
  const data = join(root, 'data');
  for (const asked of [[a], [link], [parse(root).root], [b, root]]) {
    await assert.rejects(openFolderIndex(data, asked), { kind: 'invalid-request', param: 'folder' }, asked.join());
  }
  assert.ok(!existsSync(data), 'nothing is recorded');
  await (await openFolderIndex(data, [inner, b])).close();
  const directory = join(root, 'index');
  mkdirSync(directory);
  await openIndexRegistry(data).write({
    version: 1,
    directory,
    scope: { ...ownScope, roots: [a] },
    usedAt: Date.now(),
  });
  const index = await openFolderIndex(data, [a]);
  t.after(() => index.close());
  assert.deepEqual([index.record.directory, index.folders], [directory, [a]]);
});
