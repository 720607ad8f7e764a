/** What is done in a window before it is reloaded and its suite runs. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commands, Position, Selection, Uri, ViewColumn, window, workspace } from 'vscode';
import { Command, View } from '../../../src/ids/ids.ts';
import type { ReferenceService } from '../../service/options.ts';
import { speechWav } from '../../support/speech.ts';
import { suiteMark } from '../suiteMark.ts';
import { chat, frame, setField, view } from './support/chatPanel.ts';
import { view as searchView } from './support/codeIndex.ts';
import { click, dialog, fill, focus, notification, press, quickPick, text, texts, waitFor } from './support/hands.ts';
import { connectTo, setting, startService } from './support/service.ts';
import { until } from './support/until.ts';

/**
 * The first time, leaves something in the window, and reloads it. VS Code runs its tests again in the extension host of the
 * reloaded window, where this does nothing.
 */
export async function reloadOnce(leave: () => Promise<void>): Promise<void> {
  const mark = outside('reloaded');
  if (existsSync(mark)) return;
  await leave();
  writeFileSync(mark, '');
  sayReady('the window is reloaded');
  void commands.executeCommand('workbench.action.reloadWindow');
  // This extension host ends here.
  await new Promise(() => {});
}

/** Leaves something of each feature: a whole index with its two documents in tabs, conversations, a review, a recording. */
export async function leaveAll(): Promise<void> {
  const service = await startService();
  await leaveIndex(service);
  await leaveTab();
  await leaveTexts();
  await leaveQueue(service);
  await leaveData();
  await leaveConversation();
  await leaveReview();
  await leaveRecording(service);
}

/**
 * Waits until VS Code has drawn the window anew, whatever it then shows: on a machine with a third of a core for it, that takes
 * longer than a test may wait for anything.
 */
export async function untilReloaded(): Promise<void> {
  sayReady('the reloaded window runs its tests');
  await waitFor(`${searchView} .monaco-button`, { timeout: 110_000 });
  sayReady('the reloaded window is drawn');
}

/** Each such line tells the launcher, which waits for tests to end, that the window is not hanging. */
export function sayReady(what: string): void {
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
  await setField('temperature', '0.25', view);
  await click('.drawer .link:text-is("System Prompt…")', view);
  await waitFor('.tab[data-resource-name="System Prompt.md"]');
  sayReady('a conversation has a model of its own');
}

/** Leaves a conversation with an answer that does not fit the schema that it was asked with, which is another one since. */
async function leaveData(): Promise<void> {
  const schema = { items: { type: 'string' } };
  await click('.parameters', view);
  await setField(
    'response_format',
    JSON.stringify({ type: 'json_schema', json_schema: { name: 'port', schema } }),
    view,
  );
  await press('Escape');
  await chat.ask('say: [7]');
  await waitFor('.data-fault:has-text("must be string, is number")', view);
  await click('.parameters', view);
  await setField('response_format', 'text', view);
  await press('Escape');
  await chat.ask('say: a text');
  await chat.untilAnswered('a text');
  await commands.executeCommand(Command.chatNew);
  sayReady('an answer is data');
}

/** Leaves a conversation in which a question waits for an answer that does not come. */
async function leaveQueue(service: ReferenceService): Promise<void> {
  service.setFault('stall');
  await chat.ask('say: held up');
  await service.waitForRequest(({ body }) => JSON.stringify(body ?? '').includes('say: held up'));
  service.setFault(undefined);
  await chat.ask('say: after the held one');
  await waitFor('.queue li:has-text("after the held one")', view);
  await commands.executeCommand(Command.chatNew);
  sayReady('a question waits');
}

/** A path beside the folder that is open, which is no part of what is indexed. */
export const outside = (name: string): string => join(workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', '..', name);

/** The file whose changes wait for a decision. */
export const reviewedFile = (): string => outside('tide.ts');

export const reviewedText = ['const tide = 1;', 'const keel = 2;', 'use(tide);', 'use(keel);', 'end(tide);', ''].join(
  '\n',
);

/** Leaves a review in sight, in a group of its own, with one of its three changes accepted and saved. */
async function leaveReview(): Promise<void> {
  writeFileSync(reviewedFile(), reviewedText);
  const document = await workspace.openTextDocument(reviewedFile());
  const editor = await window.showTextDocument(document, ViewColumn.Three);
  editor.selection = new Selection(new Position(0, 0), document.lineAt(document.lineCount - 1).range.end);
  await commands.executeCommand(Command.editStart, { instruction: 'rename tide to flood' });
  await commands.executeCommand(Command.editAccept, document.uri, 0);
  await document.save();
  await waitFor('.codelens-decoration:has-text("Accept All 2")');
  sayReady('a review is in sight');
}

/** The recording that was being translated, and the file with the port of the service that was at it. */
export const interruptedFile = (): string => outside('interrupted.wav');
export const portFile = (): string => outside('port');

/** Leaves a long recording of which three pieces came back, and the last is on its way. */
async function leaveRecording(service: ReferenceService): Promise<void> {
  writeFileSync(interruptedFile(), speechWav(200, 1));
  writeFileSync(portFile(), new URL(service.baseUrl).port);
  await setting('parley.audio.uploadLimit', 1);
  service.setFault('slow-first-byte');
  const uri = Uri.file(interruptedFile());
  void commands.executeCommand(Command.audioTranslate, uri, [uri]);
  const uploads = () => service.requests.filter(({ path }) => path.endsWith('/audio/translations'));
  const held = () => uploads().filter(({ fault }) => fault !== undefined);
  await until('three are held', () => held().length === 3);
  service.release();
  await until('they came back', () => uploads().filter(({ status }) => status === 200).length === 3);
  await until('the last is on its way', () => held().length === 4);
  sayReady('a recording is on its way');
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

/** Leaves a diagram and an attachment in tabs, whose texts are in the memory of the window alone. */
async function leaveTexts(): Promise<void> {
  const folder = Uri.joinPath(workspace.workspaceFolders?.[0]?.uri ?? Uri.file('/'), 'src', 'tides');
  await commands.executeCommand(Command.contextAdd, folder, [folder]);
  await waitFor('.composer .open-chip', view);
  await chat.ask('say: ````mermaid\nflowchart TD\n  Quay --> Berth\n````');
  await click('.messages > :last-child .code [aria-label="Open in Preview"]', view);
  await waitFor('.tab[aria-label*="Diagram.md"]');
  await commands.executeCommand('workbench.action.keepEditor');
  await click('.question .open-chip', view);
  await waitFor('.tab[aria-label*="tides∕"]');
  await commands.executeCommand('workbench.action.keepEditor');
  await commands.executeCommand(Command.chatNew);
  sayReady('a diagram and an attachment are in tabs');
}

async function leaveIndex(service: ReferenceService): Promise<void> {
  await connectTo(service);
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
