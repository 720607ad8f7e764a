import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { drawn } from './chatPage.ts';
import type { TranscriptPage } from './transcriptPage.ts';
import { timed } from './transcriptSamples.ts';
import { useTranscriptPage } from './useTranscriptPage.ts';

describe('Versions of a translation', () => {
  let shown: TranscriptPage;
  useTranscriptPage((opened) => {
    shown = opened;
  });
  const version = (name: string) => ({ ...timed, versions: 2, state: { ...timed.state, version: name } });
  const firstLine = (): Promise<string | null> => shown.page.locator('.words').first().textContent();

  it('are offered where there are several, and another one can be asked for', async () => {
    await shown.show(timed);
    await shown.page.getByRole('button', { name: 'Translate Again…' }).click();
    assert.equal(await shown.page.getByRole('button', { name: 'Versions' }).count(), 0);
    await shown.show({ ...timed, versions: 2 });
    await shown.page.getByRole('button', { name: '2 Versions' }).click();
    const told = (await shown.posted()).map(({ type }) => type);
    assert.deepEqual(told.slice(-2), ['translateAgain', 'versions']);
    assert.deepEqual(await shown.axe(), []);
    await shown.page.setViewportSize({ width: 220, height: 600 });
    await drawn(shown.page);
    assert.equal(await shown.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
  });

  it('have edits of their own, which are taken back in none but theirs', async () => {
    await shown.show(version('one'));
    await shown.page.locator('.segment').first().focus();
    await shown.page.keyboard.press('Enter');
    await shown.page.keyboard.type('!');
    await shown.page.keyboard.press('Enter');
    assert.equal(await firstLine(), 'Good morning in the harbour.!');
    await shown.show(version('two'));
    await shown.page.keyboard.press('Control+z');
    assert.equal(await firstLine(), 'Good morning in the harbour.');
    assert.equal((await shown.posted()).filter(({ type }) => type === 'edit').length, 1);
  });
});
