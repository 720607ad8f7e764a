import { build } from 'esbuild';
import type { BrowserContext, Page } from 'playwright-core';
import { launchBrowser } from '../../host/browser.ts';
import { findOrInstallChromium } from '../../host/chromium.ts';
import { openChatPage } from '../../ui/chatPage.ts';
import { range } from './texts.ts';

/** Where the panels are drawn: a browser, of which each measurement takes a page of its own, as wide as a side bar. */
export interface Windows {
  /** An empty page. */
  open(): Promise<Page>;
  /** The panel's page, with the peers' way of drawing in it. */
  openPeers(): Promise<Page>;
  close(): Promise<void>;
}

export async function openWindows(): Promise<Windows> {
  const window = await launchBrowser(await findOrInstallChromium());
  const context: BrowserContext = window.page.context();
  const peers = await bundlePeers();
  async function open(): Promise<Page> {
    const page = await context.newPage();
    await page.setViewportSize({ width: 320, height: 800 });
    return page;
  }
  return {
    open,
    async openPeers() {
      const page = await open();
      const { theme } = await openChatPage(page);
      await theme('dark');
      await page.evaluate(peers);
      return page;
    },
    close: window.close,
  };
}

async function bundlePeers(): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: import.meta.dirname,
    entryPoints: ['peersPage.js'],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    minify: true,
    // React checks its users' work in any other.
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  return outputFiles[0]?.text ?? '';
}

/** Runs in turns, so often each after a first turn that warms up, and gives what each gave, by its name. */
export async function takeTurns<T>(
  contenders: Readonly<Record<string, () => Promise<T>>>,
  rounds: number,
): Promise<Record<string, T[]>> {
  const names = Object.keys(contenders);
  const given: Record<string, T[]> = Object.fromEntries(names.map((name) => [name, []]));
  for (const round of range(rounds + 1)) {
    for (const name of names) {
      const result = await contenders[name]?.();
      if (round > 0 && result !== undefined) given[name]?.push(result);
    }
  }
  return given;
}

/** Runs in the page: its text without white space, and without what Parley puts above code. */
export function pageText(): { readonly text: string; readonly codes: string[] } {
  const copy = document.querySelector('.answer:last-of-type .markdown')?.cloneNode(true) as HTMLElement;
  for (const added of copy.querySelectorAll('.code-header, .fold')) added.remove();
  const codes = [...copy.querySelectorAll('pre > code')].map((code) => (code.textContent ?? '').replace(/\n$/, ''));
  return { text: (copy.textContent ?? '').replace(/\s+/g, ''), codes };
}
