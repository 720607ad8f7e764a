import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  commands,
  NotebookCellData,
  NotebookCellKind,
  type NotebookDocument,
  NotebookEdit,
  NotebookRange,
  type TextDocument,
  Uri,
  WorkspaceEdit,
  window,
  workspace,
} from 'vscode';
import type { Log } from '../../../../src/editor/log.ts';
import { writeKeptSet } from '../../../../src/edits/review/keptSet.ts';
import { reviewFile } from '../../../../src/edits/review/reviewedFile.ts';
import { createChangeSets } from '../../../../src/edits/ui/review/changeSet.ts';
import { restoreFiles } from '../../../../src/edits/ui/review/decide/restore.ts';
import { keepSets } from '../../../../src/edits/ui/review/keptSets.ts';
import { isReadOnly } from '../../../../src/edits/ui/target.ts';
import { Command } from '../../../../src/ids/ids.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { closeEditors } from '../support/editors.ts';
import { notification } from '../support/hands.ts';
import { connectTo, disconnect, startService } from '../support/service.ts';
import { subject } from '../support/subject.ts';
import { until } from '../support/until.ts';

// A channel made here would be that of Parley itself, which is one for each name.
const log = { warn: () => {}, error: () => {} } as unknown as Log;
const old = ['tide = 1', 'keel = 2'];
const changed = ['flood = 1', 'keel = 2'];

/** VS Code numbers the cells of a notebook anew when it opens it, so that what was kept by a number may mean another cell. */
describe('A cell of a notebook', () => {
  let folder: string;
  let notebook: NotebookDocument;
  let cell: TextDocument;
  let said: string[] = [];

  before(async () => {
    await subject().activate();
    folder = await mkdtemp(join(tmpdir(), 'parley-cells-'));
    const path = join(folder, 'tides.ipynb');
    const source = { cell_type: 'code', execution_count: null, metadata: {}, outputs: [], source: [] };
    await writeFile(path, JSON.stringify({ cells: [source], metadata: {}, nbformat: 4, nbformat_minor: 5 }));
    notebook = await workspace.openNotebookDocument(Uri.file(path));
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
  async function restore(isOfThisWindow: boolean, uri = cell.uri): Promise<void> {
    const file = { uri: uri.toString(), text: old.join('\n'), after: changed.join('\n') };
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

  describe('that was deleted while changes of it are proposed', () => {
    let service: ReferenceService;
    const uriOf = (at: number): Uri => notebook.cellAt(at).document.uri;

    before(async () => {
      service = await startService();
      await connectTo(service);
    });

    afterEach(async () => {
      await commands.executeCommand(Command.editRejectSet);
      await notification.clear();
    });

    after(async () => {
      await disconnect();
      await service.close();
    });

    async function change(edit: NotebookEdit): Promise<void> {
      const all = new WorkspaceEdit();
      all.set(notebook.uri, [edit]);
      assert.ok(await workspace.applyEdit(all));
    }

    /** A second cell, which the first is beside. */
    async function addCell(): Promise<Uri> {
      const data = new NotebookCellData(NotebookCellKind.Code, old.join('\n'), 'python');
      await change(NotebookEdit.insertCells(1, [data]));
      return uriOf(1);
    }

    it('is told of as a cell, which its notebook is not, and takes the change once it is back', async () => {
      const uri = await addCell();
      const request = { uri, lines: { first: 0, last: 1 }, instruction: 'rename tide to flood' };
      await commands.executeCommand(Command.editStart, request);
      await change(NotebookEdit.deleteCells(new NotebookRange(1, 2)));
      await commands.executeCommand(Command.editAcceptFile, uri);
      await notification.untilSaid('The cell of tides.ipynb is not there any more, so nothing was written.');
      await notification.clear();
      await commands.executeCommand(Command.editStart, request);
      await notification.untilSaid('The cell of tides.ipynb is not there any more, so there is nothing to edit.');
      assert.equal(notebook.cellCount, 1);
      await window.showNotebookDocument(notebook);
      await commands.executeCommand('undo');
      await until('the cell is back', () => notebook.cellCount === 2);
      await commands.executeCommand(Command.editAcceptFile, notebook.cellAt(1).document.uri);
      assert.equal(notebook.cellAt(1).document.getText(), changed.join('\n'));
      await change(NotebookEdit.deleteCells(new NotebookRange(1, 2)));
    });

    it('is told of as a cell by Restore', async () => {
      const uri = await addCell();
      await change(NotebookEdit.deleteCells(new NotebookRange(1, 2)));
      await restore(true, uri);
      assert.deepEqual(said, ['The cell of tides.ipynb is not there any more, so nothing was restored.']);
    });
  });
});
