/** What can be done with the conversations that are kept: going on from them, finding, taking along and bringing in. */
import assert from 'node:assert/strict';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commands, workspace } from 'vscode';
import { createHistory } from '../../../../src/chat/history/history.ts';
import { Command } from '../../../../src/ids/ids.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { chat, view } from '../support/chatPanel.ts';
import { closeEditors } from '../support/editors.ts';
import {
  click,
  fileDialog,
  fill,
  hover,
  notification,
  press,
  quickPick,
  screenshot,
  text,
  texts,
  type,
  visible,
  waitFor,
} from '../support/hands.ts';
import { connectToScripted, type ScriptedService, startScripted, streamed } from '../support/scriptedService.ts';
import { connectTo, disconnect, setting, startService } from '../support/service.ts';
import { subject } from '../support/subject.ts';
import { until } from '../support/until.ts';

const ask = (question: string, options?: { newConversation?: boolean }) =>
  commands.executeCommand(Command.chatAsk, question, options);

/** Where the conversations are kept, in the folder of VS Code's data. */
async function conversationsFolder(): Promise<string> {
  const data = process.env['PARLEY_TEST_DATA'] ?? '';
  const files = await readdir(data, { recursive: true });
  const found = files.find((file) => /parley\.parley[\\/]conversations$/.test(file));
  assert.ok(found);
  return join(data, found);
}

const historyOnDisk = async () => createHistory(await conversationsFolder());

const list = '.pane:has(> .pane-header[aria-label^="Conversations"])';
const rows = (): Promise<string[]> => texts(`${list} .monaco-list-row`);
const row = (part: string): string => `${list} .monaco-list-row:has-text(${JSON.stringify(part)})`;

const delta = (content: string) => ({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });
const done = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };

describe('Conversations that are kept', () => {
  let service: ReferenceService;

  before(async () => {
    await subject().activate();
  });
  beforeEach(async () => {
    service = await startService();
    await connectTo(service);
    await commands.executeCommand(Command.chatClearSearch);
    await commands.executeCommand(Command.chatNew);
    await chat.untilFocused();
    await notification.clear();
  });
  afterEach(async () => {
    await commands.executeCommand(Command.chatStop);
    await service.close();
    await closeEditors();
  });
  after(disconnect);

  describe('by forking', () => {
    it('go on in a new one after an answer, and stay as they are', async () => {
      await ask('say: one');
      await ask('say: two');
      await chat.open();
      await hover('.answer >> nth=0', view);
      await click('.answer >> nth=0 >> [aria-label="Fork After This Answer"]', view);
      await until('the fork is shown', async () => (await chat.questions()).join() === 'say: one');
      await chat.ask('say: another two');
      await chat.untilAnswered('another two');
      await commands.executeCommand('parley.conversations.focus');
      await waitFor(row('Fork: say: one'));
      const old = (await (await historyOnDisk()).list()).find(({ title }) => title === 'say: one');
      await commands.executeCommand(Command.chatOpen, old?.id);
      await until('the old one is whole', async () => (await chat.questions()).join() === 'say: one,say: two');
      const [fork] = (await (await historyOnDisk()).list()).filter(({ title }) => title === 'Fork: say: one');
      assert.equal(fork?.workspace?.uri, workspace.workspaceFolders?.[0]?.uri.toString());
    });

    it('go on in a new one before a question, which stands in the box with what was attached', async () => {
      await ask('say: one');
      await ask('say: two');
      await chat.open();
      await hover('.question >> nth=1', view);
      await click('.question >> nth=1 >> [aria-label="Fork Before This Question"]', view);
      await until('the fork is shown', async () => (await chat.questions()).join() === 'say: one');
      await until('the question is in the box', () => visible('.box:focus', view));
      await type(' and three');
      await press('Enter');
      await chat.untilAnswered('two and three');
    });

    it('go on in a new one by the command, and belong to the folder that is open, wherever they came from', async () => {
      const history = await historyOnDisk();
      const elsewhere = { uri: 'file:///elsewhere', name: 'elsewhere' };
      await history.add([
        { type: 'create', id: 'from-elsewhere', at: 1, workspace: elsewhere },
        { type: 'ask', id: 'q', text: 'Asked elsewhere', attachments: [], at: 2 },
        { type: 'answer', id: 'a', parent: 'q', at: 3 },
        { type: 'append', id: 'a', field: 'text', text: 'Answered elsewhere.' },
        { type: 'end', id: 'a', state: 'complete', totalMs: 1, at: 4 },
      ]);
      await commands.executeCommand(Command.chatOpen, 'from-elsewhere');
      await chat.untilAnswered('Answered elsewhere.');
      await commands.executeCommand(Command.chatFork);
      await until('it is in the list of this folder', async () => {
        const fork = (await history.list()).find(({ title }) => title === 'Fork: Asked elsewhere');
        return fork?.workspace?.uri === workspace.workspaceFolders?.[0]?.uri.toString();
      });
      await commands.executeCommand(Command.chatDelete, 'from-elsewhere');
    });
  });

  describe('by Continue', () => {
    let scripted: ScriptedService;
    beforeEach(async () => {
      scripted = await startScripted();
      await connectToScripted(scripted);
      await setting('parley.chat.model', 'm');
    });
    afterEach(() => scripted.close());

    it('go on with an answer that broke off, at its last words, and lose nothing where that fails', async () => {
      scripted.answer(streamed([delta('The quick '), delta('brown')], (response) => response.destroy()));
      await chat.ask('What does the fox do?');
      await chat.untilFailed('cut off');
      scripted.answer((response) => void response.writeHead(401).end());
      await chat.press('Continue');
      await chat.untilFailed('did not accept the API key');
      assert.equal((await chat.answers()).join().trim(), 'The quick brown');
      scripted.answer(
        streamed([delta('quick brow'), delta('n fox jumps.'), done, '[DONE]'], (response) => response.end()),
      );
      await chat.press('Continue');
      assert.equal((await chat.untilAnswered('jumps')).trim(), 'The quick brown fox jumps.');
      assert.equal(await visible('.answer .versions', view), false, 'it is one answer');
      const sent = scripted.bodies.at(-1)?.['messages'] as { role: string; content: string }[];
      assert.deepEqual(
        sent.slice(1).map(({ role }) => role),
        ['user', 'assistant', 'user'],
      );
      assert.equal(sent.at(-2)?.content, 'The quick brown');
      assert.equal((await chat.questions()).length, 1);
    });

    it('go on with an answer at its token limit, by the command', async () => {
      const limit = { choices: [{ index: 0, delta: {}, finish_reason: 'length' }] };
      scripted.answer(streamed([delta('One, two'), limit, '[DONE]'], (response) => response.end()));
      await chat.ask('Count to three.');
      await waitFor('.note:has-text("token limit")', view);
      scripted.answer(streamed([delta(', three.'), done, '[DONE]'], (response) => response.end()));
      await commands.executeCommand(Command.chatContinue);
      assert.equal((await chat.untilAnswered('three')).trim(), 'One, two, three.');
    });
  });

  describe('by searching', () => {
    /** Opens the box, and types. */
    async function search(query: string): Promise<{ searching: Thenable<unknown> }> {
      const searching = commands.executeCommand(Command.chatSearch);
      await quickPick.untilAsked('Words of questions and answers, or a phrase in quotes');
      await quickPick.filter(query);
      return { searching };
    }

    it('are found by their words while those are typed, and each hit opens where it stands, on its path', async () => {
      await ask('say: the herring swims', { newConversation: true });
      await ask('say: something else');
      await chat.open();
      await hover('.question >> nth=0', view);
      await click('.question >> nth=0 >> [aria-label="Edit and Ask Again"]', view);
      await fill('.question .box', 'say: the mackerel swims', view);
      await press('Enter');
      await chat.untilAnswered('mackerel');
      await ask('say: a mackerel is no herring', { newConversation: true });
      const { searching } = await search('herr');
      await until(
        'the hits are listed',
        async () => (await rows()).filter((each) => each.includes('herring')).length >= 4,
      );
      await quickPick.filter('herring swims');
      await until('fewer are left', async () => (await rows()).every((each) => !each.includes('no herring')));
      await waitFor(`${list} .monaco-highlighted-label .highlight:text-is("herring")`);
      await until('it is said how many', async () =>
        (await text(`${list} .message`)).includes('2 hits in one conversation'),
      );
      await screenshot('conversations-search');
      await press('Enter');
      await searching;
      await until('the list has the focus', () => visible(`${list} .monaco-list:focus`));
      await press('ArrowDown');
      await press('ArrowDown');
      await press('Enter');
      await until('the old version is shown', async () => (await chat.questions())[0] === 'say: the herring swims');
      await until('the message has the focus', () => visible('.answer:focus', view));
      assert.deepEqual(await chat.questions(), ['say: the herring swims', 'say: something else']);
      await commands.executeCommand('parley.conversations.focus');
      await press('Escape');
      await waitFor(row('no herring'));
    });

    it('are not searched any more where Escape ends the search', async () => {
      await ask('say: a needle', { newConversation: true });
      const { searching } = await search('nothing has this');
      await until('nothing is found', async () => (await text(`${list} .message`)).includes('Nothing found for'));
      assert.equal(await visible(`${list} .welcome-view-content`), false);
      await press('Escape');
      await searching;
      await waitFor(row('a needle'));
      await until('nothing is said', async () => !(await visible(`${list} .message`)));
    });

    it('open at a hit in a conversation that is shown already, by mouse, which ends the typing', async () => {
      const long = Array.from({ length: 120 }, (_, i) => `line ${i}`).join('\n\n');
      await ask(`say: ${long}\n\nThe plankton is here.\n\n${long}`, { newConversation: true });
      const { searching } = await search('plankton');
      await click(`${row('The plankton is here')} >> nth=1`);
      await searching;
      await until('it is scrolled to', async () => {
        const shown = await texts('.answer p:text-is("The plankton is here.")', view);
        return shown.length > 0 && (await visible('.latest', view));
      });
      // VS Code gives the view the focus a moment later.
      await until('the message has the focus', () => visible('.answer:focus', view));
    });
  });

  describe('as JSON', () => {
    const folder = (name: string): string => `${workspace.workspaceFolders?.[0]?.uri.fsPath}/${name}`;
    const file = folder('parley-conversations.json');
    afterEach(() => rm(file, { force: true }));

    async function exportAll(): Promise<void> {
      const exporting = commands.executeCommand(Command.chatExportJson);
      await quickPick.untilAsked('Which conversations?');
      // The one that is shown is picked already.
      await press('Enter');
      await fileDialog.choose('Export Conversations as JSON', folder('conversations.json'), file);
      await exporting;
    }

    async function importFile(): Promise<void> {
      const importing = commands.executeCommand(Command.chatImport);
      await fileDialog.choose('Import Conversations', folder(''), file);
      await importing;
    }

    it('go out with all their versions, and come in again beside those that went on', async () => {
      await ask('say: exported', { newConversation: true });
      await commands.executeCommand(Command.chatRetry);
      await exportAll();
      await notification.untilSaid('parley-conversations.json is saved.');
      const { conversations } = JSON.parse(await readFile(file, 'utf8'));
      assert.equal(conversations.length, 1);
      assert.equal(conversations[0].messages.length, 3);
      await importFile();
      await notification.untilSaid('One was there already, and was passed over.');
      await notification.clear();
      // One that went on is another one.
      await ask('say: later');
      await importFile();
      await notification.untilSaid('One conversation was imported.');
      await until('it is shown', async () => (await chat.questions())[0] === 'say: exported');
      await waitFor('.answer .versions:has-text("2 / 2")', view);
      const same = (await (await historyOnDisk()).list()).filter(({ title }) => title === 'say: exported');
      assert.equal(same.length, 2);
      assert.ok(same.every((each) => each.workspace?.uri === workspace.workspaceFolders?.[0]?.uri.toString()));
    });

    it('are said to be damaged, or of something else, in one sentence', async () => {
      for (const [content, sentence] of [
        ['{"format": "parley-conv', 'is no JSON, or only a part of it.'],
        ['{"a": 1}', 'holds no conversations that Parley has exported.'],
      ] as const) {
        await writeFile(file, content);
        await importFile();
        await notification.untilSaid(`parley-conversations.json ${sentence}`);
      }
    });
  });

  describe('on the disk', () => {
    it('are not forgotten while they are not saved, though another one is shown', async () => {
      const kept = await conversationsFolder();
      const before = new Set((await (await historyOnDisk()).list()).map(({ id }) => id));
      await rename(kept, `${kept}.away`);
      await writeFile(kept, '');
      await chat.ask('say: unsaved');
      await notification.untilSaid('This conversation is not saved');
      await chat.untilAnswered('unsaved');
      await commands.executeCommand(Command.chatNew);
      await until('another one is shown', async () => (await chat.questions()).length === 0);
      await chat.ask('say: unsaved as well');
      await chat.untilAnswered('unsaved as well');
      await rm(kept);
      await rename(`${kept}.away`, kept);
      await until('both are saved, each with its answer', async () => {
        const fresh = (await (await historyOnDisk()).list()).filter(({ id }) => !before.has(id));
        return fresh.length === 2 && fresh.every(({ title }) => title.startsWith('say: unsaved'));
      });
    });

    it('have their queue again when they are brought back', async () => {
      service.setFault('hold');
      await chat.ask('count to 5000');
      await chat.ask('say: waits');
      await until('it waits', async () => (await texts('.queue li', view)).length === 1);
      await commands.executeCommand(Command.chatDelete);
      await until('another one is shown', async () => (await chat.questions()).length === 0);
      assert.equal(await visible('.queue li', view), false);
      await notification.press('Undo');
      await until('it is shown again', async () => (await chat.questions())[0] === 'count to 5000');
      await until('its queue, too', async () => (await texts('.queue li', view)).join().includes('say: waits'));
      await click('.queue [aria-label="Take Back and Edit"]', view);
      await fill('.box', '', view);
    });

    it('are selected in the list when they are shown, wherever the focus is', async () => {
      await ask('say: the first of two', { newConversation: true });
      await commands.executeCommand(Command.chatNew);
      await commands.executeCommand('parley.conversations.focus');
      await click(row('the first of two'));
      await until('the first is open', async () => (await chat.questions()).join() === 'say: the first of two');
      await ask('say: the second of two', { newConversation: true });
      const selected = `${list} .monaco-list-row.selected`;
      await until('the second is selected', async () => (await text(selected)).includes('the second of two'));
      await chat.open();
      await hover('.answer', view);
      await click('.answer [aria-label="Fork After This Answer"]', view);
      await until('the fork is selected', async () => (await text(selected)).includes('Fork: say: the second of two'));
      assert.equal(await visible(`${list} .monaco-list:focus`), false);
    });
  });
});
