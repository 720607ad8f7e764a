import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  commands,
  EndOfLine,
  Position,
  Range,
  Selection,
  TabInputText,
  type TextDocument,
  TextEdit,
  Uri,
  WorkspaceEdit,
  window,
  workspace,
} from 'vscode';
import { type DocumentEdits, writeLines } from '../../../../src/edits/ui/review/writeLines.ts';
import { Command } from '../../../../src/ids/ids.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { closeEditors } from '../support/editors.ts';
import { notification, press, waitFor } from '../support/hands.ts';
import { lensTitles } from '../support/lenses.ts';
import { connectTo, disconnect, setting, startService } from '../support/service.ts';
import { subject } from '../support/subject.ts';
import { until } from '../support/until.ts';

/** Lines of which the rename changes the first, the third and the fifth. */
const content = ['const tide = 1;', 'const keel = 2;', 'use(tide);', 'use(keel);', 'end(tide);', ''].join('\n');
const instruction = 'rename tide to flood';
const changed = content.replaceAll('tide', 'flood');

describe('The review of changes', () => {
  let service: ReferenceService;
  let folder: string;
  let count = 0;

  before(async () => {
    await subject().activate();
    service = await startService();
    await connectTo(service);
    folder = await mkdtemp(join(tmpdir(), 'parley-review-'));
  });

  afterEach(async () => {
    await rejectEverything();
    await notification.clear();
    await closeEditors();
  });

  after(async () => {
    await disconnect();
    await service.close();
    await rm(folder, { recursive: true });
  });

  async function rejectEverything(): Promise<void> {
    for (const tab of window.tabGroups.all.flatMap(({ tabs }) => tabs)) {
      const { input } = tab;
      if (input instanceof TabInputText && input.uri.scheme === 'parley-edit')
        await commands.executeCommand(Command.editRejectSet, Uri.parse(decodeURIComponent(input.uri.query)));
    }
    await commands.executeCommand(Command.editRejectSet);
  }

  async function revert(document: TextDocument): Promise<void> {
    await window.showTextDocument(document);
    await commands.executeCommand('workbench.action.files.revert');
  }

  /** A file of its own for each test, with all of it selected. */
  async function makeFile(text = content, name = `tide-${++count}.ts`): Promise<TextDocument> {
    const path = join(folder, name);
    await writeFile(path, text);
    const document = await workspace.openTextDocument(path);
    await select(document);
    return document;
  }

  async function select(document: TextDocument): Promise<void> {
    const editor = await window.showTextDocument(document, { preview: false });
    editor.selection = new Selection(new Position(0, 0), document.lineAt(document.lineCount - 1).range.end);
  }

  /** Has the file's lines changed by the model, and waits for the review. */
  async function propose(document: TextDocument, asked = instruction): Promise<TextDocument> {
    await commands.executeCommand(Command.editStart, { instruction: asked });
    return reviewOf(document);
  }

  async function reviewOf(document: TextDocument): Promise<TextDocument> {
    return until('the review', () =>
      workspace.textDocuments.find(
        ({ uri, isClosed }) =>
          !isClosed && uri.scheme === 'parley-edit' && decodeURIComponent(uri.query) === document.uri.toString(),
      ),
    );
  }

  const cursor = (): number | undefined => window.activeTextEditor?.selection.active.line;

  function moveTo(line: number): void {
    const editor = window.activeTextEditor;
    assert.ok(editor);
    editor.selection = new Selection(line, 0, line, 0);
  }

  const lenses = ({ uri }: TextDocument): Promise<string[]> => lensTitles(uri);
  const hunkCount = async (review: TextDocument): Promise<number> =>
    (await lenses(review)).filter((title) => title === 'Accept').length;
  const hasReviewTab = (): boolean =>
    window.tabGroups.all.some(({ tabs }) =>
      tabs.some(({ input }) => input instanceof TabInputText && input.uri.scheme === 'parley-edit'),
    );

  it('has old and new lines in one column, in the editor’s own group, with a lens for each change', async () => {
    const document = await makeFile();
    const review = await propose(document);
    assert.deepEqual(review.getText().split('\n'), [
      ...['const tide = 1;', 'const flood = 1;', 'const keel = 2;', 'use(tide);', 'use(flood);'],
      ...['use(keel);', 'end(tide);', 'end(flood);', ''],
    ]);
    assert.equal(window.tabGroups.all.length, 1);
    assert.deepEqual(
      (await lenses(review)).filter((title) => title !== 'Accept' && title !== 'Reject'),
      ['Accept All 3', 'Reject All'],
    );
    assert.equal(await hunkCount(review), 3);
    assert.equal(document.getText(), content);
    assert.equal(document.isDirty, false);
  });

  it('accepts one change and rejects another by keys, at the cursor; each is one undo', async () => {
    const document = await makeFile();
    const review = await propose(document);
    await waitFor('.codelens-decoration:has-text("Accept")');
    await press('Control+Enter');
    await until('the first is written', () => document.lineAt(0).text === 'const flood = 1;');
    await until('two are left', async () => (await hunkCount(review)) === 2);
    await until('the cursor is at the next', () => cursor() === 2);
    await press('Control+Backspace');
    await until('one is left', async () => (await hunkCount(review)) === 1);
    assert.equal(document.lineAt(2).text, 'use(tide);');
    await until('the cursor is at the last', () => cursor() === 4);
    await press('Control+Enter');
    await until('the last is written', () => document.lineAt(4).text === 'end(flood);');
    await until('the review is over', () => !hasReviewTab());
    assert.equal(window.activeTextEditor?.document, document);
    await commands.executeCommand('undo');
    assert.equal(document.lineAt(4).text, 'end(tide);');
    assert.equal(document.lineAt(0).text, 'const flood = 1;');
    await commands.executeCommand('undo');
    assert.equal(document.getText(), content);
  });

  it('says so where the cursor is in no change, and decides on the one whose old or new line it is in', async () => {
    const document = await makeFile();
    const review = await propose(document);
    await waitFor('.codelens-decoration:has-text("Accept")');
    await until('the cursor is at the first', () => cursor() === 0);
    for (const [key, sentence] of [
      ['Control+Enter', 'Put the cursor in a change first, or accept all of the file.'],
      ['Control+Backspace', 'Put the cursor in a change first, or reject all of the file.'],
    ] as const) {
      moveTo(2);
      await press(key);
      await notification.untilSaid(sentence);
      assert.equal(document.getText(), content);
      assert.equal(await hunkCount(review), 3);
      await notification.clear();
      await window.showTextDocument(review);
    }
    moveTo(7);
    await press('Control+Enter');
    await until('the last is written', () => document.lineAt(4).text === 'end(flood);');
    assert.equal(document.lineAt(0).text, 'const tide = 1;');
    await until('two are left', async () => (await hunkCount(review)) === 2);
    moveTo(2);
    await press('Control+Enter');
    await notification.untilSaid('Put the cursor in a change first');
    await notification.press('Accept File');
    await until('all is written', () => document.getText() === changed);
  });

  it('decides in the file itself on the change that the cursor is in, and on no other', async () => {
    const document = await makeFile();
    const review = await propose(document);
    await window.showTextDocument(document);
    moveTo(1);
    await commands.executeCommand(Command.editAccept);
    await notification.untilSaid('Put the cursor in a change first');
    moveTo(2);
    await commands.executeCommand(Command.editAccept);
    await until('it is written', () => document.lineAt(2).text === 'use(flood);');
    assert.equal(window.activeTextEditor?.document, document);
    await until('two are left', async () => (await hunkCount(review)) === 2);
    assert.equal(document.lineAt(0).text, 'const tide = 1;');
  });

  it('opens with its first change in the middle', async () => {
    const above = Array.from({ length: 200 }, (_, at) => `const above${at} = ${at};`);
    const document = await makeFile([...above, content, ...above].join('\n'));
    await propose(document);
    await until('the change is in sight', () => {
      const [range] = window.activeTextEditor?.visibleRanges ?? [];
      if (window.activeTextEditor?.document.uri.scheme !== 'parley-edit' || range === undefined) return false;
      const middle = (range.start.line + range.end.line) / 2;
      return Math.abs(middle - 200) <= 4;
    });
    assert.equal(cursor(), 200);
  });

  it('takes decisions back by Ctrl+Z in the review, and VS Code’s undo in the file brings a change back to decide on', async () => {
    const document = await makeFile();
    const review = await propose(document);
    await commands.executeCommand(Command.editAccept, document.uri, 0);
    await commands.executeCommand(Command.editReject, document.uri, 1);
    await until('one is left', async () => (await hunkCount(review)) === 1);
    await waitFor('.codelens-decoration:has-text("Accept")');
    await press('Control+z');
    await until('the rejected one is back', async () => (await hunkCount(review)) === 2);
    await press('Control+z');
    await until('the accepted one is back', async () => (await hunkCount(review)) === 3);
    assert.equal(document.getText(), content);
    await commands.executeCommand(Command.editAccept, document.uri, 1);
    await until('two are left', async () => (await hunkCount(review)) === 2);
    const shown = review.getText();
    // The menu's undo knows how the review was drawn, which is nothing to take back.
    for (const command of ['undo', 'redo']) await commands.executeCommand(command);
    assert.equal(review.getText(), shown);
    assert.equal(review.isDirty, false);
    await window.showTextDocument(document);
    await commands.executeCommand('undo');
    await until('it is back', async () => (await hunkCount(review)) === 3);
    await commands.executeCommand('redo');
    await until('it is accepted again', async () => (await hunkCount(review)) === 2);
    assert.equal(document.lineAt(2).text, 'use(flood);');
  });

  it('accepted as a whole is one undo, and so is a file written by a formatter meanwhile', async () => {
    const document = await makeFile();
    await propose(document);
    const editor = await window.showTextDocument(document);
    await editor.edit((builder) => builder.replace(new Range(3, 0, 3, 0), '  \n'));
    await commands.executeCommand(Command.editAcceptFile, document.uri);
    const lines = changed.split('\n');
    assert.equal(document.getText(), [...lines.slice(0, 3), '  ', ...lines.slice(3)].join('\n'));
    await window.showTextDocument(document);
    await commands.executeCommand('undo');
    assert.equal(document.lineAt(0).text, 'const tide = 1;');
    assert.equal(document.lineAt(3).text, '  ');
  });

  it('keeps a BOM, CRLF, tabs and a last line without an end', async () => {
    const text = '\uFEFF\tconst tide = 1;\r\n\tuse(tide);\r\n\tend(tide);';
    const document = await makeFile(text);
    await propose(document);
    await commands.executeCommand(Command.editAcceptFile, document.uri);
    await document.save();
    assert.equal(document.eol, EndOfLine.CRLF);
    assert.equal(await readFile(document.uri.fsPath, 'utf8'), text.replaceAll('tide', 'flood'));
  });

  it('makes the line ends of a file one kind where they are mixed, as VS Code does, and loses no line', async () => {
    const document = await makeFile('const tide = 1;\r\nuse(tide);\nuse(keel);\r\nend(tide);\n');
    await propose(document);
    await commands.executeCommand(Command.editAcceptFile, document.uri);
    await document.save();
    const end = document.eol === EndOfLine.CRLF ? '\r\n' : '\n';
    const lines = ['const flood = 1;', 'use(flood);', 'use(keel);', 'end(flood);', ''];
    assert.equal(await readFile(document.uri.fsPath, 'utf8'), lines.join(end));
    assert.equal(hasReviewTab(), false);
  });

  it('is saved once it is over, though a formatter writes the file while it is saved', async () => {
    const document = await makeFile();
    const formatter = workspace.onWillSaveTextDocument((event) => {
      if (event.document === document)
        event.waitUntil(Promise.resolve([TextEdit.insert(new Position(0, 0), '// neat\n')]));
    });
    await setting('parley.edits.saveAccepted', true);
    try {
      await propose(document);
      await commands.executeCommand(Command.editAcceptFile, document.uri);
      assert.equal(await readFile(document.uri.fsPath, 'utf8'), `// neat\n${changed}`);
      assert.equal(document.isDirty, false);
      assert.equal(hasReviewTab(), false);
      assert.deepEqual(await lensTitles(document.uri), []);
      await window.showTextDocument(document);
      for (let step = 0; step < 2; step++) await commands.executeCommand('undo');
      assert.equal(document.getText(), content);
    } finally {
      formatter.dispose();
      await setting('parley.edits.saveAccepted', undefined);
    }
  });

  it('writes nothing to the disk, unless the setting says so', async () => {
    const document = await makeFile();
    await propose(document);
    await commands.executeCommand(Command.editAcceptFile, document.uri);
    assert.equal(document.isDirty, true);
    assert.equal(await readFile(document.uri.fsPath, 'utf8'), content);
    await commands.executeCommand('undo');
    await select(document);
    await setting('parley.edits.saveAccepted', true);
    await propose(document);
    await commands.executeCommand(Command.editAcceptFile, document.uri);
    await setting('parley.edits.saveAccepted', undefined);
    assert.equal(await readFile(document.uri.fsPath, 'utf8'), changed);
  });

  it('follows a file that another program writes, and one that is renamed', async () => {
    // VS Code watches files of the workspace whether they are in sight or not.
    const [root] = workspace.workspaceFolders ?? [];
    assert.ok(root);
    const [path, next] = [join(root.uri.fsPath, 'watched.ts'), Uri.joinPath(root.uri, 'renamed.ts')];
    await writeFile(path, content);
    const document = await workspace.openTextDocument(path);
    await select(document);
    const review = await propose(document);
    await writeFile(path, `// by another program\n${content}`);
    await until('the review has moved', () => review.lineAt(0).text === '// by another program');
    const edit = new WorkspaceEdit();
    edit.renameFile(document.uri, next);
    assert.ok(await workspace.applyEdit(edit));
    await until('the review of the old name is closed', () => !hasReviewTab());
    await commands.executeCommand(Command.editAcceptFile, next);
    const renamed = await workspace.openTextDocument(next);
    assert.equal(renamed.getText(), `// by another program\n${changed}`);
    await revert(renamed);
    await rm(next.fsPath);
  });

  it('has nothing left where another window accepted and saved the same, and ends at the next key', async () => {
    const [root] = workspace.workspaceFolders ?? [];
    assert.ok(root);
    const path = join(root.uri.fsPath, 'twice.ts');
    await writeFile(path, content);
    const document = await workspace.openTextDocument(path);
    await select(document);
    const review = await propose(document);
    await writeFile(path, changed);
    await until('the review shows the file', () => review.getText() === changed);
    await until('nothing is left to decide on', async () => (await hunkCount(review)) === 0);
    await commands.executeCommand(Command.editAcceptFile, document.uri);
    await until('the review is over', () => !hasReviewTab());
    assert.equal(document.getText(), changed);
    assert.equal(document.isDirty, false);
    await rm(path);
  });

  it('says so when its file was deleted meanwhile', async () => {
    const document = await makeFile();
    await propose(document);
    await rm(document.uri.fsPath);
    await commands.executeCommand(Command.editAcceptFile, document.uri);
    await notification.untilSaid('is not there any more');
    const gone = Uri.file(join(folder, 'gone.ts'));
    await commands.executeCommand(Command.editStart, { uri: gone, lines: { first: 0, last: 0 }, instruction });
    await notification.untilSaid('gone.ts is not there any more, so there is nothing to edit.');
  });

  it('has several files wait at once, each with its own review', async () => {
    const [first, second] = [await makeFile(), await makeFile()];
    await select(first);
    const one = await propose(first);
    await select(second);
    const two = await propose(second);
    assert.equal(await hunkCount(one), 3);
    assert.equal(await hunkCount(two), 3);
    await commands.executeCommand(Command.editAcceptFile, second.uri);
    assert.equal(second.getText(), changed);
    assert.equal(first.getText(), content);
    assert.equal(await hunkCount(one), 3);
  });

  it('does not come into sight once it was rejected, however late VS Code opens it', async () => {
    const document = await makeFile();
    const shown: string[] = [];
    const watches = [
      workspace.onDidOpenTextDocument(({ uri }) => {
        if (uri.scheme === 'parley-edit') void commands.executeCommand(Command.editRejectSet, document.uri);
      }),
      window.tabGroups.onDidChangeTabs(({ opened }) => {
        for (const { input } of opened) if (input instanceof TabInputText) shown.push(input.uri.scheme);
      }),
    ];
    await commands.executeCommand(Command.editStart, { instruction });
    for (const watch of watches) watch.dispose();
    assert.deepEqual(shown, []);
    assert.equal(document.getText(), content);
  });

  it('writes nothing to lines that moved after the edits were made out', async () => {
    const document = await makeFile();
    const { version } = document;
    const move = new WorkspaceEdit();
    move.insert(document.uri, new Position(0, 0), '// header\n');
    await workspace.applyEdit(move);
    const edits = [{ line: 0, removed: 1, inserted: ['const flood = 1;'] }];
    assert.equal(await writeLines([{ document, version, edits }]), 'changed');
    assert.equal(document.getText(), `// header\n${content}`);
    const next = { document, version: document.version, edits: [{ ...edits[0], line: 1 }] } as DocumentEdits;
    assert.equal(await writeLines([next]), 'written');
    assert.equal(document.lineAt(1).text, 'const flood = 1;');
    await revert(document);
  });

  it('restores a file at the place that it was renamed to', async () => {
    const [root] = workspace.workspaceFolders ?? [];
    assert.ok(root);
    const [from, to] = [Uri.joinPath(root.uri, 'before.ts'), Uri.joinPath(root.uri, 'moved.ts')];
    await writeFile(from.fsPath, content);
    const document = await workspace.openTextDocument(from);
    await select(document);
    await propose(document, 'rename tide to flood, then move');
    await commands.executeCommand(Command.editAcceptFile, from);
    await document.save();
    const edit = new WorkspaceEdit();
    edit.renameFile(from, to);
    assert.ok(await workspace.applyEdit(edit));
    void commands.executeCommand(Command.editRestore);
    await waitFor('.quick-input-list .monaco-list-row:has-text("rename tide to flood, then move")');
    await press('Enter');
    const moved = await workspace.openTextDocument(to);
    await until('it is as before', () => moved.getText() === content);
    assert.ok(!workspace.textDocuments.some(({ isUntitled, isClosed }) => isUntitled && !isClosed));
    await revert(moved);
    await rm(to.fsPath);
  });

  it('restores a file to what it was before, also when it was saved since', async () => {
    const document = await makeFile();
    await propose(document, 'rename tide to flood, then keep');
    await commands.executeCommand(Command.editAcceptFile, document.uri);
    await document.save();
    void commands.executeCommand(Command.editRestore);
    await waitFor('.quick-input-list .monaco-list-row:has-text("rename tide to flood, then keep")');
    await press('Enter');
    await until('it is as before', () => document.getText() === content);
    await window.showTextDocument(document);
    await commands.executeCommand('undo');
    assert.equal(document.getText(), changed);
  });
});
