import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commands, Position, Uri, WorkspaceEdit, window, workspace } from 'vscode';
import type { Log } from '../../../../src/editor/log.ts';
import { reviewFile } from '../../../../src/edits/review/reviewedFile.ts';
import { type ChangeSet, type ChangeSets, createChangeSets } from '../../../../src/edits/ui/review/changeSet.ts';
import { type Checkpoints, createCheckpoints } from '../../../../src/edits/ui/review/decide/checkpoints.ts';
import { createDecisions, type Decisions } from '../../../../src/edits/ui/review/decide/decisions.ts';
import { restoreFiles } from '../../../../src/edits/ui/review/decide/restore.ts';
import { closeEditors } from '../support/editors.ts';
import { until } from '../support/until.ts';

const content = ['const tide = 1;', 'const keel = 2;', 'use(tide);', ''].join('\n');

describe('A file that is deleted or renamed by a set of changes', () => {
  let folder: string;
  let uri: Uri;
  let to: Uri;
  let sets: ChangeSets;
  let checkpoints: Checkpoints;
  let decisions: Decisions;
  let said: string[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-whole-'));
    [uri, to] = ['tide.ts', 'flood.ts'].map((name) => Uri.file(join(folder, name))) as [Uri, Uri];
    await writeFile(uri.fsPath, content);
    said = [];
    const say = async (sentence: string): Promise<void> => void said.push(sentence);
    const notices = { error: async () => {}, warn: say, info: say };
    const log = { warn: () => {}, error: () => {} } as unknown as Log;
    const nothing = async (): Promise<void> => {};
    const editors = {
      open: nothing,
      close: nothing,
      isOpen: () => false,
      reviewOf: () => undefined,
      dispose: () => {},
    };
    sets = createChangeSets();
    checkpoints = createCheckpoints({ path: join(folder, 'checkpoints'), ready: Promise.resolve() }, log);
    decisions = createDecisions(notices, sets, editors, checkpoints);
  });

  afterEach(async () => {
    sets.dispose();
    checkpoints.dispose();
    for (const document of workspace.textDocuments) {
      if (!document.uri.path.startsWith(folder)) continue;
      await window.showTextDocument(document);
      await commands.executeCommand('workbench.action.files.revert');
    }
    await closeEditors();
    await rm(folder, { recursive: true });
  });

  const edits = [{ line: 2, removed: 1, inserted: ['use(flood);'] }];
  const review = (withEdits = false) => reviewFile(content.split('\n'), withEdits ? edits : []);
  const add = (whole: { isDeleted: true } | { renamedTo: Uri }, withEdits = false): ChangeSet =>
    sets.add({ title: 'a set', instruction: '', files: [{ uri, isNew: false, review: review(withEdits), ...whole }] });
  const restore = async (set: ChangeSet): Promise<void> => {
    const notices = { error: async () => {}, warn: async () => {}, info: async () => {} };
    await restoreFiles(checkpoints, notices, set.id);
  };
  const textAt = async (place: Uri): Promise<string> => (await workspace.openTextDocument(place)).getText();

  it('is deleted once that is accepted, and Restore makes it again', async () => {
    const set = add({ isDeleted: true });
    assert.equal(existsSync(uri.fsPath), true);
    await decisions.acceptSet(set);
    await until('it is gone', () => !existsSync(uri.fsPath));
    assert.deepEqual(sets.all, []);
    await restore(set);
    assert.equal(await readFile(uri.fsPath, 'utf8'), content);
    assert.equal(existsSync(uri.fsPath), true);
  });

  it('stays where that is rejected, and where it was typed in meanwhile', async () => {
    await decisions.rejectSet(add({ isDeleted: true }));
    assert.equal(await readFile(uri.fsPath, 'utf8'), content);
    const set = add({ isDeleted: true });
    await workspace.openTextDocument(uri);
    const edit = new WorkspaceEdit();
    edit.insert(uri, new Position(3, 0), 'mine();');
    assert.ok(await workspace.applyEdit(edit));
    await decisions.acceptSet(set);
    assert.equal(said.length, 1);
    assert.match(said[0] ?? '', /You changed the lines/);
    assert.equal(existsSync(uri.fsPath), true);
    assert.deepEqual(sets.all, [set]);
  });

  it('has another name once that is accepted, its other changes are decided on there, and Restore names it back', async () => {
    const set = add({ renamedTo: to }, true);
    const [document] = set.documents;
    assert.ok(document);
    const [rename] = document.file.hunks;
    await decisions.accept(document, new Set([rename?.id ?? -1]));
    await until('it has moved', () => document.uri.toString() === to.toString());
    assert.deepEqual([existsSync(uri.fsPath), existsSync(to.fsPath)], [false, true]);
    assert.equal(await textAt(to), content);
    await decisions.acceptSet(set);
    assert.equal(await textAt(to), content.replace('use(tide)', 'use(flood)'));
    assert.deepEqual(sets.all, []);
    await (await workspace.openTextDocument(to)).save();
    await restore(set);
    assert.deepEqual([existsSync(uri.fsPath), existsSync(to.fsPath)], [true, false]);
    assert.equal(await textAt(uri), content);
  });

  it('is renamed and changed at once, and the decision to rename it can be taken back', async () => {
    const set = add({ renamedTo: to }, true);
    const [document] = set.documents;
    assert.ok(document);
    const other = sets.add({
      title: 'another',
      instruction: '',
      files: [
        {
          uri,
          isNew: false,
          review: reviewFile([...document.pendingText], [{ line: 0, removed: 1, inserted: ['a'] }]),
        },
      ],
    });
    await decisions.accept(
      document,
      new Set(document.file.hunks.filter((hunk) => hunk.set === set.id).map(({ id }) => id)),
    );
    assert.equal(await textAt(to), content.replace('use(tide)', 'use(flood)'));
    assert.equal(existsSync(uri.fsPath), false);
    assert.deepEqual(sets.all, [other]);
    const next = sets.add({
      title: 'back',
      instruction: '',
      files: [{ uri: to, isNew: false, review: reviewFile([...document.pendingText], []), renamedTo: uri }],
    });
    await decisions.accept(
      document,
      new Set(document.file.hunks.filter((hunk) => hunk.set === next.id).map(({ id }) => id)),
    );
    assert.equal(existsSync(uri.fsPath), true);
    await decisions.acceptSet(other);
    assert.equal(await textAt(uri), content.replace('const tide = 1;', 'a').replace('use(tide)', 'use(flood)'));
  });

  it('keeps its name where another file has the new one by now', async () => {
    const set = add({ renamedTo: to });
    await writeFile(to.fsPath, 'taken');
    await decisions.acceptSet(set);
    assert.deepEqual(said, ['flood.ts is there already, so nothing was written.']);
    assert.equal(await readFile(to.fsPath, 'utf8'), 'taken');
    assert.deepEqual(sets.all, [set]);
  });
});
