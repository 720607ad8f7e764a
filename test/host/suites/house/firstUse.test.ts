import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { commands, lm, Range, workspace } from 'vscode';
import { Command, Tool, View } from '../../../../src/ids/ids.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { chat } from '../support/chatPanel.ts';
import { waitFor } from '../support/hands.ts';
import { connectTo, disconnect, startService } from '../support/service.ts';
import { extensionPath, subject } from '../support/subject.ts';

/** Whether the code of all features is in the extension host. */
const isLoaded = (): boolean =>
  Object.keys(createRequire(join(extensionPath(), 'package.json')).cache).some((path) => path.endsWith('features.cjs'));

describe('Where Parley was never used', () => {
  let service: ReferenceService;
  before(async () => {
    service = await startService();
    await subject().activate();
  });
  after(async () => {
    await disconnect();
    await service.close();
  });

  it('no feature is loaded, and all commands and tools are there', async () => {
    assert.equal(isLoaded(), false);
    const registered = await commands.getCommands(true);
    for (const id of Object.values(Command)) assert.ok(registered.includes(id), id);
    for (const name of Object.values(Tool)) {
      const found = lm.tools.some((tool) => tool.name === name);
      assert.ok(found, name);
    }
    assert.equal(isLoaded(), false);
  });

  it('a line without a problem loads nothing', async () => {
    const { uri } = await workspace.openTextDocument({ language: 'typescript', content: 'const tide = 1;\n' });
    await commands.executeCommand('vscode.executeCodeActionProvider', uri, new Range(0, 0, 0, 5));
    assert.equal(isLoaded(), false);
  });

  it('the first use loads all, once, and does what was asked, with its arguments and its error', async () => {
    // A view and two commands at the same time: all wait for one start.
    const [, ...failed] = await Promise.allSettled([
      commands.executeCommand(`${View.conversations}.focus`),
      commands.executeCommand(Command.searchQuery, 'tide', { limit: -1 }),
      commands.executeCommand(Command.searchQuery, 'tide', { limit: -2 }),
    ]);
    for (const each of failed) assert.match(String(each.status === 'rejected' && each.reason), /limit/);
    assert.equal(isLoaded(), true);
  });

  it('a view that was empty until then has its rows', async () => {
    await connectTo(service);
    await chat.ask('count to 3');
    await chat.untilAnswered('word3');
    await commands.executeCommand(`${View.conversations}.focus`);
    await waitFor('[role=treeitem]:has-text("count to 3")');
  });
});
