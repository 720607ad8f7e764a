import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { dataFolder } from '../../../../src/search/registry/dataFolder.ts';
import { type IndexRecord, readRecord } from '../../../../src/search/registry/indexRecord.ts';
import { openIndexRegistry } from '../../../../src/search/registry/indexRegistry.ts';
import { temporaryFolder } from '../../../support/searchFolder.ts';

function recordOf(directory: string, roots: readonly string[], more: Partial<IndexRecord> = {}): IndexRecord {
  const scope = { roots, maxBytes: 1e6, exclude: [], allow: [], includeGenerated: false, encodings: {} };
  return { version: 1, directory, scope, usedAt: 1, ...more };
}

/** A data folder with records of these indexes, each of which is there. */
async function registryWith(
  t: TestContext,
  records: Readonly<Record<string, Omit<Partial<IndexRecord>, 'scope'> & { roots: string[] }>>,
) {
  const data = temporaryFolder(t);
  const registry = openIndexRegistry(data);
  for (const [name, { roots, ...more }] of Object.entries(records)) {
    mkdirSync(join(data, name));
    await registry.write(recordOf(join(data, name), roots, more));
  }
  const find = async (...folders: string[]): Promise<string | undefined> => {
    const found = await registry.find(folders);
    return found?.directory.slice(data.length + 1);
  };
  return { data, registry, find };
}

test('the data folder is where each system has it, and PARLEY_DATA_DIR goes before', () => {
  assert.equal(dataFolder({ PARLEY_DATA_DIR: '/x', XDG_DATA_HOME: '/y' }, 'linux'), '/x');
  assert.equal(dataFolder({ XDG_DATA_HOME: '/y' }, 'linux'), '/y/parley');
  assert.match(dataFolder({ XDG_DATA_HOME: '' }, 'linux'), /\.local\/share\/parley$/);
  assert.match(dataFolder({}, 'darwin'), /Library\/Application Support\/Parley$/);
  assert.match(dataFolder({ LOCALAPPDATA: 'C:\\L' }, 'win32'), /^C:\\L.Parley$/);
});

test('a record is read back as it was written; another version, a relative path and rubbish are none', () => {
  const record = recordOf('/d', ['/r'], { source: { model: 'm', origin: 'https://s' }, cachePath: '/c' });
  assert.deepEqual(readRecord(JSON.stringify(record)), record);
  const { directory, scope, usedAt } = record;
  assert.deepEqual(
    readRecord(JSON.stringify({ version: 1, directory, scope: { roots: ['/r'], maxBytes: 1e6 }, usedAt })),
    recordOf('/d', ['/r']),
  );
  // A field of a later version that this one does not know does no harm.
  assert.deepEqual(readRecord(JSON.stringify({ ...record, later: 1 })), record);
  const none = [
    { ...record, version: 2 },
    { ...record, directory: 'd' },
    { ...record, directory: '' },
    { ...record, scope: { ...scope, roots: ['.'] } },
    { ...record, usedAt: 'now' },
    [],
    null,
    7,
  ];
  for (const each of none) assert.equal(readRecord(JSON.stringify(each)), undefined);
  for (const text of ['', '{', '\0', '"']) assert.equal(readRecord(text), undefined);
});

test('of several indexes the one of just these folders is found, then one with vectors, then the last used', async (t) => {
  const root = temporaryFolder(t);
  const [a, b, inner] = [join(root, 'a'), join(root, 'b'), join(root, 'a', 'inner')];
  for (const folder of [inner, b]) mkdirSync(folder, { recursive: true });
  const source = { model: 'm' };
  const { find } = await registryWith(t, {
    both: { roots: [a, b], source, usedAt: 9 },
    old: { roots: [a], usedAt: 2 },
    last: { roots: [a], usedAt: 3 },
    vectors: { roots: [a], source, usedAt: 1 },
    other: { roots: [b], usedAt: 1 },
  });
  assert.equal(await find(a), 'vectors');
  assert.equal(await find(b), 'other');
  assert.equal(await find(b, a), 'both');
  assert.equal(await find(inner), 'both', 'a folder inside is in all of them');
  assert.equal(await find(root), undefined, 'a folder above is in none');
  assert.equal(await find(`${a}-more`), undefined);
});

test('a link is the folder that it leads to, in a record as in a question', async (t) => {
  const root = temporaryFolder(t);
  const [real, link] = [join(root, 'real'), join(root, 'link')];
  mkdirSync(join(real, 'inner'), { recursive: true });
  symlinkSync(real, link);
  const { find } = await registryWith(t, { byLink: { roots: [link] } });
  assert.equal(await find(real), 'byLink');
  assert.equal(await find(join(link, 'inner')), 'byLink');
  // A link inside a root that leads out of it is no part of its index.
  const outside = temporaryFolder(t);
  symlinkSync(outside, join(real, 'out'));
  assert.equal(await find(join(real, 'out')), undefined);
});

test('an index that is gone is not found, and rubbish beside the records is left alone', async (t) => {
  const root = temporaryFolder(t);
  const { data, registry, find } = await registryWith(t, { here: { roots: [root] } });
  await registry.write(recordOf(join(data, 'gone'), [root], { source: { model: 'm' }, usedAt: 9 }));
  const odd = { 'a.json': '{', 'b.json': 'null', 'c.txt': 'x', 'd.json': ' '.repeat(2 ** 21) };
  for (const [name, text] of Object.entries(odd)) writeFileSync(join(data, 'indexes', name), text);
  mkdirSync(join(data, 'indexes', 'e.json'));
  assert.equal(await find(root), 'here');
  assert.deepEqual(
    (await registry.list()).map(({ bytes }) => bytes),
    [0, 0],
  );
  await registry.remove(join(data, 'here'), true);
  assert.equal(await find(root), undefined);
  assert.ok(readdirSync(join(data, 'indexes')).includes('a.json'));
});
