import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SegmentView } from '../../src/webview/shared/protocol/transcriptProtocol.ts';
import { drawn } from './chatPage.ts';
import type { TranscriptPage } from './transcriptPage.ts';
import { startOf, talk, untimed } from './transcriptSamples.ts';
import { useTranscriptPage } from './useTranscriptPage.ts';

/** A talk in which some lines have another text. */
function talkWith(count: number, texts: Readonly<Record<number, string>>) {
  const { segments, ...rest } = talk(count);
  const other = segments.map((segment, line): SegmentView => ({ ...segment, text: texts[line] ?? segment.text }));
  return { ...rest, segments: other };
}

describe('Find in a transcript', () => {
  let shown: TranscriptPage;
  useTranscriptPage((opened) => {
    shown = opened;
  });

  const press = (key: string): Promise<void> => shown.page.keyboard.press(key);
  const place = (): Promise<string | null> => shown.page.textContent('.find-place');
  const marks = (): Promise<number> => shown.page.evaluate(() => CSS.highlights.get('found')?.size ?? 0);
  /** What is shown of all that is marked: its text, its line, and whether it is in sight. */
  const now = () =>
    shown.page.evaluate(() => {
      const [range] = [...(CSS.highlights.get('found-current') ?? [])] as Range[];
      const list = document.querySelector('.text')?.getBoundingClientRect();
      const { top = 0, bottom = 0 } = range?.getBoundingClientRect() ?? {};
      const line = Number(range?.startContainer.parentElement?.closest('.segment')?.getAttribute('aria-posinset')) - 1;
      const isInSight = list !== undefined && top >= list.top && bottom <= list.bottom;
      return range && { text: String(range), at: range.startOffset, line, isInSight };
    });

  it('goes from place to place, also in lines that are not drawn, and around', async () => {
    await shown.show(talkWith(10_000, { 3: 'A Needle, and a needle.', 9000: 'The needle far away.' }));
    await press('Control+f');
    await shown.page.keyboard.type('needle');
    const steps: [string | null, string | undefined, number | undefined, boolean | undefined][] = [];
    for (let step = 0; step < 4; step++) {
      const current = await now();
      steps.push([await place(), current?.text, current?.line, current?.isInSight]);
      await press('Enter');
    }
    assert.deepEqual(steps, [
      ['1 of 3', 'Needle', 3, true],
      ['2 of 3', 'needle', 3, true],
      ['3 of 3', 'needle', 9_000, true],
      ['1 of 3', 'Needle', 3, true],
    ]);
    await press('Shift+Enter');
    await press('Shift+Enter');
    assert.deepEqual([await place(), (await now())?.line], ['3 of 3', 9_000]);
    assert.deepEqual(await shown.axe(), []);
  });

  it('says that there is nothing, and counts what is everywhere', async () => {
    await shown.show(talk(1000));
    await shown.page.getByRole('button', { name: 'Find (Ctrl+F)' }).click();
    await shown.page.keyboard.type('haystack');
    assert.equal(await place(), 'No results');
    assert.equal(await shown.page.locator('.find button:disabled').count(), 2);
    await shown.page.fill('.find-box', 'of a talk');
    assert.equal(await place(), '1 of 1000');
    assert.ok((await marks()) > 10);
  });

  it('begins at what is in sight, and marks what is scrolled to', async () => {
    await shown.show(talk(1000));
    await shown.hear(startOf(500));
    await press('Control+f');
    await shown.page.keyboard.type('of a talk');
    const line = (await now())?.line ?? 0;
    assert.ok(line > 480 && line <= 500, `line ${line}`);
    await shown.page.evaluate(() => document.querySelector('.text')?.scrollTo(0, 0));
    await drawn(shown.page);
    const first = await shown.page.evaluate(() => {
      const ranges = [...(CSS.highlights.get('found') ?? [])] as Range[];
      return ranges.some((range) => document.querySelector('.segment')?.contains(range.startContainer));
    });
    assert.ok(first);
  });

  it('is closed by Escape, with the keyboard at the line that was found and no mark left', async () => {
    await shown.show(talkWith(1000, { 700: 'A needle.' }));
    await press('Control+f');
    await shown.page.keyboard.type('needle');
    await press('Escape');
    assert.equal(await shown.page.locator('.find').isVisible(), false);
    assert.deepEqual([await marks(), await now()], [0, undefined]);
    assert.equal(await shown.page.evaluate(() => document.activeElement?.getAttribute('aria-posinset')), '701');
  });

  it('takes a few words that are selected', async () => {
    await shown.show(talk(10));
    await shown.page.evaluate(() => {
      const words = document.querySelectorAll('.words')[2]?.firstChild;
      if (words) getSelection()?.setBaseAndExtent(words, 0, words, 'Line 2'.length);
    });
    await press('Control+f');
    assert.equal(await shown.page.inputValue('.find-box'), 'Line 2');
    assert.equal(await place(), '1 of 1');
  });

  it('finds in paragraphs without times, too', async () => {
    await shown.show({ ...untimed, text: `${'The tide.\n\n'.repeat(2000)}A needle.` });
    await press('Control+f');
    await shown.page.keyboard.type('needle');
    assert.equal(await place(), '1 of 1');
    assert.equal((await now())?.isInSight, true);
    await press('Escape');
    assert.equal(await shown.page.evaluate(() => document.activeElement?.className), 'text');
  });

  it('finds in the text of an edited line', async () => {
    await shown.show(talk(1000));
    await press('Control+f');
    await shown.page.keyboard.type('needle');
    assert.equal(await place(), 'No results');
    await shown.send({ type: 'changed', lines: [{ segment: 900, text: 'A needle.' }] });
    assert.equal(await place(), '? of 1');
    await press('Enter');
    assert.deepEqual([await place(), (await now())?.line], ['1 of 1', 900]);
  });

  it('looks once for what many lines have that were edited at once', async () => {
    await shown.show(talk(1000));
    await press('Control+f');
    await shown.page.keyboard.type('needle');
    // Each search takes one look at each line.
    await shown.page.evaluate(() => {
      const { toLowerCase } = String.prototype;
      const looks = { count: 0 };
      Object.assign(globalThis, { looks });
      String.prototype.toLowerCase = function () {
        looks.count++;
        return toLowerCase.call(this);
      };
    });
    const lines = Array.from({ length: 400 }, (_, at) => ({ segment: at + 500, text: `Needle ${at}.` }));
    await shown.send({ type: 'changed', lines });
    const looks = await shown.page.evaluate(() => (globalThis as unknown as { looks: { count: number } }).looks.count);
    assert.equal(await place(), '? of 400');
    assert.ok(looks >= 1000 && looks < 3000, `${looks} looks`);
  });
});
