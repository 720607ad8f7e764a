/** Measures the review in a real VS Code, for `npm run bench -- edits`; only what is shown and written is asserted. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { commands, Position, Selection, type TextDocument, Uri, ViewColumn, window, workspace } from 'vscode';
import { Command } from '../../../../src/ids/ids.ts';
import { closeEditors } from '../support/editors.ts';
import { connectToScripted, type ScriptedService, startScripted } from '../support/scriptedService.ts';
import { disconnect, setting } from '../support/service.ts';
import { subject } from '../support/subject.ts';
import { until } from '../support/until.ts';

const figures: Record<string, number> = {};

describe('Figures of the review', () => {
  let model: ScriptedService;
  let folder: string;

  before(async () => {
    await subject().activate();
    model = await startScripted();
    await connectToScripted(model);
    await setting('parley.chat.model', 'm');
    folder = await mkdtemp(join(tmpdir(), 'parley-figures-'));
  });

  after(async () => {
    await setting('parley.chat.model', undefined);
    await disconnect();
    await model.close();
    await rm(folder, { recursive: true });
    const path = process.env.PARLEY_TEST_FIGURES;
    if (path !== undefined) await writeFile(path, JSON.stringify(figures));
  });

  async function openFile(name: string, lines: readonly string[], last: number): Promise<TextDocument> {
    const path = join(folder, name);
    await writeFile(path, lines.join('\n'));
    const document = await workspace.openTextDocument(path);
    const editor = await window.showTextDocument(document, { preview: false, viewColumn: ViewColumn.One });
    editor.selection = new Selection(new Position(0, 0), document.lineAt(last).range.end);
    return document;
  }

  it('20,000 lines with 300 changes', async () => {
    const lines = Array.from({ length: 20_000 }, (_, at) => (at % 5 === 4 ? '' : `export const value${at} = [${at}];`));
    const changed = lines.map((line, at) => (at % 66 === 1 && at < 66 * 300 ? `export const changed${at} = 0;` : line));
    const document = await openFile('long.ts', lines, lines.length - 1);
    // TypeScript reads the file when it is opened, which is not what is measured.
    await commands.executeCommand('vscode.executeDocumentSymbolProvider', document.uri);
    await commands.executeCommand('vscode.executeHoverProvider', document.uri, new Position(0, 14));
    await proposeAll(changed, true);
    await untilCalm();
    await acceptAll('accepted', document, changed);
    await commands.executeCommand('undo');
    assert.equal(document.getText(), lines.join('\n'));
    await window.showTextDocument(document, ViewColumn.One);
    await commands.executeCommand('editor.action.selectAll');
    await proposeAll(changed);
    await acceptAll('accepted at once', document, changed);
    await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await showPlain(changed);
    await replacePlain(lines, changed);
  });

  /** Has all that is selected changed, up to the review. */
  async function proposeAll(changed: readonly string[], isMeasured = false): Promise<void> {
    await untilCalm();
    let answeredAt = 0;
    model.answer(async (response) => {
      begin(response);
      response.write(event('```ts\n'));
      // A model takes a while for so many lines.
      await untilCalm();
      response.write(event(`${changed.join('\n')}\n\`\`\`\n`), () => {
        answeredAt = performance.now();
        end(response);
      });
    });
    const shown = firstSeen(/changed19735 /);
    const delay = monitorEventLoopDelay({ resolution: 1 });
    const proposing = commands.executeCommand(Command.editStart, { instruction: 'change them' });
    await until('the answer is sent', () => answeredAt > 0);
    delay.enable();
    const shownAt = await shown;
    if (isMeasured) figures['shown'] = shownAt - answeredAt;
    await proposing;
    delay.disable();
    if (isMeasured) figures['longest block while shown'] = delay.max / 1e6;
  }

  async function acceptAll(figure: string, document: TextDocument, changed: readonly string[]): Promise<void> {
    const written = firstSeen(/changed19735 /, document);
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const from = performance.now();
    const accepting = commands.executeCommand(Command.editAcceptFile, document.uri);
    figures[figure] = (await written) - from;
    await accepting;
    delay.disable();
    figures[`longest block while ${figure}`] = delay.max / 1e6;
    assert.equal(document.getText(), changed.join('\n'));
  }

  /** What VS Code itself needs to show a text of that size that it never saw, without marks and lenses. */
  async function showPlain(lines: readonly string[]): Promise<void> {
    const scheme = 'parley-plain';
    const provider = workspace.registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent: () => lines.join('\n'),
    });
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const from = performance.now();
    const shown = await workspace.openTextDocument(Uri.from({ scheme, path: '/plain.ts' }));
    figures['shown by VS Code alone'] = performance.now() - from;
    await window.showTextDocument(shown, { preview: false });
    delay.disable();
    figures['longest block while shown by VS Code alone'] = delay.max / 1e6;
    provider.dispose();
    await commands.executeCommand('workbench.action.closeActiveEditor');
  }

  /** What VS Code itself needs for the same 300 changes of the same file. */
  async function replacePlain(lines: readonly string[], changed: readonly string[]): Promise<void> {
    const document = await openFile('plain.ts', lines, 0);
    const editor = await window.showTextDocument(document, ViewColumn.One);
    await untilCalm();
    const written = firstSeen(/changed19735 /, document);
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const from = performance.now();
    const editing = editor.edit((builder) => {
      for (const [at, line] of changed.entries())
        if (line !== lines[at]) builder.replace(document.lineAt(at).range, line);
    });
    figures['accepted by VS Code alone'] = (await written) - from;
    assert.ok(await editing);
    delay.disable();
    figures['longest block while accepted by VS Code alone'] = delay.max / 1e6;
    await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }

  it('2,000 lines that stream at 2,000 tokens a second, while somebody types', async () => {
    const lines = Array.from({ length: 2_200 }, (_, at) =>
      at % 7 === 6 ? '' : `export const step${at} = [${at}, 'here', 'there', 'and'];`,
    );
    const changed = lines.map((line, at) =>
      at % 10 === 0 ? `export const streamed${at} = [${at}, 'in', 'other', 'words'];` : line,
    );
    const document = await openFile('stream.ts', lines, 1_999);
    const sentAt = new Map<number, number>();
    const seenAt = new Map<number, number>();
    const listening = workspace.onDidChangeTextDocument(({ document: shown }) => {
      if (shown.uri.scheme !== 'parley-edit') return;
      const now = performance.now();
      // VS Code changes no more than has to be: a change itself may hold half of a line.
      for (const [, number = ''] of shown.getText().matchAll(/streamed(\d+) /g))
        if (!seenAt.has(Number(number))) seenAt.set(Number(number), now);
    });
    model.answer(async (response) => {
      begin(response);
      response.write(event('```ts\n'));
      const began = performance.now();
      // A line is about ten tokens.
      for (let at = 0; at < 2_000; at++) {
        await due(began + at * 5);
        response.write(event(`${changed[at]}\n`));
        sentAt.set(at, performance.now());
      }
      response.write(event('```\n'));
      end(response);
    });
    const beside = await window.showTextDocument(document, ViewColumn.Two);
    const editor = await window.showTextDocument(document, ViewColumn.One);
    editor.selection = new Selection(0, 0, 1_999, document.lineAt(1_999).text.length);
    const delay = monitorEventLoopDelay({ resolution: 1 });
    const proposing = commands.executeCommand(Command.editStart, { instruction: 'stream it' });
    await until('the review is open', () => seenAt.size > 3);
    delay.enable();
    const typing: number[] = [];
    while (sentAt.size < 1_900) {
      if (window.activeTextEditor?.document !== document) await window.showTextDocument(document, ViewColumn.Two);
      beside.selection = new Selection(2_100, 0, 2_100, 0);
      const from = performance.now();
      await commands.executeCommand('type', { text: 'x' });
      typing.push(performance.now() - from);
      await due(performance.now() + 60);
    }
    await proposing;
    delay.disable();
    await until('all of it was seen', () => seenAt.size === 200);
    listening.dispose();
    const late = [...sentAt]
      .filter(([at]) => at % 10 === 0 && seenAt.has(at))
      .map(([at, sent]) => (seenAt.get(at) ?? 0) - sent);
    typing.sort((a, b) => a - b);
    late.sort((a, b) => a - b);
    figures['change seen, median'] = late[late.length >> 1] ?? 0;
    figures['change seen, latest'] = late.at(-1) ?? 0;
    figures['typing, median'] = typing[typing.length >> 1] ?? 0;
    figures['typing, 95 of 100'] = typing[Math.floor(typing.length * 0.95)] ?? 0;
    figures['longest block while it streams'] = delay.max / 1e6;
    assert.ok(late.length >= 190, `${late.length} were seen`);
    await commands.executeCommand(Command.editRejectSet, document.uri);
    await window.showTextDocument(document, ViewColumn.Two);
    await commands.executeCommand('workbench.action.files.revert');
    await closeEditors();
  });
});

/** Waits until VS Code's window has drawn what it was given, and answers at once. */
async function untilCalm(): Promise<void> {
  for (let quick = 0; quick < 40; ) {
    const from = performance.now();
    await commands.executeCommand('setContext', 'parley.test.calm', from);
    quick = performance.now() - from < 8 ? quick + 1 : 0;
    await due(performance.now() + 16);
  }
}

function begin(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
}

function event(content: string): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
}

function end(response: ServerResponse): void {
  response.end(
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`,
  );
}

/** Waits for a moment of the clock: this is the rate of a service, not a test that sleeps. */
async function due(time: number): Promise<void> {
  while (performance.now() < time)
    await new Promise((resolve) => setTimeout(resolve, Math.max(1, time - performance.now())));
}

/** When a text first stands in a review, or in a document. */
function firstSeen(pattern: RegExp, of?: TextDocument): Promise<number> {
  return new Promise((resolve) => {
    const isMeant = (document: TextDocument): boolean =>
      of === undefined ? document.uri.scheme === 'parley-edit' : document === of;
    const found = (document: TextDocument): void => {
      const now = performance.now();
      if (!isMeant(document) || !pattern.test(document.getText())) return;
      for (const each of listening) each.dispose();
      resolve(now);
    };
    const listening = [
      workspace.onDidChangeTextDocument(({ document }) => found(document)),
      workspace.onDidOpenTextDocument(found),
    ];
  });
}
