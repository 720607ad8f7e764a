import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { moveFiles, storagesOf } from '../../../../src/editor/files/movedFiles.ts';

describe('the folders that VS Code may have given for a workspace', () => {
  it('are its own and the numbered ones, whichever this window has', () => {
    const storages = storagesOf('/data/workspaceStorage/0ab12/parley.parley');
    assert.equal(storages[0], '/data/workspaceStorage/0ab12/parley.parley');
    assert.ok(storages.includes('/data/workspaceStorage/0ab12-1/parley.parley'));
    assert.deepEqual(storagesOf('/data/workspaceStorage/0ab12-3/parley.parley'), storages);
  });
});

describe('files that are kept elsewhere now', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'parley-moved-'));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  const at = (...parts: string[]): string => join(root, ...parts);
  const isMeant = (name: string): boolean => name.endsWith('.json');
  async function write(folder: string, name: string, text: string): Promise<void> {
    await mkdir(at(folder), { recursive: true });
    await writeFile(at(folder, name), text);
  }

  it('are moved from every folder, once, and the empty folders go', async () => {
    await write('a', '1.json', 'one');
    await write('b', '2.json', 'two');
    await moveFiles([at('a'), at('b'), at('none')], at('to'), isMeant);
    assert.deepEqual((await readdir(at('to'))).sort(), ['1.json', '2.json']);
    assert.deepEqual([existsSync(at('a')), existsSync(at('b'))], [false, false]);
    await moveFiles([at('a'), at('b'), at('none')], at('to'), isMeant);
    assert.equal(await readFile(at('to', '1.json'), 'utf8'), 'one');
  });

  it('leave alone what has other names, and never write over what is there', async () => {
    await write('a', '1.json', 'older');
    await write('a', 'notes.txt', 'mine');
    await write('to', '1.json', 'newer');
    await moveFiles([at('a')], at('to'), isMeant);
    assert.equal(await readFile(at('to', '1.json'), 'utf8'), 'newer');
    assert.deepEqual((await readdir(at('a'))).sort(), ['1.json', 'notes.txt']);
  });

  it('make no folder where there is nothing to move', async () => {
    await moveFiles([at('none')], at('to'), isMeant);
    assert.equal(existsSync(at('to')), false);
  });

  it('are all there, once, when several windows move them at the same time', async () => {
    const names = Array.from({ length: 60 }, (_, each) => `${each}.json`);
    for (const name of names) await write('a', name, name);
    await Promise.all([1, 2, 3].map(() => moveFiles([at('a')], at('to'), isMeant)));
    assert.deepEqual((await readdir(at('to'))).sort(), [...names].sort());
    for (const name of names) assert.equal(await readFile(at('to', name), 'utf8'), name);
  });
});
