/** Proposed changes in a second window on the folder: VS Code gives it another storage, as the first has the folder's own. */
import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { commands, Selection, Uri, window, workspace } from 'vscode';
import { Command } from '../../../../src/ids/ids.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { closeEditors } from '../support/editors.ts';
import { screenshot, secondWindow, visible, waitFor } from '../support/hands.ts';
import { connectTo, disconnect, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

const second = { window: 'second' } as const;
const row = '.pane:has-text("Proposed Changes") .monaco-list-row:has-text("rename tide to flood")';

describe('Proposed changes in two windows', () => {
  let service: ReferenceService;
  let uri: Uri;

  before(async () => {
    service = await startService();
    await connectTo(service);
    const [root] = workspace.workspaceFolders ?? [];
    assert.ok(root);
    uri = Uri.joinPath(root.uri, 'two-windows.ts');
    await writeFile(uri.fsPath, 'use(tide);\nuse(keel);\nend(tide);\n');
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await screenshot('second-window-failed', { window: 'second' });
  });
  after(async () => {
    await secondWindow.close();
    await commands.executeCommand(Command.editRejectSet);
    await closeEditors();
    await rm(uri.fsPath, { force: true });
    await service.close();
    await disconnect();
  });

  it('are there in the second, and gone from it once they are rejected in the first', async () => {
    const editor = await window.showTextDocument(uri);
    editor.selection = new Selection(0, 0, 3, 0);
    await commands.executeCommand(Command.editStart, { instruction: 'rename tide to flood' });
    await waitFor(row);
    await secondWindow.open();
    await secondWindow.show('Parley', () => visible(row, second));
    await waitFor(row, second);
    await screenshot('proposed-second-window', { window: 'second' });
    await commands.executeCommand(Command.editRejectSet);
    await until('it is gone in the second', async () => !(await visible(row, second)));
  });
});
