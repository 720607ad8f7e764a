/** The steps of the tour about edits: from one proposal to what is asked again, and edits that add up. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { openWorkbench } from '../browser.ts';
import { remoteUri } from '../server.ts';
import type { Step } from './step.ts';
import {
  ask,
  chatPanel,
  clearNotifications,
  editSelection,
  lens,
  lensRow,
  openReview,
  pickRow,
  proposeEdit,
  readNotification,
  runCommand,
  selectLines,
} from './workbench.ts';

/** An answer that changes two files, and makes a third. */
const threeFiles = [
  'The harbour speaks of a departure now:',
  '',
  '```ts src/berths.ts',
  'export function overlaps(a: Booking, from: string, departure: string): boolean {',
  '  return a.from < departure && from < a.departure;',
  '}',
  '```',
  '',
  '```ts src/mail.ts',
  'export interface Mailer {',
  '  send(to: string, subject: string, text: string, isUrgent?: boolean): Promise<void>;',
  '}',
  '```',
  '',
  '```ts src/notices.ts',
  "export const departureNotice = 'Your departure is tomorrow.';",
  '```',
].join('\n');

/** An answer in blocks for three files, of which one quotes a line that is not there. */
const oneMisquoted = [
  'More water below the keel, and a word about it:',
  '',
  ...block('src/berths.ts', 'export const UNDER_KEEL_CLEARANCES = 0.5;', 'export const UNDER_KEEL_CLEARANCE = 0.7;'),
  ...block('src/mail.ts', "    'the harbour office',", "    'your harbour office',"),
  ...block('src/notices.ts', '', "export const clearanceNotice = '0.7 m of water stay below your keel.';"),
].join('\n');

function block(path: string, search: string, replace: string): string[] {
  const lines = ['<<<<<<< SEARCH', ...(search === '' ? [] : [search]), '=======', replace, '>>>>>>> REPLACE'];
  return [path, '```', ...lines, '```', ''];
}

export const editSteps: readonly Step[] = [
  {
    name: 'edit-proposed',
    async act(page) {
      await proposeEdit(page, 'src/berths.ts', [27, 34], 'rename boolean to Verdict');
      await page.locator('.view-line', { hasText: 'Verdict' }).nth(1).waitFor();
    },
  },
  {
    name: 'edit-decided',
    async act(page) {
      await page.locator('.view-line', { hasText: 'Verdict' }).first().click();
      await page.keyboard.press('Control+Enter');
      await lens(page, 'Accept All').waitFor({ state: 'hidden' });
      await lens(page, 'Reject').click();
      await page.locator('.tab.active[data-resource-name="berths.ts"] .tab-label').waitFor();
      await lens(page, 'Reject').waitFor({ state: 'hidden' });
    },
  },
  {
    name: 'edit-set',
    async act(page) {
      const panel = await chatPanel(page);
      if (await panel.locator('.find-box').isVisible()) await panel.locator('.find-box').press('Escape');
      await runCommand(page, 'Parley: New Conversation');
      await panel.locator('.question').first().waitFor({ state: 'hidden' });
      await ask(panel, `say: ${threeFiles}`);
      await panel.locator('.answer:not(.streaming) .actions [aria-label="Review Changes to Files"]').last().click();
      await lens(page, 'Accept').waitFor();
      await page.locator('.part.auxiliarybar .monaco-list-row', { hasText: 'mail.ts' }).waitFor();
    },
  },
  {
    name: 'edit-set-accepted',
    async act(page) {
      await runCommand(page, 'Parley: Accept All Changes of the Set');
      await readNotification(page, 'Changes accepted');
    },
  },
  {
    name: 'edit-restore',
    async act(page) {
      await clearNotifications(page);
      await runCommand(page, 'Parley: Restore Files');
      await pickRow(page, /./).waitFor();
    },
  },
  {
    name: 'edit-restored',
    async act(page) {
      await page.keyboard.press('Enter');
      await page.locator('.tab.active[data-resource-name="berths.ts"]').waitFor();
      await page.locator('.view-line', { hasText: 'a.from < until' }).first().waitFor();
      await clearNotifications(page);
    },
  },
  {
    name: 'edit-ask-again',
    async act(page) {
      const panel = await chatPanel(page);
      await ask(panel, `say: ${oneMisquoted}`);
      const answer = panel.locator('.answer:not(.streaming)', { hasText: 'More water' });
      await answer.locator('.actions [aria-label="Review Changes to Files"]').click();
      const price = await readNotification(page, 'Ask the model for it?');
      assert.match(price, /The place of 1 block is not sure\. .* About [\d,]+ tokens\./);
    },
  },
  {
    name: 'edit-asked-again',
    async act(page) {
      await page.locator('.notifications-toasts .monaco-button', { hasText: /^Ask$/ }).click();
      await lens(page, 'Accept').waitFor();
      for (const name of ['berths.ts', 'mail.ts', 'notices.ts'])
        await page.locator('.part.auxiliarybar .monaco-list-row', { hasText: name }).waitFor();
      await openReview(page, 'berths.ts');
      await page.locator('.view-line', { hasText: 'CLEARANCE = 0.7' }).waitFor();
      await lens(page, 'Accept').waitFor();
    },
  },
  {
    name: 'edit-second',
    async act(page) {
      await runCommand(page, 'Parley: Reject All Changes of the Set');
      await lens(page, 'Reject').waitFor({ state: 'hidden' });
      await proposeEdit(page, 'src/berths.ts', [40, 53], 'rename berths to places');
      // The second begins in the review, with the new form of a line that the first one changes.
      await selectLines(page, 42, 42);
      await editSelection(page, 'rename places to moorings');
      await lensRow(page, '“rename places to moorings”').waitFor();
      await lensRow(page, '“rename berths to places”').waitFor();
      await lensRow(page, 'Replaces a change of').waitFor();
    },
  },
  {
    name: 'edit-second-rejected',
    async act(page) {
      await runCommand(page, 'Parley: Reject All Changes of the Set');
      await lensRow(page, '“rename').waitFor({ state: 'hidden' });
      await lens(page, 'Reject').waitFor();
    },
  },
];

/** The extension in `agent/` stands in for an agent: it calls the tool for edits twice. VS Code has to run with its test driver. */
export const agentStep: Step = {
  name: 'agent-edits-twice',
  async act(page, { server, workspace }) {
    const agent = remoteUri(server.port, join(import.meta.dirname, 'agent'));
    // VS Code leaves such an extension out of the first window that a browser opens.
    await openWorkbench(page, server.url(workspace));
    await openWorkbench(page, server.url(workspace, [['extensionDevelopmentPath', agent]]));
    await runCommand(page, 'Agent: Edit Twice');
    await lensRow(page, '“Say it in other words”').waitFor();
    await lensRow(page, '“Raise the clearance”').waitFor();
    await lensRow(page, 'Replaces a change of').waitFor();
  },
};
