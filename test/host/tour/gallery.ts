/** Pictures of the panel, the results and a transcript: in each theme, at 1400×900 and at a width of about 320 pixels. */
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
    await openHit(page);
    await shoot(`${theme}-results`);
    await page.locator('.tab', { hasText: recording }).click();
    await (await transcriptPage(page, recording)).locator('.text').waitFor();
    await shoot(`${theme}-transcript`);
    await setSideBarWidth(page, 1020);
    await shootPart(page, shoot, '.part.editor', `${theme}-transcript-320`);
    await page.locator('.tab', { hasText: 'berths.ts' }).click();
    await setSideBarWidth(page, 320);
    await showPanel(page);
    await shootPart(page, shoot, '.part.sidebar', `${theme}-panel-320`);
    await showResults(page);
    await shootPart(page, shoot, '.part.sidebar', `${theme}-results-320`);
  }
}

async function showPanel(page: Page): Promise<void> {
  await showOnly(page, 'Chat');
  await (await chatPanel(page)).locator('.answer .code pre').first().waitFor();
}

async function showResults(page: Page): Promise<void> {
  await showOnly(page, 'Code Search');
  await page.locator('.part.sidebar .monaco-list-row', { hasText: 'retry.ts' }).first().waitFor();
}

/** Shows a hit of the list in the editor, with its marks. */
async function openHit(page: Page): Promise<void> {
  await page.locator('.part.sidebar .monaco-list-row[aria-level="2"]').first().click();
  await page.locator('.monaco-editor .view-overlays .cdr[class*="ced-"]').first().waitFor();
}

/** Gives one view of the side bar all of its height. */
async function showOnly(page: Page, view: string): Promise<void> {
  await setExpanded(page, view, true);
  for (const other of ['Chat', 'Code Search', 'Conversations']) {
    if (other !== view) await setExpanded(page, other, false);
  }
}

async function setExpanded(page: Page, view: string, expanded: boolean): Promise<void> {
  const header = page.locator('.part.sidebar .pane-header', { hasText: view }).first();
  if ((await header.getAttribute('aria-expanded')) !== String(expanded)) await header.click();
}

async function shootPart(page: Page, shoot: Shot, part: string, name: string): Promise<void> {
  const box = await page.locator(part).boundingBox();
  if (box === null) throw new Error(`${part} is hidden.`);
  await shoot(name, box);
}
