/** Proposed changes and restore points of one workspace in several windows, each with what a window has of its own. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Uri } from 'vscode';
import { workspaceFolderFor } from '../../../../src/editor/files/workspaceFolder.ts';
import type { Log } from '../../../../src/editor/log.ts';
import { writeCheckpoint } from '../../../../src/edits/review/checkpoint.ts';
import { writeKeptSet } from '../../../../src/edits/review/keptSet.ts';
import { reviewFile } from '../../../../src/edits/review/reviewedFile.ts';
import {
  type ChangeSet,
  type ChangeSets,
  createChangeSets,
  isSetFile,
  pendingOf,
} from '../../../../src/edits/ui/review/changeSet.ts';
import { type Checkpoints, createCheckpoints } from '../../../../src/edits/ui/review/decide/checkpoints.ts';
import type { ReviewEditors } from '../../../../src/edits/ui/review/editor/reviewEditors.ts';
import { keepSets } from '../../../../src/edits/ui/review/keptSets.ts';
import { createReviewTargets } from '../../../../src/edits/ui/review/reviewTargets.ts';
import { until } from '../support/until.ts';

const lines = ['const tide = 1;', 'const keel = 2;', 'use(tide);', ''];

describe('Windows on one workspace', () => {
  let root: string;
  let file: Uri;
  const open: { dispose(): void }[] = [];

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'parley-kept-'));
    file = Uri.file(join(root, 'tide.ts'));
    await writeFile(file.fsPath, lines.join('\n'));
  });
  afterEach(async () => {
    for (const each of open.splice(0)) each.dispose();
    await rm(root, { recursive: true, force: true });
  });

  const nothing = async (): Promise<void> => {};
  const notices = { error: nothing, warn: nothing, info: nothing };
  const log = { warn: () => {}, error: () => {} } as unknown as Log;
  const contextOf = (storage: string) => ({
    storageUri: Uri.file(join(root, 'workspaceStorage', storage, 'parley.parley')),
    globalStorageUri: Uri.file(join(root, 'globalStorage', 'parley.parley')),
  });
  const fail = (error: unknown): never => {
    throw error;
  };
  const folderOf = (kind: string, storage: string) => {
    const folder = workspaceFolderFor(kind, contextOf(storage), isSetFile, fail);
    assert.ok(folder);
    return folder;
  };

  /** Opens a window: VS Code gives each another storage. */
  async function openWindow(storage: string): Promise<ChangeSets> {
    const sets = createChangeSets();
    const kept = keepSets(folderOf('proposed', storage), sets, notices, log);
    open.push(kept, sets);
    await kept.restore();
    return sets;
  }
  /** What a command means that is given before a window has what was kept, by the titles of its sets. */
  async function meantEarly(argument: unknown): Promise<string[] | undefined> {
    const sets = createChangeSets();
    const { path } = folderOf('proposed', 'ab12-1');
    let finish = (): void => {};
    const ready = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const kept = keepSets({ path, ready }, sets, notices, log);
    open.push(kept, sets);
    const editors = { reviewOf: () => undefined } as unknown as ReviewEditors;
    const found = createReviewTargets(sets, editors, kept.restore()).reviewed(argument);
    assert.deepEqual(titles(sets), []);
    finish();
    const document = (await found)?.document;
    return document && sets.all.filter(({ documents }) => documents.includes(document)).map(({ title }) => title);
  }
  function openCheckpoints(storage: string): Checkpoints {
    const checkpoints = createCheckpoints(folderOf('checkpoints', storage), log);
    open.push(checkpoints);
    return checkpoints;
  }
  function propose(sets: ChangeSets, title: string, line: number, text: string, uri = file): ChangeSet {
    const review = reviewFile(sets.find(uri.toString())?.pendingText ?? lines, [
      { line, removed: 1, inserted: [text] },
    ]);
    return sets.add({ title, instruction: '', files: [{ uri, isNew: false, review }] });
  }
  const titles = (sets: ChangeSets): string[] => sets.all.map(({ title }) => title);
  const pending = (sets: ChangeSets): string[][] =>
    sets.all.map((set) => set.documents.flatMap((each) => pendingOf(set, each).flatMap(({ proposed }) => proposed)));

  it('have what was proposed in one that VS Code gave another storage, and in one that is open', async () => {
    const one = await openWindow('ab12');
    propose(one, 'first', 0, 'const flood = 1;');
    const other = await openWindow('ab12-1');
    await until('the first', () => titles(other).length === 1);
    propose(other, 'second', 2, 'use(flood);');
    await until('the second', () => titles(one).length === 2);
    assert.deepEqual(titles(one), ['first', 'second']);
    assert.deepEqual(pending(one), [['const flood = 1;'], ['use(flood);']]);
    assert.deepEqual(pending(one), pending(other));
    assert.equal(
      one.find(file.toString())?.pendingText.join('\n'),
      ['const flood = 1;', lines[1], 'use(flood);', ''].join('\n'),
    );
  });

  it('have a decision wait that is made before what was kept is there', async () => {
    const one = await openWindow('ab12');
    propose(one, 'first', 0, 'const flood = 1;');
    const { path } = folderOf('proposed', 'ab12');
    await until('it is kept', async () => (await readdir(path)).some(isSetFile));
    assert.deepEqual(await meantEarly(file), ['first']);
    assert.deepEqual(await meantEarly(undefined), ['first']);
    assert.equal(await meantEarly(Uri.file(join(root, 'ebb.ts'))), undefined);
  });

  it('see what another decides on', async () => {
    const one = await openWindow('ab12');
    propose(one, 'first', 0, 'const flood = 1;');
    const second = propose(one, 'second', 2, 'use(flood);');
    const other = await openWindow('ab12-1');
    await until('both', () => titles(other).length === 2);
    one.remove(second);
    await until('one is left', () => titles(other).length === 1);
    assert.deepEqual(pending(other), [['const flood = 1;']]);
    const [left] = other.all;
    assert.ok(left);
    other.remove(left);
    await until('none is left', () => titles(one).length === 0);
    const folder = folderOf('proposed', 'ab12').path;
    await until('nothing is kept', async () => (await readdir(folder)).length === 0);
  });

  it('lose neither of two proposals for one file that are made at the same moment', async () => {
    const windows = [await openWindow('ab12'), await openWindow('ab12-1')] as const;
    const [one, other] = windows;
    const first = propose(one, 'first', 0, 'const flood = 1;');
    propose(other, 'second', 0, 'const ebb = 1;');
    const { path } = folderOf('proposed', 'ab12');
    await until('both are kept', async () => (await readdir(path)).filter(isSetFile).length === 2);
    assert.deepEqual(pending(one), [['const flood = 1;']]);
    assert.deepEqual(pending(other), [['const ebb = 1;']]);
    one.remove(first);
    for (const sets of windows) await until('the second', () => titles(sets).join() === 'second');
    assert.deepEqual(pending(one), [['const ebb = 1;']]);
  });

  it('keep the set that somebody decides on while what another proposes comes in', async () => {
    const one = await openWindow('ab12');
    const first = propose(one, 'first', 0, 'const flood = 1;');
    const other = await openWindow('ab12-1');
    await until('the first', () => titles(other).length === 1);
    propose(other, 'second', 2, 'use(flood);');
    await until('the second', () => titles(one).length === 2);
    assert.ok(one.all.includes(first));
    one.remove(first);
    await until('the second alone', () => titles(other).join() === 'second');
    assert.deepEqual(pending(one), pending(other));
  });

  it('come to rest: what one takes over, it does not write again', async () => {
    const one = await openWindow('ab12');
    propose(one, 'first', 0, 'const flood = 1;');
    const other = await openWindow('ab12-1');
    await until('the first', () => titles(other).length === 1);
    propose(other, 'second', 2, 'use(flood);');
    await until('the second', () => titles(one).length === 2);
    const { path } = folderOf('proposed', 'ab12');
    const written = async (): Promise<number[]> => {
      const names = (await readdir(path)).filter(isSetFile).sort();
      return Promise.all(names.map(async (name) => (await stat(join(path, name))).mtimeMs));
    };
    const before = await written();
    // Both look at all of it once more, as something else changes.
    const third = await openWindow('ab12-2');
    propose(third, 'of another file', 0, 'const flood = 1;', Uri.file(join(root, 'ebb.ts')));
    for (const sets of [one, other]) await until('all three', () => titles(sets).length === 3);
    assert.deepEqual((await written()).slice(0, 2), before);
  });

  it('lose nothing when somebody deletes the folder underneath', async () => {
    const one = await openWindow('ab12');
    propose(one, 'first', 0, 'const flood = 1;');
    const { path } = folderOf('proposed', 'ab12');
    const count = async (): Promise<number> => (await readdir(path).catch(() => [])).length;
    await until('it is kept', async () => (await count()) === 1);
    await rm(path, { recursive: true });
    await until('it is kept again', async () => (await count()) === 1);
    assert.deepEqual(titles(await openWindow('ab12-1')), ['first']);
    propose(one, 'second', 2, 'use(flood);');
    await until('the next, too', async () => (await count()) === 2);
  });

  it('have what earlier versions kept in the storage of any of them', async () => {
    const review = reviewFile(lines, [{ line: 0, removed: 1, inserted: ['const flood = 1;'] }], '17-1');
    const set = {
      id: '17-1',
      title: 'old',
      instruction: '',
      time: 17,
      files: [{ uri: file.toString(), isNew: false, review }],
    };
    const before = join(contextOf('ab12-1').storageUri.fsPath, 'proposed');
    await mkdir(before, { recursive: true });
    await writeFile(join(before, '17-1.json'), writeKeptSet(set) ?? '');
    const [one, other] = await Promise.all([openWindow('ab12'), openWindow('ab12-2')]);
    for (const sets of [one, other]) await until('the old one', () => titles(sets)[0] === 'old');
    assert.equal(existsSync(before), false);
  });

  it('have the restore points of each other, and those of earlier versions', async () => {
    const before = join(contextOf('ab12').storageUri.fsPath, 'checkpoints');
    await mkdir(before, { recursive: true });
    const old = { id: '17-1', title: 'old', time: 17, files: [{ uri: file.toString(), text: 'as it was' }] };
    await writeFile(join(before, '17-1.json'), writeCheckpoint(old));
    const [one, other] = [openCheckpoints('ab12'), openCheckpoints('ab12-1')];
    const sets = createChangeSets();
    open.push(sets);
    assert.equal(await one.keep(propose(sets, 'new', 0, 'const flood = 1;')), true);
    for (const window of [one, other]) {
      assert.deepEqual(
        (await window.list()).map(({ title }) => title),
        ['new', 'old'],
      );
    }
  });
});
