import assert from 'node:assert/strict';
import { commands, Selection, type TextEditor, Uri, window, workspace } from 'vscode';
import { Command } from '../../../../src/ids/ids.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { chat, frame } from '../support/chatPanel.ts';
import { closeEditors } from '../support/editors.ts';
import { click, notification, press, rightClick, texts, type, visible, waitFor } from '../support/hands.ts';
import { connectTo, disconnect, startService } from '../support/service.ts';
import { subject } from '../support/subject.ts';
import { until } from '../support/until.ts';

/** In `src/berths.ts`: the function `overlaps`, on lines 27 to 29. */
const overlaps = new Selection(26, 0, 28, 1);

describe('Commands on a selection', () => {
  let service: ReferenceService;
  let editor: TextEditor;

  before(async () => {
    await subject().activate();
  });

  beforeEach(async () => {
    service = await startService();
    await connectTo(service);
    await commands.executeCommand(Command.chatNew);
    await notification.clear();
    const [file] = await workspace.findFiles('src/berths.ts');
    assert.ok(file);
    editor = await window.showTextDocument(file);
    editor.selection = overlaps;
    editor.revealRange(overlaps);
  });

  afterEach(async () => {
    await commands.executeCommand(Command.chatStop);
    await service.close();
    await closeEditors();
  });
  after(disconnect);

  const lastPrompt = (): string => {
    const request = service.requests.findLast((r) => r.path.endsWith('/chat/completions'));
    return (request?.body as { messages: { content: string }[] } | undefined)?.messages.at(-1)?.content ?? '';
  };

  it('asks about a selection: a chip in the panel, the caret in the box, and nothing sent before Enter', async () => {
    await commands.executeCommand(Command.selectionAsk);
    await until('the box has the focus', () => visible('.box:focus', { frame }));
    await waitFor('.composer .chip:has-text("berths.ts:27-29")', { frame });
    // The list of models says how much the model reads; it is told nothing.
    assert.deepEqual(
      service.requests.filter(({ method }) => method !== 'GET'),
      [],
    );
    await type('What is this?');
    await press('Enter');
    await chat.untilAnswered();
    assert.deepEqual(await texts('.composer .chip-label', { frame }), []);
    assert.deepEqual(await texts('.question .chip-label', { frame }), ['berths.ts:27-29']);
    const prompt = lastPrompt();
    assert.ok(
      prompt.startsWith(
        'What is this?\n\nFrom src/berths.ts, lines 27 to 29:\n\n```typescript\nexport function overlaps',
      ),
      prompt,
    );
  });

  it('lets go of a chip', async () => {
    await commands.executeCommand(Command.selectionAsk);
    await click('.composer .chip [aria-label="Remove berths.ts:27-29"]', { frame });
    await until('the chip is gone', async () => (await texts('.composer .chip-label', { frame })).length === 0);
  });

  for (const [command, said] of [
    [Command.selectionExplain, /^Explain this code/],
    [Command.selectionFix, /fix it/],
    [Command.selectionDocument, /^Document this code/],
    [Command.selectionWriteTests, /^Write tests/],
  ] as const) {
    it(`${command} opens the panel and asks at once, with the selection`, async () => {
      await commands.executeCommand(command);
      await chat.untilAnswered();
      assert.match((await chat.questions())[0] ?? '', said);
      assert.match(lastPrompt(), said);
      assert.ok(lastPrompt().includes('export function overlaps'));
      assert.deepEqual(await texts('.question .chip-label', { frame }), ['berths.ts:27-29']);
    });
  }

  it('says that nothing is selected, and offers to select the whole file', async () => {
    editor.selection = new Selection(0, 0, 0, 0);
    await commands.executeCommand(Command.selectionExplain);
    await notification.untilSaid('Nothing is selected');
    assert.equal(service.requests.length, 0);
    await notification.press('Select Whole File');
    await chat.untilAnswered();
    assert.match(lastPrompt(), /From src\/berths\.ts, lines 1 to \d+/);
  });

  it('says that no editor is open', async () => {
    await closeEditors();
    await commands.executeCommand(Command.selectionFix);
    await notification.untilSaid('No editor is open');
  });

  it('says that VS Code hands over no file of 51 MB', async () => {
    const large = Uri.joinPath(workspace.workspaceFolders?.[0]?.uri ?? Uri.file('/'), 'large.log');
    await workspace.fs.writeFile(large, Buffer.alloc(51 * 1024 * 1024, 'line\n'));
    await closeEditors();
    await commands.executeCommand('vscode.open', large);
    await commands.executeCommand(Command.selectionFix);
    await notification.untilSaid('large.log is larger than 50 MB');
    await closeEditors();
    await workspace.fs.delete(large);
  });

  it('stands in one submenu of the editor', async () => {
    await window.showTextDocument(editor.document);
    await rightClick('.monaco-editor .view-line:has-text("overlaps(a:")');
    await waitFor('.monaco-menu .action-label:text-is("Parley")');
    await press('Escape');
  });
});
