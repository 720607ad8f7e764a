/** The default keys of Parley, in the VS Code and on the platform that this runs on. */
import assert from 'node:assert/strict';
import { commands, Selection, window, workspace } from 'vscode';
import { Command } from '../../../../src/ids/ids.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { chat, frame, view } from '../support/chatPanel.ts';
import { closeEditors } from '../support/editors.ts';
import { click, inputBox, press, quickPick, screenshot, type, visible, waitFor } from '../support/hands.ts';
import { connectTo, disconnect, startService } from '../support/service.ts';
import { subject } from '../support/subject.ts';
import { until } from '../support/until.ts';

const tab = { frame, place: 'tab' } as const;

interface Keybinding {
  readonly key: string;
  readonly command: string;
  readonly when?: string;
}

/** The keys of ours that no list of ours has to be open for. */
function ownKeys(): Keybinding[] {
  const { contributes } = subject().packageJSON as { contributes: { keybindings: Keybinding[] } };
  return contributes.keybindings.filter(({ key }) => key.startsWith('ctrl+k '));
}

describe('Default keys', () => {
  let service: ReferenceService;
  before(async () => {
    service = await startService();
    await connectTo(service);
  });
  after(async () => {
    await disconnect();
    await service.close();
  });
  beforeEach(async () => {
    await commands.executeCommand(Command.chatNew);
    await chat.untilFocused();
    const [file] = await workspace.findFiles('src/berths.ts');
    assert.ok(file);
    const editor = await window.showTextDocument(file);
    editor.selection = new Selection(26, 0, 28, 1);
    await until('the editor has the focus', () => visible('.editor-instance .monaco-editor.focused'));
  });
  afterEach(closeEditors);

  it('are free in VS Code', async () => {
    await commands.executeCommand('workbench.action.openDefaultKeybindingsFile');
    const text = await until('the list is there', () => {
      const shown = window.activeTextEditor?.document.getText() ?? '';
      return shown.includes('"key"') ? shown : undefined;
    });
    const all = [...text.matchAll(/\{ "key": "([^"]+)",\s*"command": "([^"]+)"/g)];
    assert.ok(all.length > 500 && all.some(([, key]) => key === 'ctrl+k ctrl+s'), `${all.length} keys`);
    const keys = new Set(ownKeys().map(({ key }) => key));
    const others = all.filter(([, key = '', command = '']) => keys.has(key) && !command.startsWith('parley.'));
    assert.deepEqual(others, []);
    assert.equal(keys.size, 3);
  });

  it('ask about the selection, or, where nothing is selected, put the caret into the box', async () => {
    await press('Control+K');
    await press('Shift+A');
    await chat.untilFocused();
    await waitFor('.composer .chip:has-text("berths.ts:27-29")', { frame });
    await commands.executeCommand('workbench.action.focusActiveEditorGroup');
    const editor = window.activeTextEditor;
    assert.ok(editor);
    editor.selection = new Selection(0, 0, 0, 0);
    // The editor has the selection a moment after its document: the key would still ask about the old one.
    await waitFor('.statusbar-item-label:text-is("Ln 1, Col 1")');
    await until('the editor has the focus', () => visible('.editor-instance .monaco-editor.focused'));
    await press('Control+K');
    await press('Shift+A');
    await chat.untilFocused();
    await commands.executeCommand(Command.chatNew);
  });

  it('edit with an instruction', async () => {
    await press('Control+K');
    await press('Shift+E');
    assert.match(await inputBox.message(), /Edit/);
    await press('Escape');
  });

  for (const [where, place, open] of [
    ['the view', view, async () => undefined],
    ['a tab', tab, () => commands.executeCommand(Command.chatOpenInEditor)],
  ] as const) {
    it(`find in the conversation, in ${where}`, async () => {
      await commands.executeCommand(Command.chatAsk, 'say: a needle');
      await open();
      await click('.composer .box', place);
      await press('Control+F');
      await waitFor('.find-box:focus', place);
      await type('needle');
      await waitFor('.find-place:text-is("Message 1 of 2")', place);
      await press('Enter');
      await waitFor('.find-place:text-is("Message 2 of 2")', place);
      await screenshot(`find-${place.place}`);
      await press('Escape');
      await waitFor('.composer .box:focus', place);
    });
  }

  it('find in the conversation by the command, wherever the focus is, and leave the key to the editor', async () => {
    await commands.executeCommand(Command.chatAsk, 'say: a needle');
    await commands.executeCommand('workbench.action.focusActiveEditorGroup');
    await press('Control+F');
    await waitFor('.find-widget.visible');
    await press('Escape');
    await commands.executeCommand(Command.chatFind);
    await waitFor('.find-box:focus', view);
    await press('Escape');
  });

  it('search code, also while the chat has the focus', async () => {
    await commands.executeCommand(Command.chatAsk);
    await chat.untilFocused();
    await press('Control+K');
    await press('Shift+S');
    await until('the search is open', () => visible('.quick-input-widget .quick-input-title:has-text("Search Code")'));
    await press('Escape');
    await quickPick.untilClosed();
  });
});
