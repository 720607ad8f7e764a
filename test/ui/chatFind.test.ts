import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Locator } from 'playwright-core';
import type { AnswerView, MessageView } from '../../src/webview/shared/protocol/messageProtocol.ts';
import type { Window } from '../host/browser.ts';
import { until } from '../host/suites/support/until.ts';
import { type ChatPage, themeNames } from './chatPage.ts';
import { answer, question } from './samples.ts';
import { pictures, useChatPage } from './useChatPage.ts';

/** A conversation of so many turns; some of its answers have a text in the middle. */
function conversation(turns: number, texts: Readonly<Record<number, string>>): MessageView[] {
  const filler = 'A line about the harbour.\n\n'.repeat(20);
  return Array.from({ length: turns }, (_, i): MessageView[] => [
    question(`q${i}`, `Question ${i}`),
    answer(`a${i}`, texts[i] === undefined ? filler : `${filler}${texts[i]}\n\n${filler}`),
  ]).flat();
}

describe('Find in the conversation', () => {
  let window: Window;
  let chat: ChatPage;

  useChatPage((opened) => {
    ({ window, chat } = opened);
  });

  const at = (selector: string): Locator => window.page.locator(selector);
  const find = async (text: string): Promise<void> => {
    await chat.send({ type: 'find' });
    await at('.find-box').fill(text);
  };
  const place = (): Promise<string | null> => at('.find-place').textContent();
  /** What is shown of all that is marked: its text, its message, and whether it is in sight. */
  const now = () =>
    window.page.evaluate(() => {
      const [range] = [...(CSS.highlights.get('found-current') ?? [])] as Range[];
      const list = document.querySelector('.conversation')?.getBoundingClientRect();
      const { top = 0, bottom = 0 } = range?.getBoundingClientRect() ?? {};
      const isInSight = list !== undefined && top >= list.top && bottom <= list.bottom;
      const paragraph = range?.startContainer.parentElement?.closest('p, .question-text')?.textContent;
      return range && { text: String(range), paragraph, isInSight };
    });
  /** The same once what is marked is drawn: a slow machine draws a far message in several goes. */
  const current = () =>
    until('the place is drawn', async () => {
      const shown = await now();
      return shown?.isInSight ? shown : undefined;
    });
  /** Presses a key that goes to another place; gives that place. */
  const go = async (key: string) => {
    const { text, paragraph } = await current();
    await window.page.keyboard.press(key);
    return until('another place is drawn', async () => {
      const shown = await current();
      return shown.text === text && shown.paragraph === paragraph ? undefined : shown;
    });
  };
  const marks = (): Promise<number> => window.page.evaluate(() => CSS.highlights.get('found')?.size ?? 0);

  it('shows the words that are looked for in a narrow panel, too', async () => {
    for (const width of [220, 320]) {
      await window.page.setViewportSize({ width, height: 600 });
      await chat.show(conversation(3, { 1: 'A needle.' }));
      await find('needle');
      const [box, last] = await Promise.all(
        ['.find-box', '.find > :last-child'].map((one) => at(one).evaluate((each) => each.getBoundingClientRect())),
      );
      assert.ok((box?.width ?? 0) >= 100, `${width}: ${box?.width}`);
      assert.ok((last?.right ?? width) <= width - 4, `${width}: ${last?.right}`);
      await window.page.screenshot({ path: join(pictures, `find-${width}.png`) });
    }
  });

  it('goes from place to place, also in messages that are not drawn, and around', async () => {
    await chat.show(conversation(600, { 3: 'A Needle, and a **needle**.', 300: 'The needle far away.' }));
    await find('needle');
    const steps: [string, string, string][] = [];
    for (let i = 0; i < 4; i++) {
      const shown = i === 0 ? await current() : await go('Enter');
      assert.equal(shown.isInSight, true);
      steps.push([(await place()) ?? '', shown.text, shown.paragraph ?? '']);
    }
    const [first, second, third] = [
      ['Message 1 of 2', 'Needle', 'A Needle, and a needle.'],
      ['Message 1 of 2', 'needle', 'A Needle, and a needle.'],
      ['Message 2 of 2', 'needle', 'The needle far away.'],
    ] as const;
    assert.deepEqual(steps, [first, second, third, first]);
    assert.equal((await go('Enter')).text, 'needle');
    // From the second place back by one, and around.
    assert.equal((await go('Shift+Enter')).text, 'Needle');
    assert.equal((await go('Shift+Enter')).paragraph, 'The needle far away.');
    assert.equal((await go('Shift+Enter')).text, 'needle');
    assert.equal(await at('.find-box').evaluate((box) => box === document.activeElement), true);
  });

  it('goes back to the last place of a message that is drawn in several goes, not to the last one that is drawn so far', async () => {
    const long = 'A **line** about the `harbour`.\n\n'.repeat(1500);
    await chat.show(
      conversation(600, { 3: 'A needle.', 300: `The needle far away.\n\n${long}The needle at the end.` }),
    );
    await find('needle');
    assert.equal((await current()).paragraph, 'A needle.');
    await window.page.keyboard.press('Shift+Enter');
    await until('all is drawn', async () => (await at('.conversation').getAttribute('aria-busy')) === 'false');
    assert.equal((await current()).paragraph, 'The needle at the end.');
    assert.equal((await go('Shift+Enter')).paragraph, 'The needle far away.');
  });

  it('goes on to the next place of a message that is not drawn yet, and to the next message where there is none', async () => {
    const long = 'A **line** about the `harbour`.\n\n'.repeat(1500);
    const texts = {
      3: 'The first needle.',
      300: `The needle far away.\n\n${long}The needle at the end.`,
      400: `A needle.\n\n${long}`,
      500: 'The last needle.',
    };
    await chat.show(conversation(600, texts));
    await find('needle');
    assert.equal((await current()).paragraph, 'The first needle.');
    for (const expected of ['The needle at the end.', 'The last needle.']) {
      // Both keys are pressed in one go: at the second only the beginning of the message is drawn.
      await at('.find-box').evaluate((box) => {
        for (let i = 0; i < 2; i++) box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
      });
      assert.equal(await at('.conversation').getAttribute('aria-busy'), 'true');
      await until('all is drawn', async () => (await at('.conversation').getAttribute('aria-busy')) === 'false');
      assert.equal((await current()).paragraph, expected);
    }
  });

  it('begins at what is in sight', async () => {
    await chat.show(conversation(60, { 3: 'The needle before.', 59: 'The needle here.' }));
    await find('needle');
    assert.equal((await current()).paragraph, 'The needle here.');
    assert.equal(await place(), 'Message 2 of 2');
  });

  it('says that there is nothing, and marks nothing any more', async () => {
    await chat.show(conversation(3, { 1: 'The needle.' }));
    await find('needle');
    assert.equal(await marks(), 1);
    await at('.find-box').fill('needles');
    assert.equal(await place(), 'No results');
    assert.equal(await marks(), 0);
    assert.equal(await now(), undefined);
    assert.equal(await at('.find [aria-label^="Next"]').isDisabled(), true);
    await at('.find-box').fill('');
    assert.equal(await place(), '');
  });

  it('finds what comes while it is open, and stays where it is', async () => {
    const streaming: AnswerView = { ...answer('a1', 'A needle.\n\n'), state: 'streaming' };
    await chat.show([question('q1', 'Where is the needle?'), streaming]);
    await find('needle');
    assert.equal((await current()).paragraph, 'Where is the needle?');
    assert.equal(await marks(), 2);
    const change = { kind: 'append', index: 1, field: 'text', text: 'Another needle.' } as const;
    await chat.send({ type: 'patches', patches: [{ conversation: 'c1', seq: 1, change }] });
    await window.page.waitForFunction(() => CSS.highlights.get('found')?.size === 3);
    assert.equal((await current()).paragraph, 'Where is the needle?');
  });

  it('takes the words that are selected, and gives the focus back on Escape, which stops no answer', async () => {
    const streaming: AnswerView = { ...answer('a1', 'A needle.'), state: 'streaming' };
    await chat.show([question('q1', 'Where is it?'), streaming]);
    await at('.answer p')
      .first()
      .dblclick({ position: { x: 20, y: 8 } });
    await chat.send({ type: 'find' });
    assert.equal(await at('.find-box').inputValue(), 'needle');
    assert.equal((await current()).text, 'needle');
    await window.page.keyboard.press('Escape');
    assert.equal(await at('.find').isVisible(), false);
    assert.equal(await marks(), 0);
    assert.equal(await at('.composer .box').evaluate((box) => box === document.activeElement), true);
    assert.deepEqual(
      (await chat.posted()).filter((message) => (message as { type: string }).type === 'stop'),
      [],
    );
  });

  it('finds what is read: across bold words, code, links and entities, and no address that is not shown', async () => {
    const text = [
      'Take the **fast** path, and call `run()` at once.',
      'See [the *whole* guide](https://example.com/hidden) if a &lt; b.',
      'The first ends here.',
      'There begins the next.',
      'It doesn’t “just work”, and `x′` is no quotation.',
      '```ts\nconst one = 1;\n  const two = 2;\n```',
    ].join('\n\n');
    await chat.show([question('q1', 'What is it?'), answer('a1', text)]);
    const shown = async (wanted: string): Promise<string | undefined> => {
      await find(wanted);
      return (await current()).text.replaceAll(/\s+/g, ' ');
    };
    assert.equal(await shown('the fast path'), 'the fast path');
    assert.equal(await shown('call run() at'), 'call run() at');
    assert.equal(await shown('see the whole guide if'), 'See the whole guide if');
    assert.equal(await shown('a < b'), 'a < b');
    assert.equal(await shown('one = 1; const two'), 'one = 1; const two');
    // The marks of the keyboard stand for those of the printer, and the other way round.
    assert.equal(await shown(`doesn't "just work"`), 'doesn’t “just work”');
    assert.equal(await shown('doesn‘t “just'), 'doesn’t “just');
    for (const unread of [`x'`, 'hidden', 'here. There', '**fast']) {
      await find(unread);
      await until('nothing is found', async () => (await marks()) === 0);
      assert.equal(await now(), undefined);
    }
  });

  it('counts messages that are not drawn by what is read of them, at once in a thousand', async () => {
    await chat.show(conversation(500, { 3: 'The **fast** path.', 250: 'See [this](https://example.com/fastpath).' }));
    await find('the fast path');
    assert.equal((await current()).text, 'The fast path');
    assert.match((await place()) ?? '', /\b1\b.*\b1\b/);
    await find('fastpath');
    await until('nothing is found', async () => (await marks()) === 0);
  });

  for (const theme of themeNames) {
    it(`is accessible and legible in ${theme}`, async () => {
      await chat.theme(theme);
      await chat.show(conversation(2, { 1: 'A needle, and a needle.' }));
      await find('needle');
      assert.deepEqual(await chat.axe(), []);
      await window.page.screenshot({ path: `out/ui/find-${theme}.png` });
    });
  }
});
