import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commands, Selection, Uri, window, workspace } from 'vscode';
import { Command } from '../../../../src/ids/ids.ts';
import { closeEditors } from '../support/editors.ts';
import { notification, waitFor } from '../support/hands.ts';

const row = '.pane-body .monaco-list-row';

describe('Find Similar to Selection', () => {
  const folder = join(workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'scratch', 'similar');

  before(async () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'sluice.ts'), 'const sluiceKeeper = raiseSluice(barge);\n');
    writeFileSync(join(folder, 'keeper.ts'), 'lowerSluice(sluiceKeeper, barge);\n');
    await commands.executeCommand(Command.searchIndex);
    await notification.clear();
  });
  after(async () => {
    await commands.executeCommand(Command.searchClear);
    await closeEditors();
    rmSync(folder, { recursive: true, force: true });
  });

  it('lists code like the selected, and not the selected', async () => {
    const editor = await window.showTextDocument(Uri.file(join(folder, 'sluice.ts')));
    editor.selection = new Selection(0, 0, 0, 40);
    await commands.executeCommand(Command.searchFindSimilar);
    await waitFor(`${row}:has-text("keeper.ts")`);
    await waitFor(`${row}:has-text("sluice.ts")`, { state: 'hidden' });
  });

  it('asks for a file of the workspace where none is open', async () => {
    await closeEditors();
    await commands.executeCommand(Command.searchFindSimilar);
    await notification.untilSaid('Open a file of the workspace');
    await notification.clear();
  });
});
