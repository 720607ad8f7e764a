import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Locator } from 'playwright-core';
import type { MessageView } from '../../src/webview/shared/protocol/messageProtocol.ts';
import type { Patch } from '../../src/webview/shared/protocol/protocol.ts';
import type { Window } from '../host/browser.ts';
import { type ChatPage, themeNames } from './chatPage.ts';
import { answer, question } from './samples.ts';
import { useChatPage } from './useChatPage.ts';

/** A conversation of so many turns, one answer of which has a needle in a long text. */
function conversation(turns: number, needleAt: number): MessageView[] {
  const filler = 'A line about the harbour.\n\n'.repeat(20);
  return Array.from({ length: turns }, (_, i): MessageView[] => [
    question(`q${i}`, `Question ${i}`),
    answer(`a${i}`, i === needleAt ? `${filler}Here is the **Needle** of ${i}.\n\n${filler}` : filler),
  ]).flat();
}

describe('A message that was searched for', () => {
  let window: Window;
  let chat: ChatPage;

  useChatPage((opened) => {
    ({ window, chat } = opened);
  });

  const at = (selector: string): Locator => window.page.locator(selector);
  const reveal = (message: string, ...words: string[]): Promise<void> => chat.send({ type: 'reveal', message, words });
  /** The texts that are marked, and how far below the top of the list the first of them is. */
  const marks = () =>
    window.page.evaluate(() => {
      const ranges = [...(CSS.highlights.get('found') ?? [])] as Range[];
      const top = document.querySelector('.conversation')?.getBoundingClientRect().top ?? 0;
      return { texts: ranges.map(String), top: ranges[0] && ranges[0].getBoundingClientRect().top - top };
    });
  const isNear = ({ top }: { top: number | undefined }): boolean => top !== undefined && Math.abs(top - 48) < 4;
  const focused = (): Promise<string | null | undefined> =>
    window.page.evaluate(() =>
      document.activeElement?.closest('article')?.querySelector('.question-text, .markdown')?.textContent?.slice(0, 30),
    );

  it('is scrolled to at the place of the words, which are marked, and takes the focus', async () => {
    await chat.show(conversation(30, 12));
    await reveal('a12', 'needle');
    const found = await marks();
    assert.deepEqual(found.texts, ['Needle']);
    assert.ok(isNear(found), JSON.stringify(found));
    assert.match((await focused()) ?? '', /A line about the harbour/);
    assert.equal(await at('.latest').isVisible(), true);
    await window.page.screenshot({ path: 'out/ui/reveal.png' });
  });

  it('is found in a conversation of thousands, far from what is drawn', async () => {
    await chat.show(conversation(1500, 700));
    await reveal('a700', 'needle', 'the');
    await window.page.waitForFunction(
      () => document.querySelector('.conversation')?.getAttribute('aria-busy') === 'false',
    );
    const found = await marks();
    assert.ok(found.texts.includes('Needle') && found.texts.length > 10);
    await reveal('q3', 'question');
    assert.ok(isNear(await marks()));
    assert.deepEqual((await marks()).texts, ['Question']);
  });

  it('is waited for, where it comes with a later patch or with another conversation', async () => {
    await chat.show([question('q', 'Why?'), answer('a', 'So.')]);
    await window.page.evaluate((data) => globalThis.postMessage(data), {
      type: 'reveal',
      message: 'b',
      words: ['needle'],
    });
    const patches: Patch<MessageView>[] = [
      { conversation: 'c1', seq: 1, change: { kind: 'put', index: 1, message: answer('b', 'A needle.') } },
    ];
    await chat.send({ type: 'patches', patches });
    assert.deepEqual((await marks()).texts, ['needle']);
    await window.page.evaluate((data) => globalThis.postMessage(data), {
      type: 'reveal',
      message: 'a5',
      words: ['needle'],
    });
    await chat.show(conversation(20, 5));
    const found = await marks();
    assert.ok(found.texts.length === 1 && isNear(found), JSON.stringify(found));
  });

  it('is scrolled to as a whole where its words are not drawn as they were written', async () => {
    await chat.show(conversation(20, 5));
    await reveal('a5', 'the **needle');
    assert.deepEqual((await marks()).texts, []);
    const top = await at('.messages > article')
      .nth(11)
      .evaluate((node) => node.getBoundingClientRect().top);
    assert.ok(Math.abs(top - 48) < 4, String(top));
  });

  it('leaves the focus where it is in a page without it', async () => {
    await chat.show(conversation(20, 5));
    await window.page.evaluate(() => {
      document.hasFocus = () => false;
    });
    await reveal('a5', 'needle');
    assert.equal(await focused(), undefined);
    await window.page.evaluate(() => dispatchEvent(new Event('focus')));
    assert.match((await focused()) ?? '', /A line about/);
  });

  it('is clean in every theme, and copies as it was written', async () => {
    await chat.show(conversation(3, 1));
    await reveal('a1', 'needle', 'harbour');
    for (const theme of themeNames) {
      await chat.theme(theme);
      assert.deepEqual(await chat.axe(), []);
    }
    assert.equal(await at('.answer strong').textContent(), 'Needle');
    assert.deepEqual(chat.escapes, []);
  });
});
