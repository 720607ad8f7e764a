/** The steps of the tour, in order: what a person does, and what has to be seen before the picture is taken. */
import assert from 'node:assert/strict';
import { frameWith } from '../hands.ts';
import { commitSteps } from './commitSteps.ts';
import { editSteps } from './editSteps.ts';
import { mentionSteps } from './mentionSteps.ts';
import { indexSteps, searchSteps } from './searchSteps.ts';
import type { Step } from './step.ts';
import { waySteps } from './waySteps.ts';
import {
  ask,
  chatPanel,
  chooseInMenu,
  chooseItem,
  chooseModel,
  clearNotifications,
  openFile,
  readNotification,
  runCommand,
  selectLines,
  showChat,
  transcriptPage,
  typeAnswer,
} from './workbench.ts';

const question = 'What does this do, and when is it false?';

/** More of the gauge's log than the model reads. */
const log = Array.from({ length: 800 }, (_, at) => {
  const clock = `${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`;
  return `2026-03-14 ${clock} UTC gauge husum-2: no reading after 2000 ms, asking again (attempt ${(at % 4) + 1} of 4)`;
}).join('\n');

/** What a service that names no context window is said to have: little enough to show what does not fit. */
export const contextWindow = { 'parley.models.capabilities': { 'parley-chat': { maxInputTokens: 16_000 } } };

export const steps: readonly Step[] = [
  ...waySteps,
  {
    name: 'key',
    async act(page, { service }) {
      await (await chatPanel(page)).getByRole('button', { name: 'Connect' }).click();
      await typeAnswer(page, '(1/5)', service.baseUrl);
      await chooseItem(page, `Use ${service.baseUrl}`);
      await typeAnswer(page, '(2/5)', service.apiKey);
      assert.equal(await page.locator('.quick-input-box input').getAttribute('type'), 'password');
    },
  },
  {
    name: 'connected',
    async act(page, { service: { models } }) {
      await page.keyboard.press('Enter');
      await chooseModel(page, 'chats', models.chat);
      await chooseModel(page, 'embeds code', models.embeddings);
      await chooseModel(page, 'translates recordings', models.audio);
      await readNotification(page, 'Chat works');
      await (await chatPanel(page)).getByText('Ask about your code').waitFor();
    },
  },
  {
    name: 'ask-about-selection',
    async act(page) {
      await clearNotifications(page);
      await openFile(page, 'src/berths.ts');
      await selectLines(page, 31, 34);
      const selected = page.locator('.view-line', { hasText: 'berth.depth + tideHeight' });
      await chooseInMenu(page, selected, 'Parley', 'Ask About Selection');
      const panel = await chatPanel(page);
      await panel.locator('.composer li.chip', { hasText: 'berths.ts' }).waitFor();
      await panel.locator('.box').fill(question);
    },
  },
  {
    name: 'answer-streams',
    async act(page) {
      await (await chatPanel(page)).locator('.box').press('Enter');
      const streaming = (await chatPanel(page)).locator('.answer.streaming');
      await streaming.getByText('isDeepEnough').first().waitFor();
    },
  },
  {
    name: 'answer',
    async act(page) {
      const panel = await chatPanel(page);
      await panel.locator('.answer:not(.streaming) .footer .summary', { hasText: 'tokens' }).waitFor();
      await panel.locator('.answer .code pre').first().waitFor();
    },
  },
  {
    name: 'versions',
    async act(page) {
      const panel = await chatPanel(page);
      await panel.locator('.answer').hover();
      await panel.locator('.answer .actions [aria-label="Retry"]').click();
      await panel.locator('.answer:not(.streaming) .versions', { hasText: '2 / 2' }).waitFor();
    },
  },
  {
    name: 'queue',
    async act(page) {
      const panel = await chatPanel(page);
      await ask(panel, 'And which boats cannot lie here?');
      await panel.locator('.answer.streaming').waitFor();
      await ask(panel, 'Write a test for it.');
      await panel.locator('.queue li', { hasText: 'Write a test' }).waitFor();
    },
  },
  {
    name: 'choices',
    async act(page) {
      const panel = await chatPanel(page);
      await panel.locator('.question', { hasText: 'Write a test' }).waitFor();
      await panel.locator('.answer:not(.streaming) >> nth=2').waitFor();
      await panel.locator('.composer .box').pressSequentially('@ber');
      await panel.locator('.completions .completion', { hasText: 'berths.ts' }).first().waitFor();
    },
  },
  {
    name: 'gauge',
    isInThemes: true,
    async act(page) {
      const panel = await chatPanel(page);
      await panel.locator('.composer .box').press('Tab');
      await panel.locator('.composer li.chip', { hasText: 'berths.ts' }).waitFor();
      await panel.locator('.gauge summary').click();
      await panel.locator('.gauge-details dl').waitFor();
    },
  },
  {
    name: 'does-not-fit',
    async act(page) {
      const panel = await chatPanel(page);
      await ask(panel, `Why does the gauge fall silent at night?\n\n${log}`);
      await panel.locator('.fit .button').first().waitFor();
      await panel.locator('.composer .box').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'find',
    async act(page) {
      const panel = await chatPanel(page);
      await panel.locator('.composer .box').fill('');
      await panel.locator('.composer .chip [aria-label^="Remove"]').first().click();
      await panel.locator('.composer .box').press('Control+F');
      await panel.locator('.find-box').fill('berth');
      await panel.locator('.find-place', { hasText: 'of' }).waitFor();
    },
  },
  ...mentionSteps,
  ...editSteps,
  ...commitSteps,
  ...indexSteps,
  ...searchSteps,
  {
    name: 'transcript',
    async act(page) {
      // The page has the window for itself, without the chat.
      await page.keyboard.press('Control+Alt+b');
      await page.locator('.part.auxiliarybar').waitFor({ state: 'hidden' });
      await page.keyboard.press('Control+Shift+E');
      const row = (name: string) => page.locator(`.explorer-folders-view .monaco-list-row[aria-label*="${name}"]`);
      const folder = row('recordings').first();
      if ((await folder.getAttribute('aria-expanded')) === 'false') await folder.click();
      await chooseInMenu(page, row('reunion.mp3'), 'Translate to English');
      const shown = await transcriptPage(page, 'reunion.mp3');
      await shown.locator('.text').waitFor();
      await page.locator('.explorer-folders-view [aria-label*="reunion.mp3 • Translated to English"]').waitFor();
    },
  },
  {
    name: 'history-after-reload',
    async act(page) {
      await page.reload();
      await page.waitForSelector('.monaco-workbench .part.statusbar .statusbar-item', { timeout: 60_000 });
      await showChat(page);
      const panel = await chatPanel(page);
      await panel.locator('.question', { hasText: 'water below the keel' }).waitFor();
      await panel.locator('.answer .code pre').first().waitFor();
      await page.locator('.pane-header', { hasText: 'Conversations' }).click();
      await page.locator('.pane-body .monaco-list-row[aria-label^="What does this do"]').waitFor();
    },
  },
  {
    name: 'conversation-in-tab',
    async act(page) {
      await runCommand(page, 'Parley: Open Conversation in Editor');
      await page.locator('.tab.active', { hasText: 'Rename until to' }).waitFor();
      const tab = await frameWith(page, '.answer .code pre', 60_000, undefined, 'tab');
      await tab.locator('.question', { hasText: 'water below the keel' }).waitFor();
    },
  },
];
