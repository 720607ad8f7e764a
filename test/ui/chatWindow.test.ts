import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { WindowView } from '../../src/webview/shared/fit.ts';
import type { AskAgain } from '../../src/webview/shared/protocol/protocol.ts';
import type { Window } from '../host/browser.ts';
import { type ChatPage, connected, themeNames } from './chatPage.ts';
import { answer, question } from './samples.ts';
import { strings } from './strings.ts';
import { pictures, useChatPage } from './useChatPage.ts';

const chip = { id: 'x', label: 'a-rather-long-name-of-a-file.ts:1-900', title: 'x', tokens: '3k', icon: 'file' };
const roomy: WindowView = {
  size: 100_000,
  answerRoom: 20_000,
  instructions: 1_000,
  earlier: 8_000,
  leftOut: 0,
  attachments: 3_000,
  leavesOut: false,
  isSummarised: false,
  largest: { id: 'x', label: chip.label },
  bytesPerToken: 3.5,
};
const turns = [question('q1', 'One?'), answer('a1', 'Yes.'), question('q2', 'Two?'), answer('a2', 'No.')];

describe('The context window in the panel', () => {
  let window: Window;
  let chat: ChatPage;

  useChatPage((opened) => {
    ({ window, chat } = opened);
  });

  const show = (view: WindowView | undefined): Promise<void> => chat.show(turns, { window: view, chips: [chip] });
  const state = (view: WindowView | undefined): Promise<void> =>
    chat.send({ type: 'state', state: { ...connected, window: view, chips: [chip] } });
  const gauge = (): Promise<string> => window.page.locator('.gauge summary').innerText();
  const sent = async () => (await chat.posted()).filter(({ type }) => type === 'send');
  const isBlocked = (): Promise<boolean> => window.page.locator('.fit').isVisible();
  const buttons = (): Promise<string[]> => window.page.locator('.fit button').allInnerTexts();

  it('is a share in the bottom row, which grows with what is typed, and is not there where nobody knows it', async () => {
    await show(undefined);
    assert.equal(await window.page.locator('.gauge').isVisible(), false);
    await state(roomy);
    assert.equal(await gauge(), '32%');
    await window.page.fill('.box', 'x'.repeat(35_000));
    assert.equal(await gauge(), '42%');
    assert.equal(await window.page.locator('.gauge summary').getAttribute('aria-label'), 'Context window: 42% used');
  });

  it('says what takes it, by keyboard, and closes with Escape, which stops no answer', async () => {
    await chat.show([...turns, question('q3', 'x'), answer('a3', '', { state: 'streaming' })], { window: roomy });
    await window.page.focus('.gauge summary');
    await window.page.keyboard.press('Enter');
    assert.deepEqual((await window.page.locator('.gauge dl').innerText()).split('\n').filter(Boolean), [
      ...['Instructions', '1,000', 'Earlier turns', '8,000', 'Attachments', '3,000'],
      ...['Kept for the answer', '20,000', 'Free', '68,000', 'The model reads', '100,000'],
    ]);
    await window.page.keyboard.press('Escape');
    assert.equal(await window.page.locator('.gauge dl').isVisible(), false);
    assert.equal(
      (await chat.posted()).some(({ type }) => type === 'stop'),
      false,
    );
  });

  it('holds a question back that does not fit with all older turns, until the user says what to leave out', async () => {
    await show({ ...roomy, earlier: 70_000, leftOut: 30_000, sentFrom: 'q2' });
    await window.page.fill('.box', 'Why?');
    await window.page.keyboard.press('Enter');
    assert.deepEqual(await sent(), []);
    assert.match(await window.page.locator('.fit p').innerText(), /about 124,002 tokens; the model reads 100,000/);
    assert.deepEqual(await buttons(), [
      'Leave Out Oldest Turns',
      'Summarise Them and Send',
      `Remove ${chip.label}`,
      'Send Anyway',
    ]);
    assert.match(await window.page.locator('[role=status]').innerText(), /124,002/);
    // The first button has the focus.
    await window.page.keyboard.press('Enter');
    assert.deepEqual(await sent(), [{ type: 'send', text: 'Why?', fit: 'leaveOut' }]);
    assert.equal(await isBlocked(), false);
    await state({ ...roomy, earlier: 70_000, leftOut: 30_000, sentFrom: 'q2', leavesOut: true });
    await window.page.fill('.box', 'And now?');
    await window.page.keyboard.press('Enter');
    assert.equal((await sent()).length, 2, 'it asks once in a conversation');
  });

  it('is read in whole beside a long question', async () => {
    await show({ ...roomy, earlier: 70_000, leftOut: 30_000, sentFrom: 'q2' });
    await window.page.fill('.box', 'A long question about the harbour. '.repeat(300));
    await window.page.keyboard.press('Enter');
    for (const part of await window.page.locator('.fit p, .fit button').all()) {
      const { y = -1, height = 0 } = (await part.boundingBox()) ?? {};
      const shown = await window.page.locator('.extras').boundingBox();
      assert.ok(shown !== null && y >= shown.y && y + height <= shown.y + shown.height, await part.innerText());
    }
    await window.page.screenshot({ path: join(pictures, 'fit-long.png') });
  });

  it('offers no older turns where the question itself is too large, and goes away when it fits', async () => {
    await show({ ...roomy, earlier: 0, leftOut: 8_000, attachments: 90_000, leavesOut: true });
    await window.page.fill('.box', 'Why?');
    await window.page.click('.send');
    assert.deepEqual(await buttons(), [`Remove ${chip.label}`, 'Send Anyway']);
    await window.page.click('.fit button >> nth=0');
    assert.deepEqual((await chat.posted()).at(-1), { type: 'detach', chip: 'x' });
    const { largest: _, ...rest } = roomy;
    await state({ ...rest, attachments: 0 });
    assert.equal(await isBlocked(), false);
    assert.equal(await window.page.evaluate(() => document.activeElement?.className), 'box');
    assert.deepEqual(await sent(), [], 'it is not sent by that');
  });

  it('lets a question go all the same, and closes with Escape', async () => {
    await show({ ...roomy, attachments: 200_000 });
    await window.page.fill('.box', 'Why?');
    await window.page.keyboard.press('Enter');
    await window.page.keyboard.press('Escape');
    assert.equal(await isBlocked(), false);
    assert.equal(await window.page.locator('.box').inputValue(), 'Why?');
    await window.page.focus('.box');
    await window.page.keyboard.press('Enter');
    await window.page.click('.fit button:text-is("Send Anyway")');
    assert.deepEqual(await sent(), [{ type: 'send', text: 'Why?', fit: 'whole' }]);
  });

  describe('for a question that is asked again', () => {
    const crowded = { ...roomy, earlier: 70_000, leftOut: 30_000 };
    const again = { type: 'edit', message: 'q2', text: 'Two, in other words?' } as const;
    const holdBack = (of: AskAgain, view = crowded): Promise<void> =>
      chat.send({ type: 'doesNotFit', window: view, text: 'Two?', again: of });

    it('asks what to leave out, and sends it with that', async () => {
      await show(roomy);
      await window.page.fill('.box', 'A draft');
      await holdBack({ type: 'retry' });
      assert.deepEqual(await buttons(), ['Leave Out Oldest Turns', 'Send Anyway']);
      // The state of the question in the box has nothing to do with it.
      await state(roomy);
      await window.page.click('.fit button:text-is("Leave Out Oldest Turns")');
      assert.deepEqual((await chat.posted()).at(-1), { type: 'retry', fit: 'leaveOut' });
      assert.equal(await isBlocked(), false);
      assert.equal(await window.page.locator('.box').inputValue(), 'A draft');
      await holdBack(again, { ...crowded, leavesOut: true, attachments: 90_000 });
      assert.deepEqual(await buttons(), ['Send Anyway']);
      await window.page.keyboard.press('Enter');
      assert.deepEqual((await chat.posted()).at(-1), { ...again, fit: 'whole' });
      assert.deepEqual(await sent(), []);
    });

    it('loses no words with Escape, by another question, or with the page', async () => {
      await show(roomy);
      await window.page.fill('.box', 'A draft');
      await holdBack(again);
      assert.equal(
        (await window.page.evaluate(() => globalThis.saved as { draft: string })).draft,
        `${again.text}\n\nA draft`,
      );
      await window.page.keyboard.press('Escape');
      assert.equal(await window.page.locator('.box').inputValue(), `${again.text}\n\nA draft`);
      assert.deepEqual(await sent(), []);
      await window.page.fill('.box', '');
      await holdBack(again);
      await chat.send({
        type: 'show',
        fields: [],
        strings,
        conversation: 'another',
        seq: 0,
        messages: [],
        state: { ...connected, window: roomy },
      });
      assert.equal(await isBlocked(), false);
      assert.equal(await window.page.locator('.box').inputValue(), again.text);
    });
  });

  it('has a line in the conversation above which nothing is sent', async () => {
    await show({ ...roomy, leftOut: 5_000, sentFrom: 'q2' });
    const order = (): Promise<string[]> =>
      window.page.evaluate(() =>
        Array.from(document.querySelector('.messages')?.children ?? [], ({ className }) => className),
      );
    assert.deepEqual(await order(), ['question', 'answer', 'left-out', 'question', 'answer']);
    await state({ ...roomy, leftOut: 5_000, sentFrom: 'q1' });
    assert.deepEqual((await order())[0], 'left-out');
    await state(roomy);
    assert.equal((await order()).includes('left-out'), false);
  });

  it('offers a summary in that line, and shows the one that is sent', async () => {
    const line = window.page.locator('.left-out');
    await show({ ...roomy, leftOut: 5_000, sentFrom: 'q2' });
    assert.deepEqual(await line.locator('button:visible').allInnerTexts(), ['Summarise']);
    await line.locator('button:visible').click();
    assert.deepEqual((await chat.posted()).at(-1), { type: 'summarise' });
    await state({ ...roomy, isSummarised: true, sentFrom: 'q2' });
    assert.match(await line.innerText(), /a summary is sent/);
    assert.deepEqual(await line.locator('button:visible').allInnerTexts(), ['Show Summary']);
    await line.locator('button:visible').click();
    assert.deepEqual((await chat.posted()).at(-1), { type: 'showSummary' });
  });

  for (const theme of themeNames) {
    it(`is clean for readers in the theme ${theme}, also at 220 px`, async () => {
      await chat.theme(theme);
      for (const width of [320, 220]) {
        await window.page.setViewportSize({ width, height: 700 });
        await show({ ...roomy, earlier: 70_000, leftOut: 30_000, sentFrom: 'q2' });
        await window.page.fill('.box', 'Why?');
        await window.page.keyboard.press('Enter');
        await window.page.screenshot({ path: join(pictures, `window-${theme}-${width}.png`) });
        assert.deepEqual(await chat.axe(), []);
        await window.page.keyboard.press('Escape');
        await window.page.click('.gauge summary');
        await window.page.screenshot({ path: join(pictures, `gauge-${theme}-${width}.png`) });
        assert.deepEqual(await chat.axe(), []);
        assert.equal(await window.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
        await window.page.click('.gauge summary');
      }
      assert.deepEqual(chat.escapes, []);
    });
  }
});
