import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { Locator } from 'playwright-core';
import type { ColumnHead } from '../../src/webview/shared/protocol/comparisonProtocol.ts';
import type { ColumnView, FromChatPanel, Patch } from '../../src/webview/shared/protocol/protocol.ts';
import type { Window } from '../host/browser.ts';
import { type ChatPage, themeNames } from './chatPage.ts';
import { answer, question, versioned } from './samples.ts';
import { useChatPage } from './useChatPage.ts';

describe('Versions side by side', () => {
  let window: Window;
  let chat: ChatPage;
  let seq = 0;

  useChatPage((opened) => {
    ({ window, chat } = opened);
  });
  beforeEach(() => {
    seq = 0;
  });

  const at = (selector: string): Locator => window.page.locator(selector);
  const texts = (selector: string): Promise<string[]> => at(selector).allInnerTexts();
  const button = (name: string, index = 0): Locator =>
    at('.column').nth(index).getByRole('button', { name, exact: true });
  const posted = async (): Promise<FromChatPanel[]> => (await chat.posted()).slice(1);
  const last = async (): Promise<FromChatPanel | undefined> => (await posted()).at(-1);
  const said = (): Promise<string> => at('[role=status]').innerText();

  const column = (at: number, of = 4, head: Partial<ColumnHead> = {}, view: Partial<ColumnView> = {}): ColumnView => ({
    ...answer(`v${at}`, `Answer **${at}**`),
    head: { name: `model-${at}`, figures: ['0.31 s to the first token', 'stop'], at, of, isChosen: at === 1, ...head },
    ...(view as object),
  });
  const compare = async (columns: readonly ColumnView[], isAskedFor = true): Promise<void> => {
    await chat.send({
      ...{ type: 'comparison', isAskedFor },
      comparison: { id: 'k', seq: 0, question: 'Why?', columns },
    });
    await at('.columns:not([aria-busy=true])').waitFor();
  };
  const change = async (...changes: Patch<ColumnView>['change'][]): Promise<void> => {
    const patches = changes.map((each) => ({ conversation: 'k', seq: ++seq, change: each }));
    await chat.send({ type: 'columns', patches });
    await window.page.waitForFunction(
      (to) => (globalThis.posted as FromChatPanel[]).some((each) => each.type === 'columnsDrawn' && each.seq >= to),
      seq,
    );
  };
  const four = [1, 2, 3, 4].map((each) => column(each));

  it('break their figures between two of them alone', async () => {
    await chat.show(versioned);
    await compare(four);
    const heights = await at('.column-figures > span').evaluateAll((spans) => spans.map((span) => span.clientHeight));
    assert.equal(heights.length, 8);
    assert.ok(Math.max(...heights) < 24, 'each in one line');
  });

  it('stand in the place of the conversation, each with its name and figures', async () => {
    await chat.show(versioned);
    await compare(four);
    assert.deepEqual(await texts('.column h3'), ['model-1', 'model-2', 'model-3', 'model-4']);
    assert.deepEqual(await texts('.column .markdown'), ['Answer 1', 'Answer 2', 'Answer 3', 'Answer 4']);
    assert.equal(await at('.column-figures').first().innerText(), '0.31 s to the first token · stop');
    assert.equal(await at('.comparison-question').innerText(), 'Why?');
    assert.equal(await at('.stage').isVisible(), false);
    assert.equal(await at('.column-chosen').count(), 1);
    assert.equal(await window.page.evaluate(() => document.activeElement?.id), 'comparison-title');
  });

  for (const width of [220, 320, 900]) {
    it(`have nothing that axe finds, and all can be reached, ${width} pixels wide`, async () => {
      await window.page.setViewportSize({ width, height: 700 });
      for (const theme of themeNames) {
        await chat.theme(theme);
        await chat.show(versioned);
        await compare([
          ...four.slice(0, 2),
          column(3, 128, { after: 'v5' }),
          column(4, 128, {}, { state: 'failed', error: { sentence: 'The service is overloaded.' } }),
        ]);
        assert.deepEqual(await chat.axe(), []);
      }
      for (const index of [0, 1, 2, 3]) {
        await button('Go On With This', index).scrollIntoViewIfNeeded();
        const box = await at('.column').nth(index).boundingBox();
        assert.ok(box !== null && box.width >= 180 && box.width <= width, `${box?.width} pixels`);
        await button('Go On With This', index).click();
        assert.deepEqual(await last(), { type: 'goOnWith', message: `v${index + 1}` });
      }
      const page = await window.page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(page <= width, 'the page itself does not scroll to the side');
    });
  }

  it('fill a wide panel, all in sight', async () => {
    await window.page.setViewportSize({ width: 900, height: 700 });
    await chat.show(versioned);
    await compare(four);
    const box = await at('.column').nth(3).boundingBox();
    assert.ok(box !== null && box.x + box.width <= 900.5);
  });

  it('grow while they are written, each by itself, and say when one has ended', async () => {
    const views = [1, 2].map((each) => column(each, 2, { figures: [] }, { text: '', state: 'streaming' }));
    await chat.show(versioned);
    await compare(views, false);
    assert.equal(await at('.composer .send').getAttribute('aria-label'), 'Stop');
    await change(
      { kind: 'append', index: 1, field: 'text', text: 'two' },
      { kind: 'append', index: 0, field: 'text', text: 'one' },
      { kind: 'append', index: 1, field: 'text', text: ' too' },
    );
    assert.deepEqual(await texts('.column .markdown'), ['one', 'two too']);
    const { text: _, reasoning: _thoughts, ...facts } = column(2, 2, { figures: ['3 tokens'] });
    await change({ kind: 'describe', index: 1, facts });
    assert.equal(await said(), 'model-2 has answered.');
    assert.deepEqual(await texts('.column-figures'), ['', '3 tokens']);
    assert.equal(await at('.composer .send').getAttribute('aria-label'), 'Stop', 'the other one is still written');
    await change({ kind: 'put', index: 2, message: column(3) }, { kind: 'put', index: 0, message: column(4) });
    assert.deepEqual(await texts('.column h3'), ['model-4', 'model-2', 'model-3']);
    await change({ kind: 'cut', index: 2 });
    assert.deepEqual(await texts('.column h3'), ['model-4', 'model-2']);
  });

  it('leave the caret in the box when they come by themselves', async () => {
    await chat.show(versioned);
    await at('.box').focus();
    await compare(four, false);
    assert.equal(await at('.box').evaluate((box) => box === document.activeElement), true);
  });

  it('are gone through by keys: to another version, to what differs, and back', async () => {
    await chat.show(versioned);
    await compare([column(1), column(2, 9, { after: 'v5' })]);
    await button('Next Version', 1).focus();
    await window.page.keyboard.press('Enter');
    assert.deepEqual(await last(), { type: 'stepColumn', column: 1, message: 'v5' });
    await button('Diff With…', 1).focus();
    await window.page.keyboard.press('Enter');
    assert.deepEqual(await last(), { type: 'compareVersions', message: 'v2' });
    await window.page.keyboard.press('Escape');
    assert.deepEqual(await last(), { type: 'closeComparison' });
    assert.equal(await at('.comparison').isVisible(), false);
    assert.equal(await at('.stage').isVisible(), true);
    assert.equal(await at('.box').evaluate((box) => box === document.activeElement), true);
  });

  it('stop with Escape while they are written', async () => {
    await chat.show(versioned);
    await compare([column(1, 2, {}, { state: 'streaming' }), column(2)]);
    await window.page.keyboard.press('Escape');
    assert.deepEqual(await last(), { type: 'stop' });
    assert.equal(await at('.comparison').isVisible(), true);
  });

  it('give way to what is looked for in the conversation', async () => {
    await chat.show(versioned);
    await compare(four);
    await chat.send({ type: 'find' });
    assert.equal(await at('.comparison').isVisible(), false);
    assert.deepEqual(await last(), { type: 'closeComparison' });
  });

  it('pass over changes of columns that were left, and ask for all where one is missing', async () => {
    await chat.show(versioned);
    await chat.send({
      ...{ type: 'columns' },
      patches: [{ conversation: 'before', seq: 9, change: { kind: 'cut', index: 0 } }],
    });
    assert.deepEqual(await posted(), []);
    await compare(four);
    await chat.send({
      ...{ type: 'columns' },
      patches: [{ conversation: 'k', seq: 5, change: { kind: 'append', index: 0, field: 'text', text: 'x' } }],
    });
    assert.deepEqual(await last(), { type: 'ready' });
  });

  it('show what a hostile name or end says as text', async () => {
    await chat.show(versioned);
    const name = '<img src=x onerror=alert(1)> [link](command:x)';
    await compare([column(1, 2, { name, figures: [name] }), column(2)]);
    assert.equal(await at('.column h3').first().innerText(), name);
    assert.equal(await at('.column-head img, .column-head a').count(), 0);
    assert.deepEqual(chat.escapes, []);
  });

  it('are offered below an answer that has several, and below no other', async () => {
    await chat.show([question('q', 'Why?'), answer('a', 'So.')]);
    const show = window.page.getByRole('button', { name: 'Show Versions Side by Side' });
    assert.equal(await show.count(), 0);
    await chat.show(versioned);
    await at('.answer').last().hover();
    await show.last().click();
    assert.equal((await last())?.type, 'openComparison');
  });

  it('are asked for with what is in the box, which stays until it was asked', async () => {
    await chat.show([question('q', 'Why?'), answer('a', 'So.')]);
    await at('.box').fill(' Which one? ');
    await window.page.getByRole('button', { name: 'Compare Answers…' }).click();
    assert.deepEqual(await last(), { type: 'compareAnswers', text: 'Which one?' });
    assert.equal(await at('.box').inputValue(), ' Which one? ');
    await chat.send({ type: 'wasAsked', text: 'Another one' });
    assert.equal(await at('.box').inputValue(), ' Which one? ');
    await chat.send({ type: 'wasAsked', text: 'Which one?' });
    assert.equal(await at('.box').inputValue(), '');
    await chat.send({ type: 'offerComparison' });
    assert.deepEqual(await last(), { type: 'compareAnswers', text: '' });
  });

  it('can be asked for one by one where a service gave fewer', async () => {
    await chat.show([question('q', 'Why?'), answer('a', 'So.', { missing: 2, note: 'Fewer came.' })]);
    await window.page.getByRole('button', { name: 'Ask 2 More Times' }).click();
    assert.deepEqual(await last(), { type: 'askMissing', message: 'a' });
    await chat.show([question('q', 'Why?'), answer('a', 'So.', { missing: 1 })]);
    assert.equal(await window.page.getByRole('button', { name: 'Ask Once More' }).count(), 1);
  });

  it('hold the Stop button where a version is written that nobody sees', async () => {
    await chat.show([question('q', 'Why?'), answer('a', 'So.')], { isWriting: true });
    assert.equal(await at('.composer .send').getAttribute('aria-label'), 'Stop');
  });
});
