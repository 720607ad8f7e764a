import assert from 'node:assert/strict';
import { join } from 'node:path';
import {
  type CodeLens,
  commands,
  EndOfLine,
  Position,
  Selection,
  TabInputTextDiff,
  type TextDocument,
  type TextEditor,
  Uri,
  window,
  workspace,
} from 'vscode';
import type { ReferenceService } from '../../../service/options.ts';
import { inputBox, notification, press, screenshot, visible, waitFor } from '../support/hands.ts';
import { connectToScripted, type ScriptedService, startScripted, streamed } from '../support/scriptedService.ts';
import { connectTo, disconnect, setting, startService } from '../support/service.ts';
import { subject } from '../support/subject.ts';
import { until } from '../support/until.ts';

const start = 'parley.edit.start';
const apply = 'parley.edit.apply';
const discard = 'parley.edit.discard';

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
    await commands.executeCommand(discard);
    await notification.clear();
    await window.showTextDocument(editor.document);
    await commands.executeCommand('workbench.action.files.revert');
    await commands.executeCommand('workbench.action.closeAllEditors');
  });

  after(async () => {
    await disconnect();
    await service.close();
  });

  function select(from: number, to: number): void {
    editor.selection = new Selection(from, 0, to, editor.document.lineAt(to).text.length);
  }

  const lines = (from = firstLine, to = lastLine): string[] => linesOf(editor.document, from, to);

  it('asks for the instruction, and shows the change without touching the document', async () => {
    const running = commands.executeCommand(start);
    assert.match(await inputBox.message(), /lines 27 to 29 of berths\.ts/);
    await inputBox.enter(rename.instruction);
    await running;
    assert.equal(editor.document.getText(), text);
    assert.equal(editor.document.isDirty, false);
    assert.deepEqual(await lensTitles(editor.document), ['Apply Edit', 'Discard Edit', 'Show Diff']);
    const proposed = await workspace.openTextDocument(diffTab().modified);
    const expected = text.split('\n');
    expected.splice(firstLine, renamed.length, ...renamed);
    assert.equal(proposed.getText(), expected.join('\n'));
    assert.equal(proposed.languageId, 'typescript');
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

  it('marks the lines in the editor, and a hover over them shows the proposed ones', async () => {
    await commands.executeCommand(start, rename);
    const shown = '.monaco-hover:has-text("Proposed:"):has-text("departure: string")';
    await until('a hover with the proposed lines', async () => {
      await commands.executeCommand('editor.action.showHover');
      return visible(shown);
    });
    await press('Escape');
  });

  it('reaches the file by Apply, and one undo takes it back', async () => {
    await commands.executeCommand(start, rename);
    await waitFor(shownLens);
    await commands.executeCommand(apply);
    assert.deepEqual(lines(), renamed);
    await waitFor(shownLens, { state: 'hidden' });
    assert.equal(findDiffTab(), undefined);
    assert.deepEqual(await lensTitles(editor.document), []);
    await window.showTextDocument(editor.document);
    await commands.executeCommand('undo');
    assert.equal(editor.document.getText(), text);
  });

  it('is gone after Discard', async () => {
    await commands.executeCommand(start, rename);
    await commands.executeCommand(discard);
    assert.equal(editor.document.getText(), text);
    assert.equal(findDiffTab(), undefined);
    assert.deepEqual(await lensTitles(editor.document), []);
  });

  it('is applied once, however often Apply is called', async () => {
    await commands.executeCommand(start, { instruction: 'note this' });
    await Promise.all([commands.executeCommand(apply), commands.executeCommand(apply)]);
    await commands.executeCommand(apply);
    assert.equal(editor.document.getText().split('Changed as asked: note this').length, 2);
    await notification.untilSaid('There is no edit to apply.');
  });

  it('keeps CRLF', async () => {
    await editor.edit((edit) => edit.setEndOfLine(EndOfLine.CRLF));
    await commands.executeCommand(start, { instruction: 'add a comment' });
    await commands.executeCommand(apply);
    assert.equal(editor.document.eol, EndOfLine.CRLF);
    assert.match(editor.document.getText(), /\r\n\/\*\* .*\r\nexport function overlaps/);
    assert.doesNotMatch(editor.document.getText(), /[^\r]\n/);
  });

  it('follows its lines when something above them changes', async () => {
    await commands.executeCommand(start, rename);
    await editor.edit((edit) => edit.insert(new Position(0, 0), '// one\n// two\n'));
    const shifted = await until('the proposal moved', async () => {
      const proposed = await workspace.openTextDocument(diffTab().modified);
      return proposed.lineAt(0).text === '// one' ? proposed : undefined;
    });
    assert.deepEqual(linesOf(shifted, firstLine + 2, lastLine + 2), renamed);
    await commands.executeCommand(apply);
    assert.deepEqual(lines(firstLine + 2, lastLine + 2), renamed);
    assert.deepEqual(lines(0, 1), ['// one', '// two']);
  });

  it('refuses to apply over lines that were changed meanwhile, and Try Again asks anew', async () => {
    await commands.executeCommand(start, rename);
    await editor.edit((edit) => edit.insert(new Position(firstLine + 1, 0), '  // mine, until later\n'));
    const mine = editor.document.getText();
    await commands.executeCommand(apply);
    assert.equal(editor.document.getText(), mine);
    await notification.untilSaid('The lines were changed since the edit was asked for');
    await notification.press('Try Again');
    await until('a new proposal', async () => {
      const tab = findDiffTab();
      return tab && (await workspace.openTextDocument(tab.modified)).getText().includes('mine, departure later');
    });
    await commands.executeCommand(apply);
    assert.equal(lines()[1], '  // mine, departure later');
  });

  it('leaves the file alone when the stream is cut, says so, and Retry has the instruction still', async () => {
    service.setFault('cut');
    await commands.executeCommand(start, rename);
    await notification.untilSaid('The answer was cut off before its end.');
    assert.equal(editor.document.getText(), text);
    assert.equal(findDiffTab(), undefined);
    service.setFault(undefined);
    await notification.press('Retry');
    await until('the proposal', () => findDiffTab());
    await commands.executeCommand(apply);
    assert.deepEqual(lines(), renamed);
  });

  it('says that the model declined, in its words', async () => {
    await commands.executeCommand(start, { instruction: 'decline: that would be unkind' });
    const said = await notification.untilSaid('The model declined to do this.');
    assert.ok(said.includes('that would be unkind'), said);
    assert.equal(editor.document.getText(), text);
    assert.equal(findDiffTab(), undefined);
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
    const old = (): string => ['```ts', ...text.split('\n').slice(firstLine, lastLine + 1), '```'].join('\n');

    it('proposes nothing for a refusal in words, which can be read', async () => {
      says('I’m sorry, but I can’t help with that request.');
      await commands.executeCommand(start, { instruction: 'do it' });
      await notification.untilSaid('The model proposes no change.');
      assert.equal(findDiffTab(), undefined);
      await notification.press('Show Answer');
      await until('it is shown', () => window.activeTextEditor?.document.getText().startsWith('I’m sorry'));
      assert.equal(editor.document.getText(), text);
      await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    });

    it('takes the new code where the original is quoted first', async () => {
      says(`This is the code now:\n\n${old()}\n\nIt becomes:\n\n\`\`\`ts\n${renamed.join('\n')}\n\`\`\``);
      await commands.executeCommand(start, { instruction: 'rename' });
      await until('the proposal', () => findDiffTab());
      await commands.executeCommand(apply);
      assert.deepEqual(lines(), renamed);
    });

    it('finds the place of what is changed outside the selection, too', async () => {
      const [first = ''] = text.split('\n');
      const changed = `${first} // seen`;
      says(`<<<<<<< SEARCH\n${first}\n=======\n${changed}\n>>>>>>> REPLACE`);
      await commands.executeCommand(start, { instruction: 'note it' });
      await until('the proposal', () => findDiffTab());
      await commands.executeCommand(apply);
      assert.equal(editor.document.getText(), text.replace(first, changed));
    });
  });

  it('asks before the Retry of an old failure takes the place of another proposal, and finds its lines again', async () => {
    service.setFault('cut');
    await commands.executeCommand(start, rename);
    await notification.untilSaid('The answer was cut off before its end.');
    service.setFault(undefined);
    select(0, 0);
    await commands.executeCommand(start, { instruction: 'note this' });
    const first = diffTab().modified.toString();
    await notification.press('Retry');
    await notification.untilSaid('still waits for Apply or Discard');
    assert.equal(diffTab().modified.toString(), first);
    await commands.executeCommand(apply);
    const added = editor.document.lineCount - text.split('\n').length;
    assert.ok(added > 0);
    await notification.press('Discard and Go On');
    await until('the other proposal', () => findDiffTab());
    await commands.executeCommand(apply);
    assert.deepEqual(lines(firstLine + added, lastLine + added), renamed);
  });

  it('closes the socket on Cancel, silently, and offers the instruction again', async () => {
    service.setFault('stall');
    const running = commands.executeCommand(start, rename);
    const count = service.requests.length;
    await notification.press('Cancel');
    await running;
    const request = await service.waitForRequest((each) => each.aborted && service.requests.indexOf(each) >= count);
    assert.equal(request.aborted, true);
    assert.equal(editor.document.getText(), text);
    assert.deepEqual(await notification.texts(), []);
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
    await commands.executeCommand(apply);
    assert.deepEqual(lines(), renamed);
  });

  it('says that nothing is selected, and offers the line of the cursor', async () => {
    editor.selection = new Selection(firstLine, 4, firstLine, 4);
    await commands.executeCommand(start, rename);
    await notification.untilSaid('Select the code to edit first.');
    await notification.press('Edit This Line');
    await until('the proposal', () => findDiffTab());
    await commands.executeCommand(apply);
    assert.deepEqual(lines(), [renamed[0], ...text.split('\n').slice(firstLine + 1, lastLine + 1)]);
  });

  it('says so when the model changes nothing', async () => {
    await commands.executeCommand(start, { instruction: 'rename nowhere to anywhere' });
    await notification.untilSaid('The model sees nothing to change.');
    assert.equal(findDiffTab(), undefined);
  });

  it('waits with a second edit until the first is decided on', async () => {
    await commands.executeCommand(start, rename);
    const first = String(diffTab().modified);
    select(31, 33);
    await commands.executeCommand(start, { instruction: 'rename boat to vessel' });
    await notification.untilSaid('An edit of berths.ts still waits for Apply or Discard.');
    assert.equal(String(diffTab().modified), first);
    await notification.press('Discard and Go On');
    await until('the second proposal', () => findDiffTab() && String(diffTab().modified) !== first);
    await commands.executeCommand(apply);
    assert.deepEqual(lines(), text.split('\n').slice(firstLine, lastLine + 1));
    assert.match(lines(31, 31)[0] ?? '', /vessel: Boat/);
  });

  it('is discarded when nothing shows it any more', async () => {
    await commands.executeCommand(start, rename);
    await commands.executeCommand('workbench.action.closeAllEditors');
    await window.showTextDocument(editor.document);
    await commands.executeCommand(apply);
    await notification.untilSaid('There is no edit to apply.');
    assert.equal(editor.document.getText(), text);
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

  it('refuses an editor that was made read-only for the session', async () => {
    await commands.executeCommand('workbench.action.files.setActiveEditorReadonlyInSession');
    await commands.executeCommand(start, rename);
    await commands.executeCommand(apply);
    await notification.untilSaid('berths.ts can only be read, not edited.');
    assert.equal(editor.document.getText(), text);
    await commands.executeCommand('workbench.action.files.resetActiveEditorReadonlyInSession');
  });

  it('is clear to see, in a dark and a light theme', async () => {
    select(39, 52);
    for (const theme of ['Default Dark Modern', 'Default Light Modern']) {
      await workspace.getConfiguration().update('workbench.colorTheme', theme, true);
      await commands.executeCommand(start, { instruction: 'rename berth to mooring' });
      await waitFor(shownLens);
      await screenshot(`edit-${theme.includes('Dark') ? 'dark' : 'light'}`);
      await commands.executeCommand(discard);
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
const shownLens = '.codelens-decoration:has-text("Apply Edit")';

async function lensTitles(document: TextDocument): Promise<string[]> {
  const lenses = await commands.executeCommand<CodeLens[]>('vscode.executeCodeLensProvider', document.uri, 10);
  return lenses.map(({ command }) => (command?.title ?? '').replace(/^\$\([\w-]+\) /, ''));
}

/** The diff editor with a proposal. */
function findDiffTab(): TabInputTextDiff | undefined {
  return window.tabGroups.all
    .flatMap(({ tabs }) => tabs.map(({ input }) => input))
    .find(
      (input): input is TabInputTextDiff =>
        input instanceof TabInputTextDiff && input.modified.scheme === 'parley-edit',
    );
}

function diffTab(): TabInputTextDiff {
  const tab = findDiffTab();
  assert.ok(tab, 'the diff editor is open');
  return tab;
}
