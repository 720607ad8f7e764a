import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { SegmentView, TranscriptView, WordView } from '../../src/webview/shared/protocol/transcriptProtocol.ts';
import { type TranscriptPage, themeNames } from './transcriptPage.ts';
import { silence, untimed } from './transcriptSamples.ts';
import { pictures, useTranscriptPage } from './useTranscriptPage.ts';

/** The words of a text in equal parts of a time. */
function wordsOf(text: string, start: number, end: number): WordView[] {
  const found = [...text.matchAll(/[\p{L}\p{N}]+/gu)];
  const step = (end - start) / found.length;
  return found.map(({ index, 0: word }, at) => [index, word.length, start + at * step, start + (at + 1) * step]);
}

function line(start: number, end: number, time: string, text: string, beside?: string): SegmentView {
  return { start, end, time, text, words: wordsOf(text, start, end), ...(beside === undefined ? {} : { beside }) };
}

/** What is said in German, with the English beside it. */
const german: TranscriptView = {
  ...untimed,
  state: { ...untimed.state, task: 'transcribe' },
  about: 'Transcript in German · 20 s · 110 kB · parley-whisper · Nov 20, 2026',
  player: silence(20),
  language: 'de',
  beside: { name: 'English', language: 'en' },
  text: 'Guten Morgen im Hafen. Ihr Liegeplatz ist frei. Die Nordbrücke bleibt bis Freitag gesperrt. Danke.',
  segments: [
    line(0, 4, '0:00', 'Guten Morgen im Hafen.', 'Good morning in the harbour.'),
    line(4, 8, '0:04', 'Ihr Liegeplatz ist frei.', 'Your berth is free.'),
    line(
      8,
      16,
      '0:08',
      'Die Nordbrücke bleibt bis Freitag gesperrt, weil dort die Bohlen erneuert werden.',
      'The north bridge stays closed until Friday, as its planks are being replaced.',
    ),
    line(16, 20, '0:16', 'Danke.'),
  ],
};

describe('A text in the spoken language', () => {
  let shown: TranscriptPage;
  useTranscriptPage((opened) => {
    shown = opened;
  });
  const toggle = () => shown.page.getByRole('button', { name: 'Both Texts' });
  /** The words that are lit. */
  const lit = (): Promise<string> =>
    shown.page.evaluate(() => [...(CSS.highlights.get('heard-word') ?? [])].map(String).join('|'));
  const beside = (): Promise<string[]> => shown.page.locator('.beside:visible').allTextContents();

  it('lights the word that is heard, and none in a line that was edited', async () => {
    await shown.show(german);
    await shown.hear(0.5);
    assert.equal(await lit(), 'Guten');
    await shown.hear(5.5);
    assert.equal(await lit(), 'Liegeplatz');
    await shown.send({ type: 'changed', lines: [{ segment: 1, text: 'Ihr Platz ist frei.' }] });
    await shown.hear(5.6);
    assert.equal(await lit(), '');
    await shown.hear(9);
    assert.equal(await lit(), 'Nordbrücke');
  });

  it('lights nothing where there are no times of words', async () => {
    await shown.show({ ...german, segments: german.segments.map(({ words: _, ...each }) => each) });
    await shown.hear(5.5);
    assert.equal(await lit(), '');
    assert.equal(await shown.page.textContent('.segment[aria-current] .words'), 'Ihr Liegeplatz ist frei.');
  });

  it('shows both texts line by line, and one again; each says which language it is in', async () => {
    await shown.show(german);
    assert.deepEqual(await beside(), []);
    assert.equal(await toggle().getAttribute('title'), 'Show the Text in English Beside This One');
    await toggle().click();
    assert.deepEqual(
      await beside(),
      german.segments.flatMap((each) => each.beside ?? []),
    );
    assert.equal(await toggle().getAttribute('aria-pressed'), 'true');
    assert.deepEqual(
      await shown.page.evaluate(() => [
        document.querySelector('.words')?.getAttribute('lang'),
        document.querySelector('.beside')?.getAttribute('lang'),
      ]),
      ['de', 'en'],
    );
    await toggle().press('Enter');
    assert.deepEqual(await beside(), []);
  });

  it('has no such button where there is one text', async () => {
    const { beside: _, ...alone } = german;
    await shown.show(alone);
    assert.equal(await toggle().count(), 0);
  });

  it('keeps the line on top where it is as the texts of a long talk come and go', async () => {
    const segments = Array.from({ length: 600 }, (_, at) =>
      line(at * 4, at * 4 + 4, '0:00', `Zeile ${at}. ${'Die Flut kommt wieder. '.repeat(at % 5)}`, `Line ${at}.`),
    );
    await shown.show({ ...german, segments });
    await shown.page.evaluate(() => document.querySelector('.text')?.scrollTo(0, 9_000));
    await shown.page.waitForFunction(
      () => (document.querySelector('.segment')?.textContent ?? '').includes('Zeile 0') === false,
    );
    const top = () =>
      shown.page.evaluate(() => {
        const edge = document.querySelector('.text')?.getBoundingClientRect().top ?? 0;
        const rows = [...document.querySelectorAll('.segment')];
        return rows.find((row) => row.getBoundingClientRect().bottom > edge + 2)?.querySelector('.words')?.textContent;
      });
    const before = await top();
    await toggle().click();
    assert.equal(await top(), before);
    await toggle().click();
    assert.equal(await top(), before);
  });

  it('can be read in every theme and at 220 px, where one text is below the other', async () => {
    const { page } = shown;
    for (const theme of themeNames) {
      await page.setViewportSize({ width: 900, height: 420 });
      await shown.theme(theme);
      await shown.show(german);
      if ((await toggle().getAttribute('aria-pressed')) === 'false') await toggle().click();
      await shown.hear(9);
      assert.deepEqual(await shown.axe(), []);
      await page.screenshot({ path: join(pictures, `transcript-both-${theme}.png`) });
      await page.setViewportSize({ width: 220, height: 700 });
      const [own, other] = await page.evaluate(() =>
        ['.words', '.beside'].map((name) => document.querySelector(name)?.getBoundingClientRect().toJSON()),
      );
      assert.ok(other.top >= own.bottom - 1 && Math.abs(other.left - own.left) < 12, JSON.stringify([own, other]));
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 220));
      await page.screenshot({ path: join(pictures, `transcript-both-${theme}-narrow.png`) });
    }
  });
});
