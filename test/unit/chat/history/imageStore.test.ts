import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { createImageStore } from '../../../../src/chat/history/imageStore.ts';

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-images-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return join(folder, 'images');
}

describe('The originals of images', () => {
  it('are found by the name under which they are kept, and are their user’s alone', async (t) => {
    const folder = folderFor(t);
    const store = createImageStore(folder);
    const name = await store.keep(Buffer.from('one'), 'image/jpeg');
    assert.equal(await store.keep(Buffer.from('one'), 'image/jpeg'), name);
    const file = store.find(name) ?? '';
    assert.equal(readFileSync(file, 'utf8'), 'one');
    if (process.platform !== 'win32')
      assert.deepEqual([statSync(file).mode & 0o777, statSync(folder).mode & 0o777], [0o600, 0o700]);
  });

  it('are whole, also where a crash left a part of one', async (t) => {
    const folder = folderFor(t);
    const store = createImageStore(folder);
    const file = store.find(await store.keep(Buffer.from('one'), 'image/png')) ?? '';
    writeFileSync(file, 'on');
    await store.keep(Buffer.from('one'), 'image/png');
    assert.equal(readFileSync(file, 'utf8'), 'one');
    assert.equal(readdirSync(folder).length, 1);
  });

  it('are looked for by no other name', async (t) => {
    const folder = folderFor(t);
    const store = createImageStore(folder);
    await store.keep(Buffer.from('one'), 'image/png');
    writeFileSync(join(folder, '..', 'secret.png'), 's');
    for (const name of ['../secret.png', 'secret.png', '', `${'a'.repeat(64)}.png`])
      assert.equal(store.find(name), undefined);
  });

  it('go when they were not pasted for long', async (t) => {
    const folder = folderFor(t);
    mkdirSync(folder, { recursive: true });
    const old = join(folder, `${'b'.repeat(64)}.png`);
    writeFileSync(old, 'old');
    utimesSync(old, 1_000, 1_000);
    const store = createImageStore(folder);
    const name = await store.keep(Buffer.from('new'), 'image/png');
    assert.equal(store.find(`${'b'.repeat(64)}.png`), undefined);
    assert.ok(store.find(name));
  });
});
