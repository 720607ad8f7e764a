import { commands } from 'vscode';
import { press, quickPick } from './hands.ts';
import { subject } from './subject.ts';

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
});
