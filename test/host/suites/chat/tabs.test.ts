/** Conversations in editor tabs and in windows of their own, beside the one in the view. */
import assert from 'node:assert/strict';
import { commands, type Tab, TabInputWebview, window } from 'vscode';
import { Command } from '../../../../src/ids/ids.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { chat, frame } from '../support/chatPanel.ts';
import { closeEditors } from '../support/editors.ts';
import {
  chooseInMenu,
  click,
  fill,
  focus,
  hover,
  notification,
  press,
  rightClick,
  screenshot,
  texts,
  visible,
  waitFor,
} from '../support/hands.ts';
import { connectTo, disconnect, setting, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

type Place = { readonly frame: string; readonly place: 'view' | 'tab'; readonly window?: 'second' };
const view: Place = { frame, place: 'view' };
const tab: Place = { frame, place: 'tab' };

const tabsOf = (): readonly Tab[] =>
  window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => input instanceof TabInputWebview && input.viewType.endsWith('parley.conversation'));
const questions = (place: Place): Promise<string[]> => texts('.question-text', place);
const ask = (text: string): Thenable<unknown> =>
  commands.executeCommand(Command.chatAsk, text, { newConversation: true });
const untilAnswered = (place: Place, part: string): Promise<unknown> =>
  until(`the ${place.place} shows “${part}”`, async () =>
    (await texts('.answer:not(.streaming) .markdown', place)).join().includes(part),
  );

async function askIn(place: Place, question: string): Promise<void> {
  await fill('.box', question, place);
  await click('.send', place);
}

describe('Conversations in tabs', () => {
  let service: ReferenceService;
  beforeEach(async () => {
    service = await startService();
    await connectTo(service);
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

  it('shows the conversation of the view in a tab, by its title; what is asked in either, both show', async () => {
    await ask('say: in both');
    await commands.executeCommand(Command.chatOpenInEditor);
    await until('the tab shows it', async () => (await questions(tab)).join() === 'say: in both');
    await until('the tab has its title', () => tabsOf()[0]?.label === 'say: in both');
    await askIn(tab, 'say: from the tab');
    await untilAnswered(view, 'from the tab');
    await askIn(view, 'say: from the view');
    await untilAnswered(tab, 'from the view');
    await screenshot('tab');
  });

  it('has a conversation, a draft and a running answer of its own in each place', async () => {
    const slow = await startService();
    slow.setFault('hold-once');
    await setting('parley.baseUrl', slow.baseUrl);
    await commands.executeCommand(Command.chatOpenInEditor);
    await waitFor('.stage', tab);
    await askIn(tab, 'count to 200');
    await until('words come', async () => (await texts('.answer', tab)).join().includes('word1'));
    await fill('.box', 'draft of the tab', tab);
    await fill('.box', 'draft of the view', view);
    await click('.box', view);
    await commands.executeCommand(Command.chatNew);
    await askIn(view, 'say: meanwhile');
    await untilAnswered(view, 'meanwhile');
    assert.deepEqual(await questions(tab), ['count to 200']);
    assert.ok(await visible('.answer.streaming', tab), 'its answer goes on');
    slow.release();
    await untilAnswered(tab, 'word200');
    await slow.close();
  });

  it('opens a tab from the menu of a row, and the tab that is there by asking for it again', async () => {
    await ask('say: from the list');
    await commands.executeCommand('parley.conversations.focus');
    const row = '.monaco-list-row:has-text("say: from the list")';
    await waitFor(row);
    await rightClick(row);
    await screenshot('row-menu');
    await chooseInMenu(row, 'Open Conversation in Editor', () => tabsOf().length === 1);
    await commands.executeCommand(Command.chatOpenInEditor);
    assert.equal(tabsOf().length, 1);
  });

  it('the buttons over the view are for the view, whatever had the focus before', async () => {
    await ask('say: stays in the tab');
    await commands.executeCommand(Command.chatOpenInEditor);
    await until('the tab shows it', async () => (await questions(tab)).join() === 'say: stays in the tab');
    await click('.box', tab);
    await hover('.part.auxiliarybar .pane-header[aria-label^="Chat"]');
    await click('.part.auxiliarybar .pane-header [aria-label^="New Conversation"]');
    await until('the view is empty', async () => (await questions(view)).length === 0);
    assert.deepEqual(await questions(tab), ['say: stays in the tab']);
  });

  it('shows a conversation in a window of its own', async () => {
    await ask('say: far away');
    await commands.executeCommand(Command.chatOpenInWindow);
    const far: Place = { ...tab, window: 'second' };
    await until('the window shows it', async () => (await questions(far).catch(() => [])).join() === 'say: far away');
    // Without the mouse: the window of a browser without a screen is drawn without VS Code's style sheets.
    await fill('.box', 'say: from afar', far);
    await focus('.box', far);
    await press('Enter', far);
    await untilAnswered(view, 'from afar');
  });
});
