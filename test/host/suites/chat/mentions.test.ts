import assert from 'node:assert/strict';
import { join } from 'node:path';
import { commands, Uri, window, workspace } from 'vscode';
import { Command } from '../../../../src/ids/ids.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { chat, frame, setField, view } from '../support/chatPanel.ts';
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

describe('What a question names, and the file that is open', () => {
  let service: ReferenceService;
  let folder: string;

  before(async () => {
    await subject().activate();
    folder = workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  });

  beforeEach(async () => {
    service = await startService({ listed: [{ id: 'parley-chat', object: 'model', context_length: 40_000 }] });
    await connectTo(service);
    await commands.executeCommand(Command.chatNew);
    await chat.open();
    await notification.clear();
  });
  afterEach(async () => {
    await notification.clear();
    await setting('parley.chat.openFile', false);
    await commands.executeCommand(Command.chatStop);
    await service.close();
    await closeEditors();
  });
  after(disconnect);

  const prompts = (): string[] =>
    service.requests
      .filter(({ path }) => path.endsWith('/chat/completions'))
      .map(({ body }) => String((body as { messages: { content: unknown }[] }).messages.at(-1)?.content ?? ''));
  const chips = (within = '.composer'): Promise<string[]> => texts(`${within} .chip-label`, { frame });
  const file = (path: string): Uri => Uri.file(join(folder, path));
  async function choose(label: string): Promise<void> {
    const first = `.completion[aria-selected=true] .completion-label:text-is(${JSON.stringify(label)})`;
    await waitFor(first, { frame, timeout: 15_000 });
    await press('Enter');
  }
  async function answered(count: number): Promise<void> {
    await until('the question has come', () => prompts().length >= count);
    await chat.untilAnswered();
  }

  it('keeps the names of files in the sentence that is sent, where they lead to the files', async () => {
    await fill('.box', '', view);
    await click('.box', view);
    await type('say: Compare @berths');
    await choose('berths.ts');
    await type('and @mail');
    await choose('mail.ts');
    await type('in a table');
    await until('both are attached', async () => (await chips()).join() === 'berths.ts,mail.ts');
    assert.equal(await value('.box', view), 'say: Compare berths.ts and mail.ts in a table');
    await screenshotInThemes('mentions-box');
    await click('.composer .chip .icon-button >> nth=1', { frame });
    await until('one is attached', async () => (await chips()).join() === 'berths.ts');
    await click('.box', view);
    await press('Enter');
    await answered(1);
    assert.match(
      prompts()[0] ?? '',
      /^say: Compare berths\.ts and mail\.ts in a table\n\nFrom src\/berths\.ts, the whole/,
    );
    assert.doesNotMatch(prompts()[0] ?? '', /From src\/mail\.ts/, 'without its chip a name is but a word');
    assert.deepEqual(await texts('.question-text [role=link]', view), ['berths.ts']);
    await click('.question-text [role=link]', view);
    await until('the file is open', () => window.activeTextEditor?.document.fileName.endsWith('berths.ts'));
  });

  it('changes what goes along with a question that was sent', async () => {
    await fill('.box', '', view);
    await click('.box', view);
    await type('say: About @berths');
    await choose('berths.ts');
    await until('it is attached', async () => (await chips()).length === 1);
    await press('Enter');
    await answered(1);
    await hover('.question', view);
    await click('.question .actions button >> nth=0', view);
    await click('.editor .chip .icon-button', view);
    await until('it is removed', async () => (await chips('.editor')).length === 0);
    assert.deepEqual(await chips('.composer'), []);
    await click('.editor .box', view);
    await press('Control+End');
    await type(' or @mail');
    await choose('mail.ts');
    await until('another is attached', async () => (await chips('.editor')).join() === 'mail.ts');
    assert.deepEqual(await axe(frame), []);
    await screenshot('mentions-edit');
    await press('Enter');
    await answered(2);
    assert.match(prompts()[1] ?? '', /^say: About berths\.ts or mail\.ts\n\nFrom src\/mail\.ts, the whole file/);
    assert.doesNotMatch(prompts()[1] ?? '', /From src\/berths\.ts/);
    assert.deepEqual(await chips('.question'), ['mail.ts']);
    // Given up, an edit leaves all as it was.
    await hover('.question', view);
    await click('.question .actions button >> nth=0', view);
    await click('.editor .chip .icon-button', view);
    await until('it is removed', async () => (await chips('.editor')).length === 0);
    await press('Escape');
    await until('it is back', async () => (await chips('.question')).join() === 'mail.ts');
    await click('.versions button >> nth=0', view);
    await until('the version before has its own', async () => (await chips('.question')).join() === 'berths.ts');
  });

  it('sends the open file along, once as it is, unless one click turned it off', async () => {
    await setting('parley.chat.openFile', undefined);
    await window.showTextDocument(file('src/berths.ts'));
    await chat.open();
    await waitFor('.open-file[aria-pressed=true]:has-text("berths.ts")', view);
    await screenshot('open-file-on');
    await chat.ask('say: with it');
    await answered(1);
    assert.match(prompts()[0] ?? '', /^say: with it\n\nFrom src\/berths\.ts, the whole file/);
    await until('it is not counted again', async () => !(await visible('.open-file .chip-tokens', view)));
    await chat.ask('say: again');
    await answered(2);
    assert.equal(prompts()[1], 'say: again');
    await window.showTextDocument(file('src/mail.ts'));
    await waitFor('.open-file[aria-pressed=true]:has-text("mail.ts")', view);
    await until('the gauge counts it', () => visible('.gauge summary', view));
    const shareOf = async (): Promise<string> => (await texts('.gauge summary', view)).join();
    const withFile = await shareOf();
    await click('.open-file', view);
    await waitFor('.open-file.off', view);
    await screenshotInThemes('open-file-off');
    assert.deepEqual(await axe(frame), []);
    await until('the gauge counts it no longer', async () => (await shareOf()) !== withFile);
    await chat.ask('say: without');
    await answered(3);
    assert.equal(prompts()[2], 'say: without');
    await click('.open-file', view);
    await waitFor('.open-file[aria-pressed=true]', view);
    await chat.ask('say: with mail');
    await answered(4);
    assert.match(prompts()[3] ?? '', /^say: with mail\n\nFrom src\/mail\.ts/);
    // The choice holds for the window, and for the suites that come after.
    await click('.open-file', view);
    await waitFor('.open-file.off', view);
  });

  it('shows in the drawer what parley.chat.extraBody adds', async () => {
    await setting('parley.chat.extraBody', { top_k: 40, temperature: 0.5, api_key: 'geheim' });
    try {
      await commands.executeCommand(Command.chatParameters);
      await waitFor('.extra-fields', view);
      assert.deepEqual(await texts('.extra-fields dt', view), ['top_k', 'temperature', 'api_key']);
      assert.deepEqual(await texts('.extra-value', view), ['40', '0.5', '•••']);
      await setField('temperature', '0.7', view);
      await waitFor('.extra-value.off:text-is("0.5")', view);
      assert.deepEqual(await axe(frame), []);
      await click('.drawer fieldset:has(.extra-fields) .link', view);
      await waitFor('.settings-editor');
    } finally {
      await setting('parley.chat.extraBody', undefined);
    }
  });

  it('asks before a file with secrets goes along', async () => {
    await setting('parley.chat.openFile', undefined);
    const secret = file('tide.pem');
    await workspace.fs.writeFile(secret, Buffer.from('KEY=geheim\n'));
    await window.showTextDocument(secret);
    await chat.open();
    await waitFor('.open-file.off:has-text("tide.pem")', view);
    await chat.ask('say: no key');
    await answered(1);
    assert.equal(prompts()[0], 'say: no key');
    await click('.open-file', view);
    assert.match(await dialog.text(), /tide\.pem/);
    await press('Escape');
    assert.equal(await visible('.open-file.off', view), true);
    await workspace.fs.delete(secret);
  });
});
