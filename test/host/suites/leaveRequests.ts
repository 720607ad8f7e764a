/** What is left of requests and answers in a window before it is reloaded and its suite runs. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { commands, Uri, window, workspace } from 'vscode';
import { Command } from '../../../src/ids/ids.ts';
import type { ReferenceService } from '../../service/options.ts';
import { outside, sayReady } from './beforeReload.ts';
import { chat, setField, view } from './support/chatPanel.ts';
import { click, fill, press, quickPick, texts, waitFor } from './support/hands.ts';
import { setting, startService } from './support/service.ts';
import { until } from './support/until.ts';

const portFile = (): string => outside('port');
const inWorkspace = (path: string): string =>
  Uri.joinPath(workspace.workspaceFolders?.[0]?.uri ?? Uri.file('/'), path).fsPath;

/** The file that code of an answer was inserted into. */
export const markedFile = (): string => inWorkspace('src/inserted.js');

/** A service that asks for no key, which a second window has not. After the reload, it has the address that it had. */
export async function startKeyless(isAgain = false): Promise<ReferenceService> {
  const ids = ['parley-chat-fault-400', 'parley-chat-fault-hold', 'large-fault-hold'];
  const service = await startService({
    key: null,
    listed: ids.map((id) => ({ id })),
    ...(isAgain && { port: Number(readFileSync(portFile(), 'utf8')) }),
  });
  writeFileSync(portFile(), new URL(service.baseUrl).port);
  await setting('parley.baseUrl', service.baseUrl);
  await setting('parley.chat.model', 'parley-chat');
  return service;
}

/** The requests for answers that reached a service. */
export const asked = (service: ReferenceService) =>
  service.requests
    .filter(({ path }) => path.endsWith('/chat/completions'))
    .map(({ body }) => body as Readonly<Record<string, unknown>>);

/** Writes a question and has these answer it beside the conversation's own model. */
export async function compare(question: string, ...others: string[]): Promise<void> {
  await chat.open();
  await fill('.box', question, view);
  await click('[aria-label="Compare Answers…"]', view);
  await quickPick.untilListed('large-fault-hold');
  for (const each of others) await quickPick.choose(each);
  await press('Enter');
  await quickPick.untilClosed();
}

export async function leaveRequests(): Promise<void> {
  const service = await startKeyless();
  await chat.open();
  await leaveVersions();
  await leaveUnbegun();
  await leaveConfigured();
  await leaveConfidence();
  await leaveReplay(service);
  await leaveColumns();
}

/** Waits until VS Code has drawn the window anew. */
export async function untilRequestsAreBack(): Promise<void> {
  sayReady('the reloaded window runs its tests');
  await waitFor('.stage', { ...view, timeout: 110_000 });
  sayReady('the reloaded window is drawn');
}

async function keepOpen(scheme: string): Promise<void> {
  await until(`a ${scheme} is open`, () => window.activeTextEditor?.document.uri.scheme === scheme);
  await commands.executeCommand('workbench.action.keepEditor');
}

/** Leaves three versions of an answer to one request, and in tabs: two of them compared, the exchange, the request as JSON. */
async function leaveVersions(): Promise<void> {
  await commands.executeCommand(Command.chatParameters);
  await setField('n', '3', view);
  await press('Escape');
  await chat.ask('say: thrice');
  await until(
    'three are there',
    async () => (await texts('.column .markdown', view)).join() === 'thrice,thrice,thrice',
  );
  await click('.column >> nth=2 >> [aria-label="Diff With…"]', view);
  await quickPick.choose('Version 1');
  await keepOpen('parley-version');
  void commands.executeCommand(Command.showExchanges);
  await quickPick.choose('POST chat/completions');
  await quickPick.untilListed('Open');
  await quickPick.choose('Open');
  await keepOpen('parley-exchange');
  await commands.executeCommand(Command.chatRequest);
  await keepOpen('parley-conversation');
  sayReady('an answer has three versions');
}

/** Leaves the request of a conversation in which nothing was asked in a tab. */
async function leaveUnbegun(): Promise<void> {
  await commands.executeCommand(Command.chatNew);
  await waitFor('.stage', view);
  await commands.executeCommand(Command.chatSystemPrompt);
  await keepOpen('parley-conversation');
  sayReady('a conversation has no file');
}

/** Leaves a conversation with a preset and a schema that were chosen, and an answer by them. */
async function leaveConfigured(): Promise<void> {
  const written = {
    '.parley/presets/warm.json': { model: 'parley-chat-large', temperature: 0.9, seed: 3 },
    '.parley/schemas/ports.json': { items: { type: 'string' } },
  };
  for (const [path, content] of Object.entries(written)) {
    mkdirSync(dirname(inWorkspace(path)), { recursive: true });
    writeFileSync(inWorkspace(path), JSON.stringify(content));
  }
  await commands.executeCommand(Command.chatNew);
  await waitFor('.stage', view);
  void commands.executeCommand(Command.chatPresets);
  await quickPick.choose('warm');
  await quickPick.untilClosed();
  void commands.executeCommand(Command.chatSchema);
  await quickPick.choose('ports');
  await quickPick.untilClosed();
  await chat.ask('say: [7]');
  await waitFor('.data-fault:has-text("must be string, is number")', view);
  sayReady('a preset and a schema are chosen');
}

/** Leaves code of an answer in a file, with lines below unsure words, and a fork of the answer. */
async function leaveConfidence(): Promise<void> {
  await commands.executeCommand(Command.chatNew);
  await setting('parley.chat.extraBody', { logprobs: true, top_logprobs: 3 });
  writeFileSync(markedFile(), '\n');
  await window.showTextDocument(Uri.file(markedFile()), { preview: false });
  await chat.ask('say: Sure:\n\n```js\nfunction tideAt(hour) {\n  const low = 3;\n  return hour - low;\n}\n```');
  await chat.untilAnswered('Sure');
  await click('.messages > :last-child .code [aria-label="Insert at Cursor"]', view);
  await waitFor('.editor-instance .view-line span[class*="ced-"]');
  await window.activeTextEditor?.document.save();
  await click('.messages > :last-child .actions [aria-label="How Sure the Model Was"]', view);
  await waitFor('.confidence-text', view);
  await click('.confidence-steps [aria-label="Next Unsure Word"]', view);
  await click('.confidence-detail .fork-token', view);
  await waitFor('.answer .versions:has-text("2 / 2")', view);
  await chat.untilAnswered();
  await setting('parley.chat.extraBody', undefined);
  sayReady('an answer is forked');
}

/** Leaves a replay on its way. */
async function leaveReplay(service: ReferenceService): Promise<void> {
  await commands.executeCommand(Command.chatNew);
  await chat.ask('count to 30');
  await chat.untilAnswered('word30');
  service.setFault('hold');
  await click('.answer:last-of-type details.summary > summary', view);
  await click('.answer:last-of-type .detail-links .link:text-is("Replay")', view);
  await waitFor('.answer.streaming:has-text("word1")', view);
  service.setFault(undefined);
  await commands.executeCommand(Command.chatNew);
  sayReady('a replay is on its way');
}

/** Leaves columns in sight: one answer whole, one failed, one being written. */
async function leaveColumns(): Promise<void> {
  await chat.open();
  await compare('count to 40', 'parley-chat-fault-400', 'large-fault-hold');
  await waitFor('.column .error', view);
  await waitFor('.column:has-text("word40")', view);
  await waitFor('.column:has(.answer.streaming):has-text("word1")', view);
  sayReady('answers are in columns');
}
