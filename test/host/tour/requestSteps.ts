/**
 * The steps of the tour about requests and answers: a picture for each section of `docs/requests.md`. Those in `media/tour/` are these,
 * with a palette of 64 colours.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import { openWorkbench } from '../browser.ts';
import { berthSchema, questions } from './requestAnswers.ts';
import type { Step } from './step.ts';
import {
  ask,
  chatPanel,
  chooseItem,
  clearNotifications,
  moveAway,
  openFile,
  pickRow,
  runCommand,
  setWidth,
  showChat,
  typeAnswer,
} from './workbench.ts';

const ended = '.answer:not(.streaming) .footer .summary';

/** A new conversation, asked with these fields of the request. */
async function begin(page: Page, fields: Readonly<Record<string, string>> = {}): Promise<Frame> {
  await clearNotifications(page);
  await runCommand(page, 'Parley: New Conversation');
  const panel = await chatPanel(page);
  await panel.locator('.question').first().waitFor({ state: 'hidden' });
  if (await panel.locator('.drawer').isVisible())
    await panel.locator('.drawer [aria-label="Close Parameters"]').click();
  if (Object.keys(fields).length > 0) await setFields(panel, fields);
  return panel;
}

/** The drawer stays open from one conversation to the next. */
async function openDrawer(panel: Frame): Promise<void> {
  if (!(await panel.locator('.drawer').isVisible())) await panel.locator('.parameters').click();
}

async function setFields(panel: Frame, fields: Readonly<Record<string, string>>): Promise<void> {
  await openDrawer(panel);
  for (const [name, text] of Object.entries(fields)) {
    const field = panel.locator(`#field-${name}`);
    if (await field.evaluate((element) => element instanceof HTMLSelectElement)) await field.selectOption(text);
    else await field.fill(text);
    await field.press('Tab');
  }
  await panel.locator('.drawer [aria-label="Close Parameters"]').click();
}

async function askAndWait(panel: Frame, question: string): Promise<void> {
  await ask(panel, question);
  await panel.locator(ended).last().waitFor();
}

/** Opens what an answer shows only when it is pointed at. */
async function press(panel: Frame, action: string): Promise<void> {
  await panel.locator('.answer').last().hover();
  await panel.locator(`.answer .actions [aria-label="${action}"]`).last().click();
}

/** TypeScript has something to say of the word, too; what it says before it has read its files stays until the mouse comes again. */
async function hoverUntilTold(page: Page, word: Locator): Promise<void> {
  const hover = page.locator('.monaco-hover', { hasText: '26 %' });
  for (let attempt = 1; ; attempt += 1) {
    await word.hover();
    await hover.waitFor();
    const isLoading = hover.getByText('loading...').first();
    const missed = await isLoading.waitFor({ state: 'hidden', timeout: 5000 }).catch((error: unknown) => error);
    if (missed === undefined) return;
    if (attempt === 24) throw missed;
    await moveAway(page);
    await hover.waitFor({ state: 'hidden' });
  }
}

export const requestSteps: readonly Step[] = [
  {
    name: 'parameters',
    isInChat: true,
    async act(page, { server, workspace }) {
      await page.setViewportSize({ width: 1100, height: 780 });
      await openWorkbench(page, server.url(workspace));
      await showChat(page);
      await setWidth(page, 'auxiliarybar', 440);
      await page.keyboard.press('Control+B');
      const panel = await begin(page, { temperature: '0.3', stop: '\\n\\n', max_tokens: '400' });
      await openDrawer(panel);
      await panel.locator('.drawer .link', { hasText: 'Request as JSON' }).click();
      await page.locator('.view-line', { hasText: 'temperature' }).waitFor();
    },
  },
  {
    name: 'bias',
    async act(page) {
      const panel = await chatPanel(page);
      await panel.locator('.field:has(#field-logit_bias) .link').click();
      await typeAnswer(page, '', 'tide, harbour');
      await page.keyboard.press('Enter');
      await pickRow(page, '␣tide').waitFor();
      await page.locator('.notifications-toasts .monaco-button', { hasText: 'Cancel' }).waitFor({ state: 'hidden' });
    },
  },
  {
    name: 'data',
    isInChat: true,
    async act(page, { workspace }) {
      await page.keyboard.press('Escape');
      await runCommand(page, 'View: Close All Editors');
      const folder = join(workspace, '.parley', 'schemas');
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'berths.json'), `${JSON.stringify(berthSchema, null, 2)}\n`);
      const panel = await begin(page);
      await runCommand(page, 'Parley: Choose Schema for Answers…');
      await chooseItem(page, 'berths');
      await openFile(page, '.parley/schemas/berths.json');
      await askAndWait(panel, questions.data);
      await panel.locator('.data-fault').waitFor();
    },
  },
  {
    name: 'columns',
    isInChat: true,
    shows: '.part.auxiliarybar',
    async act(page) {
      await setWidth(page, 'auxiliarybar', 700);
      const panel = await begin(page);
      await panel.locator('.composer .box').fill(questions.compare);
      await panel.locator('[aria-label="Compare Answers…"]').click();
      for (const model of ['parley-chat-large', 'parley-chat-small']) await chooseItem(page, model);
      await page.keyboard.press('Enter');
      await panel.locator('.column-figures', { hasText: 'tok/s' }).nth(2).waitFor();
    },
  },
  {
    name: 'confidence',
    isInChat: true,
    shows: '.part.auxiliarybar',
    async act(page) {
      await setWidth(page, 'auxiliarybar', 440);
      const panel = await begin(page, { logprobs: 'true', top_logprobs: '4' });
      await askAndWait(panel, questions.confidence);
      await press(panel, 'How Sure the Model Was');
      await panel.locator('.confidence [aria-label="Next Unsure Word"]').click();
      await panel.locator('.confidence-detail .fork-token').first().waitFor();
    },
  },
  {
    name: 'confidence-editor',
    async act(page, { workspace }) {
      const panel = await begin(page, { logprobs: 'true', top_logprobs: '4' });
      await askAndWait(panel, questions.code);
      await writeFile(join(workspace, 'src', 'fees.ts'), '/** What a berth costs. */\n');
      await openFile(page, 'src/fees.ts');
      const comment = page.locator('.view-line', { hasText: 'What a berth costs' });
      await comment.click();
      await page.keyboard.press('Control+End');
      await page.locator('.statusbar-item', { hasText: 'Ln 2, Col 1' }).waitFor();
      await panel.locator('.answer .code [aria-label="Insert at Cursor"]').last().click();
      await hoverUntilTold(page, page.locator('.view-line span span', { hasText: /^Math$|^Math\./ }).first());
    },
  },
  {
    name: 'details',
    isInChat: true,
    shows: '.part.auxiliarybar',
    async act(page) {
      const panel = await begin(page);
      await askAndWait(panel, questions.replay);
      await panel.locator('.answer summary[title="Details of this answer"]').click();
      await panel.locator('.detail-links .link', { hasText: 'Replay' }).waitFor();
    },
  },
  {
    name: 'replay',
    isInChat: true,
    shows: '.part.auxiliarybar',
    async act(page, { service }) {
      service.setRelease?.('today');
      const panel = await chatPanel(page);
      await panel.locator('.detail-links .link', { hasText: 'Replay' }).click();
      await panel.locator('.answer .note', { hasText: 'fingerprint has changed' }).waitFor();
    },
  },
  {
    name: 'exchanges',
    shows: '.quick-input-widget',
    async act(page) {
      await runCommand(page, 'Parley: Show Exchanges');
      await pickRow(page, 'POST chat/completions').waitFor();
      // It is moved down into its place.
      await page.locator('.quick-input-widget .monaco-list-row.focused').waitFor();
    },
  },
];
