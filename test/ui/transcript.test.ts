import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { transcriptStrings as strings } from './strings.ts';
import { type TranscriptPage, themeNames } from './transcriptPage.ts';
import { silence, timed, untimed } from './transcriptSamples.ts';
import { pictures, useTranscriptPage } from './useTranscriptPage.ts';

const sentence = 'The translation of this recording is no longer saved.';
const long = Array.from({ length: 60 }, (_, i) => `Sentence ${i + 1} of a talk about the tides.`).join(' ');
const unplayable = { ...silence(1), type: 'audio/no-such-thing' };

describe('the page of a translation', () => {
  let shown: TranscriptPage;
  useTranscriptPage((opened) => {
    shown = opened;
  });

  /** The place of the player, in seconds. */
  const playedTo = (): Promise<number> => shown.page.evaluate(() => document.querySelector('audio')?.currentTime ?? -1);

  test('shows name, numbers, player and text, and remembers what it is about', async () => {
    const { page, show } = shown;
    await show(untimed);
    assert.equal(await page.textContent('h1'), 'begruessung.wav');
    assert.equal(await page.textContent('.about'), untimed.about);
    assert.equal(await page.textContent('.text'), untimed.text);
    await page.waitForSelector('.clock:text-is("0:00 / 0:03")');
    assert.deepEqual(await page.evaluate(() => globalThis.saved), untimed.state);
  });

  test('shows what was said as text, whatever it looks like', async () => {
    const { page, show } = shown;
    await show({ ...untimed, text: '<img src=x onerror=alert(1)> **bold**' });
    assert.equal(await page.textContent('.text'), '<img src=x onerror=alert(1)> **bold**');
    assert.equal(await page.locator('img').count(), 0);
  });

  test('keeps lines to about 80 characters, and shows paragraphs', async () => {
    const { page, show } = shown;
    await page.setViewportSize({ width: 1400, height: 700 });
    await show({ ...untimed, text: `${long}\n\nThe end.` });
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
    const { page, show } = shown;
    await show(timed);
    await page.waitForFunction(() => (document.querySelector('audio')?.readyState ?? 0) >= 1);
    await page.click('button:text-is("0:01")');
    assert.ok((await playedTo()) >= 1.68);
    await page.waitForSelector('.segment[aria-current]:has-text("Your berth is free.")');
    assert.equal(await page.locator('[aria-current]').count(), 1);
    await page.focus('button:text-is("0:00")');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.segment[aria-current]:has-text("Good morning")');
    assert.equal(await page.getAttribute('button:text-is("0:01")', 'aria-label'), 'Play from 0:01');
  });

  test('asks the host to copy, to export and to open, and says when it is copied', async () => {
    const { page, show, send, posted } = shown;
    await show({ ...untimed, player: unplayable });
    await page.click('button:has-text("Copy")');
    await page.click('button:has-text("Export…")');
    await page.click('button:has-text("Open Externally")');
    assert.deepEqual(await posted(), [
      { type: 'ready' },
      { type: 'cannotPlay' },
      { type: 'copy' },
      { type: 'export' },
      { type: 'openRecording' },
    ]);
    assert.equal(await page.textContent('[role=status]'), '');
    await send({ type: 'copied' });
    assert.equal(await page.textContent('[role=status]'), 'Copied');
    assert.equal(await page.locator('[aria-haspopup=menu]').count(), 0, 'without times there is one way to copy');
  });

  test('copies with times or as paragraphs by a menu, with the mouse and with the keyboard', async () => {
    const { page, show, posted, axe } = shown;
    await show(timed);
    const more = page.getByRole('button', { name: 'More Ways to Copy' });
    await more.click();
    assert.deepEqual(await axe(), []);
    await page.getByRole('menuitem', { name: 'Copy with Times' }).click();
    assert.deepEqual((await posted()).at(-1), { type: 'copy', as: 'times' });
    assert.equal(await page.getByRole('menu').count(), 0);
    // The menu has the keys of lists, which are the page's elsewhere.
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    assert.deepEqual((await posted()).at(-1), { type: 'copy', as: 'paragraphs' });
    const focused = (): Promise<string | null | undefined> =>
      page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent);
    assert.equal(await focused(), 'More Ways to Copy');
    await page.keyboard.press('ArrowUp');
    assert.equal(await focused(), 'Copy with Times');
    await page.keyboard.press('Escape');
    assert.equal(await page.getByRole('menu').count(), 0);
    assert.equal((await posted()).length, 3);
    await more.click();
    await page.click('h1');
    assert.equal(await page.getByRole('menu').count(), 0, 'it closes when something else is clicked');
  });

  test('says in one sentence that the recording cannot be played, beforehand or when it fails', async () => {
    const { page, show } = shown;
    await show({ ...timed, player: unplayable });
    assert.ok((await page.textContent('.player'))?.startsWith('VS Code cannot play .m4a here.'));
    assert.equal(await page.locator('button.time').count(), 0, 'a time leads nowhere without a player');
    await show({ ...untimed, player: { src: 'data:audio/wav;base64,UklGRg==', type: 'audio/wav' } });
    await page.waitForSelector('.player:has-text("VS Code cannot play .m4a here.")');
    await show({ ...untimed, player: undefined, noPlayer: 'The recording is no longer at its place.' });
    assert.equal(await page.textContent('.player'), 'The recording is no longer at its place.');
  });

  test('says that nothing was said, and offers no empty file', async () => {
    const { page, show } = shown;
    await show({ ...untimed, text: '' });
    assert.equal(await page.textContent('.empty'), 'No speech was found in this recording.');
    assert.deepEqual(await page.locator('.actions button:enabled').allTextContents(), ['Translate Again…']);
  });

  test('says above the text that the service did not translate, and leads to the setting', async () => {
    const { page, show, posted } = shown;
    await show({ ...untimed, note: 'The service transcribed in German and did not translate.' });
    assert.ok((await page.textContent('[role=note]'))?.startsWith('The service transcribed in German'));
    await page.click('button:has-text("Open Setting")');
    assert.deepEqual((await posted()).at(-1), { type: 'openExtraFields' });
    await show(untimed);
    assert.equal(await page.locator('[role=note]').count(), 0);
  });

  test('says that the translation is gone, and offers to make it again', async () => {
    const { page, send, posted } = shown;
    await send({ type: 'fail', strings, fileName: 'begruessung.wav', sentence });
    assert.ok((await page.textContent('[role=alert]'))?.includes('no longer saved.'));
    await page.click('button:has-text("Translate")');
    assert.deepEqual((await posted()).at(-1), { type: 'translate' });
  });

  for (const theme of themeNames) {
    test(`reads well in the theme ${theme}, wide, narrow and failed`, async () => {
      const { page, show, send, axe } = shown;
      await shown.theme(theme);
      await show({ ...timed, segments: [...timed.segments, { start: 3599, end: 3700, time: '1:00:00', text: long }] });
      await page.screenshot({ path: join(pictures, `transcript-${theme}.png`) });
      assert.deepEqual(await axe(), []);
      await show({ ...timed, note: sentence });
      await page.screenshot({ path: join(pictures, `transcript-${theme}-note.png`) });
      assert.deepEqual(await axe(), []);
      for (const width of [320, 220]) {
        await page.setViewportSize({ width, height: 700 });
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        assert.ok(overflow <= 0, `${overflow} px stick out at ${width} px`);
        await page.screenshot({ path: join(pictures, `transcript-${theme}-${width}.png`) });
      }
      const small = await page.evaluate(
        () =>
          [...document.querySelectorAll('button, select')].filter(
            (each) => each.checkVisibility() && each.getBoundingClientRect().height < 24,
          ).length,
      );
      assert.equal(small, 0, 'every button is at least 24 px high');
      await show({ ...untimed, text: '', player: unplayable });
      await page.screenshot({ path: join(pictures, `transcript-${theme}-empty.png`) });
      assert.deepEqual(await axe(), []);
      await send({ type: 'fail', strings, fileName: 'begruessung.wav', sentence });
      await page.screenshot({ path: join(pictures, `transcript-${theme}-failed.png`) });
      assert.deepEqual(await axe(), []);
    });
  }
});
