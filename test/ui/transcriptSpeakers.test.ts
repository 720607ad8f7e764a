import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { drawn } from './chatPage.ts';
import { type TranscriptPage, themeNames } from './transcriptPage.ts';
import { silence, talk } from './transcriptSamples.ts';
import { pictures, useTranscriptPage } from './useTranscriptPage.ts';

const bare = talk(6, silence(1));
const names = ['Anna', 'Anna', 'Speaker 1', 'Speaker 1', '', 'Anna'];
const named = {
  ...bare,
  segments: bare.segments.map((segment, at) => (names[at] ? { ...segment, speaker: names[at] } : segment)),
};

describe('Who speaks in a transcript', () => {
  let shown: TranscriptPage;
  useTranscriptPage((opened) => {
    shown = opened;
  });
  const shownNames = (): Promise<string[]> => shown.page.locator('.speaker').allTextContents();
  const asked = async () => (await shown.posted()).filter(({ type }) => type === 'speaker');

  it('is named where it is another one than before, and asked for by a click or a key', async () => {
    await shown.show(named);
    assert.deepEqual(await shownNames(), ['Anna', 'Speaker 1', 'Anna']);
    await shown.page.getByRole('button', { name: 'Speaker 1: rename' }).click();
    await shown.page.locator('.segment').nth(4).focus();
    await shown.page.keyboard.press('n');
    const told = [2, 4].map((segment) => {
      const { start, text: before } = named.segments[segment] ?? {};
      return { type: 'speaker', segment, start, before };
    });
    assert.deepEqual(await asked(), told);
  });

  it('has the names that the host says, and the keyboard stays where it is', async () => {
    await shown.show(bare);
    assert.deepEqual(await shownNames(), []);
    await shown.page.locator('.segment').nth(2).focus();
    await shown.send({ type: 'speakers', speakers: ['', '', 'Ben', 'Ben', 'Ben', 'Ben'] });
    assert.deepEqual(await shownNames(), ['Ben']);
    const at = await shown.page.evaluate(() => document.activeElement?.getAttribute('aria-posinset'));
    assert.equal(at, '3');
    await shown.send({ type: 'speakers', speakers: ['Ben', 'Ben', 'Ben', 'Ben', 'Ben', '<b>Ida</b>'] });
    assert.deepEqual(await shownNames(), ['Ben', '<b>Ida</b>']);
  });

  it('is readable in all themes, and narrow', async () => {
    await shown.show({ ...named, versions: 3, checks: [{ segment: 1, reason: 'The words repeat.' }] });
    for (const theme of themeNames) {
      await shown.theme(theme);
      await drawn(shown.page);
      assert.deepEqual(await shown.axe(), [], theme);
      await shown.page.screenshot({ path: join(pictures, `transcript-speakers-${theme}.png`) });
    }
    await shown.page.setViewportSize({ width: 220, height: 700 });
    await drawn(shown.page);
    assert.equal(await shown.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
    await shown.page.screenshot({ path: join(pictures, 'transcript-speakers-220.png') });
  });
});
