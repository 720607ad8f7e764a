import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Locator } from 'playwright-core';
import type { MessageView } from '../../src/webview/shared/protocol/messageProtocol.ts';
import type { FromChatPanel } from '../../src/webview/shared/protocol/protocol.ts';
import type { Window } from '../host/browser.ts';
import { type ChatPage, openChatPage, themeNames } from './chatPage.ts';
import { answer, question, versioned } from './samples.ts';
import { useChatPage } from './useChatPage.ts';

describe('Going on from a message in the chat panel', () => {
  let window: Window;
  let chat: ChatPage;

  useChatPage((opened) => {
    ({ window, chat } = opened);
  });

  const posted = async (): Promise<FromChatPanel[]> =>
    (await chat.posted()).filter(({ type }) => type !== 'ready' && type !== 'focused');
  const message = (index: number): Locator => window.page.locator('.messages > article').nth(index);
  const button = (index: number, name: string): Locator => message(index).getByRole('button', { name, exact: true });
  const heightOf = async (locator: Locator): Promise<number> => (await locator.boundingBox())?.height ?? 0;
  const cut = { state: 'failed', canContinue: true, summary: 'llama-x' } as const;
  const broke = { sentence: 'The answer was cut off before its end.' };
  const stopped = answer('s', 'The quick', {
    ...{ state: 'stopped', note: 'Stopped.', canContinue: true, summary: 'llama-x' },
  });

  it('offers Continue by the last answer, where that was cut', async () => {
    const limited = answer('l', 'The quick', { note: 'The answer ends here.', canContinue: true, summary: 'llama-x' });
    for (const view of [stopped, limited, answer('f', 'The quick', { ...cut, error: broke })]) {
      await chat.show([question('q', 'Why?'), view]);
      await button(1, 'Continue').click();
      assert.deepEqual((await posted()).at(-1), { type: 'continue', message: view.id });
      await chat.show([question('q', 'Why?'), view, question('q2', 'And then?'), answer('a', 'Then.')]);
      assert.equal(await button(1, 'Continue').count(), 0, 'what followed would belong to another version');
    }
    await chat.show([question('q', 'Why?'), answer('a', 'Whole.')]);
    assert.equal(await button(1, 'Continue').count(), 0);
  });

  it('has two buttons at most by an answer that broke off, and Retry among the actions where there is no room', async () => {
    const names = (): Promise<string[]> => message(1).locator('.buttons > button').allInnerTexts();
    await chat.show([question('q', 'Why?'), answer('f', 'The quick', { ...cut, error: broke })]);
    assert.deepEqual(await names(), ['Continue', 'Retry']);
    const error = { ...broke, action: 'Show Log' };
    await chat.show([question('q', 'Why?'), answer('g', 'The quick', { ...cut, error })]);
    assert.deepEqual(await names(), ['Show Log', 'Continue']);
    await button(1, 'Retry').click();
    assert.deepEqual((await posted()).at(-1), { type: 'retry' });
    await chat.show([question('q', 'Why?'), answer('h', '', { state: 'failed', error })]);
    assert.deepEqual(await names(), ['Show Log', 'Retry']);
  });

  it('forks before a question and after an answer, by mouse and by keyboard', async () => {
    await chat.show(versioned);
    await message(2).hover();
    await button(2, 'Fork Before This Question').click();
    await button(1, 'Fork After This Answer').focus();
    await window.page.keyboard.press('Enter');
    assert.deepEqual(await posted(), [
      { type: 'fork', message: 'v2' },
      { type: 'fork', message: 'w2' },
    ]);
  });

  it('offers no fork after an answer without words, and none after one that is being written', async () => {
    const failed = answer('f', '', { state: 'failed', error: broke });
    await chat.show([question('q', 'Why?'), failed, question('r', 'And?'), answer('s', 'It', { state: 'streaming' })]);
    for (const index of [1, 3]) assert.equal(await button(index, 'Fork After This Answer').count(), 0);
  });

  it('gives an answer that failed without a word no empty line, and its actions all the same', async () => {
    const failed = (id: string, action?: string) => answer(id, '', { state: 'failed', error: { ...broke, action } });
    await chat.show([
      ...[question('q1', 'Why?'), failed('f1')],
      ...[question('q2', 'Why?'), failed('f2', 'Show Log')],
      ...[question('q3', 'Why?'), failed('f3')],
    ]);
    for (const index of [1, 3, 5]) {
      assert.equal(await heightOf(message(index)), await heightOf(message(index).locator('.error')));
      await message(index).hover();
      await button(index, 'Delete Answer').click();
    }
    assert.deepEqual(
      await posted(),
      ['f1', 'f2', 'f3'].map((id) => ({ type: 'delete', message: id })),
    );
  });

  it('closes an edit that changed nothing, and asks nothing', async () => {
    await chat.show(versioned);
    await button(2, 'Edit and Ask Again').click();
    await window.page.keyboard.type(' ');
    await window.page.keyboard.press('Enter');
    assert.deepEqual(await posted(), []);
    assert.equal(await message(2).locator('textarea').count(), 0);
    assert.equal(
      await window.page.evaluate(() => document.activeElement?.getAttribute('aria-label')),
      'Edit and Ask Again',
    );
  });

  it('has an edit again after the page was thrown away, until it is closed', async () => {
    const isEdited = (index: number) => message(index).locator('textarea').count();
    await chat.show(versioned);
    await button(0, 'Edit and Ask Again').click();
    await window.page.keyboard.type(' Always?');
    await button(2, 'Edit and Ask Again').click();
    await message(2).locator('textarea').fill('Where?');
    await window.page.fill('.composer .box', 'a draft');
    chat = await openChatPage(window.page, await window.page.evaluate(() => globalThis.saved));
    await chat.show(versioned);
    assert.equal(
      await message(0).locator('textarea').inputValue(),
      'How long does the client wait before it tries again? Always?',
    );
    assert.equal(await window.page.locator('.composer .box').inputValue(), 'a draft');
    await message(2).locator('textarea').focus();
    await window.page.keyboard.press('Enter');
    assert.deepEqual(await posted(), [{ type: 'edit', message: 'v2', text: 'Where?' }]);
    await message(0).locator('textarea').focus();
    await window.page.keyboard.press('Escape');
    chat = await openChatPage(window.page, await window.page.evaluate(() => globalThis.saved));
    await chat.show(versioned);
    assert.deepEqual([await isEdited(0), await isEdited(2)], [0, 0]);
  });

  it('keeps an edit while another version, or another conversation, is looked at', async () => {
    await chat.show(versioned);
    await button(2, 'Edit and Ask Again').click();
    await message(2).locator('textarea').fill('Where?');
    await chat.show([question('other', 'Why?'), answer('o', 'So.')]);
    await chat.show(versioned);
    assert.equal(await message(2).locator('textarea').inputValue(), 'Where?');
  });

  const states: readonly MessageView[][] = [
    [question('q', 'Why?'), stopped],
    [question('q', 'Why?'), answer('f', 'The quick', { ...cut, error: { ...broke, action: 'Show Log' } })],
    [question('q', 'Why?'), answer('h', '', { state: 'failed', error: broke }), question('r', 'And now?')],
  ];
  for (const width of [320, 220]) {
    it(`is clean, and loses nothing, at ${width} px in every theme`, async () => {
      await window.page.setViewportSize({ width, height: 500 });
      for (const [index, state] of states.entries()) {
        for (const theme of themeNames) {
          await chat.theme(theme);
          await chat.show(state);
          await message(1).hover();
          assert.deepEqual(await chat.axe(), []);
          const cutOff = await window.page.evaluate(() =>
            [...document.querySelectorAll('.messages *')]
              .filter((node) => node.checkVisibility() && node.getBoundingClientRect().right > innerWidth)
              .map((node) => node.className),
          );
          assert.deepEqual(cutOff, []);
          if (theme === 'dark') await window.page.screenshot({ path: `out/ui/continue-${index}-${width}.png` });
        }
      }
      assert.deepEqual(chat.escapes, []);
    });
  }
});
