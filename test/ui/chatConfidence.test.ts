import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { ConfidenceView, TokenView } from '../../src/webview/shared/protocol/confidenceProtocol.ts';
import type { Window } from '../host/browser.ts';
import { type ChatPage, themeNames } from './chatPage.ts';
import { answer, question } from './samples.ts';
import { pictures, useChatPage } from './useChatPage.ts';

type Word = readonly [text: string, percent: number, others?: TokenView['others']];

const words: readonly Word[] = [
  ...([
    ['High', 99],
    [' water', 85],
    [' is', 65],
    [' at', 45],
  ] as const),
  [
    ' six',
    12,
    [
      [' seven', 40],
      [' <b>noon</b>', 20],
      ['\\xe6', 1.5, 'part'],
      ['<|end|>', 0.2, 'control'],
    ],
  ],
  ...([
    [' today.', 95],
    ['\nBring', 28],
    [' boots.', 91],
  ] as const),
];
const text = words.map(([each]) => each).join('');
const view: ConfidenceView = {
  text,
  starts: words.map(
    (_, index) =>
      words
        .slice(0, index)
        .map(([each]) => each)
        .join('').length,
  ),
  percents: words.map(([, percent]) => percent),
  tokens: words.map(([each, percent, others = []]) => JSON.stringify([{ text: each, percent, others }])),
  perplexity: '1.42',
  canFork: true,
};

describe('How sure the model was', () => {
  let window: Window;
  let chat: ChatPage;

  useChatPage((opened) => {
    ({ window, chat } = opened);
  }, 700);

  const button = () => window.page.getByRole('button', { name: 'How Sure the Model Was' });
  const section = () => window.page.getByRole('region', { name: 'How Sure the Model Was' });
  const open = async (given: ConfidenceView | string = view): Promise<void> => {
    await chat.show([question('q', 'When is high water?'), answer('a', text, { hasConfidence: true })]);
    await window.page.locator('.answer').hover();
    await button().click();
    await chat.send({ type: 'confidence', message: 'a', view: given });
  };
  const marked = () =>
    window.page.evaluate(() =>
      ['1', '2', '3', '4'].map((band) =>
        [...(CSS.highlights.get(`confidence-${band}`) ?? [])].map(({ startContainer, startOffset, endOffset }) =>
          startContainer.textContent?.slice(startOffset, endOffset),
        ),
      ),
    );

  for (const theme of themeNames) {
    it(`is clean for readers in the theme ${theme}, also where it is narrow`, async () => {
      await chat.theme(theme);
      for (const width of [320, 220]) {
        await window.page.setViewportSize({ width, height: 700 });
        await open();
        for (let i = 0; i < 2; i++) await window.page.getByRole('button', { name: 'Next Unsure Word' }).press('Enter');
        await section().locator('.least-sure summary').press('Enter');
        await window.page.screenshot({ path: join(pictures, `confidence-${theme}-${width}.png`) });
        assert.deepEqual(await chat.axe(), []);
        const overflow = await window.page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        assert.equal(overflow, 0, `nothing hangs over at ${width}`);
        const hidden = await section().evaluate((element) => {
          const right = Math.max(
            ...[...element.querySelectorAll('*')].map((each) => each.getBoundingClientRect().right),
          );
          return Math.max(0, right - document.documentElement.clientWidth, -element.getBoundingClientRect().left);
        });
        assert.equal(hidden, 0, `all of it is in sight at ${width}`);
        await button().click();
      }
      assert.deepEqual(chat.escapes, []);
    });
  }

  it('is asked of the host, and shown in five bands in the place of the text', async () => {
    await open();
    assert.deepEqual((await chat.posted()).at(-1), { type: 'showConfidence', message: 'a' });
    assert.deepEqual(await marked(), [['water'], ['is'], ['at'], ['six', 'Bring']]);
    assert.equal(await section().locator('.confidence-text').innerText(), text);
    assert.match(await section().innerText(), /Perplexity 1\.42 · 3 of 8 words are unsure/);
    await button().click();
    assert.equal(await section().count(), 0);
    assert.equal(await window.page.locator('.answer p').first().isVisible(), true);
  });

  it('has a legend, in which each percentage has the line of the words below it', async () => {
    await open();
    const bands = await section()
      .locator('.confidence-legend span')
      .evaluateAll((spans) => spans.map((span) => [span.textContent, getComputedStyle(span).textDecorationStyle]));
    assert.deepEqual(bands, [
      ['90 %', 'dotted'],
      ['70 %', 'dashed'],
      ['50 %', 'solid'],
      ['30 %', 'wavy'],
    ]);
  });

  it('goes through the unsure words by keyboard, and tells what could have stood there', async () => {
    await open();
    const next = window.page.getByRole('button', { name: 'Next Unsure Word' });
    const detail = () => section().locator('.confidence-detail').innerText();
    await next.press('Enter');
    assert.match(await detail(), /“ at” 45 %/);
    await next.press('Enter');
    assert.match(
      await detail(),
      /“ six” 12 %\s*Could have been:\s*“ seven” 40 %\s*“ <b>noon<\/b>” 20 %\s*“\\xe6” 1\.5 %/,
    );
    await next.press('Enter');
    assert.match(await detail(), /“↵Bring” 28 %/);
    await next.press('Enter');
    assert.match(await detail(), /“ at” 45 %/, 'from the last one to the first');
    await window.page.getByRole('button', { name: 'Previous Unsure Word' }).press('Enter');
    assert.match(await detail(), /“↵Bring” 28 %/);
    await section().getByRole('combobox', { name: 'What counts as unsure' }).selectOption('30');
    assert.match(await section().innerText(), /2 of 8 words are unsure/);
    await section().getByRole('combobox', { name: 'What counts as unsure' }).selectOption('101');
    assert.match(await section().innerText(), /8 of 8 words are unsure/);
  });

  it('is told by token, too, each with what could have stood in its place', async () => {
    const tokens = JSON.stringify([
      { text: ' six', percent: 40, others: [[' seven', 40]] },
      { text: 'teen', percent: 30, others: [['ty', 25]] },
    ]);
    const [start = 0] = view.starts.slice(-1);
    const longer = { ...view, text: `${text} sixteen`, starts: [...view.starts, start + ' boots.'.length] };
    await open({ ...longer, percents: [...view.percents, 12], tokens: [...view.tokens, tokens] });
    await section().getByRole('combobox', { name: 'What is marked' }).selectOption('by token');
    assert.match(await section().innerText(), /Perplexity 1\.42 · 5 of 10 tokens are unsure/);
    assert.deepEqual(await marked(), [['water'], ['is'], ['at', 'six', 'teen'], ['six', 'Bring']]);
    await window.page.getByRole('button', { name: 'Previous Unsure Word' }).press('Enter');
    assert.match(
      await section().locator('.confidence-detail').innerText(),
      /^“teen” 30 %\s*Could have been:\s*“ty” 25 %$/,
    );
    await section().getByRole('button', { name: '“ty” 25 %' }).press('Enter');
    const at = text.length + ' six'.length;
    assert.deepEqual((await chat.posted()).at(-1), { type: 'forkToken', message: 'a', at, other: 0 });
    await section().getByRole('combobox', { name: 'What is marked' }).selectOption('by word');
    assert.match(await section().innerText(), /4 of 9 words are unsure/);
  });

  it('lists the least sure places, to go to', async () => {
    await open();
    await section().locator('.least-sure summary').press('Enter');
    const places = section().locator('.least-sure button');
    assert.deepEqual(await places.allInnerTexts(), ['“ six” 12 %', '“↵Bring” 28 %', '“ at” 45 %']);
    await places.nth(1).press('Enter');
    assert.match(await section().locator('.confidence-detail').innerText(), /“↵Bring” 28 %/);
    await section().getByRole('combobox', { name: 'What counts as unsure' }).selectOption('30');
    assert.equal(await places.count(), 2);
    const many = Array.from({ length: 500 }, (_, index) => index);
    const long = many.map((index) => ` w${index}`);
    await button().click();
    await open({
      ...{ text: long.join(''), perplexity: '9', canFork: true, percents: many.map((index) => index / 10) },
      starts: many.map((index) => long.slice(0, index).join('').length),
      tokens: long.map((each) => JSON.stringify([{ text: each, percent: 1, others: [] }])),
    });
    await section().locator('.least-sure summary').press('Enter');
    assert.equal(await places.count(), 20);
  });

  it('has the answer go on from another token, but not from what no text can end with, which says why', async () => {
    await open();
    for (let i = 0; i < 2; i++) await window.page.getByRole('button', { name: 'Next Unsure Word' }).press('Enter');
    const before = (await chat.posted()).length;
    for (const [name, reason] of [
      ['“\\xe6” 1.5 %', 'It is a part of a character: no text can end with it.'],
      ['“<|end|>” 0.2 %', 'It is no text: it ends the answer.'],
    ] as const) {
      const alternative = section().getByRole('button', { name });
      assert.equal(await alternative.getAttribute('aria-disabled'), 'true');
      assert.equal(await alternative.getAttribute('title'), reason);
      await alternative.press('Enter');
    }
    assert.equal((await chat.posted()).length, before);
    await section().getByRole('button', { name: '“ <b>noon</b>” 20 %' }).press('Enter');
    const at = text.indexOf(' six');
    assert.deepEqual((await chat.posted()).at(-1), { type: 'forkToken', message: 'a', at, other: 1 });
  });

  it('only tells what could have stood there where nothing can go on', async () => {
    await open({ ...view, canFork: false });
    for (let i = 0; i < 2; i++) await window.page.getByRole('button', { name: 'Next Unsure Word' }).press('Enter');
    assert.match(await section().locator('.confidence-detail').innerText(), /“ seven” 40 %/);
    assert.equal(await section().locator('.fork-token').count(), 0);
  });

  it('tells of the word that is clicked', async () => {
    await open();
    const box = await window.page.locator('.confidence-text').evaluate((element) => {
      const node = element.firstChild as Text;
      const range = document.createRange();
      range.setStart(node, node.data.indexOf('today') + 1);
      range.setEnd(node, node.data.indexOf('today') + 3);
      const { left, top, width, height } = range.getBoundingClientRect();
      return { x: left + width / 2, y: top + height / 2 };
    });
    await window.page.mouse.click(box.x, box.y);
    assert.match(await section().locator('.confidence-detail').innerText(), /“ today\.” 95 %/);
  });

  it('says why it cannot be shown, and leaves the text', async () => {
    await open('The probabilities that the service sent are those of another text.');
    assert.match(await window.page.locator('.answer').innerText(), /those of another text/);
    assert.equal(await window.page.locator('.answer p').first().isVisible(), true);
    assert.equal(await section().count(), 0);
  });

  it('stands beside what the service spent its time on, as a bar and in words', async () => {
    const details = [
      ['Queue', '10 ms', 0.01],
      ['Prompt', '9 tokens, 20 ms', 0.02],
      ['Completion', '70 ms', 0.07],
      ['Total', '0.10 s'],
    ] as const;
    await chat.show([question('q', 'Why?'), answer('a', text, { summary: 'llama-x', details })]);
    await window.page.getByTitle('Details of this answer').click();
    const widths = await window.page
      .locator('.time-bar > span')
      .evaluateAll((parts) => parts.map((part) => Math.round(part.getBoundingClientRect().width)));
    assert.equal(widths.length, 3);
    assert.ok((widths[2] ?? 0) > 3 * (widths[1] ?? 0) && (widths[1] ?? 0) > (widths[0] ?? 0), widths.join());
    assert.ok((widths[0] ?? 0) > 10, 'the bar fills its line however short the times are');
    assert.match(await window.page.locator('.answer dl').innerText(), /Queue\s+10 ms/);
    await window.page.screenshot({ path: join(pictures, 'answer-times.png') });
    assert.deepEqual(await chat.axe(), []);
  });

  it('is not offered where nothing is known', async () => {
    await chat.show([question('q', 'Why?'), answer('a', text)]);
    await window.page.locator('.answer').hover();
    assert.equal(await button().count(), 0);
  });
});
