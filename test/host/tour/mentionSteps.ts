/** The steps of the tour about a question that names three files. */
import type { Step } from './step.ts';
import { chatPanel, openFile, runCommand, typeWithMentions } from './workbench.ts';

export const mentionSteps: readonly Step[] = [
  {
    name: 'mentions',
    isInThemes: true,
    isInChat: true,
    async act(page) {
      await openFile(page, 'README.md');
      await runCommand(page, 'Parley: New Conversation');
      const panel = await chatPanel(page);
      await panel.locator('.question').first().waitFor({ state: 'hidden' });
      if (await panel.locator('.find-box').isVisible()) await panel.locator('.find-box').press('Escape');
      await typeWithMentions(panel, 'Compare @client.ts, @retry.ts and @loadTable.ts in a table');
      // The file that is open goes along, too, and all is counted.
      await panel.locator('.composer .chip', { hasText: 'README.md' }).waitFor();
      await panel.locator('.composer .tokens', { hasText: 'tokens' }).or(panel.locator('.gauge')).first().waitFor();
    },
  },
  {
    name: 'mentions-answer',
    isInThemes: true,
    isInChat: true,
    async act(page) {
      const panel = await chatPanel(page);
      await panel.locator('.composer .box').press('Enter');
      await panel.locator('.question-text [role=link]', { hasText: 'loadTable.ts' }).waitFor();
      await panel.locator('.answer:not(.streaming) table', { hasText: 'retry.ts' }).waitFor();
    },
  },
];
