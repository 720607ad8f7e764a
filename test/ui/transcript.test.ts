import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { type Browser, chromium } from 'playwright-core';
import type { TranscriptView } from '../../src/webview/shared/protocol.ts';
import { findOrInstallChromium } from '../host/chromium.ts';
import { out, root } from '../host/paths.ts';
import { openTranscriptPage, strings, type Theme, type TranscriptPage, themeNames } from './transcriptPage.ts';

const wav = readFileSync(join(root, 'test/fixtures/workspace/recordings/begruessung.wav')).toString('base64');
const player = { src: `data:audio/wav;base64,${wav}`, type: 'audio/wav' };
const plain: TranscriptView = {
  state: { sha256: 'a'.repeat(64), path: '/recordings/begruessung.wav' },
  fileName: 'begruessung.wav',
  about: '3 s · 110 kB · parley-whisper · Nov 20, 2026',
  player,
  text: 'Good morning in the harbour. Your berth is free.',
  segments: [],
};
const timed: TranscriptView = {
  ...plain,
  segments: [
    { start: 0, end: 1.68, time: '0:00', text: 'Good morning in the harbour.' },
    { start: 1.68, end: 3.44, time: '0:01', text: 'Your berth is free.' },
  ],
};
const sentence = 'The translation of this recording is no longer saved.';
const long = Array.from({ length: 60 }, (_, i) => `Sentence ${i + 1} of a talk about the tides.`).join(' ');

describe('the page of a translation', () => {
  let browser: Browser;
  let shown: TranscriptPage;
  before(async () => {
    await mkdir(join(out, 'ui'), { recursive: true });
    browser = await chromium.launch({
      executablePath: await findOrInstallChromium(),
      args: ['--no-sandbox', '--disable-gpu', '--autoplay-policy=no-user-gesture-required'],
    });
  });
  after(() => browser.close());
  afterEach(async () => {
    assert.deepEqual(shown.escapes, []);
    await shown.page.context().close();
  });

  async function open(width = 900, theme: Theme = 'dark'): Promise<TranscriptPage> {
    const context = await browser.newContext({ viewport: { width, height: 700 } });
    shown = await openTranscriptPage(await context.newPage());
    await shown.theme(theme);
    return shown;
  }

  /** The place of the player, in seconds. */
  const playedTo = ({ page }: TranscriptPage): Promise<number> =>
    page.evaluate(() => document.querySelector('audio')?.currentTime ?? -1);

  test('shows name, numbers, player and text, and remembers what it is about', async () => {
    const { page, show } = await open();
    await show(plain);
    assert.equal(await page.textContent('h1'), 'begruessung.wav');
    assert.equal(await page.textContent('.about'), plain.about);
    assert.equal(await page.textContent('.text'), plain.text);
    assert.equal(await page.locator('audio[controls]').count(), 1);
    assert.deepEqual(await page.evaluate(() => (globalThis as unknown as { saved: unknown }).saved), plain.state);
  });

  test('shows what was said as text, whatever it looks like', async () => {
    const { page, show } = await open();
    await show({ ...plain, text: '<img src=x onerror=alert(1)> **bold**' });
    assert.equal(await page.textContent('.text'), '<img src=x onerror=alert(1)> **bold**');
    assert.equal(await page.locator('img').count(), 0);
  });

  test('keeps lines to about 80 characters, and shows paragraphs', async () => {
    const { page, show } = await open(1400);
    await show({ ...plain, text: `${long}\n\nThe end.` });
    assert.equal(await page.locator('.text p').count(), 2);
    const perLine = await page.evaluate(() => {
      const paragraph = document.querySelector('.text p');
      if (paragraph === null) return 0;
      const lines =
        paragraph.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(paragraph).lineHeight);
      return (paragraph.textContent?.length ?? 0) / lines;
    });
    assert.ok(perLine > 50 && perLine <= 82, `${perLine} characters a line`);
  });

  test('plays from the place of a sentence, by mouse and by keyboard, and follows', async () => {
    const opened = await open();
    const { page } = opened;
    await opened.show(timed);
    await page.waitForFunction(() => (document.querySelector('audio')?.readyState ?? 0) >= 1);
    await page.click('button:text-is("0:01")');
    assert.ok((await playedTo(opened)) >= 1.68);
    await page.waitForSelector('.segment[aria-current]:has-text("Your berth is free.")');
    assert.equal(await page.locator('[aria-current]').count(), 1);
    await page.focus('button:text-is("0:00")');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.segment[aria-current]:has-text("Good morning")');
    assert.equal(await page.getAttribute('button:text-is("0:01")', 'aria-label'), 'Play from 0:01');
  });

  test('asks the host to copy, to save and to open, and says when it is copied', async () => {
    const { page, show, send, posted } = await open();
    await show({ ...plain, player: { ...player, type: 'audio/no-such-thing' } });
    await page.click('button:has-text("Copy")');
    await page.click('button:has-text("Save as .txt")');
    await page.click('button:has-text("Save as .md")');
    await page.click('button:has-text("Open Externally")');
    assert.deepEqual(await posted(), [
      { type: 'ready' },
      { type: 'copy' },
      { type: 'save', format: 'txt' },
      { type: 'save', format: 'md' },
      { type: 'openRecording' },
    ]);
    assert.equal(await page.textContent('[role=status]'), '');
    await send({ type: 'copied' });
    assert.equal(await page.textContent('[role=status]'), 'Copied');
  });

  test('says in one sentence that the recording cannot be played, beforehand or when it fails', async () => {
    const { page, show } = await open();
    await show({ ...timed, player: { ...player, type: 'audio/no-such-thing' } });
    assert.ok((await page.textContent('.player'))?.startsWith('VS Code cannot play .m4a here.'));
    assert.equal(await page.locator('button.time').count(), 0, 'a time leads nowhere without a player');
    await show({ ...plain, player: { src: 'data:audio/wav;base64,UklGRg==', type: 'audio/wav' } });
    await page.waitForSelector('.player:has-text("VS Code cannot play .m4a here.")');
    await show({ ...plain, player: undefined, noPlayer: 'The recording is no longer at its place.' });
    assert.equal(await page.textContent('.player'), 'The recording is no longer at its place.');
  });

  test('says that nothing was said, and offers no empty file', async () => {
    const { page, show } = await open();
    await show({ ...plain, text: '' });
    assert.equal(await page.textContent('.empty'), 'No speech was found in this recording.');
    assert.equal(await page.locator('.actions button:enabled').count(), 0);
  });

  test('says above the text that the service did not translate, and leads to the setting', async () => {
    const { page, show, posted } = await open();
    await show({ ...plain, note: 'The service transcribed in German and did not translate.' });
    assert.ok((await page.textContent('[role=note]'))?.startsWith('The service transcribed in German'));
    await page.click('button:has-text("Open Setting")');
    assert.deepEqual((await posted()).at(-1), { type: 'openExtraFields' });
    await show(plain);
    assert.equal(await page.locator('[role=note]').count(), 0);
  });

  test('says that the translation is gone, and offers to make it again', async () => {
    const { page, send, posted } = await open();
    await send({ type: 'fail', strings, fileName: 'begruessung.wav', sentence });
    assert.ok((await page.textContent('[role=alert]'))?.includes('no longer saved.'));
    await page.click('button:has-text("Translate")');
    assert.deepEqual((await posted()).at(-1), { type: 'translate' });
  });

  for (const theme of themeNames) {
    test(`reads well in the theme ${theme}, wide, narrow and failed`, async () => {
      const { page, show, send, axe } = await open(900, theme);
      await show({ ...timed, segments: [...timed.segments, { start: 3599, end: 3700, time: '1:00:00', text: long }] });
      await page.screenshot({ path: join(out, 'ui', `transcript-${theme}.png`) });
      assert.deepEqual(await axe(), []);
      await show({ ...timed, note: sentence });
      await page.screenshot({ path: join(out, 'ui', `transcript-${theme}-note.png`) });
      assert.deepEqual(await axe(), []);
      for (const width of [320, 220]) {
        await page.setViewportSize({ width, height: 700 });
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        assert.ok(overflow <= 0, `${overflow} px stick out at ${width} px`);
        await page.screenshot({ path: join(out, 'ui', `transcript-${theme}-${width}.png`) });
      }
      const small = await page.evaluate(
        () =>
          [...document.querySelectorAll('button')].filter((each) => each.getBoundingClientRect().height < 24).length,
      );
      assert.equal(small, 0, 'every button is at least 24 px high');
      await show({ ...plain, text: '', player: { ...player, type: 'audio/no-such-thing' } });
      await page.screenshot({ path: join(out, 'ui', `transcript-${theme}-empty.png`) });
      assert.deepEqual(await axe(), []);
      await send({ type: 'fail', strings, fileName: 'begruessung.wav', sentence });
      await page.screenshot({ path: join(out, 'ui', `transcript-${theme}-failed.png`) });
      assert.deepEqual(await axe(), []);
    });
  }
});
