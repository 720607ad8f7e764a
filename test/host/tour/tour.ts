/** `npm start -- --tour`, with `--short` ten steps of it, with `--requests` those about requests: does what a user does, in a headless browser, and keeps a picture of each step in `out/tour/`. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { launchBrowser, openWorkbench, themes } from '../browser.ts';
import { findOrInstallChromium } from '../chromium.ts';
import { type Demo, startDemo } from '../demo.ts';
import { hostCache, out } from '../paths.ts';
import { agentStep } from './editSteps.ts';
import { type Shot, takeEachTheme, takeGallery, takeNarrow, takeThemes } from './gallery.ts';
import { requestService } from './requestAnswers.ts';
import { requestSteps } from './requestSteps.ts';
import type { Step } from './step.ts';
import { contextWindow, steps } from './steps.ts';

const pictures = join(out, 'tour');

/** Slow enough that an answer is seen to grow. */
const tokenDelayMs = 40;

/** Is told how to end what was started. */
type OnStart = (stop: () => Promise<void>) => void;

/** How many steps the short tour has. */
const shortSteps = 10;

/** All of it; its first steps, and the window in two themes, with which `npm test` ends; or the steps about requests. */
export type TourLength = 'whole' | 'short' | 'requests';

/** Walks the tour with fresh state. Throws at the first step that did not show what it should. */
export async function runTour(onStart: OnStart, length: TourLength): Promise<void> {
  await rm(join(hostCache, 'tour'), { recursive: true, force: true });
  await rm(pictures, { recursive: true, force: true });
  await mkdir(pictures, { recursive: true });
  const chromium = await findOrInstallChromium();
  if (length !== 'requests') await walkSteps(chromium, onStart, length === 'short');
  if (length === 'whole') await walkWithAgent(chromium, onStart);
  if (length !== 'short') await walkRequests(chromium, onStart);
  console.log(`The tour showed all it should; its pictures are in ${pictures}.`);
}

async function walkSteps(chromium: string, onStart: OnStart, isShort: boolean): Promise<void> {
  const home = join(hostCache, 'tour');
  // With times, which the player and the text share.
  const settings = {
    'parley.audio.responseFormat': 'verbose_json',
    'workbench.colorTheme': themes.light,
    ...contextWindow,
  };
  const demo = await startDemo({ home, connected: false, tokenDelayMs, settings });
  onStart(demo.stop);
  const browser = await openBrowser(chromium, demo, onStart);
  await openWorkbench(browser.page, demo.server.url(demo.workspace));
  const wanted = isShort ? steps.slice(0, shortSteps) : steps;
  for (const [index, step] of wanted.entries()) {
    await walk(browser.page, demo, step, index + 1);
    if (!isShort) await takeInThemes(browser.page, demo, step);
  }
  const act = isShort ? takeShortGallery : takeGalleryPictures;
  await walk(browser.page, demo, { name: 'gallery', act }, wanted.length + 1);
  await browser.close();
  await demo.stop();
}

/** The extension that stands in for an agent needs a VS Code of its own. */
async function walkWithAgent(chromium: string, onStart: OnStart): Promise<void> {
  const home = join(hostCache, 'tour', 'agent');
  const demo = await startDemo({ home, connected: true, tokenDelayMs, testDriver: true });
  onStart(demo.stop);
  const browser = await openBrowser(chromium, demo, onStart);
  await walk(browser.page, demo, agentStep, steps.length + 2);
  await browser.close();
  await demo.stop();
}

/** The service of these steps says other things. */
async function walkRequests(chromium: string, onStart: OnStart): Promise<void> {
  const home = join(hostCache, 'tour', 'requests');
  const settings = { 'workbench.colorTheme': themes.light };
  const demo = await startDemo({ home, connected: true, tokenDelayMs: 5, settings, reference: requestService });
  onStart(demo.stop);
  const browser = await openBrowser(chromium, demo, onStart);
  for (const [index, step] of requestSteps.entries()) {
    await walk(browser.page, demo, step, steps.length + 3 + index);
    if (step.isInChat) await takeNarrow(browser.page, demo, shotsOf(browser.page), step.name);
  }
  await browser.close();
  await demo.stop();
}

/** What a step shows, in every theme: the window, and the chat in narrow columns. */
async function takeInThemes(page: Page, demo: Demo, step: Step): Promise<void> {
  if (step.isInThemes) await takeEachTheme(page, demo, shotsOf(page), step.name);
  if (step.isInChat) await takeNarrow(page, demo, shotsOf(page), step.name);
}

async function openBrowser(chromium: string, demo: Demo, onStart: OnStart): ReturnType<typeof launchBrowser> {
  const browser = await launchBrowser(chromium);
  browser.page.setDefaultTimeout(60_000);
  onStart(async () => {
    await browser.close();
    await demo.stop();
  });
  return browser;
}

const takeGalleryPictures = (page: Page, demo: Demo): Promise<void> => takeGallery(page, demo, shotsOf(page));
const takeShortGallery = (page: Page, demo: Demo): Promise<void> =>
  takeThemes(page, demo, ['light', 'highContrast'], shotsOf(page));

function shotsOf(page: Page): Shot {
  return async (name, clip) => {
    await page.screenshot({ path: join(pictures, `gallery-${name}.png`), ...(clip ? { clip } : {}) });
  };
}

async function walk(page: Page, demo: Demo, step: Step, number: number): Promise<void> {
  const start = performance.now();
  const name = `${String(number).padStart(2, '0')}-${step.name}`;
  try {
    await step.act(page, demo);
  } catch (error) {
    await page.screenshot({ path: join(pictures, `${name}-failed.png`) });
    throw new Error(`${name}: ${error instanceof Error ? error.message : error}`);
  }
  const clip = step.shows === undefined ? undefined : await page.locator(step.shows).boundingBox();
  await page.screenshot({ path: join(pictures, `${name}.png`), ...(clip && { clip }) });
  console.log(`${name}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
}
