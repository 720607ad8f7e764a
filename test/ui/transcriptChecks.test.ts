import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { drawn } from './chatPage.ts';
import { type TranscriptPage, themeNames } from './transcriptPage.ts';
import { silence, startOf, talk, timed } from './transcriptSamples.ts';
import { pictures, useTranscriptPage } from './useTranscriptPage.ts';

const reasons = ['The words repeat.', 'The service was not sure of these words.', 'There may be no speech here.'];
const checks = [3, 400, 900].map((segment, at) => ({ segment, reason: reasons[at] ?? '' }));

describe('Places worth checking in a transcript', () => {
  let shown: TranscriptPage;
  useTranscriptPage((opened) => {
    shown = opened;
  });

  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await shown.page.keyboard.press(key);
  };
  const heardAt = (): Promise<number> => shown.page.evaluate(() => document.querySelector('audio')?.currentTime ?? -1);
  const focused = () => shown.page.evaluate(() => Number(document.activeElement?.getAttribute('aria-posinset')) - 1);
  const selected = (): Promise<string | null> => shown.page.textContent('.check[aria-selected=true]');
  const isInSight = (line: number): Promise<boolean> =>
    shown.page.evaluate((posinset) => {
      const list = document.querySelector('.text')?.getBoundingClientRect();
      const place = document.querySelector(`.segment[aria-posinset="${posinset}"]`)?.getBoundingClientRect();
      return list !== undefined && place !== undefined && place.top >= list.top - 1 && place.bottom <= list.bottom + 1;
    }, line + 1);

  it('are signed in the margin, with the reason for the eye and for a screen reader', async () => {
    await shown.show({ ...timed, checks: [{ segment: 1, reason: 'The <b>words</b> repeat.' }] });
    assert.equal(await shown.page.locator('.to-check').count(), 1);
    const sign = shown.page.locator('.sign button');
    assert.equal(await sign.getAttribute('title'), 'The <b>words</b> repeat. · Mark as Checked (C)');
    assert.equal(await sign.getAttribute('aria-label'), 'The <b>words</b> repeat. · Mark as Checked (C)');
    assert.equal(await shown.page.locator('.to-check .words').getAttribute('title'), 'The <b>words</b> repeat.');
    assert.match(
      await shown.page.locator('.to-check .words').evaluate((words) => getComputedStyle(words).textDecorationStyle),
      /dotted/,
    );
    assert.equal(await shown.page.getByRole('button', { name: '1 place to check' }).count(), 1);
    await shown.show(timed);
    assert.equal(await shown.page.getByRole('button', { name: 'to check' }).count(), 0);
    assert.deepEqual(await shown.page.locator('.sign').filter({ visible: true }).count(), 0);
  });

  it('are listed behind a button, and stepped through by the keyboard', async () => {
    await shown.show({ ...talk(1000, silence(1)), checks });
    const button = shown.page.getByRole('button', { name: '3 places to check' });
    assert.equal(await button.getAttribute('aria-expanded'), 'false');
    await button.click();
    assert.equal(await button.getAttribute('aria-expanded'), 'true');
    assert.equal(await shown.page.locator('.check').count(), 3);
    assert.equal(await selected(), '0:06The words repeat.');
    assert.equal(await isInSight(3), true);
    await press('ArrowDown');
    assert.equal(await selected(), '13:20The service was not sure of these words.');
    assert.equal(await isInSight(400), true, 'its line is shown while the list is open');
    const active = await shown.page.getByRole('listbox').getAttribute('aria-activedescendant');
    assert.equal(await shown.page.locator(`#${active}`).getAttribute('aria-selected'), 'true');
    await press('End', 'ArrowDown');
    assert.equal(await isInSight(900), true);
    await press('Home', 'ArrowUp', 'ArrowDown', 'Enter');
    assert.equal(await focused(), 400);
    await shown.page.locator('.check').nth(2).click();
    assert.equal(await focused(), 900);
    await button.focus();
    await press('Enter', 'Enter');
    assert.equal(await shown.page.getByRole('listbox').count(), 1);
    await press('Escape');
    assert.equal(await shown.page.getByRole('listbox').count(), 0);
    assert.equal(await button.evaluate((node) => node === document.activeElement), true);
  });

  it('are gone to by F8, with keyboard and sound, and around', async () => {
    await shown.show({ ...talk(1000, silence(1)), checks });
    // A recording as long as the talk.
    await shown.hear(0);
    const visited: [number, number][] = [];
    for (const key of ['F8', 'F8', 'F8', 'F8', 'Shift+F8', 'Shift+F8']) {
      await press(key);
      visited.push([await focused(), await heardAt()]);
    }
    assert.deepEqual(
      visited,
      [3, 400, 900, 3, 900, 400].map((line) => [line, startOf(line)]),
    );
    await shown.page.waitForFunction(
      (said) => [...document.querySelectorAll('[role=status]')].some(({ textContent }) => textContent === said),
      `Place 2 of 3: ${reasons[1]}`,
    );
  });

  const ticks = async () => (await shown.posted()).filter(({ type }) => type === 'tick');
  const count = (): Promise<string | null> => shown.page.locator('button[aria-controls=checks]').textContent();

  it('are ticked off by a click or a key, and go down in the count', async () => {
    await shown.show({ ...talk(20, silence(1)), checks: checks.map((check, at) => ({ ...check, segment: 3 + at })) });
    const sign = (line: number) => shown.page.locator(`.segment[aria-posinset="${line + 1}"] .sign button`);
    await sign(3).click();
    assert.equal(await count(), '2 places to check');
    assert.equal(await shown.page.locator('.to-check').count(), 2);
    const { start = -1, text = '' } = talk(20).segments[3] ?? {};
    assert.deepEqual(await ticks(), [{ type: 'tick', segment: 3, start, before: text, isChecked: true }]);
    assert.match((await sign(3).getAttribute('aria-label')) ?? '', /^The words repeat\. · Checked/);
    await press('F8');
    assert.equal(await focused(), 4, 'the next is the first that is not checked');
    await press('c');
    assert.equal(await count(), '1 place to check');
    await shown.page.getByRole('button', { name: '1 place to check' }).click();
    await press('End', ' ');
    assert.equal(await count(), 'All places checked');
    assert.equal(await shown.page.locator('.check.settled').count(), 3);
    assert.deepEqual(await shown.axe(), []);
    await press('Escape', 'F8');
    assert.equal(await focused(), -1, 'there is no place to go to');
    await sign(3).click();
    assert.equal(await count(), '1 place to check', 'it is ticked on again');
  });

  it('are ticked on again by undo, also on the page that comes after', async () => {
    const view = { ...talk(20, silence(1)), checks: [{ segment: 3, reason: 'The words repeat.' }] };
    await shown.show(view);
    await press('F8', 'c');
    await press('Control+z');
    assert.equal(await count(), '1 place to check');
    await press('Control+y');
    assert.equal(await count(), 'All places checked');
    await shown.show({ ...view, checks: [{ segment: 3, reason: 'The words repeat.', isSettled: true }] });
    assert.equal(await count(), 'All places checked');
    await press('Control+z');
    assert.equal(await count(), '1 place to check');
    const told = (await ticks()).map((tick) => tick.type === 'tick' && tick.isChecked);
    assert.deepEqual(told, [true, false, true, false]);
    assert.equal((await shown.posted()).filter(({ type }) => type === 'edit').length, 0, 'no text is another');
  });

  it('are what the host says after an edit', async () => {
    await shown.show({ ...talk(20, silence(1)), checks: checks.map((check, at) => ({ ...check, segment: 3 + at })) });
    await shown.page.getByRole('button', { name: '3 places to check' }).click();
    await shown.send({ type: 'checks', checks: [{ segment: 4, reason: 'Another reason.' }] });
    assert.equal(await count(), '1 place to check');
    assert.equal(await shown.page.locator('.check').count(), 1);
    assert.equal(await selected(), '0:08Another reason.');
    await shown.send({ type: 'checks', checks: [] });
    assert.equal(await shown.page.getByRole('listbox').count(), 0);
    assert.equal(await shown.page.locator('button[aria-controls=checks]').isVisible(), false);
  });

  it('are drawn as few as are in sight, also where every line of 10,000 is one', async () => {
    const all = Array.from({ length: 10_000 }, (_, segment) => ({ segment, reason: 'The words repeat.' }));
    await shown.show({ ...talk(10_000), checks: all });
    await shown.page.getByRole('button', { name: '10,000 places to check' }).click();
    assert.ok((await shown.page.locator('.check').count()) < 80);
    await press('End');
    assert.equal(await shown.page.locator('.check[aria-selected=true]').getAttribute('aria-posinset'), '10000');
    assert.equal(await isInSight(9_999), true);
    assert.ok((await shown.page.locator('.check').count()) < 80);
  });

  for (const theme of themeNames) {
    it(`read well in the theme ${theme}, wide and narrow`, async () => {
      const { page, show, axe } = shown;
      await shown.theme(theme);
      const peaks = Array.from({ length: 400 }, (_, i) => Math.abs(Math.sin(i / 3) * Math.sin(i / 17)));
      const view = { ...talk(1000, silence(60)), checks: [...checks, { segment: 6, reason: reasons[1] ?? '' }], peaks };
      await show(view);
      await shown.hear(startOf(2));
      await shown.send({ type: 'changed', lines: [{ segment: 4, text: 'A line that somebody has edited.' }] });
      await shown.send({ type: 'changed', lines: [{ segment: 5, text: '' }] });
      await drawn(page);
      await page.screenshot({ path: join(pictures, `transcript-${theme}-marked.png`) });
      assert.deepEqual(await axe(), []);
      await page.getByRole('button', { name: '4 places to check' }).click();
      await page.screenshot({ path: join(pictures, `transcript-${theme}-checks.png`) });
      assert.deepEqual(await axe(), []);
      for (const width of [320, 220]) {
        await page.setViewportSize({ width, height: 700 });
        await drawn(page);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        assert.ok(overflow <= 0, `${overflow} px stick out at ${width} px`);
        await page.screenshot({ path: join(pictures, `transcript-${theme}-checks-${width}.png`) });
      }
      assert.deepEqual(await axe(), []);
    });
  }
});
