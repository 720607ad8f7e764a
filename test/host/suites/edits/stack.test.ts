import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commands, LanguageModelTextPart, lm, Selection, type TextDocument, Uri, window, workspace } from 'vscode';
import type { Log } from '../../../../src/editor/log.ts';
import { reviewFile } from '../../../../src/edits/review/reviewedFile.ts';
import { type ChangeSets, createChangeSets, pendingOf } from '../../../../src/edits/ui/review/changeSet.ts';
import { keepSets } from '../../../../src/edits/ui/review/keptSets.ts';
import { Command, Tool, View } from '../../../../src/ids/ids.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { closeEditors } from '../support/editors.ts';
import { notification, press, texts, waitFor } from '../support/hands.ts';
import { lensTitles } from '../support/lenses.ts';
import { connectTo, disconnect, startService } from '../support/service.ts';
import { subject } from '../support/subject.ts';
import { until } from '../support/until.ts';

const content = ['const tide = 1;', 'const keel = 2;', 'use(tide);', 'use(keel);', 'end(tide);', ''].join('\n');
const flood = 'rename tide to flood';
const view = '.pane:has(.pane-header:has-text("Proposed Changes"))';

describe('Edits of a file that add up', () => {
  let service: ReferenceService;
  let uri: Uri;
  let document: TextDocument;
  let count = 0;

  before(async () => {
    await subject().activate();
    service = await startService();
    await connectTo(service);
  });

  beforeEach(async () => {
    const [root] = workspace.workspaceFolders ?? [];
    assert.ok(root);
    uri = Uri.joinPath(root.uri, `stacked-${++count}.ts`);
    await writeFile(uri.fsPath, content);
    document = await workspace.openTextDocument(uri);
  });

  afterEach(async () => {
    service.setFault(undefined);
    // Each reject takes the newest set.
    for (let left = 0; left < 4; left++) await commands.executeCommand(Command.editRejectSet, uri);
    await commands.executeCommand(Command.editRejectSet);
    await notification.clear();
    await window.showTextDocument(document);
    await commands.executeCommand('workbench.action.files.revert');
    await closeEditors();
    await rm(uri.fsPath, { force: true });
  });

  after(async () => {
    await disconnect();
    await service.close();
  });

  const reviewText = (): string =>
    workspace.textDocuments
      .find(({ uri: { scheme, query }, isClosed }) => {
        return !isClosed && scheme === 'parley-edit' && decodeURIComponent(query) === uri.toString();
      })
      ?.getText() ?? '';
  const lenses = (): Promise<string[]> =>
    lensTitles(Uri.from({ scheme: 'parley-edit', path: uri.path, query: encodeURIComponent(uri.toString()) }));
  const hunks = async (): Promise<number> => (await lenses()).filter((title) => title === 'Accept').length;
  const rows = async (): Promise<string[]> =>
    (await texts(`${view} .monaco-list-row`)).map((text) => text.replaceAll(/\s+/g, ' '));

  /** Has all of the file changed by the model. */
  async function edit(instruction: string): Promise<void> {
    const editor = await window.showTextDocument(document, { preview: false });
    editor.selection = new Selection(document.positionAt(0), document.lineAt(document.lineCount - 1).range.end);
    await commands.executeCommand(Command.editStart, { instruction });
  }

  async function proposeByAgent(title: string, oldText: string, newText: string, path = uri): Promise<string> {
    const changes = [{ path: workspace.asRelativePath(path), oldText, newText }];
    const { content: parts } = await lm.invokeTool(Tool.proposeEdit, {
      input: { title, changes },
      toolInvocationToken: undefined,
    });
    return parts.map((part) => (part instanceof LanguageModelTextPart ? part.value : '')).join('');
  }

  it('are in one review, each change with the name of its set, and each set is accepted and undone by itself', async () => {
    await edit(flood);
    await edit('rename keel to hull');
    await until('five changes', async () => (await hunks()) === 5);
    assert.deepEqual(
      (await lenses()).filter((title) => title.startsWith('“')),
      ['tide to flood', 'keel to hull', 'tide to flood', 'keel to hull', 'tide to flood'].map(
        (title) => `“rename ${title}”`,
      ),
    );
    await commands.executeCommand(`${View.changes}.focus`);
    // Rows are there before their texts are drawn.
    await until('the rows', async () => {
      const drawn = await rows();
      const sets = [/rename tide to flood.*Changes: 3/, /rename keel to hull.*Changes: 2/];
      return drawn.length === 4 && sets.every((set) => drawn.some((row) => set.test(row)));
    });
    // The newest set is meant where the cursor is in no change.
    const editor = await window.showTextDocument(document);
    editor.selection = new Selection(5, 0, 5, 0);
    await commands.executeCommand(Command.editAcceptSet);
    assert.equal(document.getText(), content.replaceAll('keel', 'hull'));
    await until('the first is left', async () => (await hunks()) === 3);
    await window.showTextDocument(document);
    await commands.executeCommand('undo');
    assert.equal(document.getText(), content);
    await until('the review shows it', () => reviewText().includes('use(keel);'));
    assert.equal(await hunks(), 3);
    await commands.executeCommand(Command.editAcceptFile, uri);
    assert.equal(document.getText(), content.replaceAll('tide', 'flood'));
    await commands.executeCommand('undo');
    assert.equal(document.getText(), content);
  });

  it('take the place of the changes that they touch, and say so', async () => {
    await edit(flood);
    await until('three changes', async () => (await hunks()) === 3);
    await edit('rename flood to ebb');
    await notification.untilSaid('This edit replaces 3 proposed changes of “rename tide to flood”.');
    await until('the newest text', () => reviewText().includes('const ebb = 1;'));
    assert.equal(reviewText().includes('flood'), false);
    await until('it is said', async () => (await lenses()).includes('Replaces a change of “rename tide to flood”'));
    await until('one set is left', async () => (await rows()).length === 2);
    await notification.clear();
    await commands.executeCommand(Command.editReview, uri);
    await waitFor('.codelens-decoration:has-text("Replaces a change of")');
    await press('Control+Enter');
    await until('the first is written', () => document.lineAt(0).text === 'const ebb = 1;');
    await commands.executeCommand(Command.editAcceptFile, uri);
    assert.equal(document.getText(), content.replaceAll('tide', 'ebb'));
  });

  it('are made of lines of the review, too', async () => {
    await edit(flood);
    await until('three changes', async () => (await hunks()) === 3);
    const editor = window.activeTextEditor;
    assert.equal(editor?.document.uri.scheme, 'parley-edit');
    // The new form of the third line.
    editor.selection = new Selection(4, 0, 4, 5);
    await commands.executeCommand(Command.editStart, { instruction: 'rename flood to ebb' });
    await until('the newest text', () => reviewText().includes('use(ebb);'));
    await until('three are left', async () => (await hunks()) === 3);
    await commands.executeCommand(Command.editAcceptFile, uri);
    assert.equal(document.getText(), content.replace('use(tide)', 'use(ebb)').replaceAll('tide', 'flood'));
  });

  it('leave what was pending as it was where nothing comes of them', async () => {
    await edit(flood);
    await until('three changes', async () => (await hunks()) === 3);
    const before = reviewText();
    service.setFault('cut');
    await edit('rename flood to ebb');
    await notification.untilSaid('The answer was cut off before its end.');
    await until('it is as it was', async () => reviewText() === before && (await hunks()) === 3);
    service.setFault('stall');
    const asked = service.requests.length;
    const running = edit('rename keel to hull');
    await until('it is asked', () => service.requests.length > asked);
    await commands.executeCommand(Command.editRejectSet, uri);
    await running;
    assert.equal(reviewText(), before);
    await until('three are left', async () => (await hunks()) === 3);
    await commands.executeCommand(Command.editAcceptFile, uri);
    assert.equal(document.getText(), content.replaceAll('tide', 'flood'));
  });

  it('of agents build on text that is pending, which the answer of the tool has', async () => {
    const said = await proposeByAgent('first', 'use(tide);', 'use(flood, 1);');
    assert.match(said, /Shown to the user/);
    assert.match(said, /use\(flood, 1\);/);
    await until('the first', async () => (await hunks()) === 1);
    await proposeByAgent('second', 'end(tide);', 'end(ebb);');
    await until('both', async () => (await hunks()) === 2);
    await proposeByAgent('third', 'use(flood, 1);', 'use(flood, 2);');
    await until('the newest', () => reviewText().includes('use(flood, 2);'));
    await until('two are left', async () => (await hunks()) === 2);
    await assert.rejects(proposeByAgent('fourth', 'use(flood, 1);', 'x'), /not in its file/);
    await commands.executeCommand(Command.editAcceptFile, uri);
    assert.equal(document.getText(), content.replace('use(tide)', 'use(flood, 2)').replace('end(tide)', 'end(ebb)'));
  });

  it('of agents change a file that is not there yet, and decide apart what is rejected', async () => {
    const path = Uri.joinPath(uri, `../made-${count}.ts`);
    await proposeByAgent('make', '', 'one();\ntwo();\n', path);
    await proposeByAgent('change', 'two();', 'three();', path);
    await proposeByAgent('other', 'use(keel);', 'use(hull);');
    await commands.executeCommand(Command.editAcceptFile, path);
    const made = workspace.textDocuments.find((each) => each.isUntitled && each.uri.path === path.path);
    assert.equal(made?.getText().trim(), 'one();\nthree();');
    await commands.executeCommand(Command.editRejectSet, uri);
    assert.equal(document.getText(), content);
    await window.showTextDocument(made);
    await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('leave nothing to decide on where the later one undoes the first', async () => {
    await proposeByAgent('there', 'use(keel);', 'use(hull);');
    await until('the first', async () => (await hunks()) === 1);
    await proposeByAgent('and back', 'use(hull);', 'use(keel);');
    await notification.untilSaid('This edit replaces 1 proposed change of “there”.');
    const tabs = () => window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label));
    await until('the review is closed', async () => (await lensTitles(uri)).length === 0 && tabs().length < 2);
    assert.equal(document.getText(), content);
  });

  it('are there after a reload, each with its own', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-stack-'));
    const nothing = async (): Promise<void> => {};
    const log = { warn: () => {}, error: () => {} } as unknown as Log;
    const open = (sets: ChangeSets) =>
      keepSets(
        { path: join(folder, 'proposed'), ready: Promise.resolve() },
        sets,
        { error: nothing, warn: nothing, info: nothing },
        log,
      );
    const [sets, again] = [createChangeSets(), createChangeSets()];
    const [kept, restored] = [open(sets), open(again)];
    const lines = content.split('\n');
    const add = (title: string, line: number, text: string) => {
      const edits = [{ line, removed: 1, inserted: [text] }];
      const review = reviewFile(sets.find(uri.toString())?.pendingText ?? lines, edits);
      return sets.add({ title, instruction: '', files: [{ uri, isNew: false, review }] });
    };
    const shape = (all: ChangeSets) =>
      all.all.map((set) => [
        set.title,
        set.documents.flatMap((each) => pendingOf(set, each).map(({ base, proposed }) => [base, proposed])),
      ]);
    try {
      add('first', 0, 'const flood = 1;');
      add('second', 2, 'use(flood);');
      add('third', 2, 'use(ebb);');
      assert.deepEqual(shape(sets), [
        ['first', [[['const tide = 1;'], ['const flood = 1;']]]],
        ['third', [[['use(tide);'], ['use(ebb);']]]],
      ]);
      await until('they are kept', async () => {
        const now = createChangeSets();
        const reader = open(now);
        await reader.restore();
        const isKept = JSON.stringify(shape(now)) === JSON.stringify(shape(sets));
        reader.dispose();
        now.dispose();
        return isKept;
      });
      await restored.restore();
      assert.deepEqual(shape(again), shape(sets));
      assert.deepEqual(again.find(uri.toString())?.pendingText, sets.find(uri.toString())?.pendingText);
      assert.equal(again.find(uri.toString()), again.all[1]?.documents[0]);
    } finally {
      for (const each of [kept, restored, sets, again]) each.dispose();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
