/** What is done in a window before it is reloaded and its suite runs. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commands, workspace } from 'vscode';
import { Command, View } from '../../../src/ids.ts';
import { suiteMark } from '../suiteMark.ts';
import { chat, frame, view } from './support/chatPanel.ts';
import {
  click,
  dialog,
  fill,
  focus,
  inputBox,
  notification,
  press,
  quickPick,
  text,
  texts,
  waitFor,
} from './support/hands.ts';
import { connectTo, startService } from './support/service.ts';
import { until } from './support/until.ts';

/**
 * The first time, leaves a whole index, and its two documents in tabs, and reloads the window. VS Code runs its tests again in
 * the extension host of the reloaded window, where this does nothing.
 */
export async function reloadOnce(): Promise<void> {
  // Outside of the folder, so that it is no part of what is indexed.
  const mark = join(workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', '..', 'reloaded');
  if (existsSync(mark)) return;
  await leaveIndex();
  await leaveTab();
  await leaveConversation();
  writeFileSync(mark, '');
  sayReady('the window is reloaded');
  void commands.executeCommand('workbench.action.reloadWindow');
  // This extension host ends here.
  await new Promise(() => {});
}

/** Each such line tells the launcher, which waits for tests to end, that the window is not hanging. */
function sayReady(what: string): void {
  console.log(`${suiteMark}ready  ${what}`);
}

export async function untilReportIsDrawn(): Promise<void> {
  const preview = { frame: 'body', extension: 'vscode.markdown-language-features' };
  await until('the report is drawn', async () => (await text('body', preview)).includes('Files by meaning'));
}

/** Leaves a conversation with a model and a temperature of its own. */
async function leaveConversation(): Promise<void> {
  await chat.ask('say: before the reload');
  await chat.untilAnswered('before the reload');
  await click('.model', view);
  await quickPick.untilAsked('The model that answers in this conversation');
  await quickPick.choose('parley-chat-large');
  await until('it is shown', async () => (await text('.model-name', view)) === 'parley-chat-large');
  await click('.parameters', view);
  await quickPick.choose('Temperature');
  await inputBox.enter('0.25', 'Temperature');
  await quickPick.untilAsked('What the next question is asked with');
  await quickPick.choose('System Prompt…');
  await waitFor('.tab[data-resource-name="System Prompt.md"]');
  sayReady('a conversation has a model of its own');
}

export const tab = { frame, place: 'tab' } as const;

/** Leaves a conversation in a tab, in a group of its own, with a draft in its box, scrolled to its beginning. */
async function leaveTab(): Promise<void> {
  await commands.executeCommand(Command.chatAsk, 'count to 1500', { newConversation: true });
  await commands.executeCommand(Command.chatOpenInEditor);
  await waitFor('.answer:has-text("word1500")', tab);
  await commands.executeCommand('workbench.action.moveEditorToNextGroup');
  await waitFor('.answer:has-text("word1500")', tab);
  await focus('.conversation', tab);
  await press('Home');
  await waitFor('.latest', tab);
  await fill('.box', 'a draft', tab);
  // In the view, there is another one.
  await commands.executeCommand('parley.chat.focus');
  await click('.box', view);
  await commands.executeCommand(Command.chatNew);
  sayReady('a conversation is in a tab');
}

async function leaveIndex(): Promise<void> {
  await connectTo(await startService());
  sayReady('a service is connected');
  await commands.executeCommand(`${View.search}.focus`);
  const running = commands.executeCommand(Command.searchIndex);
  await dialog.press('Show Details');
  await waitFor('.tab[data-resource-name="Before Indexing.txt"]');
  // A preview tab would give way to the next document.
  await commands.executeCommand('workbench.action.keepEditor');
  await notification.press('Index Now');
  await running;
  await until('the index is whole', async () =>
    (await texts('.statusbar-item[id$="parley.search"]')).join().includes('files'),
  );
  // What is said at the end would stand before the message box.
  await notification.untilSaid('Indexed');
  await notification.clear();
  sayReady('the index is whole');
  await commands.executeCommand(Command.searchReport);
  // Not until it is drawn: VS Code can be closed before.
  await waitFor('.tab[aria-label*="Index Report"]');
}
