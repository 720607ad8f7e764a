import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { drawn } from './chatPage.ts';
import type { TranscriptPage } from './transcriptPage.ts';
import { silence, startOf, talk, timed, untimed } from './transcriptSamples.ts';
import { useTranscriptPage } from './useTranscriptPage.ts';

describe('The player of a transcript', () => {
  let shown: TranscriptPage;
  useTranscriptPage((opened) => {
    shown = opened;
  });

  const audio = () =>
    shown.page.evaluate(() => {
      const { currentTime = -1, paused = true, playbackRate = 0 } = document.querySelector('audio') ?? {};
      return { seconds: currentTime, paused, playbackRate };
    });
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await shown.page.keyboard.press(key);
  };
  const untilPaused = (paused: boolean) =>
    shown.page.waitForFunction((wanted) => document.querySelector('audio')?.paused === wanted, paused);
  /** The text of the line that is heard. */
  const heard = (): Promise<string | null> => shown.page.textContent('.segment[aria-current] .words');
  const isPressed = async (name: string): Promise<boolean> =>
    (await shown.page.getByRole('button', { name }).getAttribute('aria-pressed')) === 'true';
  /** Shows a talk of 60 lines, two minutes long, as soon as it can be played. */
  async function showTalk(): Promise<void> {
    await shown.show(talk(60, silence(120)));
    await shown.page.waitForFunction(() => (document.querySelector('audio')?.readyState ?? 0) >= 1);
  }

  it('plays and pauses by its button and by the space bar, but not where somebody writes', async () => {
    await showTalk();
    await press(' ');
    await untilPaused(false);
    assert.equal(await shown.page.getByRole('button', { name: 'Pause (Space)' }).count(), 1);
    await press(' ');
    await untilPaused(true);
    await shown.page.getByRole('button', { name: 'Play (Space)' }).click();
    await untilPaused(false);
    await shown.page.getByRole('button', { name: 'Pause (Space)' }).click();
    await press('Control+f', ' ', 'l', 'f', 'ArrowRight', 'ArrowDown');
    assert.equal(await shown.page.inputValue('.find-box'), ' lf');
    assert.deepEqual([(await audio()).paused, await isPressed('Loop Line (L)')], [true, false]);
  });

  it('plays a copy where it cannot play the recording, from the place that was wanted meanwhile', async () => {
    await shown.show(talk(60, { src: 'data:audio/aiff;base64,', type: 'audio/aiff' }));
    const { page, send, posted } = shown;
    assert.deepEqual((await posted()).slice(-1), [{ type: 'cannotPlay' }]);
    assert.equal(await page.locator('button.time').count(), 0);
    await send({ type: 'preparing', share: 0.344 });
    assert.ok((await page.textContent('.player'))?.startsWith('Preparing the sound for playing here… 34%'));
    assert.equal(
      await page.getByRole('button', { name: 'Open Externally' }).count(),
      1,
      'it can be heard elsewhere meanwhile',
    );
    await send({ type: 'play', seconds: startOf(4) });
    assert.deepEqual((await posted()).slice(-1), [{ type: 'playing' }]);
    await send({ type: 'playable', player: silence(120) });
    await untilPaused(false);
    assert.ok((await audio()).seconds >= startOf(4));
    assert.ok((await page.locator('button.time').count()) > 0);
  });

  it('says again that it cannot play the recording where there is no copy, and asks for none twice', async () => {
    const { send, posted, page } = shown;
    await shown.show(talk(60, { src: 'data:audio/aiff;base64,', type: 'audio/aiff' }));
    await send({ type: 'preparing', share: 0.9 });
    await send({ type: 'playable' });
    assert.ok((await page.textContent('.player'))?.startsWith('VS Code cannot play .m4a here.'));
    // Nor is a copy any good that the browser fails with.
    await send({ type: 'playable', player: { src: 'data:audio/wav;base64,UklGRg==', type: 'audio/wav' } });
    await page.waitForSelector('.player:has-text("VS Code cannot play .m4a here.")');
    assert.equal((await posted()).filter(({ type }) => type === 'cannotPlay').length, 1);
  });

  it('pauses by the space bar after a click on a time', async () => {
    await showTalk();
    await shown.page.click('button:text-is("0:04")');
    await untilPaused(false);
    await press(' ');
    await untilPaused(true);
    assert.ok((await audio()).seconds >= startOf(2));
  });

  it('plays from where the text document says, also at once after it is shown', async () => {
    await shown.show(talk(60, silence(120)));
    await shown.send({ type: 'play', seconds: startOf(4) });
    await untilPaused(false);
    assert.ok((await audio()).seconds >= startOf(4));
    assert.match((await heard()) ?? '', /^Line 4 /);
  });

  it('seeks by the arrows, and goes line by line', async () => {
    await showTalk();
    await press('ArrowRight', 'ArrowRight');
    assert.equal((await audio()).seconds, 10);
    assert.match((await heard()) ?? '', /^Line 5 /);
    await press('ArrowLeft');
    assert.equal((await audio()).seconds, 5);
    await press('ArrowDown');
    assert.deepEqual([(await audio()).seconds, (await audio()).paused], [startOf(3), true]);
    assert.match((await heard()) ?? '', /^Line 3 /);
    const focused = () => shown.page.evaluate(() => document.activeElement?.getAttribute('aria-posinset'));
    assert.equal(await focused(), '4');
    await press('ArrowUp', 'ArrowUp');
    assert.equal((await audio()).seconds, startOf(1));
    await press('ArrowUp', 'ArrowUp', 'ArrowUp');
    assert.equal(await focused(), '1', 'it stays at the first line');
    assert.equal((await audio()).seconds, 0);
  });

  it('says the place and the length, in numbers and to a screen reader, and goes where the slider is moved', async () => {
    await showTalk();
    const slider = shown.page.getByRole('slider');
    await slider.fill('61');
    assert.equal((await audio()).seconds, 61);
    assert.equal(await shown.page.textContent('.clock'), '1:01 / 2:00');
    assert.equal(await slider.getAttribute('aria-valuetext'), '1:01 of 2:00');
    assert.match((await heard()) ?? '', /^Line 30 /);
    const [place, list] = await shown.page.evaluate(() =>
      ['.segment[aria-current]', '.text'].map((each) => document.querySelector(each)?.getBoundingClientRect()),
    );
    assert.ok(place && list && place.top >= list.top && place.bottom <= list.bottom, 'the line is in sight');
  });

  it('loops a line until it is told not to', async () => {
    await showTalk();
    await shown.page.evaluate(() => {
      const returns: number[] = [];
      Object.assign(globalThis, { returns });
      const sound = document.querySelector('audio');
      sound?.addEventListener('seeking', () => returns.push(sound.currentTime));
    });
    await press('ArrowDown', 'l');
    assert.equal(await isPressed('Loop Line (L)'), true);
    await shown.page.selectOption('select', '2');
    await press(' ');
    await shown.page.waitForFunction(
      ([start]) =>
        (globalThis as unknown as { returns: number[] }).returns.filter((each) => each === start).length >= 3,
      [startOf(1)],
    );
    await press('l');
    assert.equal(await isPressed('Loop Line (L)'), false);
    await shown.page.waitForFunction(
      (end) => (document.querySelector('audio')?.currentTime ?? 0) > end,
      startOf(2) + 0.5,
    );
  });

  it('plays at another speed', async () => {
    await showTalk();
    assert.deepEqual(await shown.page.locator('select option').allTextContents(), [
      ...['0.5×', '0.75×', '1×', '1.25×', '1.5×', '2×'],
    ]);
    assert.equal(await shown.page.inputValue('select'), '1');
    await shown.page.selectOption('select', '0.75');
    assert.equal((await audio()).playbackRate, 0.75);
  });

  it('stops following who scrolls away while it plays, and follows again when it is asked to', async () => {
    await showTalk();
    const follow = 'Follow the Recording (F)';
    const scrolled = () => shown.page.evaluate(() => document.querySelector('.text')?.scrollTop ?? 0);
    await shown.hear(startOf(40));
    const before = await scrolled();
    assert.ok(before > 200);
    await shown.page.hover('.text');
    await shown.page.mouse.wheel(0, -9000);
    await shown.page.waitForFunction(() => document.querySelector('.text')?.scrollTop === 0);
    assert.equal(await isPressed(follow), true, 'while it is paused, one may look around');
    await shown.hear(startOf(41));
    assert.ok((await scrolled()) > 200);
    await shown.page.evaluate(() => {
      Object.defineProperty(document.querySelector('audio'), 'paused', { value: false });
    });
    await shown.page.mouse.wheel(0, -9000);
    await shown.page.waitForFunction(() => document.querySelector('.text')?.scrollTop === 0);
    await shown.page.waitForSelector('[aria-pressed=false][title^=Follow]');
    await shown.hear(startOf(42));
    assert.equal(await scrolled(), 0);
    await press('f');
    assert.equal(await isPressed(follow), true);
    assert.ok((await scrolled()) > 200);
    await press('f');
    await shown.hear(startOf(2));
    assert.ok((await scrolled()) > 200);
  });

  it('shows how loud the recording is, also when that is found later, and what of it was played', async () => {
    await shown.show({ ...talk(60, silence(120)), peaks: [0.2, 1, 0.5] });
    const waves = (): Promise<string[]> =>
      shown.page.locator('.seek svg').evaluateAll((all) => all.map((each) => each.getAttribute('viewBox') ?? ''));
    assert.deepEqual(await waves(), ['0 0 3 2', '0 0 3 2']);
    assert.deepEqual(await shown.axe(), []);
    await shown.show({ ...timed, player: silence(3.5, true) });
    assert.deepEqual(await waves(), []);
    await shown.send({ type: 'peaks', peaks: Array.from({ length: 5000 }, (_, i) => (i % 100) / 100) });
    assert.deepEqual(await waves(), ['0 0 800 2', '0 0 800 2']);
    await shown.page.waitForFunction(() => (document.querySelector('audio')?.readyState ?? 0) >= 1);
    await shown.page.getByRole('slider').fill('1.75');
    const played = await shown.page.evaluate(() =>
      document.querySelector<HTMLElement>('.seek')?.style.getPropertyValue('--played'),
    );
    assert.equal(Number(played), 0.5);
  });

  it('leaves the keys alone that have nothing to do', async () => {
    await shown.show({
      ...untimed,
      player: undefined,
      noPlayer: 'The recording is gone.',
      text: 'Word. '.repeat(9000),
    });
    await shown.page.focus('.text');
    await press('ArrowDown');
    await shown.page.waitForFunction(() => (document.querySelector('.text')?.scrollTop ?? 0) > 0);
    const unused = await shown.page.evaluate(() => {
      const left: string[] = [];
      window.addEventListener('keydown', (event) => {
        if (!event.defaultPrevented) left.push(event.key);
      });
      for (const key of [' ', 'l', 'f', 'ArrowLeft', 'F8', 'F2'])
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      return left;
    });
    assert.deepEqual(unused, [' ', 'l', 'f', 'ArrowLeft', 'F8', 'F2']);
  });

  it('is in sight wherever the text is scrolled to, also where there is little room', async () => {
    await shown.show({ ...talk(300), note: 'The service did not translate.' });
    for (const [width, height] of [
      [900, 700],
      [320, 700],
      [220, 700],
      [700, 350],
      [320, 310],
    ] as const) {
      await shown.page.setViewportSize({ width, height });
      await drawn(shown.page);
      await shown.page.evaluate(() => document.querySelector('.text')?.scrollTo(0, 3000));
      await shown.page.waitForFunction(() => (document.querySelector('.text')?.scrollTop ?? 0) > 2000);
      const [player, text] = await shown.page.evaluate(() =>
        ['.player', '.text'].map((each) => document.querySelector(each)?.getBoundingClientRect()),
      );
      assert.ok(player && player.top >= 0 && player.bottom <= height, `the player at ${width}×${height}`);
      assert.ok(text && text.height > 100, `room for the text at ${width}×${height}: ${text?.height}`);
      const overflow = await shown.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(overflow <= 0, `${overflow} px stick out at ${width}×${height}`);
    }
  });
});
