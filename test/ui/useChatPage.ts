import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, beforeEach } from 'node:test';
import { launchBrowser, type Window } from '../host/browser.ts';
import { findOrInstallChromium } from '../host/chromium.ts';
import { out } from '../host/paths.ts';
import { type ChatPage, openChatPage } from './chatPage.ts';

/** The folder of the pictures that suites take. */
export const pictures = join(out, 'ui');

/**
 * Opens a browser for a suite, and in it, before each test, a new panel in the dark theme, as narrow as a side bar.
 * @param onOpen called with both before each test
 */
export function useChatPage(
  onOpen: (opened: { readonly window: Window; readonly chat: ChatPage }) => void,
  height = 800,
): void {
  let window: Window;
  before(async () => {
    await mkdir(pictures, { recursive: true });
    window = await launchBrowser(await findOrInstallChromium());
  });
  after(() => window.close());
  beforeEach(async () => {
    await window.page.setViewportSize({ width: 320, height });
    const chat = await openChatPage(window.page);
    await chat.theme('dark');
    onOpen({ window, chat });
  });
}
