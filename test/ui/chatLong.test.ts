import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AnswerView, MessageView } from '../../src/webview/shared/protocol/messageProtocol.ts';
import type { Window } from '../host/browser.ts';
import { type ChatPage, drawn, openChatPage } from './chatPage.ts';
import { answer, question } from './samples.ts';
import { useChatPage } from './useChatPage.ts';

/** Nobody reads more than this at a time, and a page of more is slow. */
const mostNodes = 5000;

const code = '```ts\nexport const height = (hour: number): number => Math.cos(hour / 12.42) * 3;\n```';
const conversation = (pairs: number): MessageView[] =>
  Array.from({ length: pairs }, (_, i) => [
    question(`q${i}`, `Question ${i}: how high is the water?`),
    answer(`a${i}`, `Answer ${i}.\n\n${'It rises and falls, twice a day. '.repeat(i % 9)}\n\n${code}`),
  ]).flat();

describe('A long conversation in the chat panel', () => {
  let window: Window;
  let chat: ChatPage;

  useChatPage((opened) => {
    ({ window, chat } = opened);
  });

  const nodes = (): Promise<number> =>
    window.page.evaluate(() => document.evaluate('count(//node())', document).numberValue);
  const at = (selector: string) => window.page.locator(selector);
  /** Resolves when all that is near is drawn. */
  const settled = async (): Promise<void> => {
    await window.page.waitForSelector('.conversation[aria-busy=false]');
    await window.page.waitForFunction(() =>
      [...document.querySelectorAll('.undrawn')].every((room) => {
        const { top, bottom } = room.getBoundingClientRect();
        return bottom < 0 || top > innerHeight;
      }),
    );
    await drawn(window.page);
  };
  const show = async (messages: readonly MessageView[]): Promise<void> => {
    await chat.show(messages);
    await settled();
  };
  const scrollBy = async (by: number): Promise<void> => {
    await window.page.evaluate((pixels) => document.querySelector('.conversation')?.scrollBy(0, pixels), by);
    await drawn(window.page);
    await settled();
  };
  const textInSight = (): Promise<string> =>
    window.page.evaluate(() => {
      const isInSight = (node: Element): boolean => {
        const { top, bottom } = node.getBoundingClientRect();
        return bottom > 0 && top < innerHeight;
      };
      return [...document.querySelectorAll<HTMLElement>('.messages > article')]
        .filter(isInSight)
        .map((node) => node.innerText)
        .join('\n');
    });

  it('draws of 1,000 messages those that are near, from the end on, and of 5,000 no more', async () => {
    await show(conversation(500));
    const few = await nodes();
    assert.ok(few < mostNodes, `${few} nodes`);
    assert.equal(await at('.messages > article').count(), 1000, 'each has its place');
    assert.match(await textInSight(), /Answer 499\./);
    assert.ok(
      await window.page.evaluate(() => {
        const list = document.querySelector('.conversation');
        return list !== null && list.scrollHeight - list.scrollTop - list.clientHeight < 2;
      }),
    );
    assert.deepEqual(await chat.axe(), []);
    const drawnOf = (): Promise<number> => at('.question, .answer').count();
    const before = await drawnOf();
    await show(conversation(2500).map((message) => ({ ...message, id: `other ${message.id}` })));
    assert.ok((await drawnOf()) < before * 1.5, 'what is near does not depend on how many there are');
  });

  it('draws what is scrolled to, and moves nothing that somebody reads', async () => {
    await show(conversation(200));
    for (let step = 0; step < 12; step++) {
      const read = at('.answer .markdown').filter({ visible: true }).first();
      const before = await read.evaluate((node) => {
        document.querySelector('[data-read]')?.removeAttribute('data-read');
        const inSight =
          [...document.querySelectorAll('.question')].find((each) => each.getBoundingClientRect().top > 100) ?? node;
        inSight.setAttribute('data-read', '');
        return inSight.getBoundingClientRect().top;
      });
      await scrollBy(-300);
      const now = await at('[data-read]').evaluate((node) => node.getBoundingClientRect().top);
      assert.ok(Math.abs(now - before - 300) < 2, `step ${step}: moved by ${now - before}`);
    }
    assert.ok((await nodes()) < mostNodes);
    await window.page.evaluate(() => document.querySelector('.conversation')?.scrollTo(0, 0));
    await drawn(window.page);
    await settled();
    assert.match(await textInSight(), /Question 0:/);
    assert.ok((await nodes()) < mostNodes);
  });

  it('shows the message again at which somebody read, after the page was thrown away', async () => {
    await show(conversation(200));
    await scrollBy(-7000);
    const place = (): Promise<number> =>
      window.page.evaluate(() => {
        const list = document.querySelector('.conversation');
        const { top = 0 } = list?.getBoundingClientRect() ?? {};
        const first = [...(list?.querySelectorAll('article') ?? [])].find(
          (each) => each.getBoundingClientRect().bottom > top,
        );
        return Math.round(top - (first?.getBoundingClientRect().top ?? 0));
      });
    const [before, text] = [await place(), await textInSight()];
    await window.page.waitForFunction(
      (offset) => Math.round((globalThis.saved as { place?: { offset: number } }).place?.offset ?? -1) === offset,
      before,
    );
    const saved = await window.page.evaluate(() => globalThis.saved);
    chat = await openChatPage(window.page, saved);
    await chat.theme('dark');
    await show(conversation(200));
    assert.equal(await textInSight(), text);
    assert.ok(Math.abs((await place()) - before) <= 1, 'but for what a scroll bar rounds');
  });

  it('keeps what the user has open in a message, however far it is scrolled away', async () => {
    const messages = conversation(200);
    messages[399] = answer('a199', 'Answer 199.', { reasoning: 'So it is.' });
    await show(messages);
    await at('.question >> nth=-1').getByRole('button', { name: 'Edit and Ask Again' }).click();
    await window.page.keyboard.type(' And the wind?');
    // By keyboard: the list may still move under a mouse.
    await at('.reasoning summary').last().press('Enter');
    await scrollBy(-9000);
    await scrollBy(20_000);
    assert.match(await at('.question textarea').inputValue(), /And the wind\?/);
    assert.equal(await at('.reasoning[open]').count(), 1);
  });

  it('has the newest answer ready while somebody reads far above, and goes there at once', async () => {
    const streaming: AnswerView = { ...answer('a100', ''), state: 'streaming' };
    await show([...conversation(100), question('q100', 'And now?'), streaming]);
    await scrollBy(-8000);
    const before = await textInSight();
    await chat.send({
      type: 'patches',
      patches: [
        { conversation: 'c1', seq: 1, change: { kind: 'append', index: 201, field: 'text', text: 'It falls.' } },
      ],
    });
    assert.equal(await textInSight(), before);
    await at('.latest').click();
    assert.match(await textInSight(), /It falls\./);
  });

  it('is reached message by message from the keyboard', async () => {
    await show(conversation(60));
    await at('.composer .box').focus();
    const seen = new Set<number>();
    while (seen.size < 6) {
      await window.page.keyboard.press('Shift+Tab');
      await settled();
      const text = await window.page.evaluate(() => document.activeElement?.closest('.answer')?.textContent ?? '');
      const number = /Answer (\d+)\./.exec(text)?.[1];
      if (number !== undefined) seen.add(Number(number));
    }
    assert.deepEqual([...seen], [59, 58, 57, 56, 55, 54]);
  });
});
