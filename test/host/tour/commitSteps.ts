/** The steps of the tour about what changed in git: a file that git does not know yet, and one that it does. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Step } from './step.ts';
import { clearNotifications, moveAway, readNotification, runCommand } from './workbench.ts';

/** What a day's work looks like before anybody has read it. */
const notices = `import { readFileSync } from 'node:fs';
import type { Booking } from './berths.ts';

/** The notices of the day, by berth. */
export function readNotices(path: string): Record<string, string> {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** Tells the skippers, and is done when all have been told. */
export async function tellSkippers(bookings: Booking[], tell: (booking: Booking) => Promise<void>): Promise<void> {
  bookings.forEach(async (booking) => {
    await tell(booking);
  });
}
`;

export const commitSteps: readonly Step[] = [
  {
    name: 'review-changes',
    isInThemes: true,
    async act(page, { workspace }) {
      // What is proposed still is another matter.
      await runCommand(page, 'Parley: Reject All Changes of the Set');
      await page.locator('.pane-header', { hasText: 'Proposed Changes' }).waitFor({ state: 'hidden' });
      await writeFile(join(workspace, 'src/dailyNotices.ts'), notices);
      await runCommand(page, 'File: Save All Files');
      await page.keyboard.press('Control+Shift+G');
      // Git sees one file after the other.
      for (const name of ['dailyNotices.ts', 'berths.ts'])
        await page.locator('.scm-view .monaco-list-row', { hasText: name }).first().waitFor();
      await runCommand(page, 'Parley: Review Changes');
      await readNotification(page, 'finding');
      await page.locator('.notifications-toasts .monaco-button', { hasText: 'Show Comments' }).first().click();
      await page.locator('.comments-panel .comment-thread-container', { hasText: 'does not wait' }).first().click();
      await page.locator('.review-widget .comment-body code', { hasText: 'forEach' }).first().waitFor();
      await moveAway(page);
    },
  },
  {
    name: 'commit-message',
    isInThemes: true,
    async act(page) {
      await clearNotifications(page);
      await runCommand(page, 'View: Toggle Panel Visibility');
      await runCommand(page, 'Parley: Generate Commit Message');
      // Nothing is staged, and nothing is by this.
      await readNotification(page, 'Nothing is staged');
      await page.locator('.notifications-toasts .monaco-button', { hasText: 'Write for All Changes' }).first().click();
      await page.locator('.scm-view .scm-editor .view-line', { hasText: 'dailyNotices.ts' }).first().waitFor();
      await page.locator('.scm-view .monaco-list-row', { hasText: 'Staged Changes' }).waitFor({ state: 'hidden' });
      await moveAway(page);
    },
  },
];
