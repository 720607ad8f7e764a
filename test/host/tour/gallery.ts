/** Pictures of the panel, the results and a transcript: in each theme, at 1400×900 and in a side bar of 320 pixels. */
import type { Page } from 'playwright-core';
import { changeTheme, themes } from '../browser.ts';
import type { Demo } from '../demo.ts';
import { writeMachineSettings } from '../server.ts';
import {
  chatPanel,
  chooseItem,
  keepResults,
  openFile,
  runCommand,
  setSideBarWidth,
  showParley,
  transcriptPage,
} from './workbench.ts';

type Shot = (name: string, clip?: { x: number; y: number; width: number; height: number }) => Promise<void>;

const recording = 'reunion.mp3';

/** The views with what the steps have left: one conversation, one search, one translated recording. */
export async function takeGallery(page: Page, demo: Demo, shoot: Shot): Promise<void> {
  await showParley(page);
  await keepResults(page, 'wait longer after each failed attempt', /^retry\.ts:/);
  await runCommand(page, 'Parley: Show Translation');
  await chooseItem(page, recording);
  await openFile(page, 'src/berths.ts');
  for (const theme of Object.keys(themes) as (keyof typeof themes)[]) {
    await changeTheme(page, theme, (settings) => writeMachineSettings(demo.serverDataDir, settings));
    await setSideBarWidth(page, 420);
    await showPanel(page);
    await shoot(`${theme}-panel`);
    await showResults(page);
    await shoot(`${theme}-results`);
    await page.locator('.tab', { hasText: recording }).click();
    await (await transcriptPage(page, recording)).locator('.text').waitFor();
    await shoot(`${theme}-transcript`);
    await page.locator('.tab', { hasText: 'berths.ts' }).click();
    await setSideBarWidth(page, 320);
    await showPanel(page);
    await shootSideBar(page, shoot, `${theme}-panel-320`);
    await showResults(page);
    await shootSideBar(page, shoot, `${theme}-results-320`);
  }
}

async function showPanel(page: Page): Promise<void> {
  await setExpanded(page, 'Code Search', false);
  await setExpanded(page, 'Chat', true);
  await (await chatPanel(page)).locator('.answer .code pre').first().waitFor();
}

async function showResults(page: Page): Promise<void> {
  await setExpanded(page, 'Code Search', true);
}

async function setExpanded(page: Page, view: string, expanded: boolean): Promise<void> {
  const header = page.locator('.part.sidebar .pane-header', { hasText: view }).first();
  if ((await header.getAttribute('aria-expanded')) !== String(expanded)) await header.click();
}

async function shootSideBar(page: Page, shoot: Shot, name: string): Promise<void> {
  const box = await page.locator('.part.sidebar').boundingBox();
  if (box === null) throw new Error('The side bar is hidden.');
  await shoot(name, box);
}
