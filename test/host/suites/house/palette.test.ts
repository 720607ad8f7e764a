import assert from 'node:assert/strict';
import { commands, Selection, type TextEditor, window, workspace } from 'vscode';
import { closeEditors } from '../support/editors.ts';
import { press, quickPick, rightClick, texts, waitFor } from '../support/hands.ts';
import { subject } from '../support/subject.ts';

describe('The command palette', () => {
  it('lists the commands that need nothing selected, under Parley', async () => {
    await subject().activate();
    await commands.executeCommand('workbench.action.showCommands');
    for (const title of ['Connect', 'Set API Key', 'Test Connection', 'Index Workspace', 'Search Code by Meaning']) {
      await quickPick.filter(`>Parley: ${title}`);
      await quickPick.untilListed(`Parley: ${title}`);
    }
    await press('Escape');
    await quickPick.untilClosed();
  });

  it('lists the commands on a selection only where something is selected', async () => {
    const titles = ['Ask About Selection', 'Explain', 'Fix', 'Edit With Instruction', 'Find Similar to Selection'];
    const editor = await openBerths();
    editor.selection = new Selection(0, 0, 0, 0);
    await commands.executeCommand('workbench.action.showCommands');
    for (const title of titles) {
      await quickPick.filter(`>Parley: ${title}`);
      // What else matches is listed, or that nothing does.
      await waitFor('.quick-input-list .monaco-list-row');
      assert.ok(!(await quickPick.items()).includes(`Parley: ${title}`), title);
    }
    await press('Escape');
    editor.selection = new Selection(26, 0, 28, 1);
    await commands.executeCommand('workbench.action.showCommands');
    for (const title of titles) {
      await quickPick.filter(`>Parley: ${title}`);
      await quickPick.untilListed(`Parley: ${title}`);
    }
    await press('Escape');
    await closeEditors();
  });
});

describe('The menu of a file', () => {
  after(closeEditors);

  it('has one entry of Parley, apart from what renames and deletes', async () => {
    await openBerths();
    await commands.executeCommand('workbench.files.action.showActiveFileInExplorer');
    await rightClick('.explorer-folders-view .monaco-list-row[aria-label^="berths.ts"]');
    await waitFor('.monaco-menu .action-label:text-is("Delete Permanently")');
    const labels = await texts('.monaco-menu .action-item :is(.action-label:not(.separator), .action-label.separator)');
    assert.ok(!labels.some((label) => label.startsWith('Why Is This File')), labels.join(', '));
    assert.equal(labels.filter((label) => label === 'Parley').length, 1);
    const between = labels.slice(labels.findIndex((label) => label.startsWith('Rename')) + 1);
    assert.ok(between[0]?.startsWith('Delete Permanently'), labels.join(', '));
    await press('Escape');
  });
});

async function openBerths(): Promise<TextEditor> {
  await subject().activate();
  const [file] = await workspace.findFiles('src/berths.ts');
  assert.ok(file);
  return window.showTextDocument(file);
}
