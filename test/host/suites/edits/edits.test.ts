import assert from 'node:assert/strict';
import { join } from 'node:path';
import {
  commands,
  EndOfLine,
  Position,
  Range,
  Selection,
  TabInputText,
  type TextDocument,
  type TextEditor,
  type TextEditorEdit,
  Uri,
  ViewColumn,
  window,
  workspace,
} from 'vscode';
import type { ReferenceService } from '../../../service/options.ts';
import { closeEditors } from '../support/editors.ts';
import { click, inputBox, notification, press, screenshot, waitFor } from '../support/hands.ts';
import { lensTitles } from '../support/lenses.ts';
import { connectToScripted, type ScriptedService, startScripted, streamed } from '../support/scriptedService.ts';
import { connectTo, disconnect, setting, startService, systemMessage } from '../support/service.ts';
import { subject } from '../support/subject.ts';
import { until } from '../support/until.ts';

const start = 'parley.edit.start';
const accept = 'parley.edit.accept';
const acceptAll = 'parley.edit.acceptFile';
const rejectAll = 'parley.edit.rejectSet';

/** In `src/berths.ts` of the workspace: the body of `overlaps`, on lines 27 to 29. */
const firstLine = 26;
const lastLine = 28;
const rename = { instruction: 'rename until to departure' };
const renamed = [
  'export function overlaps(a: Booking, from: string, departure: string): boolean {',
  '  return a.from < departure && from < a.departure;',
  '}',
];

describe('Edit With Instruction', () => {
  let service: ReferenceService;
  let editor: TextEditor;
  let text: string;

  before(async () => {
    await subject().activate();
    service = await startService();
  });

  beforeEach(async () => {
    await connectTo(service);
    editor = await openBerths();
    text = editor.document.getText();
    select(firstLine, lastLine);
  });

  afterEach(async () => {
    service.setFault(undefined);
    await commands.executeCommand(rejectAll);
    await notification.clear();
    await window.showTextDocument(editor.document);
    await commands.executeCommand('workbench.action.files.revert');
    await closeEditors();
  });

  after(async () => {
    await disconnect();
    await service.close();
  });

  function select(from: number, to: number): void {
    editor.selection = new Selection(from, 0, to, editor.document.lineAt(to).text.length);
  }

  /** Types in the file, which the review may cover. */
  async function edit(change: (builder: TextEditorEdit) => void): Promise<void> {
    const shown = await window.showTextDocument(editor.document);
    assert.ok(await shown.edit(change));
  }

  const lines = (from = firstLine, to = lastLine): string[] => linesOf(editor.document, from, to);

  it('asks for the instruction, and shows the change without touching the document', async () => {
    const running = commands.executeCommand(start);
    assert.match(await inputBox.message(), /lines 27 to 29 of berths\.ts/);
    await inputBox.enter(rename.instruction);
    await running;
    assert.equal(editor.document.getText(), text);
    assert.equal(editor.document.isDirty, false);
    assert.deepEqual(await lensTitles(editor.document.uri), ['Review Change', 'Accept All', 'Reject All']);
    const review = await reviewed();
    assert.equal(window.activeTextEditor?.document, review);
    assert.equal(window.activeTextEditor.viewColumn, editor.viewColumn);
    const expected = text.split('\n');
    expected.splice(firstLine + 2, 0, ...renamed.slice(0, 2));
    assert.equal(review.getText(), expected.join('\n'));
    assert.equal(review.languageId, 'typescript');
    assert.deepEqual(await lensTitles(review.uri), ['Accept', 'Reject']);
  });

  it('sends the instruction, the path and whole lines, and nothing it was not asked to', async () => {
    editor.selection = new Selection(firstLine, 20, lastLine, 0);
    await commands.executeCommand(start, rename);
    const body = service.requests.at(-1)?.body as { messages: { content: string }[] };
    const [system, user] = body.messages.map(({ content }) => content);
    assert.match(system ?? '', /Return only the edited code/);
    assert.match(user ?? '', /^Instruction: rename until to departure\n\nFile: src\/berths\.ts\n/);
    assert.ok(user?.endsWith(`The selection:\n\`\`\`typescript\n${lines(firstLine, lastLine - 1).join('\n')}\n\`\`\``));
  });

  it('sends the instructions of the workspace along', async () => {
    const instructions = Uri.joinPath(workspace.workspaceFolders?.[0]?.uri ?? Uri.file('/'), 'AGENTS.md');
    await workspace.fs.writeFile(instructions, Buffer.from('Name boats after stars.'));
    try {
      await commands.executeCommand(start, rename);
    } finally {
      await workspace.fs.delete(instructions);
    }
    assert.match(systemMessage(service), /from AGENTS\.md:\n\nName boats after stars\.$/);
  });

  it('reaches the file by Accept, and one undo takes it back', async () => {
    await commands.executeCommand(start, rename);
    await waitFor(shownLens);
    await commands.executeCommand(acceptAll);
    assert.deepEqual(lines(), renamed);
    await waitFor(shownLens, { state: 'hidden' });
    assert.equal(findReview(), undefined);
    assert.equal(window.activeTextEditor?.document, editor.document);
    assert.deepEqual(await lensTitles(editor.document.uri), []);
    await commands.executeCommand('undo');
    assert.equal(editor.document.getText(), text);
  });

  it('is gone after Reject', async () => {
    await commands.executeCommand(start, rename);
    await commands.executeCommand(rejectAll);
    assert.equal(editor.document.getText(), text);
    assert.equal(findReview(), undefined);
    assert.deepEqual(await lensTitles(editor.document.uri), []);
  });

  it('is accepted once, however often Accept is called', async () => {
    await commands.executeCommand(start, { instruction: 'note this' });
    await Promise.all([commands.executeCommand(acceptAll), commands.executeCommand(acceptAll)]);
    await commands.executeCommand(acceptAll);
    assert.equal(editor.document.getText().split('Changed as asked: note this').length, 2);
    await notification.untilSaid('No change waits for a decision.');
  });

  it('keeps CRLF', async () => {
    await editor.edit((edit) => edit.setEndOfLine(EndOfLine.CRLF));
    await commands.executeCommand(start, { instruction: 'add a comment' });
    await commands.executeCommand(acceptAll);
    assert.equal(editor.document.eol, EndOfLine.CRLF);
    assert.match(editor.document.getText(), /\r\n\/\*\* .*\r\nexport function overlaps/);
    assert.doesNotMatch(editor.document.getText(), /[^\r]\n/);
  });

  it('follows its lines when something above them changes', async () => {
    await commands.executeCommand(start, rename);
    await edit((builder) => builder.insert(new Position(0, 0), '// one\n// two\n'));
    const review = await reviewed();
    await until('the review has moved', () => review.lineAt(0).text === '// one');
    assert.equal(review.lineAt(firstLine + 4).text, renamed[0]);
    await commands.executeCommand(acceptAll);
    assert.deepEqual(lines(firstLine + 2, lastLine + 2), renamed);
    assert.deepEqual(lines(0, 1), ['// one', '// two']);
  });

  it('says which change does not fit lines that were changed meanwhile, and fits again once that is taken back', async () => {
    select(firstLine, 46);
    await commands.executeCommand(start, rename);
    await edit((builder) => builder.insert(new Position(firstLine, 0), '/* mine */ '));
    const mine = editor.document.getText();
    const review = await reviewed();
    await until('it is said', async () => (await lensTitles(review.uri))[0] === 'You changed these lines meanwhile');
    await window.showTextDocument(review);
    await commands.executeCommand(accept, editor.document.uri, 0);
    await notification.untilSaid('You changed the lines that this change is for.');
    assert.equal(editor.document.getText(), mine);
    await commands.executeCommand(acceptAll);
    const all = text.split('\n');
    const selected = all.slice(firstLine + 2, 47).map((line) => line.replace(/\buntil\b/g, 'departure'));
    const others = [...selected, ...all.slice(47)].join('\n');
    const shownText = editor.document.getText();
    assert.ok(shownText.includes('/* mine */ export function overlaps(a: Booking, from: string, until'));
    assert.ok(shownText.endsWith(others), 'the other changes are accepted');
    await edit((builder) => builder.delete(new Range(firstLine, 0, firstLine, '/* mine */ '.length)));
    await until('it fits', async () => (await lensTitles(review.uri))[0] === 'Accept');
    await commands.executeCommand(acceptAll);
    assert.deepEqual(lines(), renamed);
  });

  it('leaves the file alone when the stream is cut, says so, and Retry has the instruction still', async () => {
    service.setFault('cut');
    await commands.executeCommand(start, rename);
    await notification.untilSaid('The answer was cut off before its end.');
    assert.equal(editor.document.getText(), text);
    assert.equal(findReview(), undefined);
    await waitFor('.notifications-center .monaco-button:text-is("Show Answer")');
    service.setFault(undefined);
    await notification.press('Retry');
    await reviewed();
    await commands.executeCommand(acceptAll);
    assert.deepEqual(lines(), renamed);
  });

  it('says that the model declined, in its words', async () => {
    await commands.executeCommand(start, { instruction: 'decline: that would be unkind' });
    const said = await notification.untilSaid('The model declined to do this.');
    assert.ok(said.includes('that would be unkind'), said);
    assert.equal(editor.document.getText(), text);
    assert.equal(findReview(), undefined);
  });

  describe('with a model that answers in its own way', () => {
    let model: ScriptedService;

    before(async () => {
      model = await startScripted();
    });
    beforeEach(async () => {
      await connectToScripted(model);
      await setting('parley.chat.model', 'm');
    });
    after(() => model.close());

    const says = (text: string) =>
      model.answer(
        streamed(
          [
            { choices: [{ index: 0, delta: { content: text } }] },
            { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
            '[DONE]',
          ],
          (response) => response.end(),
        ),
      );
    /** An answer of which not all comes, or which ends for another reason than that it is whole. */
    const begins = (text: string, reason?: string) =>
      model.answer(
        streamed(
          [
            { choices: [{ index: 0, delta: { content: text } }] },
            ...(reason ? [{ choices: [{ index: 0, delta: {}, finish_reason: reason }] }, '[DONE]'] : []),
          ],
          (response) => reason && response.end(),
        ),
      );
    async function assertShown(answer: string): Promise<void> {
      await notification.press('Show Answer');
      await until('it is shown', () => window.activeTextEditor?.document.getText() === answer);
      assert.equal(editor.document.getText(), text);
      await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      await notification.clear();
    }

    it('has what came of an answer to read where it reached a limit, was filtered, or was stopped', async () => {
      const part = '```ts\nexport function';
      for (const [reason, sentence] of [
        ['length', 'The answer was cut off before its end.'],
        ['content_filter', 'The content filter of'],
      ] as const) {
        begins(part, reason);
        await commands.executeCommand(start, { instruction: 'do it' });
        await notification.untilSaid(sentence);
        await waitFor('.notifications-center .monaco-button:text-is("Retry")');
        await assertShown(part);
      }
      begins(`${part}\n`);
      const running = commands.executeCommand(start, { instruction: 'do it' });
      await until('what came is shown', findReview);
      await notification.press('Cancel');
      await running;
      await notification.untilSaid('Stopped.');
      await assertShown(`${part}\n`);
    });

    it('says of an answer without a place that nothing is proposed, and has it to read', async () => {
      const answer = '<<<<<<< SEARCH\nno such line\n=======\nother\n>>>>>>> REPLACE';
      says(answer);
      await commands.executeCommand(start, { instruction: 'do it' });
      await notification.untilSaid('1 block of the answer has no sure place.');
      await waitFor('.notifications-center .monaco-button:text-is("Retry")');
      await showUnplaced(answer);
    });

    /** Opens the whole answer from the list of what has no place. */
    async function showUnplaced(answer: string): Promise<void> {
      await notification.press('Show Them');
      await waitFor('.quick-input-list .monaco-list-row:has-text("Show Answer")');
      await click('.quick-input-list .monaco-list-row:has-text("Show Answer")');
      await until('it is shown', () => window.activeTextEditor?.document.getText() === answer);
      await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      await notification.clear();
    }

    const old = (): string => ['```ts', ...text.split('\n').slice(firstLine, lastLine + 1), '```'].join('\n');

    it('proposes nothing for a refusal in words, which can be read', async () => {
      says('I’m sorry, but I can’t help with that request.');
      await commands.executeCommand(start, { instruction: 'do it' });
      await notification.untilSaid('The model proposes no change.');
      assert.equal(findReview(), undefined);
      await notification.press('Show Answer');
      await until('it is shown', () => window.activeTextEditor?.document.getText().startsWith('I’m sorry'));
      assert.equal(editor.document.getText(), text);
      await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    });

    it('takes the new code where the original is quoted first', async () => {
      says(`This is the code now:\n\n${old()}\n\nIt becomes:\n\n\`\`\`ts\n${renamed.join('\n')}\n\`\`\``);
      await commands.executeCommand(start, { instruction: 'rename' });
      await reviewed();
      await commands.executeCommand(acceptAll);
      assert.deepEqual(lines(), renamed);
    });

    it('proposes the blocks that have a place, and tells which has none', async () => {
      const [first = ''] = text.split('\n');
      const changed = `${first} // seen`;
      const block = (search: string, replace: string): string =>
        `<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE`;
      const answer = `${block('no such line', 'x')}\n\n${block(first, changed)}`;
      says(answer);
      await commands.executeCommand(start, { instruction: 'note it' });
      await notification.untilSaid('1 block of the answer has no sure place.');
      await reviewed();
      await commands.executeCommand(acceptAll);
      assert.equal(editor.document.getText(), text.replace(first, changed));
      await showUnplaced(answer);
    });

    it('proposes what the answer has for other files there, and leaves the selection alone', async () => {
      const root = workspace.workspaceFolders?.[0]?.uri ?? editor.document.uri;
      const mail = await workspace.openTextDocument(Uri.joinPath(root, 'src/mail.ts'));
      const before = mail.getText();
      const sender = '  send(to: string, subject: string, text: string): Promise<void>;';
      const mailer = `export interface Mailer {\n${sender} // seen\n}`;
      says(`\`src/mail.ts\`:\n\n\`\`\`ts\n${mailer}\n\`\`\`\n\n\`src/seen.ts\`:\n\n\`\`\`ts\nexport {};\n\`\`\``);
      await commands.executeCommand(start, { instruction: 'note it' });
      const proposed = (path: string): boolean =>
        workspace.textDocuments.some(
          ({ uri, isClosed }) =>
            !isClosed && uri.scheme === 'parley-edit' && decodeURIComponent(uri.query).endsWith(path),
        );
      await until('the proposal', () => proposed('src/mail.ts'));
      await commands.executeCommand('parley.edit.acceptSet');
      assert.equal(mail.getText(), before.replace(sender, `${sender} // seen`));
      assert.equal(
        workspace.textDocuments
          .find(({ uri }) => uri.path.endsWith('src/seen.ts'))
          ?.getText()
          .trim(),
        'export {};',
      );
      assert.equal(editor.document.getText(), text);
      await window.showTextDocument(mail);
      await commands.executeCommand('workbench.action.files.revert');
    });

    it('finds the place of what is changed outside the selection, too', async () => {
      const [first = ''] = text.split('\n');
      const changed = `${first} // seen`;
      says(`<<<<<<< SEARCH\n${first}\n=======\n${changed}\n>>>>>>> REPLACE`);
      await commands.executeCommand(start, { instruction: 'note it' });
      await reviewed();
      await commands.executeCommand(acceptAll);
      assert.equal(editor.document.getText(), text.replace(first, changed));
    });
  });

  it('has the Retry of an old failure beside another proposal, and finds its lines again', async () => {
    service.setFault('cut');
    await commands.executeCommand(start, rename);
    await notification.untilSaid('The answer was cut off before its end.');
    service.setFault(undefined);
    select(0, 0);
    await commands.executeCommand(start, { instruction: 'note this' });
    await reviewed();
    await notification.press('Retry');
    await until('both proposals', async () => (await reviewed()).getText().includes(renamed[0] ?? ''));
    await until('they are whole', async () => (await lensTitles(editor.document.uri)).includes('Review 2 Changes'));
    await commands.executeCommand(acceptAll);
    const added = editor.document.lineCount - text.split('\n').length;
    assert.ok(added > 0);
    assert.deepEqual(lines(firstLine + added, lastLine + added), renamed);
  });

  it('closes the socket on Cancel, has what came to read, and offers the instruction again', async () => {
    service.setFault('stall');
    const count = service.requests.length;
    const running = commands.executeCommand(start, rename);
    // A request that is given up before it is sent is none.
    await until('the request', () => service.requests.length > count);
    await notification.press('Cancel');
    await running;
    const request = await service.waitForRequest((each) => each.aborted && service.requests.indexOf(each) >= count);
    assert.equal(request.aborted, true);
    assert.equal(editor.document.getText(), text);
    await notification.untilSaid('Stopped.');
    await waitFor('.notifications-center .monaco-button:text-is("Show Answer")');
    await notification.clear();
    void commands.executeCommand(start);
    await waitFor('.quick-input-widget .quick-input-box input');
    await press('Enter');
    await until('the request with the same instruction', () => service.requests.length > count + 1);
    await notification.press('Cancel');
  });

  it('names a refused key, with the button that sets it', async () => {
    service.setFault('401');
    await commands.executeCommand(start, rename);
    await notification.untilSaid('did not accept the API key.');
    await waitFor('.notifications-center .monaco-button:text-is("Set API Key")');
    assert.equal(editor.document.getText(), text);
  });

  it('asks for a connection before it asks for an instruction', async () => {
    await disconnect();
    await commands.executeCommand(start);
    await notification.untilSaid('No service is connected yet.');
    await waitFor('.notifications-center .monaco-button:text-is("Connect")');
  });

  it('works with a service that does not stream', async () => {
    service.setFault('no-stream-support');
    await setting('parley.chat.stream', false);
    await commands.executeCommand(start, rename);
    await setting('parley.chat.stream', undefined);
    await commands.executeCommand(acceptAll);
    assert.deepEqual(lines(), renamed);
  });

  it('says that nothing is selected, and offers the line of the cursor', async () => {
    editor.selection = new Selection(firstLine, 4, firstLine, 4);
    await commands.executeCommand(start, rename);
    await notification.untilSaid('Select the code to edit first.');
    await notification.press('Edit This Line');
    await reviewed();
    await commands.executeCommand(acceptAll);
    assert.deepEqual(lines(), [renamed[0], ...text.split('\n').slice(firstLine + 1, lastLine + 1)]);
  });

  it('says so when the model changes nothing', async () => {
    await commands.executeCommand(start, { instruction: 'rename nowhere to anywhere' });
    await notification.untilSaid('The model sees nothing to change.');
    assert.equal(findReview(), undefined);
  });

  it('has a second edit of the file beside the first', async () => {
    await commands.executeCommand(start, rename);
    await reviewed();
    editor = await window.showTextDocument(editor.document);
    select(31, 33);
    await commands.executeCommand(start, { instruction: 'rename boat to vessel' });
    await until('both are shown', () =>
      workspace.textDocuments.some((open) => open.uri.scheme === 'parley-edit' && /vessel: Boat/.test(open.getText())),
    );
    await reviewed();
    await commands.executeCommand(acceptAll);
    assert.deepEqual(lines(), renamed);
    assert.match(lines(31, 31)[0] ?? '', /vessel: Boat/);
  });

  it('still waits when its editor was closed, and the file leads back to it', async () => {
    await commands.executeCommand(start, rename);
    await closeEditors();
    editor = await openBerths();
    assert.deepEqual(await lensTitles(editor.document.uri), ['Review Change', 'Accept All', 'Reject All']);
    await commands.executeCommand('parley.edit.review', editor.document.uri);
    await commands.executeCommand(acceptAll);
    assert.deepEqual(lines(), renamed);
  });

  it('refuses a document that can only be read', async () => {
    const provider = workspace.registerTextDocumentContentProvider('suite', {
      provideTextDocumentContent: () => 'only to be read',
    });
    const document = await workspace.openTextDocument(Uri.parse('suite:/fixed.txt'));
    const shown = await window.showTextDocument(document);
    shown.selection = new Selection(0, 0, 0, 4);
    const count = service.requests.length;
    await commands.executeCommand(start, rename);
    await notification.untilSaid('fixed.txt can only be read, not edited.');
    assert.equal(service.requests.length, count);
    provider.dispose();
  });

  it('edits a cell of a notebook, in a review of its own', async () => {
    const [root] = workspace.workspaceFolders ?? [];
    assert.ok(root);
    const uri = Uri.joinPath(root.uri, '..', 'tides.ipynb');
    const cell = { cell_type: 'code', execution_count: null, metadata: {}, outputs: [] };
    const cells = [
      { ...cell, source: ['tide = 1\n', 'keel = 2\n', 'print(tide)'] },
      { ...cell, source: ['tide = 3'] },
    ];
    await workspace.fs.writeFile(
      uri,
      Buffer.from(JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 })),
    );
    const notebook = await workspace.openNotebookDocument(uri);
    await window.showNotebookDocument(notebook);
    const { document } = notebook.cellAt(0);
    const asked = { uri: document.uri, lines: { first: 0, last: 2 }, instruction: 'rename tide to flood' };
    await commands.executeCommand(start, asked);
    const review = await reviewed();
    assert.equal(review.getText(), 'tide = 1\nflood = 1\nkeel = 2\nprint(tide)\nprint(flood)');
    await screenshot('edit-notebook');
    await commands.executeCommand(accept, document.uri, 0);
    await until('it is written', () => document.lineAt(0).text === 'flood = 1');
    await commands.executeCommand(acceptAll, document.uri);
    await until('all of it is', () => document.getText() === 'flood = 1\nkeel = 2\nprint(flood)');
    assert.equal(notebook.cellAt(1).document.getText(), 'tide = 3');
    await until('the notebook is in sight', () => window.activeNotebookEditor?.notebook === notebook);
    await screenshot('edit-notebook-accepted');
    void commands.executeCommand('parley.edit.restore');
    await waitFor('.quick-input-list .monaco-list-row.focused');
    await press('Enter');
    await until('the cell is as before', () => document.lineAt(0).text === 'tide = 1');
    assert.ok(!workspace.textDocuments.some((each) => each.uri.scheme === 'untitled'));
    await commands.executeCommand('workbench.action.files.save');
    await commands.executeCommand('workbench.action.closeActiveEditor');
    await workspace.fs.delete(uri);
  });

  it('refuses a file in sight that was made read-only for the session', async () => {
    await commands.executeCommand('workbench.action.files.setActiveEditorReadonlyInSession');
    const beside = await window.showTextDocument(editor.document, ViewColumn.Beside);
    editor = await window.showTextDocument(editor.document, ViewColumn.One);
    await commands.executeCommand(start, rename);
    await window.showTextDocument(editor.document, beside.viewColumn);
    await commands.executeCommand(acceptAll, editor.document.uri);
    await notification.untilSaid('berths.ts can only be read, not edited.');
    assert.equal(editor.document.getText(), text);
    await window.showTextDocument(editor.document);
    await commands.executeCommand('workbench.action.files.resetActiveEditorReadonlyInSession');
  });

  it('goes to its change also right after the one before was rejected', async () => {
    for (let round = 0; round < 6; round++) {
      editor = await window.showTextDocument(editor.document);
      select(39, 52);
      await commands.executeCommand(start, { instruction: 'rename berth to mooring' });
      const review = await until('the review', () =>
        window.visibleTextEditors.find(({ document }) => document.uri.scheme === 'parley-edit'),
      );
      await until('its cursor is at the change', () => review.selection.active.line >= 39);
      await waitFor(shownLens);
      await commands.executeCommand(rejectAll);
    }
  });

  it('is clear to see, in a dark and a light theme', async () => {
    for (const theme of ['Default Dark Modern', 'Default Light Modern']) {
      await workspace.getConfiguration().update('workbench.colorTheme', theme, true);
      editor = await window.showTextDocument(editor.document);
      select(39, 52);
      await commands.executeCommand(start, { instruction: 'rename berth to mooring' });
      await waitFor(shownLens);
      await screenshot(`edit-${theme.includes('Dark') ? 'dark' : 'light'}`);
      await commands.executeCommand(rejectAll);
    }
    await workspace.getConfiguration().update('workbench.colorTheme', undefined, true);
  });
});

async function openBerths(): Promise<TextEditor> {
  const folder = workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const document = await workspace.openTextDocument(join(folder, 'src', 'berths.ts'));
  return window.showTextDocument(document);
}

function linesOf(document: TextDocument, from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, at) => document.lineAt(from + at).text);
}

/** The titles of Parley's CodeLenses, without their icons. */
const shownLens = '.codelens-decoration:visible:has-text("Reject")';

/** The address of the review that a tab shows. */
function findReview(): Uri | undefined {
  return window.tabGroups.all
    .flatMap(({ tabs }) => tabs.map(({ input }) => input))
    .find((input): input is TabInputText => input instanceof TabInputText && input.uri.scheme === 'parley-edit')?.uri;
}

/** The text of the review, old and new lines in one column, once the answer is whole: nothing of it can be accepted before. */
async function reviewed(): Promise<TextDocument> {
  const review = await workspace.openTextDocument(await until('the review', findReview));
  await until('all of it is there', async () => (await lensTitles(review.uri)).includes('Reject'));
  return review;
}
