/** The panel in little room: 220 pixels wide, at 200 % zoom (half the height), and with a font of twice the size. */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { PanelState } from '../../src/webview/shared/protocol/protocol.ts';
import { launchBrowser, type Window } from '../host/browser.ts';
import { findOrInstallChromium } from '../host/chromium.ts';
import { out } from '../host/paths.ts';
import { type ChatPage, drawn, openChatPage } from './chatPage.ts';
import { answer, broken, full, question, versioned } from './samples.ts';

const pictures = join(out, 'ui');

/** `font`: pixels of the theme's font. At 200 %, a window of 1400×900 leaves the view some 310 pixels of height. */
const sizes = [
  { name: 'narrow', width: 220, height: 800, font: 13 },
  { name: 'zoomed', width: 300, height: 310, font: 13 },
  { name: 'narrow and zoomed', width: 220, height: 310, font: 13 },
  { name: 'in large letters', width: 320, height: 800, font: 26 },
  { name: 'narrow and in large letters', width: 220, height: 800, font: 26 },
] as const;

const chip = (id: string, label: string) => ({ id, label, title: `src/${label}` });
const busy: Partial<PanelState> = {
  model: 'meta-llama/llama-4-maverick-17b-128e-instruct',
  parameters: 'Temperature 0.25',
  tokens: '128,204 tokens',
  chips: ['client.ts:12-40', 'aVeryLongNameOfAFileThatDoesNotFit.test.ts:1-200', 'berths.ts', 'retry.ts:3'].map(
    (label, i) => chip(`k${i}`, label),
  ),
  instructions: [chip('i', 'AGENTS.md')],
  queue: ['And what about the tests of that, which nobody has looked at?', 'Next', 'One more'].map((text, i) => ({
    id: `q${i}`,
    text,
  })),
};
const draft = 'A question with many words. '.repeat(60);
const long = answer(
  'l1',
  `${'A paragraph of an answer that goes on. '.repeat(40)}\n\nhttps://example.com/${'x'.repeat(300)}`,
  {
    summary: 'meta-llama/llama-4-maverick-17b-128e-instruct · 18,204 tokens',
    versions: { at: 10, of: 12, before: 'x', after: 'y' },
  },
);

describe('The chat panel in little room', () => {
  let window: Window;
  let chat: ChatPage;

  before(async () => {
    await mkdir(pictures, { recursive: true });
    window = await launchBrowser(await findOrInstallChromium());
  });
  after(() => window.close());

  const states: Record<string, () => Promise<void>> = {
    empty: () => chat.show([]),
    'not connected': () => chat.show([], { connected: false }),
    full: () => chat.show(full),
    broken: () => chat.show(broken),
    versions: () => chat.show(versioned),
    'with details': async () => {
      await chat.show(full);
      await window.page.click('.answer .footer summary');
    },
    edited: async () => {
      await chat.show(versioned);
      await window.page.focus('.question [aria-label="Edit and Ask Again"]');
      await window.page.keyboard.press('Enter');
    },
    busy: async () => {
      await chat.show([question('p', 'Why?'), long, answer('a', 'It is', { state: 'streaming' })], busy);
      await window.page.fill('.box', draft);
    },
  };

  for (const { name, width, height, font } of sizes) {
    it(`cuts nothing off and keeps the answers in sight when it is ${name}`, async () => {
      await window.page.setViewportSize({ width, height });
      for (const [state, show] of Object.entries(states)) {
        chat = await openChatPage(window.page);
        await chat.theme('dark');
        await window.page.evaluate(
          (size) => document.documentElement.style.setProperty('--vscode-font-size', size),
          `${font}px`,
        );
        await show();
        await drawn(window.page);
        await window.page.screenshot({
          path: join(pictures, `size-${name.replaceAll(' ', '-')}-${state.replaceAll(' ', '-')}.png`),
        });
        assert.deepEqual(await window.page.evaluate(findCutOff), [], `${state}, ${name}`);
        assert.deepEqual(await window.page.evaluate(findCrowded), [], `${state}, ${name}`);
        assert.deepEqual(await chat.axe(), [], `${state}, ${name}`);
      }
    });
  }
});

/** What of the page is beyond its sides, or hidden by a box that does not scroll; a text that ends in dots has a title. */
function findCutOff(): string[] {
  const name = (element: Element): string =>
    `${element.tagName}.${element.className} “${element.textContent?.slice(0, 30)}”`;
  const scrolls = (element: Element): boolean =>
    ['auto', 'scroll'].includes(getComputedStyle(element).overflowX) && element.scrollWidth > element.clientWidth;
  const found: string[] = [];
  const { scrollWidth, scrollHeight } = document.documentElement;
  if (scrollWidth > innerWidth || scrollHeight > innerHeight) found.push(`the page is ${scrollWidth}×${scrollHeight}`);
  for (const part of document.querySelectorAll('.conversation, .composer, .composer .extras')) {
    if (part.scrollWidth > part.clientWidth) found.push(`${name(part)} scrolls to the side`);
  }
  for (const element of document.querySelectorAll<HTMLElement>('#root *')) {
    if (!element.checkVisibility({ visibilityProperty: true }) || element.closest('.sr-only, svg')) continue;
    const { left, right, width } = element.getBoundingClientRect();
    let inScroller = false;
    for (let above = element.parentElement; above !== null; above = above.parentElement) {
      inScroller ||= above.matches('pre, .table, .math, math') && scrolls(above);
    }
    if (width > 0 && !inScroller && (left < -0.5 || right > innerWidth + 0.5)) {
      found.push(`${name(element)} is at ${Math.round(left)} to ${Math.round(right)}`);
    }
    const { overflowX, textOverflow, lineHeight, fontSize } = getComputedStyle(element);
    const hasText = [...element.childNodes].some((node) => node instanceof Text && node.data.trim() !== '');
    if (hasText && Number.parseFloat(lineHeight) < 1.15 * Number.parseFloat(fontSize)) {
      found.push(`${name(element)} has lines that overlap: ${lineHeight} for letters of ${fontSize}`);
    }
    if (overflowX !== 'hidden' || element.scrollWidth <= element.clientWidth + 1) continue;
    const isSaid = textOverflow === 'ellipsis' && element.closest('[title]') !== null;
    if (!isSaid && !element.matches('.conversation')) found.push(`${name(element)} hides a part of itself`);
  }
  return found;
}

/** Whether the composer takes more than a third of the height, or a part of it stands outside of it. */
function findCrowded(): string[] {
  const composer = document.querySelector('.composer');
  const stage = document.querySelector('.stage');
  if (composer === null || stage === null) return ['the page is not drawn'];
  const found: string[] = [];
  const { top, bottom, height } = composer.getBoundingClientRect();
  if (height > innerHeight / 3 + 0.5) found.push(`the composer is ${Math.round(height)} of ${innerHeight} pixels high`);
  const left = stage.getBoundingClientRect().height;
  if (left < innerHeight * 0.6) found.push(`the answers have ${Math.round(left)} of ${innerHeight} pixels`);
  const extras = composer.querySelector('.extras');
  if (extras !== null && extras.scrollHeight > 0 && extras.clientHeight < Math.min(24, extras.scrollHeight)) {
    found.push(`what goes along has ${extras.clientHeight} pixels`);
  }
  for (const part of composer.querySelectorAll(':scope > :not(.completions), .row *')) {
    const { top: from, bottom: to, height: high } = part.getBoundingClientRect();
    if (high > 0 && (from < top - 0.5 || to > bottom + 0.5))
      found.push(`${part.className} stands outside of the composer`);
  }
  return found;
}
