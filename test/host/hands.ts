/** The mouse and the keyboard of the window, as a small server on the loopback address for the suite inside VS Code. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import { isInTab, openSecondWindow, webviewFrames } from './browser.ts';
import { type HandsReply, type HandsRequest, patience } from './handsProtocol.ts';
import { failuresOf, out } from './paths.ts';
import { currentWindow } from './windows.ts';

export interface Hands {
  /** What the suite posts its requests to; goes into the environment as PARLEY_TEST_HANDS. */
  readonly address: string;
  close(): void;
}

/** Starts the hands before there is a page, because the extension host has to be born with the address. */
export async function startHands(page: () => Promise<Page>): Promise<Hands> {
  const path = `/${randomUUID()}`;
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST' || request.url !== path) return void response.writeHead(404).end();
    const reply = await answer(page, request);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
  });
  // A suite that was held up for longer than this would ask over a connection that is closed in the same moment.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The hands have no port.');
  return { address: `http://127.0.0.1:${address.port}${path}`, close: () => server.close() };
}

async function answer(page: () => Promise<Page>, request: IncomingMessage): Promise<HandsReply> {
  try {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    return { value: await perform(await page(), JSON.parse(body) as HandsRequest) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

async function perform(page: Page, request: HandsRequest): Promise<unknown> {
  switch (request.do) {
    case 'press':
      return windowOf(page, request).keyboard.press(request.key);
    case 'type':
      return page.keyboard.type(request.text);
    case 'openWindow':
      return openSecondWindow(page);
    case 'closeWindow':
      return windowOf(page, { window: 'second' }).close();
    case 'moveAway':
      return page.mouse.move(1, 1);
    case 'screenshot':
      return screenshot(
        windowOf(page, request),
        request.failed ? failuresOf(currentWindow()) : join(out, 'host'),
        request.name,
      );
    case 'axe':
      return findAccessibilityProblems(await frameWith(page, request.frame, patience));
    case 'visible':
      return isVisible(windowOf(page, request), request);
    default:
      return performOn(await locate(windowOf(page, request), request), request);
  }
}

type Aimed = Extract<HandsRequest, { selector: string }>;

/** The window that is meant: the workbench, or the one that was opened last. */
function windowOf(page: Page, { window }: Pick<Aimed, 'window'>): Page {
  const second = window === 'second' ? page.context().pages().at(-1) : page;
  if (second === undefined || (window === 'second' && second === page)) throw new Error('There is no second window.');
  return second;
}

function performOn(target: Locator, request: Exclude<Aimed, { do: 'visible' }>): Promise<unknown> {
  const timeout = request.timeout ?? patience;
  switch (request.do) {
    case 'click':
      return target.first().click({ timeout, button: request.button ?? 'left' });
    case 'pressButton':
      return target.first().dispatchEvent('click', undefined, { timeout });
    case 'drag':
      return target.first().dragTo(target.page().locator(request.to).first(), { timeout });
    case 'hover':
      return target.first().hover({ timeout });
    case 'focus':
      return target.first().focus({ timeout });
    case 'fill':
      return target.first().fill(request.value, { timeout });
    case 'text':
      return target.first().innerText({ timeout });
    case 'texts':
      return target.allInnerTexts();
    case 'value':
      return target.first().inputValue({ timeout });
    case 'attribute':
      return target.first().getAttribute(request.name, { timeout });
    case 'waitFor':
      return target.first().waitFor({ state: request.state, timeout });
  }
}

async function locate(page: Page, request: Aimed): Promise<Locator> {
  if (request.frame === undefined) return page.locator(request.selector);
  const { frame, timeout = patience, extension, place } = request;
  return (await frameWith(page, frame, timeout, extension, place)).locator(request.selector);
}

async function isVisible(page: Page, request: Aimed): Promise<boolean> {
  if (request.frame === undefined) return page.locator(request.selector).first().isVisible();
  const frame = await findFrame(page, request.frame, request.extension, request.place);
  return frame === undefined ? false : frame.locator(request.selector).first().isVisible();
}

async function findFrame(
  page: Page,
  selector: string,
  extension?: string,
  place?: Aimed['place'],
): Promise<Frame | undefined> {
  const frames = webviewFrames(page, extension);
  // A frame that goes away while it is asked throws; the next round looks again.
  const shows = await Promise.all(
    frames
      .map(async (frame) => {
        const count = await frame.locator(selector).count();
        return count > 0 && (place === undefined || (place === 'tab') === (await isInTab(page, frame)));
      })
      .map((asked) => asked.catch(() => false)),
  );
  return frames.find((_, index) => shows[index]);
}

/** The webview of Parley that contains the selector. Webviews come, go and are drawn again, so this asks until it is there. */
export async function frameWith(
  page: Page,
  selector: string,
  timeout: number,
  extension?: string,
  place?: Aimed['place'],
): Promise<Frame> {
  const end = performance.now() + timeout;
  for (;;) {
    const frame = await findFrame(page, selector, extension, place);
    if (frame !== undefined) return frame;
    if (performance.now() > end)
      throw new Error(`No webview of ${extension ?? 'Parley'} shows ${selector} within ${timeout / 1000} s.`);
    await page.waitForTimeout(50);
  }
}

async function screenshot(page: Page, folder: string, name: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name.replace(/[^\w.-]+/g, '-')}.png`) });
}

/** Runs axe-core in a webview's document; `evaluate` goes past the page's content security policy. */
export async function findAccessibilityProblems(frame: Frame): Promise<string[]> {
  const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  await frame.evaluate(source);
  return frame.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(): Promise<AxeResult> } };
    const { violations } = await axe.run();
    return violations.map(({ id, impact, nodes }) => `${id} (${impact}): ${nodes.map((n) => n.html).join(' | ')}`);
  });
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}
