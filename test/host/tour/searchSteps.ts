/** The steps of the tour about the search: what is sent, what is found, and what a question may hold beside words. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Step } from './step.ts';
import {
  clearNotifications,
  keepResults,
  moveAway,
  pickRow,
  readNotification,
  runCommand,
  typeAnswer,
} from './workbench.ts';

const wish = 'wait longer after each failed attempt';

async function search(page: Page, query: string): Promise<void> {
  await page.keyboard.press('Escape');
  await runCommand(page, 'Parley: Search Code by Meaning');
  await typeAnswer(page, 'Search Code by Meaning', query);
}

export const indexSteps: readonly Step[] = [
  {
    name: 'index-consent',
    async act(page) {
      await runCommand(page, 'Parley: Index Workspace');
      const text = await page.locator('.monaco-dialog-box').innerText();
      assert.match(text, /Send \d+ chunks of \d+ files/);
      assert.match(text, /tokens/);
      await moveAway(page);
    },
  },
  {
    name: 'indexed',
    async act(page) {
      await page.locator('.monaco-dialog-box .monaco-button', { hasText: 'Index Now' }).click();
      await readNotification(page, 'Indexed');
    },
  },
  {
    name: 'index-report',
    async act(page) {
      await clearNotifications(page);
      await runCommand(page, 'Parley: Index Report');
      await page.locator('.tab.active', { hasText: 'Index Report' }).waitFor();
      // VS Code's own page for Markdown, in two frames as all of them are.
      const report = page
        .frameLocator('iframe.webview.ready[src*="vscode.markdown-language-features"]')
        .frameLocator('#active-frame');
      await report.getByText('% of').first().waitFor();
    },
  },
  {
    name: 'index-actions',
    async act(page) {
      await page.locator('.statusbar-item[id$="parley.search"] a').click();
      await pickRow(page, /^Index Report/).waitFor();
    },
  },
];

/** A phrase, an expression, a symbol, what is not to be there, and where all of this is offered. */
const operators: readonly Step[] = [
  ['phrase', '"would book a second berth"', /^client\.ts:/],
  ['expression', String.raw`/backoff\w+/`, /^retry\.ts:/],
  ['symbol', 'symbol:findFreeBerth', /^berths\.ts:/],
  ['not', 'height of the tide NOT sensor', /^loadTable\.ts:/],
].map(([name, query, hit]) => ({
  name: `search-${name}`,
  isInThemes: name === 'phrase',
  act: async (page) => {
    await search(page, String(query));
    await pickRow(page, hit as RegExp).waitFor();
  },
}));

export const searchSteps: readonly Step[] = [
  {
    name: 'search',
    async act(page) {
      await search(page, wish);
      await pickRow(page, /^retry\.ts:/).waitFor();
      // What is found by words is there first.
      await page.locator('.quick-input-list .monaco-list-row', { hasText: 'by words and meaning' }).first().waitFor();
    },
  },
  {
    name: 'hit',
    async act(page) {
      await pickRow(page, /^retry\.ts:/).click();
      await page.locator('.tab.active[data-resource-name="retry.ts"]').waitFor();
      await page.locator('.monaco-editor .view-overlays .cdr[class*="ced-"]').first().waitFor();
    },
  },
  ...operators,
  {
    name: 'search-filter-box',
    isInThemes: true,
    async act(page) {
      await page.keyboard.press('Shift+Alt+F');
      await pickRow(page, 'Regular Expression').waitFor();
    },
  },
  {
    name: 'results',
    async act(page) {
      await page.keyboard.press('Escape');
      await keepResults(page, wish, /^retry\.ts:/);
      await page.locator('.part.sidebar .monaco-list-row[aria-label*="retry.ts"]').first().waitFor();
      await page.locator('.part.sidebar .monaco-list-row[aria-level="2"]').first().click();
      await page.locator('.monaco-editor .view-overlays .cdr[class*="ced-"]').first().waitFor();
    },
  },
];
