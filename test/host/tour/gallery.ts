/** Pictures of the panel, the results, a transcript and a review: in each theme, at 1400×900 and at a width of about 320 pixels. */
import type { Page } from 'playwright-core';
import { changeTheme, themes } from '../browser.ts';
import type { Demo } from '../demo.ts';
import { writeMachineSettings } from '../server.ts';
import {
  chatPanel,
  chooseItem,
  keepResults,
  lens,
  openFile,
  proposeEdit,
  runCommand,
  type SideBar,
  setWidth,
  showChat,
  showSearch,
  transcriptPage,
} from './workbench.ts';

export type Shot = (name: string, clip?: { x: number; y: number; width: number; height: number }) => Promise<void>;

const recording = 'reunion.mp3';

type Theme = keyof typeof themes;
const allThemes = Object.keys(themes) as Theme[];

/** The views with what the steps have left: one conversation, one search, one translated recording. */
export async function takeGallery(page: Page, demo: Demo, shoot: Shot): Promise<void> {
  await showSearch(page);
  await keepResults(page, 'wait longer after each failed attempt', /^retry\.ts:/);
  await runCommand(page, 'Parley: Show Translation');
  await chooseItem(page, recording);
  await proposeEdit(page, 'src/http/retry.ts', [31, 45], 'rename attempt to trial');
  await openFile(page, 'src/berths.ts');
  await setWidth(page, 'sidebar', 320);
  for (const theme of allThemes) {
    await changeTheme(page, theme, (settings) => writeMachineSettings(demo.serverDataDir, settings));
    await takeChat(page, shoot, theme);
    await takeSearch(page, shoot, theme);
    await page.locator('.tab', { hasText: recording }).click();
    await (await transcriptPage(page, recording)).locator('.text').waitFor();
    await shoot(`${theme}-transcript`);
    await runCommand(page, 'Parley: Review Proposed Changes');
    await lens(page, 'Accept').waitFor();
    await shoot(`${theme}-edit`);
    await openFile(page, 'src/berths.ts');
  }
}

/** The window as it is, in these themes. */
export async function takeThemes(page: Page, demo: Demo, wanted: readonly Theme[], shoot: Shot): Promise<void> {
  for (const theme of wanted) {
    await changeTheme(page, theme, (settings) => writeMachineSettings(demo.serverDataDir, settings));
    await shoot(theme);
  }
}

/** The window as it is, in every theme; in the first one afterwards. */
export async function takeEachTheme(page: Page, demo: Demo, shoot: Shot, name: string): Promise<void> {
  for (const theme of [...allThemes].reverse()) {
    await changeTheme(page, theme, (settings) => writeMachineSettings(demo.serverDataDir, settings));
    await shoot(`${theme}-${name}`);
  }
}

/** The chat as it is, in each theme and two narrow widths; then in the first theme, as wide as it was. */
export async function takeNarrow(page: Page, demo: Demo, shoot: Shot, name: string): Promise<void> {
  const wide = (await page.locator('.part.auxiliarybar').boundingBox())?.width ?? 0;
  for (const theme of allThemes) {
    await changeTheme(page, theme, (settings) => writeMachineSettings(demo.serverDataDir, settings));
    for (const width of [320, 220]) {
      await setWidth(page, 'auxiliarybar', width);
      await shootPart(page, shoot, 'auxiliarybar', `${theme}-${name}-${width}`);
    }
  }
  await changeTheme(page, 'light', (settings) => writeMachineSettings(demo.serverDataDir, settings));
  await setWidth(page, 'auxiliarybar', wide);
}

async function takeChat(page: Page, shoot: Shot, theme: string): Promise<void> {
  await showChat(page);
  await (await chatPanel(page)).locator('.answer .code pre').first().waitFor();
  await setWidth(page, 'auxiliarybar', 420);
  await shoot(`${theme}-chat`);
  await takeContext(page, shoot, theme);
  await setWidth(page, 'auxiliarybar', 320);
  await shootPart(page, shoot, 'auxiliarybar', `${theme}-chat-320`);
}

/** What a question is put together with: the choices of `@`, the gauge, and the bar that finds. */
async function takeContext(page: Page, shoot: Shot, theme: string): Promise<void> {
  const panel = await chatPanel(page);
  const box = panel.locator('.composer .box');
  await setWidth(page, 'auxiliarybar', 320);
  await box.pressSequentially('@');
  await panel.locator('.completions .completion').first().waitFor();
  await shootPart(page, shoot, 'auxiliarybar', `${theme}-choices-320`);
  await box.press('Escape');
  await box.fill('');
  await panel.locator('.gauge summary').click();
  await panel.locator('.gauge-details dl').waitFor();
  await shootPart(page, shoot, 'auxiliarybar', `${theme}-gauge-320`);
  await box.press('Control+F');
  await panel.locator('.find-box').fill('berth');
  await panel.locator('.find-place', { hasText: 'of' }).waitFor();
  await shootPart(page, shoot, 'auxiliarybar', `${theme}-find-320`);
  await panel.locator('.find-box').press('Escape');
}

async function takeSearch(page: Page, shoot: Shot, theme: string): Promise<void> {
  await showSearch(page);
  const rows = page.locator('.part.sidebar .monaco-list-row');
  await rows.filter({ hasText: 'retry.ts' }).first().waitFor();
  // A hit of the list is open in the editor, with its marks.
  await page.locator('.part.sidebar .monaco-list-row[aria-level="2"]').first().click();
  await page.locator('.monaco-editor .view-overlays .cdr[class*="ced-"]').first().waitFor();
  await shoot(`${theme}-results`);
  await shootPart(page, shoot, 'sidebar', `${theme}-results-320`);
}

async function shootPart(page: Page, shoot: Shot, part: SideBar, name: string): Promise<void> {
  const box = await page.locator(`.part.${part}`).boundingBox();
  if (box === null) throw new Error(`The ${part} is hidden.`);
  await shoot(name, box);
}
