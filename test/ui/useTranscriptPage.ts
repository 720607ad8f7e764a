import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach } from 'node:test';
import { type Browser, chromium } from 'playwright-core';
import { findOrInstallChromium } from '../host/chromium.ts';
import { out } from '../host/paths.ts';
import { openTranscriptPage, type TranscriptPage } from './transcriptPage.ts';

/** The folder of the pictures that suites take. */
export const pictures = join(out, 'ui');

/**
 * Opens a browser for a suite, and in it, before each test, a new page in the dark theme. After each test nothing may have been
 * asked for elsewhere, and the page may not have complained.
 */
export function useTranscriptPage(onOpen: (shown: TranscriptPage) => void): void {
  let browser: Browser;
  let shown: TranscriptPage;
  before(async () => {
    await mkdir(pictures, { recursive: true });
    browser = await chromium.launch({
      executablePath: await findOrInstallChromium(),
      args: ['--no-sandbox', '--disable-gpu', '--autoplay-policy=no-user-gesture-required'],
    });
  });
  after(() => browser.close());
  beforeEach(async () => {
    const context = await browser.newContext({ viewport: { width: 900, height: 700 } });
    shown = await openTranscriptPage(await context.newPage());
    await shown.theme('dark');
    onOpen(shown);
  });
  afterEach(async () => {
    assert.deepEqual(shown.escapes, []);
    await shown.page.context().close();
  });
}
