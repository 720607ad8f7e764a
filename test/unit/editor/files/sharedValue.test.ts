import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { openSharedValue } from '../../../../src/editor/files/sharedValue.ts';

describe('a value that windows share', () => {
  let path: string;
  beforeEach(async () => {
    path = join(await mkdtemp(join(tmpdir(), 'parley-shared-')), 'kept', 'value.json');
  });
  afterEach(() => rm(join(path, '..', '..'), { recursive: true, force: true }));

  const fail = (error: unknown): never => {
    throw error;
  };
  const open = (onError: (error: unknown) => void = fail) => openSharedValue(path, [], onError);
  const add =
    (item: string) =>
    (before: unknown): unknown => [...(Array.isArray(before) ? before : []), item];

  it('has a change at once, and the other window after it has looked', async () => {
    const [one, other] = [open(), open()];
    const written = one.change(add('a'));
    assert.deepEqual(one.current, ['a']);
    await written;
    await other.refresh();
    assert.deepEqual([one.current, other.current, open().current], [['a'], ['a'], ['a']]);
  });

  it('keeps what both change at the same time', async () => {
    const windows = [open(), open(), open()];
    const changes = windows.flatMap((window, at) => ['a', 'b', 'c'].map((item) => window.change(add(`${at}${item}`))));
    await Promise.all(changes);
    for (const window of windows) {
      await window.refresh();
      assert.equal(new Set(window.current as string[]).size, 9);
    }
  });

  it('is what was known last where the file is no JSON, and the next change writes it anew', async () => {
    const one = open();
    await one.change(add('a'));
    await writeFile(path, '{"torn');
    await one.refresh();
    assert.deepEqual(one.current, ['a']);
    await one.change(add('b'));
    assert.deepEqual(JSON.parse(await readFile(path, 'utf8')), ['a', 'b']);
  });

  it('holds for this window where it cannot be written, and says so', async () => {
    await writeFile(join(path, '..', '..', 'kept'), 'no folder');
    const errors: unknown[] = [];
    const one = open((error) => errors.push(error));
    await one.change(add('a'));
    assert.deepEqual(one.current, ['a']);
    assert.equal(errors.length, 1);
  });
});
