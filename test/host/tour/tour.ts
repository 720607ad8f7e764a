/** `npm start -- --tour`: does what a user does, in a headless browser, and keeps a picture of each step in `out/tour/`. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { launchBrowser, openWorkbench } from '../browser.ts';
import { findOrInstallChromium } from '../chromium.ts';
import { type Demo, startDemo } from '../demo.ts';
import { hostCache, out } from '../paths.ts';
import { agentStep } from './editSteps.ts';
import { takeGallery } from './gallery.ts';
import type { Step } from './step.ts';
import { contextWindow, steps } from './steps.ts';

const pictures = join(out, 'tour');

/** Slow enough that an answer is seen to grow. */
const tokenDelayMs = 40;

/** Walks the whole tour with fresh state. Throws at the first step that did not show what it should. */
export async function runTour(onStart: (stop: () => Promise<void>) => void): Promise<void> {
  const home = join(hostCache, 'tour');
  await rm(home, { recursive: true, force: true });
  await rm(pictures, { recursive: true, force: true });
  await mkdir(pictures, { recursive: true });
  const chromium = await findOrInstallChromium();
  // With times, which the player and the text share.
  const settings = { 'parley.audio.responseFormat': 'verbose_json', ...contextWindow };
  const demo = await startDemo({ home, connected: false, tokenDelayMs, settings });
  onStart(demo.stop);
  const { page, close } = await launchBrowser(chromium);
  page.setDefaultTimeout(60_000);
  onStart(async () => {
    await close();
    await demo.stop();
  });
  await openWorkbench(page, demo.server.url(demo.workspace));
  for (const [index, step] of steps.entries()) await walk(page, demo, step, index + 1);
  await walk(page, demo, { name: 'gallery', act: takeGalleryPictures }, steps.length + 1);
  await demo.stop();
  const agentDemo = await startDemo({
    ...{ home: join(home, 'agent'), tokenDelayMs },
    connected: true,
    testDriver: true,
  });
  onStart(async () => {
    await close();
    await agentDemo.stop();
  });
  await walk(page, agentDemo, agentStep, steps.length + 2);
  console.log(`The tour showed all it should; its pictures are in ${pictures}.`);
}

function takeGalleryPictures(page: Page, demo: Demo): Promise<void> {
  return takeGallery(page, demo, async (name, clip) => {
    await page.screenshot({ path: join(pictures, `gallery-${name}.png`), ...(clip ? { clip } : {}) });
  });
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
  await page.screenshot({ path: join(pictures, `${name}.png`) });
  console.log(`${name}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
}
