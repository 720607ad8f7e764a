/** The page of a translated recording in a real browser, with the policy of the real webview and a stand-in for VS Code. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import type {
  FromTranscriptPanel,
  ToTranscriptPanel,
  TranscriptView,
} from '../../src/webview/shared/protocol/transcriptProtocol.ts';
import { root } from '../host/paths.ts';
import { transcriptStrings } from './strings.ts';
import themes from './themes.json' with { type: 'json' };

export type Theme = keyof typeof themes;
export const themeNames = Object.keys(themes) as Theme[];

const address = 'http://transcript.test/';
const policy =
  "default-src 'none'; base-uri 'none'; form-action 'none'; script-src 'nonce-n'; style-src 'self'; font-src 'self'; media-src 'self' data:; connect-src 'self' data:";

/** What VS Code gives every webview before our style sheet, so far as it touches what is drawn here. */
const defaults = `@layer vscode-default {
  body { background-color: transparent; color: var(--vscode-editor-foreground); margin: 0; padding: 0 20px; }
}
html { background: var(--vscode-editor-background); }`;

export interface TranscriptPage {
  readonly page: Page;
  /** What the page posted, oldest first, but for what it has decoded: that comes at a time of its own. */
  posted(): Promise<Exclude<FromTranscriptPanel, { type: 'decoded' }>[]>;
  /** Bars that the page has decoded, oldest first. */
  decoded(): Promise<(readonly number[])[]>;
  send(message: ToTranscriptPanel): Promise<void>;
  show(transcript: TranscriptView, strings?: Record<string, string>): Promise<void>;
  /** Has the page hear that a recording, however long, is at a place, in seconds. */
  hear(seconds: number): Promise<void>;
  theme(theme: Theme): Promise<void>;
  /** Serves a recording, and gives its address. */
  serve(name: string, sound: Buffer, contentType: string): string;
  /** Names of the recordings that the page itself has read, as often as it did; its player is not counted. */
  readonly read: string[];
  /** Requests that went anywhere, and complaints of the page: both stay empty. */
  readonly escapes: string[];
  axe(): Promise<string[]>;
}

/** Loads the page and waits until it says that it is ready. */
export async function openTranscriptPage(page: Page): Promise<TranscriptPage> {
  const escapes: string[] = [];
  const read: string[] = [];
  files ??= await makeFiles();
  const served = { ...files };
  await page.route('**/*', (route) => {
    const url = route.request().url();
    const file = url.startsWith(address) ? served[url.slice(address.length).replace(/\?.*/, '')] : undefined;
    if (route.request().resourceType() === 'fetch') read.push(url.slice(address.length));
    if (file !== undefined) return route.fulfill(file);
    if (!url.startsWith('data:')) escapes.push(url);
    return route.abort();
  });
  page.on('console', (message) => message.type() === 'error' && escapes.push(message.text()));
  page.on('pageerror', (error) => escapes.push(String(error)));
  await page.goto(address);
  const send = async (message: ToTranscriptPanel): Promise<void> => {
    await page.evaluate((data) => {
      const drawn = new Promise((done) => window.addEventListener('message', done, { once: true }));
      window.postMessage(data);
      return drawn.then(() => undefined);
    }, message as unknown);
  };
  const allPosted = () => page.evaluate(() => (globalThis as unknown as { posted: FromTranscriptPanel[] }).posted);
  return {
    page,
    escapes,
    read,
    serve(name, body, contentType) {
      served[name] = { body, contentType };
      return address + name;
    },
    send,
    posted: async () => (await allPosted()).filter((message) => message.type !== 'decoded'),
    decoded: async () => (await allPosted()).flatMap((message) => (message.type === 'decoded' ? [message.bars] : [])),
    show: (transcript, strings = transcriptStrings) => send({ type: 'show', strings, transcript }),
    hear: (seconds) =>
      page.evaluate((value) => {
        const audio = document.querySelector('audio');
        if (audio === null) throw new Error('There is nothing to hear.');
        Object.defineProperty(audio, 'currentTime', { value, writable: true, configurable: true });
        audio.dispatchEvent(new Event('timeupdate'));
      }, seconds),
    async theme(theme) {
      const { bodyClass, variables } = themes[theme];
      await page.evaluate(
        ([name, values]) => {
          document.body.className = name;
          const { style } = document.documentElement;
          for (const property of [...style]) style.removeProperty(property);
          for (const [property, value] of Object.entries(values)) style.setProperty(property, value);
        },
        [bodyClass, variables as Record<string, string>] as const,
      );
    },
    async axe() {
      const before = escapes.length;
      await page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
      const found = await page.evaluate(async () => {
        const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<AxeResult> } };
        // Its own requests for style sheets are no requests of the page.
        const { violations } = await axe.run({ preload: false });
        return violations.map(
          ({ id, nodes }) => `${id}: ${nodes.map((n) => `${n.html} ${n.failureSummary}`).join(' | ')}`,
        );
      });
      // axe-core itself writes inline styles, which the policy refuses.
      escapes.length = before;
      return found;
    },
  };
}

interface AxeResult {
  violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
}

interface File {
  readonly contentType: string;
  readonly body?: string | Buffer;
  readonly path?: string;
}

let files: Record<string, File> | undefined;

async function makeFiles(): Promise<Record<string, File>> {
  const bundle = await build({
    absWorkingDir: root,
    entryPoints: ['src/webview/transcript/main.ts'],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
  });
  const icons = join(root, 'node_modules', '@vscode', 'codicons', 'dist');
  return {
    '': { body: html(bundle.outputFiles[0]?.text ?? ''), contentType: 'text/html' },
    'defaults.css': { body: defaults, contentType: 'text/css' },
    ...Object.fromEntries(
      ['transcript.css', 'controls.css', 'find.css'].map((name) => [
        name,
        { path: join(root, 'media', name), contentType: 'text/css' },
      ]),
    ),
    'codicon.css': { path: join(icons, 'codicon.css'), contentType: 'text/css' },
    'codicon.ttf': { path: join(icons, 'codicon.ttf'), contentType: 'font/ttf' },
  };
}

function html(script: string): string {
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Translation</title>
<meta http-equiv="Content-Security-Policy" content="${policy}">
<link rel="stylesheet" href="defaults.css"><link rel="stylesheet" href="codicon.css"><link rel="stylesheet" href="transcript.css">
</head><body><main id="root"></main><script nonce="n">
globalThis.posted = [];
globalThis.acquireVsCodeApi = () => ({
  postMessage: (message) => posted.push(message),
  getState: () => globalThis.saved,
  setState: (state) => { globalThis.saved = state; },
});
${script.replaceAll('</script', '<\\/script')}
</script></body></html>`;
}
