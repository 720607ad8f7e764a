/** The first steps of the tour: the ways to the chat. */
import type { Step } from './step.ts';
import { chatPanel, chooseItem, openFile, runCommand, setWidth } from './workbench.ts';

/** Where Parley stands in the title of an editor, and in the status bar. */
const editorIcon = '.editor-actions [aria-label^="Ask"]';
const statusEntry = '.statusbar-item[id$="parley.chat"] a';

export const waySteps: readonly Step[] = [
  {
    name: 'walkthrough',
    isInThemes: true,
    async act(page) {
      await runCommand(page, 'Welcome: Open Walkthrough...');
      await chooseItem(page, /Get Started with Parley/);
      await page.locator('.gettingStartedContainer .step-title', { hasText: 'Ask about your code' }).click();
      // The picture of the step, which shows where the chat stands.
      await page.locator('.gettingStartedContainer .getting-started-media').locator('img, iframe').first().waitFor();
    },
  },
  {
    name: 'ways-to-the-chat',
    isInThemes: true,
    async act(page) {
      await runCommand(page, 'View: Close Editor');
      await openFile(page, 'src/berths.ts');
      await page.locator(statusEntry).waitFor();
      await page.locator(editorIcon).first().hover();
      await page.locator('.workbench-hover', { hasText: 'Ask Parley' }).first().waitFor();
    },
  },
  {
    name: 'welcome',
    async act(page) {
      await page.locator(statusEntry).click();
      await page.locator('.part.auxiliarybar').waitFor();
      await setWidth(page, 'auxiliarybar', 420);
      await (await chatPanel(page)).getByRole('button', { name: 'Connect' }).waitFor();
    },
  },
];
