import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { launchBrowser, openWorkbench } from './browser.ts';
import { findOrInstallChromium } from './chromium.ts';
import { startDemo } from './demo.ts';
import { hostCache } from './paths.ts';
import { runCommand } from './tour/workbench.ts';

const home = join(hostCache, 'oneoff');
await rm(home, { recursive: true, force: true });
await mkdir('/tmp/w/shots', { recursive: true });
const demo = await startDemo({
  home,
  connected: false,
  tokenDelayMs: 5,
  settings: { 'workbench.startupEditor': 'none' },
});
const browser = await launchBrowser(await findOrInstallChromium());
const page = browser.page;
page.setDefaultTimeout(40_000);
try {
  await openWorkbench(page, demo.server.url(demo.workspace));
  for (let i = 0; i < 3; i++) {
    await runCommand(page, 'Help: Open Walkthrough...').catch(async () =>
      runCommand(page, 'Welcome: Open Walkthrough...'),
    );
    await page.keyboard.type('Parley');
    await page.waitForTimeout(800);
    await page.keyboard.press('Enter');
    await page.locator('.getting-started-step').first().waitFor();
    await page.waitForTimeout(1500);
    await page.screenshot({ path: `/tmp/w/shots/walk${i}.png` });
    if (i === 0) await runCommand(page, 'Parley: Connect');
    else if (i === 1) {
      await page.keyboard.press('F1');
      await page.keyboard.type('Parley: Connect');
      await page.waitForTimeout(600);
      await page.keyboard.press('Enter');
    } else {
      await page.locator('.getting-started-step .monaco-button', { hasText: 'Connect' }).first().focus();
      await page.keyboard.press('Enter');
    }
    await page.locator('.quick-input-widget .quick-input-title', { hasText: 'Connect' }).waitFor();
    for (const wait of [200, 800, 2000]) {
      await page.waitForTimeout(wait);
      console.log(
        i,
        wait,
        await page.evaluate(() => `${document.activeElement?.tagName} ${document.activeElement?.className}`),
      );
    }
    await page.screenshot({ path: `/tmp/w/shots/connect${i}.png` });
    await page.keyboard.press('Escape');
    await page.waitForTimeout(500);
    (await page.locator('.quick-input-widget .quick-input-title').first().isVisible()) &&
      (await page.locator('.quick-input-widget input').first().press('Escape'));
    await page.waitForTimeout(500);
  }
} catch (e) {
  console.log(String(e).slice(0, 600));
  await page.screenshot({ path: '/tmp/w/shots/fail.png' });
}
await browser.close();
await demo.stop();
process.exit(0);
