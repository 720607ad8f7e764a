import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commands, Diagnostic, DiagnosticSeverity, languages, Range, Selection, Uri, window, workspace } from 'vscode';
import { Command } from '../../../../src/ids/ids.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { chat, frame } from '../support/chatPanel.ts';
import { closeEditors } from '../support/editors.ts';
import {
  axe,
  click,
  dialog,
  fill,
  hover,
  notification,
  press,
  screenshot,
  text,
  texts,
  type,
  value,
  visible,
  waitFor,
} from '../support/hands.ts';
import { connectTo, disconnect, setting, startService } from '../support/service.ts';
import { subject } from '../support/subject.ts';
import { screenshotInThemes } from '../support/themes.ts';
import { until } from '../support/until.ts';

interface Body {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

/** A PNG of one pixel. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('What goes along with a question', () => {
  let service: ReferenceService;
  let folder: string;

  before(async () => {
    await subject().activate();
    folder = workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  });

  beforeEach(async () => {
    service = await startService({ listed: [{ id: 'parley-chat', object: 'model', context_length: 4_000 }] });
    await connectTo(service);
    await commands.executeCommand(Command.chatNew);
    await chat.open();
    await notification.clear();
  });

  afterEach(async () => {
    // A notification lies over the message box.
    await notification.clear();
    // The panel shows a chip until the host took it away: the next is pressed when one less is there.
    for (let left = (await chips()).length; left > 0; left--) {
      await click('.composer .chip .icon-button', { frame });
      await until('a chip is gone', async () => (await chips()).length < left);
    }
    await commands.executeCommand(Command.chatStop);
    await setting('parley.models.capabilities', undefined);
    await service.close();
    await closeEditors();
  });
  after(disconnect);

  const requests = () => service.requests.filter((r) => r.path.endsWith('/chat/completions'));
  const lastBody = (): Body => requests().at(-1)?.body as Body;
  const lastPrompt = (): string => String(lastBody().messages.at(-1)?.content ?? '');
  const chips = (): Promise<string[]> => texts('.composer .chip-label', { frame });
  const offered = (): Promise<string[]> => texts('.completion-label', { frame });
  const fileUri = (path: string): Uri => Uri.file(join(folder, path));
  const hasChip = (label: string): Promise<void> =>
    waitFor(`.composer .chip-label:text-is(${JSON.stringify(label)})`, { frame });
  /** Types into the empty box, as a person does: what is filled in at once opens no choices. */
  async function write(typed: string): Promise<void> {
    await chat.open();
    await fill('.box', '', { frame });
    await click('.box', { frame });
    await type(typed);
  }

  /** Types into the box until this is the first choice, and takes it. */
  async function choose(typed: string, label: string): Promise<void> {
    await write(typed);
    await untilFirst(label);
    await press('Enter');
  }
  const untilFirst = (label: string): Promise<void> =>
    waitFor(`.completion[aria-selected=true] .completion-label:text-is(${JSON.stringify(label)})`, {
      frame,
      timeout: 15_000,
    });
  async function ask(question: string): Promise<void> {
    const before = (await chat.questions()).length;
    await chat.ask(question);
    await until('it is answered', async () => {
      const asked = (await chat.questions()).length;
      const answered = (await texts('.answer:not(.streaming)', { frame })).length;
      return asked > before && answered === asked && !(await visible('.answer.streaming', { frame }));
    });
  }

  it('is chosen after @: a file by its name, which is sent, kept with the question, and opens from there', async () => {
    await choose('@berths', 'berths.ts');
    await hasChip('berths.ts');
    assert.equal(await value('.box', { frame }), 'berths.ts ', 'its name stays in the sentence');
    await ask('say: seen');
    assert.match(lastPrompt(), /^say: seen\n\nFrom src\/berths\.ts, the whole file:\n\n```typescript\n/);
    assert.match(lastPrompt(), /export function overlaps/);
    await click('.question .open-chip', { frame });
    await until('the file is open', async () => window.activeTextEditor?.document.fileName.endsWith('berths.ts'));
  });

  it('offers steps, and a folder as the names of its files', async () => {
    await write('@');
    await waitFor('.completions', { frame });
    const all = await offered();
    for (const label of ['file:', 'folder:', 'symbol:', 'diff:', 'image:', 'conversation:'])
      assert.ok(all.includes(label), all.join());
    assert.deepEqual(await axe(frame), []);
    await screenshot('at-choices');
    await type('folder:tid');
    await untilFirst('tides');
    await press('Tab');
    await hasChip('tides/');
    await ask('say: listed');
    assert.match(lastPrompt(), /The files in src\/tides\/:\n\n```\nsrc\/tides\/loadTable\.ts/);
  });

  it('is the selection, the open editors, and overlapping pieces as one', async () => {
    const editor = await window.showTextDocument(fileUri('src/berths.ts'));
    editor.selection = new Selection(9, 0, 19, 0);
    await choose('@selec', 'selection');
    await hasChip('berths.ts:10-19');
    editor.selection = new Selection(15, 0, 29, 0);
    await choose('@selec', 'selection');
    await hasChip('berths.ts:10-29');
    await window.showTextDocument(fileUri('src/mail.ts'), { preview: false });
    await choose('@editors', 'editors');
    // One chip for the file and the lines of it; the files of all editors come one after the other.
    for (const name of ['mail.ts', 'berths.ts']) await hasChip(name);
    assert.equal((await chips()).length, 2, (await chips()).join());
  });

  it('is a symbol with all of its lines', async () => {
    await window.showTextDocument(fileUri('src/berths.ts'));
    await until('the language tools know the file', async () => {
      const found = await commands.executeCommand<unknown[] | undefined>(
        'vscode.executeWorkspaceSymbolProvider',
        'overlaps',
      );
      return (found ?? []).length > 0;
    });
    await choose('@symbol:overlaps', 'overlaps()');
    await hasChip('overlaps');
    await ask('say: symbol');
    assert.match(lastPrompt(), /From src\/berths\.ts, lines 27 to 29:\n\n```typescript\nexport function overlaps/);
  });

  it('is what language tools report', async () => {
    await window.showTextDocument(fileUri('src/mail.ts'));
    const collection = languages.createDiagnosticCollection('suite');
    const problem = new Diagnostic(new Range(2, 4, 2, 9), 'This is odd.', DiagnosticSeverity.Warning);
    collection.set(fileUri('src/mail.ts'), [problem]);
    try {
      await choose('@problems', 'problems');
      await hasChip('1 problem');
      await ask('say: fixed');
      assert.match(
        lastPrompt(),
        /Problems that the editor reports in src\/mail\.ts:\n\n```\nsrc\/mail\.ts:3:5: warning: This is odd\.\n```/,
      );
    } finally {
      collection.dispose();
    }
  });

  it('is what changed in git, without secrets', async () => {
    const git = (...args: string[]): string =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: folder, encoding: 'utf8' });
    await writeFile(join(folder, 'tide.pem'), 'KEY=1\n');
    await writeFile(join(folder, 'note.md'), 'one\n');
    git('init', '-q', '-b', 'main');
    git('add', '-A');
    git('commit', '-qm', 'one');
    try {
      await writeFile(join(folder, 'tide.pem'), 'KEY=geheim\n');
      await writeFile(join(folder, 'note.md'), 'two\n');
      await choose('@diff:un', 'unstaged');
      await hasChip('diff unstaged');
      assert.match(await notification.text(), /not attached: tide\.pem/);
      await ask('say: changed');
      assert.match(
        lastPrompt(),
        /Changes in git, unstaged:\n\n```diff\ndiff --git a\/note\.md b\/note\.md\n--- a\/note\.md\n\+\+\+ b\/note\.md\n@@ -1,1 \+1,1 @@\n-one\n\+two\n```/,
      );
      assert.doesNotMatch(lastPrompt(), /geheim/);
      await notification.clear();
      await choose('@diff:sta', 'staged');
      assert.match(await notification.text(), /There are no changes: staged\./);
      await choose('@diff:main', 'main');
      await hasChip('diff since main');
    } finally {
      for (const name of ['.git', 'tide.pem', 'note.md'])
        await rm(join(folder, name), { recursive: true, force: true });
    }
  });

  it('is an earlier conversation, found by its title without spaces', async () => {
    await ask('say: a word about tides');
    await commands.executeCommand(Command.chatNew);
    await choose('@conversation:awordabout', 'say: a word about tides');
    await hasChip('say: a word about tides');
    await click('.composer .open-chip', { frame });
    const shown = await until('it can be read before it goes', async () => {
      const document = window.activeTextEditor?.document;
      return document?.uri.scheme === 'parley-attachment' ? document : undefined;
    });
    assert.equal(shown.languageId, 'markdown');
    assert.match(shown.getText(), /a word about tides/);
    await ask('say: remembered');
    assert.match(lastPrompt(), /An earlier conversation, “say: a word about tides”:/);
    assert.match(lastPrompt(), /## Answer \(parley-chat\)\n\na word about tides/);
  });

  it('is added from the explorer: files and folders; what is no text, or empty, is refused with a sentence', async () => {
    const uris = [fileUri('src/mail.ts'), fileUri('src/tides')];
    await commands.executeCommand(Command.contextAdd, uris[0], uris);
    await hasChip('mail.ts');
    await hasChip('tides/');
    await commands.executeCommand(Command.contextAdd, fileUri('recordings/aviso.ogg'));
    assert.match(await notification.text(), /^aviso\.ogg was not attached: it is not text/);
    await writeFile(join(folder, 'big.txt'), 'x'.repeat(1_000_001));
    await commands.executeCommand(Command.contextAdd, fileUri('big.txt'));
    assert.equal(await notification.text(), 'big.txt was not attached: it is larger than 1 MB.');
    await rm(join(folder, 'big.txt'));
    assert.equal((await chips()).length, 2);
  });

  it('is no file with secrets, by name or by text, before the user says so', async () => {
    await writeFile(join(folder, '.env'), 'PORT=1\n');
    await writeFile(join(folder, 'deploy.txt'), 'first\ntoken: "gR7pQ2xZ9vKm4TbW1nYc8LsD"\n');
    try {
      const adding = commands.executeCommand(Command.contextAdd, fileUri('.env'));
      assert.match(await dialog.text(), /Attach \.env, which may hold secrets\?/);
      await press('Escape');
      await adding;
      assert.deepEqual(await chips(), []);
      const again = commands.executeCommand(Command.contextAdd, fileUri('deploy.txt'));
      assert.match(await dialog.text(), /Line 2 holds a key or a password/);
      await dialog.press('Attach');
      await again;
      await hasChip('deploy.txt');
    } finally {
      for (const name of ['.env', 'deploy.txt']) await rm(join(folder, name));
    }
  });

  it('is an image where the model takes them, and a sentence where it does not', async () => {
    await writeFile(join(folder, 'dot.png'), Buffer.from(pixel, 'base64'));
    try {
      await commands.executeCommand(Command.contextAdd, fileUri('dot.png'));
      assert.equal(await notification.text(), 'dot.png was not attached: the model parley-chat takes no images.');
      await setting('parley.models.capabilities', { 'parley-*': { imageInput: true } });
      await commands.executeCommand(Command.contextAdd, fileUri('dot.png'));
      await hasChip('dot.png');
      await click('.composer .open-chip', { frame });
      await until('the image is open', async () => window.tabGroups.activeTabGroup.activeTab?.label === 'dot.png');
      await ask('say: a dot');
      assert.deepEqual(lastBody().messages.at(-1)?.content, [
        { type: 'text', text: 'say: a dot' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${pixel}` } },
      ]);
    } finally {
      await rm(join(folder, 'dot.png'));
    }
  });

  it('is measured against the window that the service names, and older turns stay out once the user agreed', async () => {
    await ask(`say: ${'first '.repeat(800)}`);
    await waitFor('.gauge', { frame });
    await chat.ask(`say: ${'second '.repeat(700)}`);
    assert.match(await text('.fit p', { frame }), /this is about [\d,]+ tokens; the model reads 4,000\./);
    assert.deepEqual(await axe(frame), []);
    await screenshotInThemes('does-not-fit');
    assert.equal(requests().length, 1, 'nothing is sent before the user chose');
    await click('.fit .button:text-is("Leave Out Oldest Turns")', { frame });
    await until('it is asked', async () => requests().length === 2);
    await chat.untilAnswered('second');
    assert.deepEqual(
      lastBody().messages.map(({ role }) => role),
      ['system', 'user'],
    );
    await waitFor('.left-out', { frame });
    await chat.ask('say: third');
    await chat.untilAnswered('third');
    assert.equal(await visible('.fit', { frame }), false);
    assert.doesNotMatch(JSON.stringify(lastBody()), /first first/);
  });

  it('is asked for also by Retry and by an edited question, whose words are not lost', async () => {
    const edited = `${'other words '.repeat(400)}\nsay: edited`;
    await ask(`say: ${'first '.repeat(800)}`);
    await waitFor('.gauge', { frame });
    await chat.ask(`${'last '.repeat(900)}\nsay: last`);
    await click('.fit .button:text-is("Send Anyway")', { frame });
    await until('it is asked', async () => requests().length === 2);
    await chat.untilAnswered('last');
    const retry = '.messages > article:last-child .actions button[aria-label="Retry"]';
    await hover('.messages > article:last-child', { frame });
    await click(retry, { frame });
    await waitFor('.fit:has-text("the model reads 4,000")', { frame });
    assert.equal(requests().length, 2, 'nothing is sent before the user chose');
    await click('.fit .button:text-is("Send Anyway")', { frame });
    await until('all of it is asked', async () => requests().length === 3);
    assert.match(JSON.stringify(lastBody()), /first first/);
    await chat.untilAnswered('last');
    await hover('.messages > article.question >> nth=-1', { frame });
    await click('.messages > article.question >> nth=-1 >> .actions button[aria-label^="Edit"]', { frame });
    await fill('.editor .box', edited, { frame });
    await press('Enter');
    await waitFor('.fit', { frame });
    await press('Escape');
    await until('the words are in the box', async () => (await value('.box', { frame })).includes('other words'));
    await fill('.composer .box', '', { frame });
    await hover('.messages > article.question >> nth=-1', { frame });
    await click('.messages > article.question >> nth=-1 >> .actions button[aria-label^="Edit"]', { frame });
    await fill('.editor .box', edited, { frame });
    await press('Enter');
    await click('.fit .button:text-is("Leave Out Oldest Turns")', { frame });
    await until('it is asked', async () => requests().length === 4);
    assert.doesNotMatch(JSON.stringify(lastBody()), /first first/);
    await chat.untilAnswered('edited');
  });

  it('is summarised on demand where it does not fit: the summary is sent in its place, can be read, and is kept', async () => {
    await ask(`say: ${'first '.repeat(800)}`);
    await waitFor('.gauge', { frame });
    await chat.ask(`say: ${'second '.repeat(700)}`);
    service.setFault('401-once');
    await click('.fit .button:text-is("Summarise Them and Send")', { frame });
    await notification.untilSaid('did not accept the API key');
    await until('the words are in the box again', async () =>
      (await value('.box', { frame })).startsWith('say: second'),
    );
    await notification.clear();
    await click('.box', { frame });
    await press('Enter');
    await click('.fit .button:text-is("Summarise Them and Send")', { frame });
    await chat.untilAnswered('second');
    const [, , asked] = requests().map(({ body }) => body as Body);
    assert.match(String(asked?.messages[0]?.content), /^You summarise a conversation/);
    assert.match(String(asked?.messages[1]?.content), /^User:\nsay: first first/);
    const [, summary, understood, question] = lastBody().messages;
    assert.match(String(summary?.content), /^Summary of our conversation so far:\n\n\S/);
    assert.deepEqual([understood?.role, question?.role], ['assistant', 'user']);
    assert.doesNotMatch(String(question?.content), /first/);
    // What was said stays: two questions with their answers.
    await waitFor('.messages > article >> nth=3', { frame });
    await waitFor('.left-out:has-text("a summary is sent")', { frame });
    assert.deepEqual(await axe(frame), []);
    await screenshot('summarised');
    await click('.left-out button:text-is("Show Summary")', { frame });
    const shown = await until('it is shown', () => window.activeTextEditor?.document.getText());
    assert.ok(String(summary?.content).endsWith(shown));
  });

  it('is given back to a panel that was hidden while its summary was made', async () => {
    await ask(`say: ${'first '.repeat(800)}`);
    await waitFor('.gauge', { frame });
    await chat.ask(`say: ${'second '.repeat(700)}`);
    service.setFault('hold-once');
    await click('.fit .button:text-is("Summarise Them and Send")', { frame });
    await until('the summary is being made', async () => requests().length === 2);
    await commands.executeCommand('workbench.action.closeAuxiliaryBar');
    await until('the panel is gone', async () => !(await visible('.composer', { frame })));
    await notification.press('Cancel');
    await chat.open();
    await until('the words are in the box', async () => (await value('.box', { frame })).startsWith('say: second'));
    service.release();
  });

  it('is given back, not asked elsewhere, when another conversation is opened while its summary is made', async () => {
    await ask(`say: ${'first '.repeat(800)}`);
    await waitFor('.gauge', { frame });
    await chat.ask(`say: ${'second '.repeat(700)}`);
    service.setFault('hold-once');
    await click('.fit .button:text-is("Summarise Them and Send")', { frame });
    await until('the summary is being made', async () => requests().length === 2);
    await commands.executeCommand(Command.chatNew);
    service.release();
    await until('the words are in the box', async () => (await value('.box', { frame })).startsWith('say: second'));
    assert.ok(!requests().some(({ body }) => JSON.stringify(body).includes('second second')), 'it was not asked');
  });
});
