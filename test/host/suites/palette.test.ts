import assert from 'node:assert/strict';
import { commands } from 'vscode';
import { press, quickPick } from './hands.ts';
import { subject } from './subject.ts';

describe('The command palette', () => {
  it('lists the commands that need nothing selected, under Parley', async () => {
    await subject().activate();
    await commands.executeCommand('workbench.action.showCommands');
    await quickPick.filter('>Parley: ');
    const items = await quickPick.items();
    await press('Escape');
    await quickPick.untilClosed();
    for (const title of ['Connect', 'Set API Key', 'Test Connection', 'Index Workspace', 'Search Code by Meaning']) {
      assert.ok(items.includes(`Parley: ${title}`), `${title} is not among ${items.join(', ')}`);
    }
  });
});
