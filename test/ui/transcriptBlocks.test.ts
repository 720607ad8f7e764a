import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { TranscriptView } from '../../src/webview/shared/protocol/transcriptProtocol.ts';
import { drawn } from './chatPage.ts';
import { type TranscriptPage, themeNames } from './transcriptPage.ts';
import { silence, untimed } from './transcriptSamples.ts';
import { pictures, useTranscriptPage } from './useTranscriptPage.ts';

const paragraph = 'The tide comes in again, and the boats go out with it.';
/** A talk of three pieces of ten minutes. */
const blocks: TranscriptView = {
  ...untimed,
  player: silence(3),
  areBlocks: true,
  segments: [0, 600, 1200].map((start, at) => ({
    start,
    end: start + 600,
    time: `${at * 10}:00`,
    text: `Piece ${at} begins. ${paragraph}\n\n${paragraph} Ships may leave.`,
  })),
};

describe('A transcript without times', () => {
  let shown: TranscriptPage;
  useTranscriptPage((opened) => {
    shown = opened;
  });
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await shown.page.keyboard.press(key);
  };
  const words = (line: number) => shown.page.locator('.words').nth(line);
  const edits = async () => (await shown.posted()).filter(({ type: what }) => what === 'edit');
  const current = (): Promise<string | null> => shown.page.locator('[aria-current] .time').textContent();

  it('has a block for each piece, with its time and paragraphs, and follows the recording', async () => {
    await shown.show(blocks);
    assert.equal(await shown.page.locator('.segment.block').count(), 3);
    assert.equal(await shown.page.getByRole('button', { name: 'Play from 10:00' }).count(), 1);
    assert.equal((await words(0).innerText()).split('\n\n').length, 2, 'the paragraphs stand apart');
    await shown.hear(3);
    assert.equal(await current(), '0:00');
    await shown.hear(700);
    assert.equal(await current(), '10:00');
    assert.deepEqual(await shown.axe(), []);
  });

  it('is edited block by block, in paragraphs', async () => {
    await shown.show(blocks);
    await shown.page.locator('.segment').first().focus();
    await press('Enter');
    const box = shown.page.getByRole('textbox', { name: 'Text at 0:00' });
    assert.equal(await box.inputValue(), blocks.segments[0]?.text);
    await box.fill('One. \n\n\n\n Two.\r\nThree. ');
    await press('Enter');
    assert.equal(await words(0).textContent(), 'One.\n\nTwo.\nThree.');
    const before = blocks.segments[0]?.text;
    const told = [{ type: 'edit', edits: [{ segment: 0, start: 0, before, text: 'One.\n\nTwo.\nThree.' }] }];
    assert.deepEqual(await edits(), told);
    await press('Control+z');
    assert.equal(await words(0).textContent(), before);
  });

  it('keeps its paragraphs where something is replaced in it', async () => {
    await shown.show(blocks);
    await press('Control+h');
    await shown.page.keyboard.type('boats');
    await shown.page.getByRole('textbox', { name: 'Replace' }).fill('ships');
    await press('Control+Alt+Enter');
    assert.equal(await words(1).textContent(), blocks.segments[1]?.text.replaceAll('boats', 'ships'));
    assert.equal((await words(1).innerText()).split('\n\n').length, 2);
  });

  it('is readable in all themes, and narrow', async () => {
    await shown.show(blocks);
    await shown.hear(700);
    for (const theme of themeNames) {
      await shown.theme(theme);
      await drawn(shown.page);
      assert.deepEqual(await shown.axe(), [], theme);
      await shown.page.screenshot({ path: join(pictures, `transcript-blocks-${theme}.png`) });
    }
    await shown.page.setViewportSize({ width: 220, height: 600 });
    await drawn(shown.page);
    assert.equal(await shown.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
    await shown.page.screenshot({ path: join(pictures, 'transcript-blocks-220.png') });
  });
});
