import assert from 'node:assert/strict';
import { rmSync, symlinkSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type CodeAction,
  commands,
  Diagnostic,
  DiagnosticSeverity,
  LanguageModelTextPart,
  languages,
  lm,
  Range,
  TabInputText,
  Uri,
  window,
  workspace,
} from 'vscode';
import { splitLines } from '../../../../src/base/lines.ts';
import { reviewFile } from '../../../../src/edits/review/reviewedFile.ts';
import { createChangeSets } from '../../../../src/edits/ui/review/changeSet.ts';
import { createDecisions } from '../../../../src/edits/ui/review/decide/decisions.ts';
import { Command, Tool } from '../../../../src/ids/ids.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { chat, frame } from '../support/chatPanel.ts';
import { closeEditors } from '../support/editors.ts';
import { click, notification, press, texts, waitFor } from '../support/hands.ts';
import { connectTo, disconnect, startService } from '../support/service.ts';
import { subject } from '../support/subject.ts';
import { until } from '../support/until.ts';

const view = '.pane:has(.pane-header:has-text("Proposed Changes"))';

const berths = 'src/berths.ts';
const mail = 'src/mail.ts';
const notices = 'src/notices.ts';
const oldLine = 'export const UNDER_KEEL_CLEARANCE = 0.5;';
const newLine = 'export const UNDER_KEEL_CLEARANCE = 0.7;';
const oldMailer = '  send(to: string, subject: string, text: string): Promise<void>;';
const newMailer = '  send(to: string, subject: string, text: string, isUrgent?: boolean): Promise<void>;';

const answer = [
  'Three files change.',
  '',
  `\`\`\`ts ${berths}`,
  newLine,
  '```',
  '',
  `\`\`\`ts ${mail}`,
  'export interface Mailer {',
  newMailer,
  '}',
  '```',
  '',
  `\`\`\`ts ${notices}`,
  "export const notice = 'The tide is low.';",
  '```',
].join('\n');

describe('A set of changes over several files', () => {
  let service: ReferenceService;

  before(async () => {
    await subject().activate();
    service = await startService();
    await connectTo(service);
  });

  afterEach(async () => {
    await commands.executeCommand(Command.editRejectSet);
    await notification.clear();
    await commands.executeCommand('workbench.action.files.revert');
    for (const path of [berths, mail]) {
      await window.showTextDocument(await workspace.openTextDocument(inWorkspace(path)));
      await commands.executeCommand('workbench.action.files.revert');
    }
    await closeEditors();
    await rm(inWorkspace(notices).fsPath, { force: true });
  });

  after(async () => {
    await disconnect();
    await service.close();
  });

  function inWorkspace(path: string): Uri {
    const [root] = workspace.workspaceFolders ?? [];
    assert.ok(root);
    return Uri.joinPath(root.uri, path);
  }

  const textOf = async (path: string): Promise<string> =>
    (await workspace.openTextDocument(inWorkspace(path))).getText();
  const hasReview = (): boolean =>
    window.tabGroups.all.some(({ tabs }) =>
      tabs.some(({ input }) => input instanceof TabInputText && input.uri.scheme === 'parley-edit'),
    );

  async function pressReview(said: string): Promise<void> {
    await commands.executeCommand(Command.chatNew);
    await commands.executeCommand(Command.chatAsk, `say: ${said}`);
    await chat.open();
    await click('.messages > :last-child [aria-label="Review Changes to Files"]', { frame });
  }

  async function proposeAnswer(): Promise<void> {
    await pressReview(answer);
    await until('the review', hasReview);
  }

  it('comes from an answer of the chat, is listed with counts, and is accepted at once; Restore takes it back', async () => {
    await proposeAnswer();
    await waitFor(`${view} .monaco-list-row:has-text("notices.ts")`);
    const rows = (await texts(`${view} .monaco-list-row`)).map((text) => text.replaceAll(/\s+/g, ' '));
    assert.ok(
      rows.some((row) => /berths\.ts.*\+1 −1/.test(row)),
      rows.join('; '),
    );
    assert.ok(
      rows.some((row) => /notices\.ts.*new, \+1 −0/.test(row)),
      rows.join('; '),
    );
    await commands.executeCommand(Command.editAcceptSet);
    await notification.untilSaid('Changes accepted: 3, in files: 3.');
    assert.ok((await textOf(berths)).includes(newLine));
    assert.ok((await textOf(mail)).includes(newMailer));
    const made = workspace.textDocuments.find(({ uri }) => uri.path.endsWith(notices));
    assert.equal(made?.isUntitled, true);
    assert.equal(made.getText().trim(), "export const notice = 'The tide is low.';");
    assert.ok((await readFile(inWorkspace(berths).fsPath, 'utf8')).includes(oldLine), 'nothing is saved');
    assert.equal(hasReview(), false);
    await notification.press('Restore');
    await until('all is as before', async () => (await textOf(berths)).includes(oldLine));
    assert.ok((await textOf(mail)).includes(oldMailer));
    await until('the new file is empty', () => made.isClosed || made.getText().trim() === '');
  });

  it('has no file that is outside of the workspace: its block is asked about, and the others are proposed', async () => {
    await pressReview(answer.replace(notices, '../notices.ts'));
    await notification.untilSaid('The place of 1 block is not sure');
    assert.equal(hasReview(), false);
    await notification.clear();
    await until('the others are proposed', () => hasReview());
    const open = workspace.textDocuments.map(({ uri }) => decodeURIComponent(uri.query));
    assert.deepEqual(
      open.filter((address) => address.endsWith('notices.ts')),
      [],
    );
    await commands.executeCommand(Command.editRejectSet);
  });

  it('leads from file to file as each is decided on', async () => {
    await proposeAnswer();
    const shown = (): string => decodeURIComponent(window.activeTextEditor?.document.uri.query ?? '');
    await until('the first', () => shown().endsWith(berths));
    await waitFor('.codelens-decoration:visible:has-text("Accept")');
    await press('Control+Enter');
    await until('the second', () => shown().endsWith(mail));
    await waitFor('.codelens-decoration:visible:has-text("Reject")');
    await commands.executeCommand(Command.editNext);
    await until('the third', () => shown().endsWith(notices));
    await commands.executeCommand(Command.editRejectFile);
    await until('the second again', () => shown().endsWith(mail));
    await commands.executeCommand(Command.editRejectFile);
    await until('the end', () => !hasReview());
    await notification.untilSaid('Changes accepted: 1, in files: 1.');
    assert.ok((await textOf(berths)).includes(newLine));
    assert.ok((await textOf(mail)).includes(oldMailer));
  });

  describe('of an agent', () => {
    const propose = async (changes: { path: string; oldText: string; newText: string }[]): Promise<string> => {
      const input = { title: 'By an agent', changes };
      const { content } = await lm.invokeTool(Tool.proposeEdit, { input, toolInvocationToken: undefined });
      return content.map((part) => (part instanceof LanguageModelTextPart ? part.value : '')).join('');
    };

    it('is shown in the same review, and nothing is written by the call', async () => {
      const said = await propose([
        { path: berths, oldText: oldLine, newText: newLine },
        { path: mail, oldText: oldMailer, newText: newMailer },
        { path: notices, oldText: '', newText: 'export {};\n' },
      ]);
      assert.match(said, /Shown to the user.*berths\.ts, src\/mail\.ts, src\/notices\.ts/);
      assert.ok((await textOf(berths)).includes(oldLine));
      await until('the review', hasReview);
      await commands.executeCommand(Command.editAcceptSet);
      await until('it is written', async () => (await textOf(mail)).includes(newMailer));
    });

    it('is undone as a set from one of its files, and redone as a set', async () => {
      const before = [await textOf(berths), await textOf(mail)];
      await propose([
        { path: berths, oldText: oldLine, newText: newLine },
        { path: mail, oldText: oldMailer, newText: newMailer },
      ]);
      await until('the review', hasReview);
      await commands.executeCommand(Command.editAcceptSet);
      await notification.untilSaid('Changes accepted: 2, in files: 2.');
      const after = [await textOf(berths), await textOf(mail)];
      assert.notDeepEqual(after, before);
      await window.showTextDocument(await workspace.openTextDocument(inWorkspace(mail)));
      for (const [command, expected] of [
        ['undo', before],
        ['redo', after],
      ] as const) {
        await commands.executeCommand(command);
        await until(`both files are as before ${command}`, async () => (await textOf(berths)) === expected[0]);
        assert.equal(await textOf(mail), expected[1]);
      }
      assert.equal(hasReview(), false);
    });

    it('tells the agent why nothing is shown', async () => {
      const refused = (changes: { path: string; oldText: string; newText: string }[], why: RegExp) =>
        assert.rejects(propose(changes), why);
      await refused([{ path: berths, oldText: 'no such line', newText: 'x' }], /An oldText is not in its file/);
      await refused([{ path: berths, oldText: '}', newText: 'x' }], /more than once/);
      await refused([{ path: 'src/none.ts', oldText: 'a', newText: 'x' }], /not in the workspace/);
      await refused([{ path: '../outside.ts', oldText: '', newText: 'x' }], /outside the workspace/);
      await refused([{ path: '.GIT/hooks/pre-commit', oldText: '', newText: 'x' }], /outside the workspace/);
      await refused([{ path: '.git/config', oldText: '[core]', newText: '[x]' }], /outside the workspace/);
      const link = inWorkspace('src/elsewhere').fsPath;
      for (const target of [tmpdir(), join(tmpdir(), 'parley-not-there')]) {
        symlinkSync(target, link);
        await refused([{ path: 'src/elsewhere/new.ts', oldText: '', newText: 'x' }], /outside the workspace/);
        rmSync(link);
      }
      await refused([{ path: berths, oldText: oldLine, newText: oldLine }], /like this already/);
      assert.equal(hasReview(), false);
    });
  });

  it('is not written where it is rejected while it is being accepted', async () => {
    const sets = createChangeSets();
    const uri = inWorkspace(berths);
    const before = await textOf(berths);
    const review = reviewFile(splitLines(before), [{ line: 0, removed: 1, inserted: ['// another first line'] }]);
    const set = sets.add({ title: 'a set', instruction: '', files: [{ uri, isNew: false, review }] });
    const nothing = async (): Promise<void> => {};
    const checkpoints = {
      // Between the decision and the write, files are read and written.
      keep: async () => {
        await decisions.rejectSet(set);
        return true;
      },
      wrote: nothing,
      isOfThisWindow: () => true,
      list: async () => [],
      dispose: () => {},
    };
    const editors = {
      open: nothing,
      close: nothing,
      isOpen: () => false,
      reviewOf: () => undefined,
      dispose: () => {},
    };
    const decisions = createDecisions({ error: nothing, warn: nothing, info: nothing }, sets, editors, checkpoints);
    await decisions.acceptSet(set);
    assert.equal(await textOf(berths), before);
    assert.deepEqual(sets.all, []);
    sets.dispose();
  });

  it('has one fix for the problems of a line, which sends each of them, and none for those of other lines', async () => {
    const document = await workspace.openTextDocument(inWorkspace(berths));
    await window.showTextDocument(document);
    const problems = languages.createDiagnosticCollection('suite');
    const error = (line: number, from: number, message: string) =>
      new Diagnostic(new Range(line, from, line, from + 2), message, DiagnosticSeverity.Error);
    problems.set(document.uri, [
      ...[
        error(3, 0, 'rename until to departure'),
        error(3, 0, 'The second problem'),
        error(3, 4, 'The third problem'),
      ],
      error(4, 0, 'The problem of another line'),
    ]);
    const actions = await until('the quick fixes', async () => {
      const found = await commands.executeCommand<CodeAction[]>(
        'vscode.executeCodeActionProvider',
        document.uri,
        new Range(3, 0, 3, 1),
      );
      const ours = found.filter(({ title }) => title.includes('with Parley'));
      return ours.length > 0 ? ours : undefined;
    });
    assert.deepEqual(
      actions.map(({ title }) => title),
      ['Fix with Parley', 'Explain with Parley'],
    );
    const [fix] = actions;
    await commands.executeCommand(fix?.command?.command ?? '', ...(fix?.command?.arguments ?? []));
    const body = service.requests.at(-1)?.body as { messages: { content: string }[] } | undefined;
    assert.match(
      body?.messages.at(-1)?.content ?? '',
      /^Instruction: Fix these problems:\n- rename until to departure\n- The second problem\n- The third problem\n\nFile:/,
    );
    problems.dispose();
    await commands.executeCommand(Command.editRejectSet);
  });

  it('comes from a quick fix of a problem, which sends the problem and the function it is in', async () => {
    const document = await workspace.openTextDocument(inWorkspace(berths));
    await window.showTextDocument(document);
    const at = document.getText().indexOf('a.from < until');
    const range = new Range(document.positionAt(at), document.positionAt(at + 6));
    const problems = languages.createDiagnosticCollection('suite');
    const problem = new Diagnostic(range, 'rename until to departure', DiagnosticSeverity.Error);
    problem.source = 'suite';
    problems.set(document.uri, [problem]);
    const actions = await until('the quick fixes', async () => {
      const found = await commands.executeCommand<CodeAction[]>(
        'vscode.executeCodeActionProvider',
        document.uri,
        range,
      );
      const ours = found.filter(({ title }) => title.endsWith('with Parley'));
      return ours.length === 2 ? ours : undefined;
    });
    assert.deepEqual(
      actions.map(({ title }) => title),
      ['Fix with Parley', 'Explain with Parley'],
    );
    const [fix, explain] = actions;
    await commands.executeCommand(fix?.command?.command ?? '', ...(fix?.command?.arguments ?? []));
    const body = service.requests.at(-1)?.body as { messages: { content: string }[] } | undefined;
    assert.match(
      body?.messages.at(-1)?.content ?? '',
      /^Instruction: Fix this problem: rename until to departure \(suite\)/,
    );
    await until('the review', hasReview);
    await commands.executeCommand(Command.editRejectSet);
    await window.showTextDocument(document);
    await commands.executeCommand(explain?.command?.command ?? '', ...(explain?.command?.arguments ?? []));
    await chat.open();
    await until('it is asked', async () => (await chat.questions()).some((text) => text.includes('rename until')));
    problems.dispose();
  });
});
