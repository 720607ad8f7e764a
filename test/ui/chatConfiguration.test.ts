import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { QuestionView } from '../../src/webview/shared/protocol/messageProtocol.ts';
import type { PanelState } from '../../src/webview/shared/protocol/protocol.ts';
import type { Window } from '../host/browser.ts';
import { type ChatPage, connected, themeNames } from './chatPage.ts';
import { answer, question } from './samples.ts';
import { pictures, useChatPage } from './useChatPage.ts';

const own: Partial<PanelState> = {
  model: 'a-model-of-this-conversation-with-a-long-name',
  parameters: 'Temperature 0.2, System Prompt',
  tokens: '1,204 tokens',
  instructions: [
    { id: 'i1', label: 'AGENTS.md', title: 'AGENTS.md goes along as instructions', icon: 'book' },
    { id: 'i2', label: '.github/copilot-instructions.md (cut)', title: 'It is too long', icon: 'book' },
  ],
  chips: [{ id: 'c1', label: 'berths.ts:27-29', title: 'src/berths.ts, lines 27 to 29' }],
};
const prompted: QuestionView = {
  ...question('q', 'Look for races in this code.'),
  label: '/review (harbour) for races',
};

describe('What a conversation is asked with', () => {
  let window: Window;
  let chat: ChatPage;

  useChatPage((opened) => {
    ({ window, chat } = opened);
  }, 600);

  const button = (name: string) => window.page.getByRole('button', { name, exact: true });
  const chipsOf = (list: string): Promise<string[]> =>
    window.page.getByRole('list', { name: list, exact: true }).locator('.chip').allInnerTexts();

  for (const theme of themeNames) {
    it(`is clean for readers in the theme ${theme}, also where it is narrow`, async () => {
      await chat.theme(theme);
      for (const width of [320, 220]) {
        await window.page.setViewportSize({ width, height: 600 });
        await chat.show([prompted, answer('a', 'There are none.')], own);
        await window.page.screenshot({ path: join(pictures, `chat-${theme}-configured-${width}.png`) });
        assert.deepEqual(await chat.axe(), []);
        const overflow = await window.page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        assert.equal(overflow, 0, `nothing hangs over at ${width}`);
      }
      assert.deepEqual(chat.escapes, []);
    });
  }

  it('is behind a button, which says what differs from the settings', async () => {
    await chat.show([]);
    await button('Parameters of This Conversation').click();
    assert.equal(await window.page.locator('.parameters .codicon-circle-small-filled').isVisible(), false);
    await chat.show([], own);
    await button('Parameters of This Conversation: Temperature 0.2, System Prompt').press('Enter');
    assert.equal(await window.page.locator('.parameters .codicon-circle-small-filled').isVisible(), true);
    assert.equal(await window.page.locator('.drawer').isVisible(), false, 'it was opened, and closed again');
  });

  it('has the instruction files as chips of their own, each of which can be removed', async () => {
    await chat.show([], own);
    assert.deepEqual(await chipsOf('Instructions of the workspace'), [
      'AGENTS.md',
      '.github/copilot-instructions.md (cut)',
    ]);
    assert.deepEqual(await chipsOf('Attached'), ['berths.ts:27-29']);
    await button('Remove AGENTS.md').press('Enter');
    assert.deepEqual((await chat.posted()).at(-1), { type: 'detach', chip: 'i1' });
    assert.equal(await window.page.evaluate(() => document.activeElement?.className), 'box');
    await chat.send({ type: 'state', state: { ...connected, ...own, instructions: [] } });
    assert.deepEqual(await chipsOf('Instructions of the workspace'), []);
  });

  it('is not shown where no service is connected', async () => {
    await chat.show([], { ...own, chips: [], connected: false });
    assert.equal(await window.page.locator('.composer').isVisible(), false);
  });

  it('names the prompt above the question that it worded', async () => {
    await chat.show([prompted, answer('a', 'There are none.'), question('q2', 'Why?')]);
    assert.deepEqual(await window.page.locator('.question-label').allInnerTexts(), ['/review (harbour) for races']);
  });

  it('keeps a button that has the focus while the state comes again', async () => {
    await chat.show([], own);
    await button('Remove AGENTS.md').focus();
    await chat.send({ type: 'state', state: structuredClone({ ...connected, ...own }) });
    assert.equal(
      await window.page.evaluate(() => document.activeElement?.getAttribute('aria-label')),
      'Remove AGENTS.md',
    );
  });
});
