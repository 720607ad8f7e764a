import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { longestShown } from '../../src/chat/ui/panel/page/outbox.ts';
import type { FromChatPanel } from '../../src/webview/shared/protocol/protocol.ts';
import { launchBrowser, type Window } from '../host/browser.ts';
import { findOrInstallChromium } from '../host/chromium.ts';
import { type ChatPage, openChatPage } from './chatPage.ts';
import { answer, question } from './samples.ts';

declare global {
  /** Characters that each drawing brought to the page, and how many frames there were. */
  var seen: { readonly added: number[]; frames: number };
}

/** The most characters that are laid out at once, which takes a few milliseconds. */
const mostAtOnce = 64 * 1024;

describe('The chat panel under a flood', () => {
  let window: Window;
  let chat: ChatPage;

  before(async () => {
    window = await launchBrowser(await findOrInstallChromium());
  });
  after(() => window.close());
  beforeEach(async () => {
    await window.page.setViewportSize({ width: 320, height: 800 });
    chat = await openChatPage(window.page);
    await chat.show([question('q', 'Why?'), answer('a', '', { state: 'streaming' })]);
    await window.page.evaluate(() => {
      globalThis.seen = { added: [], frames: 0 };
      const count = (): void => {
        globalThis.seen.frames += 1;
        requestAnimationFrame(count);
      };
      requestAnimationFrame(count);
      const observer = new MutationObserver((changes) => {
        const added = changes.flatMap(({ addedNodes }) => [...addedNodes]).filter((node) => node.isConnected);
        globalThis.seen.added.push(added.reduce((length, node) => length + (node.textContent ?? '').length, 0));
      });
      observer.observe(document.querySelector('.messages') as Element, { childList: true, subtree: true });
    });
  });

  const textOf = (selector: string): Promise<string> =>
    window.page.evaluate((each) => document.querySelector(each)?.textContent ?? '', selector);
  const settled = (selector: string, length: number): Promise<unknown> =>
    window.page.waitForFunction(([each, wanted]) => document.querySelector(each)?.textContent?.length === wanted, [
      selector,
      length,
    ] as const);
  const added = (): Promise<number[]> => window.page.evaluate(() => globalThis.seen.added);

  it('draws 100,000 deltas of a byte once a frame, not once each', async () => {
    /** Drawings, and frames, so far: the conversation itself was drawn before frames were counted. */
    const counted = (): Promise<{ draws: number; frames: number }> =>
      window.page.evaluate(() => {
        const drawn = (globalThis.posted as FromChatPanel[]).filter(({ type }) => type === 'drawn');
        return { draws: drawn.length, frames: globalThis.seen.frames };
      });
    const before = await counted();
    await window.page.evaluate(async () => {
      for (let message = 0; message < 1000; message++) {
        const patches = Array.from({ length: 100 }, (_, i) => ({
          conversation: 'c1',
          seq: message * 100 + i + 1,
          change: { kind: 'append', index: 1, field: 'text', text: 'x' },
        }));
        globalThis.postMessage({ type: 'patches', patches });
        if (message % 10 === 0) await new Promise((done) => setTimeout(done));
      }
    });
    await settled('.answer .markdown', 100_000);
    const after = await counted();
    const [draws, frames] = [after.draws - before.draws, after.frames - before.frames];
    assert.ok(draws <= frames + 1, `${draws} drawings in ${frames} frames`);
  });

  it('saves nothing with every step of an answer that is followed', async () => {
    await window.page.evaluate(() => {
      globalThis.saved = 'as it was';
    });
    for (let seq = 1; seq <= 20; seq++) {
      const change = { kind: 'append', index: 1, field: 'text', text: 'A line of an answer.\n\n' } as const;
      await chat.send({ type: 'patches', patches: [{ conversation: 'c1', seq, change }] });
    }
    // It comes after the last scrolling.
    await window.page.evaluate(
      () =>
        new Promise((done) => {
          const list = document.querySelector('.conversation');
          list?.addEventListener('scrollend', done, { once: true });
          list?.append(Object.assign(document.createElement('p'), { textContent: 'more' }));
          list?.scrollTo(0, list.scrollHeight);
        }),
    );
    assert.equal(await window.page.evaluate(() => globalThis.saved), 'as it was');
  });

  it('draws a line as long as any that it is sent part by part', async () => {
    const line = 'word '.repeat(longestShown / 5);
    await chat.send({
      type: 'patches',
      patches: [{ conversation: 'c1', seq: 1, change: { kind: 'append', index: 1, field: 'text', text: line } }],
    });
    await settled('.answer .plain', line.length);
    const steps = await added();
    assert.ok(Math.max(...steps) <= mostAtOnce, `${steps}`);
    assert.equal(await textOf('.answer .plain'), line);
  });

  it('draws a question of 20,000 lines part by part, and all of it', async () => {
    const lines = Array.from({ length: 20_000 }, (_, i) => `line ${i}: what stands in a log`).join('\n');
    await chat.send({
      type: 'patches',
      patches: [{ conversation: 'c1', seq: 1, change: { kind: 'put', index: 2, message: question('q2', lines) } }],
    });
    await settled('.question:last-child .question-text', lines.length);
    const steps = await added();
    assert.ok(Math.max(...steps) <= mostAtOnce, `${steps}`);
    assert.equal(await textOf('.question:last-child .question-text'), lines);
    await window.page.click('.question:last-child [aria-label="Edit and Ask Again"]');
    assert.equal(await window.page.inputValue('.question .box'), lines);
    await window.page.click('.question .button:text-is("Cancel")');
    assert.equal(await textOf('.question:last-child .question-text'), lines);
  });
});
