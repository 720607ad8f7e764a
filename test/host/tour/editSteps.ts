/** The steps of the tour about edits: from one proposal to what is asked again, and edits that add up. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openWorkbench } from '../browser.ts';
import { remoteUri } from '../server.ts';
import type { Step } from './step.ts';
import {
  changedRow,
  chatPanel,
  clearNotifications,
  editSelection,
  lens,
  lensRow,
  moveAway,
  openReview,
  pickRow,
  proposeEdit,
  readNotification,
  runCommand,
  selectLines,
  typeWithMentions,
} from './workbench.ts';

/** Each of the three holds the word, in code and in sentences. */
const renaming = 'Rename until to departure in @berths.ts, @mail.ts and @Tariff.java';
/** The answer quotes a line that is not there. */
const moreWater = 'Leave 0.7 m of water below the keel, and sign as “your harbour office”: @berths.ts, @mail.ts';

export const editSteps: readonly Step[] = [
  {
    name: 'edit-proposed',
    async act(page) {
      await proposeEdit(page, 'src/berths.ts', [31, 45], 'rename boat to vessel');
      await page.locator('.view-line', { hasText: 'vessel' }).nth(1).waitFor();
      await moveAway(page);
    },
  },
  {
    name: 'edit-decided',
    async act(page) {
      await page.locator('.view-line', { hasText: 'vessel' }).first().click();
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
      await runCommand(page, 'Parley: New Conversation');
      await panel.locator('.question').first().waitFor({ state: 'hidden' });
      await typeWithMentions(panel, renaming);
      await panel.locator('.composer .box').press('Enter');
      await panel.locator('.answer:not(.streaming) .actions [aria-label="Review Changes to Files"]').last().click();
      await lens(page, 'Accept').waitFor();
      for (const name of ['berths.ts', 'mail.ts', 'Tariff.java']) await changedRow(page, name).waitFor();
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
      await typeWithMentions(panel, moreWater);
      await panel.locator('.composer .box').press('Enter');
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
      for (const name of ['berths.ts', 'mail.ts', 'notices.ts']) await changedRow(page, name).waitFor();
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
    await runInNewWindow(page, server.url(workspace, [['extensionDevelopmentPath', agent]]), 'Agent: Edit Twice');
    await lensRow(page, '“Say it in other words”').waitFor();
    await lensRow(page, '“Raise the clearance”').waitFor();
    await lensRow(page, 'Replaces a change of').waitFor();
  },
};

/** VS Code may leave such an extension out of the next windows, too, as long as it is not done with the first: then once more. */
async function runInNewWindow(page: Page, url: string, command: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await openWorkbench(page, url);
    try {
      return await runCommand(page, command, 15_000);
    } catch (error) {
      if (attempt === 8) throw error;
    }
  }
}
