import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commands, type TextDocument, Uri, WorkspaceEdit, window, workspace } from 'vscode';
import type { Log } from '../../../../src/editor/log.ts';
import { writeKeptSet } from '../../../../src/edits/review/keptSet.ts';
import { reviewFile } from '../../../../src/edits/review/reviewedFile.ts';
import { createChangeSets } from '../../../../src/edits/ui/review/changeSet.ts';
import { restoreFiles } from '../../../../src/edits/ui/review/decide/restore.ts';
import { keepSets } from '../../../../src/edits/ui/review/keptSets.ts';
import { isReadOnly } from '../../../../src/edits/ui/target.ts';
import { closeEditors } from '../support/editors.ts';
import { subject } from '../support/subject.ts';

// A channel made here would be that of Parley itself, which is one for each name.
const log = { warn: () => {}, error: () => {} } as unknown as Log;
const old = ['tide = 1', 'keel = 2'];
const changed = ['flood = 1', 'keel = 2'];

/** VS Code numbers the cells of a notebook anew when it opens it, so that what was kept by a number may mean another cell. */
describe('A cell of a notebook', () => {
  let folder: string;
  let cell: TextDocument;
  let said: string[] = [];

  before(async () => {
    await subject().activate();
    folder = await mkdtemp(join(tmpdir(), 'parley-cells-'));
    const path = join(folder, 'tides.ipynb');
    const source = { cell_type: 'code', execution_count: null, metadata: {}, outputs: [], source: [] };
    await writeFile(path, JSON.stringify({ cells: [source], metadata: {}, nbformat: 4, nbformat_minor: 5 }));
    const notebook = await workspace.openNotebookDocument(Uri.file(path));
    await window.showNotebookDocument(notebook);
    cell = notebook.cellAt(0).document;
  });

  beforeEach(() => {
    said = [];
  });

  after(async () => {
    await commands.executeCommand('workbench.action.files.save');
    await closeEditors();
    await rm(folder, { recursive: true });
  });

  const say = async (sentence: string): Promise<void> => void said.push(sentence);
  const notices = { error: async () => {}, warn: say, info: say };

  async function write(lines: readonly string[]): Promise<void> {
    const edit = new WorkspaceEdit();
    const end = cell.lineAt(cell.lineCount - 1).range.end;
    edit.replace(cell.uri, cell.validateRange(cell.lineAt(0).range.with({ end })), lines.join('\n'));
    assert.ok(await workspace.applyEdit(edit));
  }

  /** Restores the old text of the cell. @param isOfThisWindow whether the window was not reloaded since it was kept */
  async function restore(isOfThisWindow: boolean): Promise<void> {
    const file = { uri: cell.uri.toString(), text: old.join('\n'), after: changed.join('\n') };
    const checkpoints = {
      keep: async () => true,
      wrote: async () => {},
      isOfThisWindow: () => isOfThisWindow,
      list: async () => [{ id: '1-1', title: 'a set', time: 1, files: [file] }],
      dispose: () => {},
    };
    await restoreFiles(checkpoints, notices, '1-1');
  }

  it('can only be read where its notebook can, also by Restore', async () => {
    await write(changed);
    assert.equal(await isReadOnly(cell), false);
    const files = workspace.getConfiguration('files');
    await files.update('readonlyInclude', { '**/tides.ipynb': true }, true);
    try {
      assert.equal(await isReadOnly(cell), true);
      await restore(true);
      assert.deepEqual(said, ['tides.ipynb can only be read, not edited.']);
      assert.equal(cell.getText(), changed.join('\n'));
    } finally {
      await files.update('readonlyInclude', undefined, true);
    }
  });

  it('is restored after a reload where its text is known, and nothing is where it is not', async () => {
    await write(['another', 'cell']);
    await restore(false);
    assert.deepEqual(said, ['It cannot be told which cell of tides.ipynb was changed, so nothing was restored.']);
    assert.equal(cell.getText(), 'another\ncell');
    await write(changed);
    await restore(false);
    assert.equal(cell.getText(), old.join('\n'));
    await write(['typed', 'since']);
    await restore(true);
    assert.equal(cell.getText(), old.join('\n'));
  });

  it('has its proposed changes after a reload where its text is the same, and no others', async () => {
    await mkdir(join(folder, 'proposed'));
    const review = reviewFile(old, [{ line: 0, removed: 1, inserted: ['flood = 1'] }], '1-1');
    const set = {
      id: '1-1',
      title: 'a set',
      instruction: '',
      time: 1,
      files: [{ uri: cell.uri.toString(), isNew: false, review }],
    };
    const proposedFor = async (lines: readonly string[]): Promise<number> => {
      await write(lines);
      await writeFile(join(folder, 'proposed', '1-1.json'), writeKeptSet(set) ?? '');
      const sets = createChangeSets();
      const kept = keepSets({ path: join(folder, 'proposed'), ready: Promise.resolve() }, sets, notices, log);
      await kept.restore();
      const { length } = sets.all;
      kept.dispose();
      sets.dispose();
      return length;
    };
    assert.equal(await proposedFor(['another', 'cell']), 0);
    assert.equal(said.length, 1);
    assert.match(said[0] ?? '', /which cell of tides\.ipynb/);
    assert.equal(await proposedFor(old), 1);
    assert.equal(said.length, 1);
  });
});
