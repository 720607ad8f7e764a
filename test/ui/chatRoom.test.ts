import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { WindowView } from '../../src/webview/shared/fit.ts';
import type { PanelState } from '../../src/webview/shared/protocol/protocol.ts';
import type { Window } from '../host/browser.ts';
import { type ChatPage, connected, drawn, openChatPage, themeNames } from './chatPage.ts';
import { answer, question } from './samples.ts';
import { pictures, useChatPage } from './useChatPage.ts';

/**
 * The chat view beside two lists that are open in a window 900 pixels high, and at 200 %; in the side bar, and wide. The least is
 * the height that VS Code gives any view.
 */
const sizes = [
  [220, 120],
  [220, 200],
  [320, 160],
  [320, 250],
  [450, 225],
  [900, 200],
  [900, 300],
  [320, 800],
] as const;

const chip = (id: string, label: string) => ({ id, label, title: `src/${label}`, tokens: '1.2k', icon: 'file' });
const gauge: WindowView = {
  size: 8_000,
  answerRoom: 1_000,
  instructions: 200,
  earlier: 3_000,
  leftOut: 0,
  attachments: 1_000,
  leavesOut: false,
  isSummarised: false,
  bytesPerToken: 4,
};
const crowded: Partial<PanelState> = {
  model: 'meta-llama/llama-4-maverick-17b-128e-instruct',
  parameters: 'Temperature 0.25',
  tokens: '128,204 tokens',
  openFile: { state: 'on', chip: chip('o', 'berths.ts') },
  chips: ['a.ts', 'aVeryLongNameOfAFileThatDoesNotFit.test.ts:1-200', 'b.ts', 'c.ts'].map((label) =>
    chip(label, label),
  ),
  instructions: [chip('i', 'AGENTS.md')],
  queue: ['And what about the tests of that, which nobody has looked at?', 'Next', 'One more'].map((text, i) => ({
    id: `q${i}`,
    text,
  })),
};
const draft = 'A question with many words. '.repeat(60);

describe('The chat panel beside other lists', () => {
  let window: Window;
  let chat: ChatPage;

  useChatPage((opened) => {
    ({ window, chat } = opened);
  });

  const boxOf = async (selector: string) => {
    const box = await window.page.locator(selector).first().boundingBox();
    assert.ok(box, selector);
    return { ...box, right: box.x + box.width, bottom: box.y + box.height };
  };

  /** The box with its parts within it, and all of it within the view. */
  async function assertFits(width: number, height: number, why: string): Promise<void> {
    const [composer, row, box, send] = await Promise.all(['.composer', '.row', '.composer > .box', '.send'].map(boxOf));
    const said = `${why} at ${width} × ${height}: ${JSON.stringify({ composer, row, box, send })}`;
    if (!composer || !row || !box || !send) throw new Error(said);
    assert.ok(composer.y >= 0 && composer.bottom <= height && composer.right <= width, said);
    assert.ok(row.bottom <= composer.bottom && row.y >= composer.y, said);
    assert.ok(box.bottom <= row.y + 0.5 && box.height >= 20, said);
    assert.ok(send.right <= composer.right && send.bottom <= composer.bottom, said);
    const parts = await window.page
      .locator('.row > :not(.facts):visible, .facts > :visible')
      .evaluateAll((all) =>
        all.map((each) => each.getBoundingClientRect()).map(({ x, y, right }) => ({ x, y, right })),
      );
    for (const one of parts)
      for (const other of parts)
        assert.ok(
          one === other || one.right <= other.x + 1 || other.right <= one.x + 1 || Math.abs(one.y - other.y) > 10,
          said,
        );
    const page = await window.page.evaluate(() => document.documentElement.scrollHeight);
    assert.ok(page <= height, `${said}; the page is ${page} high`);
  }

  /** A picture in each theme; the page is in the first one afterwards. */
  async function shoot(name: string): Promise<void> {
    for (const theme of [...themeNames].reverse()) {
      await chat.theme(theme);
      await window.page.screenshot({ path: join(pictures, `${name}-${theme}.png`) });
    }
  }

  const long = [question('q', 'Why?'), answer('a', 'A paragraph of an answer that goes on. '.repeat(80))];

  for (const [width, height] of sizes) {
    it(`keeps the box and its row whole at ${width} × ${height}`, async () => {
      await window.page.setViewportSize({ width, height });
      const states: Record<string, Partial<PanelState>> = {
        empty: {},
        chips: { chips: crowded.chips ?? [] },
        crowded,
        'crowded with a gauge': { ...crowded, window: gauge },
      };
      for (const [name, state] of Object.entries(states)) {
        for (const text of ['', draft]) {
          await chat.show(long, state);
          await window.page.fill('.composer > .box', text);
          await drawn(window.page);
          await assertFits(width, height, name);
        }
      }
      await shoot(`room-${width}-${height}`);
      assert.deepEqual(await chat.axe(), []);
    });
  }

  it('has every list that opens in sight, above the box', async () => {
    const items = Array.from({ length: 12 }, (_, i) => ({
      id: `${i}`,
      label: `file${i}.ts`,
      detail: 'src',
      icon: 'file',
      kind: 'item' as const,
    }));
    for (const [width, height] of sizes) {
      await window.page.setViewportSize({ width, height });
      await chat.show(long, { ...crowded, window: gauge });
      await window.page.fill('.composer > .box', '');
      await window.page.focus('.composer > .box');
      await window.page.keyboard.type('@');
      await chat.send({ type: 'completions', trigger: '@', text: '', items });
      await shoot(`room-list-${width}-${height}`);
      await assertFits(width, height, 'with choices');
      for (const list of ['.completions', '.gauge-details']) {
        if (list === '.gauge-details') {
          await window.page.fill('.composer > .box', '');
          await window.page.click('.gauge summary');
        }
        const [at, box] = await Promise.all([boxOf(list), boxOf('.composer > .box')]);
        const said = `${list} at ${width} × ${height}: ${JSON.stringify({ at, box })}`;
        assert.ok(at.y >= 0 && at.x >= 0 && at.right <= width && at.height >= 24, said);
        assert.ok(at.bottom <= box.y + 1, said);
      }
    }
  });

  it('keeps the box whole beside the drawer, and beside what holds a question back', async () => {
    for (const [width, height] of sizes) {
      await window.page.setViewportSize({ width, height });
      await chat.show(long, { ...crowded, window: gauge });
      await window.page.fill('.composer > .box', draft);
      await chat.send({ type: 'drawer' });
      await assertFits(width, height, 'with the drawer');
      await window.page.screenshot({ path: join(pictures, `room-drawer-${width}-${height}.png`) });
      await window.page.keyboard.press('Escape');
      await chat.send({ type: 'state', state: { ...connected, ...crowded, window: { ...gauge, earlier: 9_000 } } });
      await window.page.focus('.composer > .box');
      await window.page.keyboard.press('Enter');
      assert.equal(await window.page.locator('.fit').isVisible(), true);
      await assertFits(width, height, 'with a question that does not fit');
      await shoot(`room-fit-${width}-${height}`);
    }
  });

  it('has “Jump to Latest” over no text, and goes to the end by it', async () => {
    for (const [width, height] of sizes) {
      await window.page.setViewportSize({ width, height });
      await chat.show([...long, question('r', 'And?'), answer('b', 'More of it. '.repeat(900))]);
      await window.page.evaluate(() => document.querySelector('.conversation')?.scrollTo(0, 200));
      await window.page.waitForSelector('.button.latest:visible');
      await drawn(window.page);
      const [latest, list, composer] = await Promise.all(['.button.latest', '.conversation', '.composer'].map(boxOf));
      const said = `${width} × ${height}: ${JSON.stringify({ latest, list, composer })}`;
      assert.ok(latest && list && composer && latest.y >= list.bottom && latest.bottom <= composer.y, said);
      await window.page.click('.button.latest');
      await window.page.waitForSelector('.button.latest', { state: 'hidden' });
      await drawn(window.page);
      assert.equal(await atEnd(), true);
    }
  });

  it('tells of an answer in two lines at most: the model, and its tokens in one piece', async () => {
    const summary = 'meta-llama/llama-4-maverick-17b-128e-instruct · 18,204 tokens';
    const details = [['Total', '730 tokens, 0.81 s']] as const;
    for (const [width, lines] of [
      [220, 2],
      [320, 2],
      [900, 1],
    ] as const) {
      await window.page.setViewportSize({ width, height: 800 });
      await chat.show([question('q', 'Why?'), answer('a', 'So.', { summary, details })]);
      const parts = window.page.locator('.summary-part');
      assert.equal((await parts.allTextContents()).join(' '), summary);
      const tops = await parts.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height));
      const line = await boxOf('.summary > summary > span');
      assert.ok(line.right <= width, JSON.stringify(line));
      const isCut = await parts.last().evaluate((each) => each.scrollWidth > each.clientWidth + 1);
      assert.equal(isCut, false, 'the tokens are read whole');
      assert.ok(line.height <= lines * 1.5 * Math.min(...tops), JSON.stringify({ line, tops, width }));
      await window.page.screenshot({ path: join(pictures, `room-tokens-${width}.png`) });
    }
  });

  it('opens a long conversation at its end, and stays there while it grows into its height', async () => {
    const code = `\n\n\`\`\`ts\n${'const a = 1;\n'.repeat(30)}\`\`\`\n\n$$\\frac{a}{b}$$\n\n| a | b |\n|---|---|\n| 1 | 2 |\n`;
    const messages = Array.from({ length: 200 }, (_, i) => [
      question(`q${i}`, `Question ${i}? `.repeat(1 + (i % 9))),
      answer(`a${i}`, `Answer ${i}. ${'Words of it. '.repeat(10 * (i % 13))}${i % 3 === 0 ? code : ''}`),
    ]).flat();
    for (const [width, height] of sizes) {
      await window.page.setViewportSize({ width, height });
      const opened = await openChatPage(window.page);
      await opened.show(messages, { ...crowded, window: gauge });
      await window.page.waitForFunction(() =>
        document.querySelector('.answer:last-of-type .code, .answer:last-of-type'),
      );
      for (let frame = 0; frame < 10; frame++) await drawn(window.page);
      assert.equal(await atEnd(), true, `${width} × ${height}`);
      assert.equal(await window.page.locator('.button.latest').isVisible(), false);
    }
  });

  const atEnd = (): Promise<boolean> =>
    window.page.evaluate(() => {
      const list = document.querySelector('.conversation');
      return list !== null && list.scrollHeight - list.scrollTop - list.clientHeight <= 1;
    });
});
