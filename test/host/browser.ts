/** Shows the workbench in a headless Chromium. */
import { randomBytes } from 'node:crypto';
import { type Browser, chromium, type Frame, type Page } from 'playwright-core';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface Window {
  readonly page: Page;
  close(): Promise<void>;
}

/** The four themes that pictures are made in, by their names in the setting `workbench.colorTheme`. */
export const themes = {
  light: 'Light Modern',
  dark: 'Dark Modern',
  highContrast: 'Default High Contrast',
  highContrastLight: 'Default High Contrast Light',
} as const;

/** How long the browser and the workbench may take for anything on a machine that is busy with other things, in milliseconds. */
const slowest = 180_000;

/** Starts a browser with an empty page of 1400×900, in English, with the clipboard allowed. */
export async function launchBrowser(executablePath: string): Promise<Window> {
  const browser: Browser = await chromium.launch({
    executablePath,
    args: flags,
    headless: true,
    timeout: slowest,
  });
  const context = await browser.newContext({
    viewport: { width: 1400, height: 900 },
    locale: 'en-US',
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(slowest);
  // The web workbench encrypts SecretStorage with a key that code-server's front door would give it; without one it forgets
  // the secrets on a reload, which no desktop does.
  const body = randomBytes(32);
  await context.route('**/mint-key', (route) => route.fulfill({ body, contentType: 'application/octet-stream' }));
  return { page: await context.newPage(), close: () => browser.close() };
}

/** Goes to the workbench's address and waits until it has drawn its parts and the files of the folder. */
export async function openWorkbench(page: Page, url: string): Promise<void> {
  await page.goto(url, { timeout: slowest });
  await page.waitForSelector('.monaco-workbench .part.statusbar .statusbar-item', { timeout: slowest });
}

/** Opens what a workbench shows in a window beside it, which runs no suite: with an extension host of its own, on the same storage. */
export async function openSecondWindow(first: Page): Promise<void> {
  const url = new URL(first.url());
  const payload = JSON.parse(url.searchParams.get('payload') ?? '[]') as [string, string][];
  url.searchParams.set('payload', JSON.stringify(payload.filter(([name]) => name !== 'extensionTestsPath')));
  const second = first.context().pages()[1] ?? (await first.context().newPage());
  await openWorkbench(second, url.href);
}

/** Changes the theme by `write`, which writes the settings with it, and waits until the workbench is drawn in it. */
export async function changeTheme(
  page: Page,
  theme: keyof typeof themes,
  write: (settings: Readonly<Record<string, unknown>>) => Promise<void>,
): Promise<void> {
  const kind = { light: 'vs', dark: 'vs-dark', highContrast: 'hc-black', highContrastLight: 'hc-light' }[theme];
  for (let attempt = 1; ; attempt += 1) {
    await write({ 'workbench.colorTheme': themes[theme] });
    // While VS Code starts, it can miss that the file changed.
    const drawn = page.waitForSelector(`.monaco-workbench.${kind}`, { timeout: 5000 });
    const missed = await drawn.then(() => undefined).catch((error: unknown) => error);
    if (missed === undefined) return;
    if (attempt === 10) throw missed;
  }
}

/**
 * The inner frames of the webviews of an extension. VS Code nests them: an outer frame, whose address names the extension,
 * and in it the one that holds the extension's document. A list without a word to the browser: the hands ask for it before
 * each thing that they do in a webview.
 */
export function webviewFrames(page: Page, extension = 'parley.parley'): Frame[] {
  const isOfExtension = (frame: Frame) =>
    new URLSearchParams(frame.parentFrame()?.url().split('?')[1]).get('extensionId') === extension;
  return page.frames().filter(isOfExtension);
}

/**
 * Whether a webview stands in an editor's tab; else it is in a view. Its address does not tell: that of a view that was hidden and
 * is shown again names no purpose.
 */
export async function isInTab(page: Page, frame: Frame): Promise<boolean> {
  const outer = await frame.parentFrame()?.frameElement();
  const box = await outer?.boundingBox();
  const editors = await page.locator('.part.editor').first().boundingBox();
  if (!box || !editors) return false;
  const middle = box.x + box.width / 2;
  return middle > editors.x && middle < editors.x + editors.width && box.y < editors.y + editors.height;
}
