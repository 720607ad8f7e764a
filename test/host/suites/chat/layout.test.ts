/** Where Parley's views stand, and what they offer while they have nothing to show. */
import assert from 'node:assert/strict';
import { commands } from 'vscode';
import { Command } from '../../../../src/ids/ids.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { chat, frame } from '../support/chatPanel.ts';
import { deleteIndex, indexAll } from '../support/codeIndex.ts';
import { screenshot, texts, waitFor } from '../support/hands.ts';
import { connectTo, disconnect, setting, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

const header = (view: string): string => `.pane-header[aria-label^="${view}"]`;
const chatSide = '.part.auxiliarybar';
const searchSide = '.part.sidebar';

/** The blue buttons that are in sight: of each view, and of the chat's page. */
async function primaryButtons(): Promise<Record<'chat' | 'conversations' | 'search', string[]>> {
  const inView = (part: string) => texts(`${part} .welcome-view-content .monaco-button:visible`);
  const [page, conversations, search] = await Promise.all([
    texts('.welcome .button:visible', { frame }),
    inView(chatSide),
    inView(searchSide),
  ]);
  return { chat: page, conversations, search };
}

async function untilOffered(search: string, ofChat: readonly string[]): Promise<void> {
  const wanted = { chat: [...ofChat], conversations: [], search: [search] };
  await until(`the buttons are ${JSON.stringify(wanted)}`, async () => {
    const shown = await primaryButtons();
    return JSON.stringify(shown) === JSON.stringify(wanted);
  });
}

describe('The layout', () => {
  let service: ReferenceService;
  before(async () => {
    service = await startService();
    await disconnect();
    await commands.executeCommand('parley.search.focus');
    await commands.executeCommand('parley.conversations.focus');
    await chat.open();
  });
  after(async () => {
    await disconnect();
    await service.close();
    await commands.executeCommand('workbench.view.explorer');
  });

  it('has the chat and its conversations in the secondary side bar, and code search in the primary one', async () => {
    await waitFor(`${chatSide} ${header('Chat')}`);
    await waitFor(`${chatSide} ${header('Conversations')}`);
    assert.deepEqual(await texts(`${searchSide} :is(${header('Chat')}, ${header('Conversations')})`), []);
    await waitFor(`.activitybar [aria-label="Code Search"]`);
    await screenshot('layout');
  });

  it('offers one thing in each view, and nothing twice: not connected, without a key, without an index, with one', async () => {
    await untilOffered('Search by Keywords', ['Connect']);
    await setting('parley.baseUrl', 'https://service.invalid/v1');
    await untilOffered('Search by Keywords', ['Set API Key']);
    await connectTo(service);
    await untilOffered('Index Workspace', []);
    await screenshot('layout-connected');
    await indexAll();
    await untilOffered('Search Code by Meaning', []);
    await deleteIndex();
  });

  it('lets its views be moved, and the chat goes on in its new place', async () => {
    await connectTo(service);
    await commands.executeCommand(Command.chatAsk, 'say: moved', { newConversation: true });
    await commands.executeCommand('vscode.moveViews', {
      viewIds: ['parley.chat', 'parley.conversations'],
      destinationId: 'workbench.view.extension.parley',
    });
    await chat.open();
    await waitFor(`${searchSide} ${header('Chat')}`);
    await until('the conversation is there', async () => (await chat.questions()).join() === 'say: moved');
    await chat.ask('say: and goes on');
    await chat.untilAnswered('and goes on');
    await screenshot('layout-moved');
    await commands.executeCommand('vscode.moveViews', {
      viewIds: ['parley.chat', 'parley.conversations'],
      destinationId: 'workbench.view.extension.parley-chat',
    });
    await chat.open();
    await waitFor(`${chatSide} ${header('Chat')}`);
  });
});
