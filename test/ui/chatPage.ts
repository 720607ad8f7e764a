/** The chat panel's page in a real browser, with the policy of the real webview and a stand-in for VS Code. */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import type { MessageView } from '../../src/webview/shared/protocol/messageProtocol.ts';
import type { FromChatPanel, PanelState, ToChatPanel } from '../../src/webview/shared/protocol/protocol.ts';
import { root } from '../host/paths.ts';
import { fields } from './drawerFields.ts';
import { strings } from './strings.ts';
import themes from './themes.json' with { type: 'json' };

export type Theme = keyof typeof themes;
export const themeNames = Object.keys(themes) as Theme[];

const require = createRequire(import.meta.url);
const address = 'http://panel.test/';
const policy =
  "default-src 'none'; base-uri 'none'; form-action 'none'; script-src 'nonce-n'; style-src 'self'; font-src 'self'";

/** What a real webview page has before our style sheet: the part of VS Code's defaults that touches what we draw. */
const defaults = `@layer vscode-default {
  body { background-color: transparent; color: var(--vscode-editor-foreground); margin: 0; padding: 0 20px; }
  a, a code { color: var(--vscode-textLink-foreground); }
  a:focus, textarea:focus { outline: 1px solid -webkit-focus-ring-color; outline-offset: -1px; }
  code { color: var(--vscode-textPreformat-foreground); background-color: var(--vscode-textPreformat-background); padding: 1px 3px; border-radius: 4px; }
  blockquote { background: var(--vscode-textBlockQuote-background); }
}
html { background: var(--vscode-sideBar-background); }`;

export interface ChatPage {
  readonly page: Page;
  /** What the panel posted, oldest first, but for how far it has drawn, its focus, which files it asked for, and which questions are edited. */
  posted(): Promise<FromChatPanel[]>;
  /** The files that the panel asked for. */
  askedFor(): Promise<string[]>;
  /** @param whole whether to wait until all of it is drawn: what is long is drawn over several frames */
  send(message: ToChatPanel, whole?: boolean): Promise<void>;
  show(messages: readonly MessageView[], state?: Partial<PanelState>): Promise<void>;
  theme(theme: Theme): Promise<void>;
  /** Requests that went anywhere, and complaints of the page: both stay empty. */
  readonly escapes: string[];
  axe(): Promise<string[]>;
}

export const connected: PanelState = {
  connected: true,
  model: 'parley-chat',
  parameters: '',
  tokens: '',
  chips: [],
  instructions: [],
  queue: [],
  search: 'ready',
  suggestions: ['Explain what client.ts does', 'Find what could go wrong in client.ts', 'Write tests for client.ts'],
};

/** Loads the page and waits until it says that it is ready. `saved`: what an earlier page left with `setState`. */
export async function openChatPage(page: Page, saved?: unknown): Promise<ChatPage> {
  const escapes: string[] = [];
  const files = await pageFiles();
  // What the page before still asks for, such as a font, is answered first: else its answer would be rejected.
  await page.unrouteAll({ behavior: 'wait' });
  await page.route('**/*', (route) => {
    const url = route.request().url();
    const file = url.startsWith(address) ? files[url.slice(address.length)] : undefined;
    if (file !== undefined) return route.fulfill(file);
    if (!url.startsWith('data:')) escapes.push(url);
    return route.abort();
  });
  page.removeAllListeners('console');
  page.removeAllListeners('pageerror');
  page.on('console', (message) => message.type() === 'error' && escapes.push(message.text()));
  page.on('pageerror', (error) => escapes.push(String(error)));
  await page.goto(address);
  await page.evaluate((state) => globalThis.startPanel(state), saved);
  await page.waitForFunction(() => globalThis.posted.length > 0);
  async function send(message: ToChatPanel, whole = true): Promise<void> {
    const before = await page.evaluate(() => globalThis.posted.length);
    await page.evaluate((data) => window.postMessage(data), message as unknown);
    // After a picture that took long the page rests; where a patch is missing, it asks for all.
    const seq = message.type === 'patches' ? (message.patches.at(-1)?.seq ?? 0) : 0;
    if (
      ![
        'focus',
        'files',
        'takenBack',
        'doesNotFit',
        'completions',
        'scaleImage',
        'find',
        'drawer',
        'fieldProblem',
        'confidence',
        'offerComparison',
        'offerRequest',
        'wasAsked',
        'comparison',
        'columns',
        'data',
      ].includes(message.type)
    ) {
      await page.waitForFunction(
        ([from, to]) =>
          (globalThis.posted as FromChatPanel[]).some(
            (each, at) => (each.type === 'ready' && at > 0) || (each.type === 'drawn' && at >= from && each.seq >= to),
          ),
        [before, seq] as const,
      );
    }
    if (whole) await page.waitForSelector('.conversation:not([aria-busy=true])', { state: 'attached' });
    await drawn(page);
  }
  return {
    page,
    escapes,
    posted: () =>
      page.evaluate(() =>
        (globalThis.posted as FromChatPanel[]).filter(
          ({ type }) => !['drawn', 'columnsDrawn', 'focused', 'findFiles', 'beginEdit', 'endEdit'].includes(type),
        ),
      ),
    askedFor: () =>
      page.evaluate(() =>
        (globalThis.posted as FromChatPanel[]).flatMap((each) => (each.type === 'findFiles' ? each.paths : [])),
      ),
    send,
    async show(messages, state = {}) {
      await send({
        type: 'show',
        strings,
        conversation: 'c1',
        seq: 0,
        messages,
        state: { ...connected, ...state },
        fields,
      });
    },
    async theme(theme) {
      const { bodyClass, variables } = themes[theme];
      await page.evaluate(
        ([name, values]) => {
          document.body.className = name;
          for (const property of [...document.documentElement.style])
            document.documentElement.style.removeProperty(property);
          for (const [property, value] of Object.entries(values))
            document.documentElement.style.setProperty(property, value);
        },
        [bodyClass, variables as Record<string, string>] as const,
      );
    },
    async axe() {
      const before = escapes.length;
      await page.evaluate(await readFile(require.resolve('axe-core/axe.min.js'), 'utf8'));
      const found = await page.evaluate(async () => {
        const { violations } = await globalThis.axe.run();
        return violations.map(
          ({ id, nodes }) => `${id}: ${nodes.map((n) => `${n.html} ${n.failureSummary}`).join(' | ')}`,
        );
      });
      // axe-core itself fetches style sheets and writes inline styles, which the policy refuses.
      escapes.length = before;
      return found;
    },
  };
}

/** Two frames: the first may have begun before the message came. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

declare global {
  var posted: unknown[];
  var saved: unknown;
  var startPanel: (saved: unknown) => void;
  var axe: { run(): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }> };
}

interface File {
  readonly body: string | Buffer;
  readonly contentType: string;
}

let files: Promise<Record<string, File>> | undefined;
function pageFiles(): Promise<Record<string, File>> {
  files ??= makeFiles();
  return files;
}

async function makeFiles(): Promise<Record<string, File>> {
  const [chat, math] = await Promise.all([
    bundleOf('src/webview/chat/main.ts', 'iife'),
    bundleOf('src/webview/math/main.ts', 'esm'),
  ]);
  const icons = join(root, 'node_modules', '@vscode', 'codicons', 'dist');
  const css = (body: string | Buffer): File => ({ body, contentType: 'text/css' });
  return {
    '': { body: html(chat), contentType: 'text/html' },
    'math.js': { body: math, contentType: 'text/javascript' },
    'defaults.css': css(defaults),
    ...(await sheets(['chat.css', 'comparison.css', 'controls.css', 'data.css', 'find.css', 'markdown.css'])),
    'codicon.css': css(await readFile(join(icons, 'codicon.css'))),
    ...Object.fromEntries(
      [...(await readFile(join(icons, 'codicon.css'), 'utf8')).matchAll(/url\("?\.\/(codicon\.ttf[^")]*)/g)].map(
        ([, name]) => [name, { body: '', contentType: 'font/ttf', path: join(icons, 'codicon.ttf') }],
      ),
    ),
  };
}

async function bundleOf(input: string, format: 'iife' | 'esm'): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [input],
    bundle: true,
    write: false,
    format,
    target: 'es2022',
    charset: 'utf8',
    mainFields: ['browser', 'module', 'main'],
  });
  return outputFiles[0]?.text ?? '';
}

async function sheets(names: readonly string[]): Promise<Record<string, File>> {
  const read = async (name: string): Promise<[string, File]> => [
    name,
    { body: await readFile(join(root, 'media', name)), contentType: 'text/css' },
  ];
  return Object.fromEntries(await Promise.all(names.map(read)));
}

/** The bundle waits for `startPanel`, so that a test can give it what an earlier page saved. */
function html(script: string): string {
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Chat</title>
<meta http-equiv="Content-Security-Policy" content="${policy}">
<link rel="stylesheet" href="defaults.css"><link rel="stylesheet" href="codicon.css"><link rel="stylesheet" href="chat.css"></head>
<body><main id="root"></main><script nonce="n">
globalThis.posted = [];
globalThis.startPanel = (saved) => {
  globalThis.saved = saved;
  globalThis.acquireVsCodeApi = () => ({
    postMessage: (message) => posted.push(message),
    getState: () => globalThis.saved,
    setState: (state) => { globalThis.saved = state; },
  });
  run();
};
function run() {
${script.replaceAll('</script', '<\\/script')}
}
</script></body></html>`;
}
