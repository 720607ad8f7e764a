import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { createSetFiles, isOtherAlive } from '../../../../src/edits/review/setFiles.ts';

describe('the files of sets', () => {
  let folder: string;
  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'parley-sets-')), 'proposed');
  });
  afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }));

  it('are listed from the oldest on, without what is none of them', async () => {
    const files = createSetFiles(folder);
    assert.equal(await files.ids(), undefined);
    await files.write('20-7', '{}');
    await files.write('10-9', '{}');
    await writeFile(join(folder, '10-9.json.part'), '');
    await writeFile(join(folder, 'notes.json'), '');
    assert.deepEqual(await files.ids(), ['10-9', '20-7']);
    await files.remove('10-9');
    await files.remove('10-9');
    assert.deepEqual(await readdir(folder), ['10-9.json.part', '20-7.json', 'notes.json']);
  });

  it('are told by the text that is in them, whoever wrote it', async () => {
    const [one, other] = [createSetFiles(folder), createSetFiles(folder)];
    const digest = await one.write('1-1', 'a text');
    assert.deepEqual(await other.read('1-1'), { text: 'a text', digest });
    await other.write('1-1', 'another');
    assert.notEqual((await one.read('1-1'))?.digest, digest);
    assert.equal(await one.read('2-1'), undefined);
  });

  it('tell of what another window writes', async () => {
    const [one, other] = [createSetFiles(folder), createSetFiles(folder)];
    const told = new EventTarget();
    await one.follow(() => told.dispatchEvent(new Event('change')));
    const change = once(told, 'change');
    await other.write('1-1', 'a text');
    await change;
    one.close();
  });
});

describe('the window that wrote a set', () => {
  it('is another one that lives, or none', () => {
    assert.equal(isOtherAlive(process.pid), false);
    assert.equal(isOtherAlive(process.ppid), true);
    assert.equal(isOtherAlive(2 ** 22 + 7), false);
  });
});
