import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { drawn } from './chatPage.ts';
import type { TranscriptPage } from './transcriptPage.ts';
import { startOf, talk } from './transcriptSamples.ts';
import { useTranscriptPage } from './useTranscriptPage.ts';

const many = 10_000;
/** The most lines that are near what is in sight, in a window of 700 pixels: the lowest is some 28 pixels high. */
const mostLines = 80;

describe('A transcript of 10,000 lines', () => {
  let shown: TranscriptPage;
  useTranscriptPage((opened) => {
    shown = opened;
  });

  const lines = (): Promise<number> => shown.page.locator('.segment').count();
  /** Elements of the list. The rest of the page is the same for every length, but the sound's shape joins it once decoded. */
  const nodes = (): Promise<number> => shown.page.evaluate(() => document.querySelectorAll('.text *').length);
  const scrollTo = async (top: number): Promise<void> => {
    await shown.page.evaluate((to) => document.querySelector('.text')?.scrollTo(0, to), top);
    await drawn(shown.page);
  };
  /** The places, from 1, of the lines that are in sight. */
  const inSight = (): Promise<number[]> =>
    shown.page.evaluate(() => {
      const { top = 0, bottom = 0 } = document.querySelector('.text')?.getBoundingClientRect() ?? {};
      return [...document.querySelectorAll('.segment')]
        .filter((each) => each.getBoundingClientRect().bottom > top && each.getBoundingClientRect().top < bottom)
        .map((each) => Number(each.getAttribute('aria-posinset')));
    });
  /** Counts the elements that are put into the list, and the attributes that change in it, while something is done. */
  async function changesDuring(act: () => Promise<void>): Promise<{ added: number; marked: number }> {
    await shown.page.evaluate(() => {
      const list = document.querySelector('.segments');
      const changes = { added: 0, marked: 0 };
      const observer = new MutationObserver((records) => {
        for (const { type, addedNodes, attributeName } of records) {
          if (type === 'childList') changes.added += addedNodes.length;
          else if (attributeName === 'aria-current') changes.marked++;
        }
      });
      if (list !== null) observer.observe(list, { childList: true, subtree: true, attributes: true });
      Object.assign(globalThis, { changes });
    });
    await act();
    await drawn(shown.page);
    return shown.page.evaluate(() => (globalThis as unknown as { changes: { added: number; marked: number } }).changes);
  }

  it('has on the page those that are near what is in sight, as many as one of 500', async () => {
    await shown.show(talk(500));
    const few = { lines: await lines(), nodes: await nodes() };
    assert.ok(few.lines > 20 && few.lines < mostLines, `${few.lines} lines`);
    await shown.show(talk(many));
    assert.deepEqual({ lines: await lines(), nodes: await nodes() }, few);
    for (const top of [1_000, 50_000, 300_000, 9_999_999]) {
      await scrollTo(top);
      assert.ok((await lines()) < mostLines, `${await lines()} lines at ${top}`);
    }
    assert.equal((await inSight()).at(-1), many, 'its end is reached');
    assert.equal(await shown.page.locator('.segment').last().getAttribute('aria-setsize'), String(many));
    assert.deepEqual(await shown.axe(), []);
  });

  it('draws lines in their order without gaps, wherever it is scrolled to, and moves nothing that somebody reads', async () => {
    await shown.show(talk(many));
    await scrollTo(120_000);
    for (const by of [300, -700, 2_000, -300, -300, -5_000, 40]) {
      const before = await shown.page.evaluate((step) => {
        const list = document.querySelector('.text');
        const { top = 0, bottom = 0 } = list?.getBoundingClientRect() ?? {};
        // A line that is in sight before and after, where there is one.
        const read = [...document.querySelectorAll('.segment')].find((each) => {
          const place = each.getBoundingClientRect();
          return place.top > top && place.bottom < bottom && place.top - step > top && place.bottom - step < bottom;
        });
        const line = read?.getAttribute('aria-posinset');
        const place = read?.getBoundingClientRect().top ?? 0;
        list?.scrollBy(0, step);
        return line && { line, place: place - step };
      }, by);
      await drawn(shown.page);
      const seen = await inSight();
      const first = seen[0] ?? 0;
      assert.deepEqual(
        seen,
        seen.map((_, at) => first + at),
      );
      if (!before) continue;
      const { line, place } = before;
      const now = await shown.page.locator(`[aria-posinset="${line}"]`).evaluate((e) => e.getBoundingClientRect().top);
      assert.ok(Math.abs(now - place) < 2, `moved by ${now - place} after ${by}`);
    }
  });

  it('marks the line that is heard, and keeps it in sight, drawing only when it leaves', async () => {
    await shown.show(talk(many));
    for (const line of [0, 5_000, 9_999, 17]) {
      await shown.hear(startOf(line) + 0.5);
      assert.equal(await shown.page.locator('[aria-current]').count(), 1);
      assert.equal(await shown.page.locator('[aria-current]').getAttribute('aria-posinset'), String(line + 1));
      assert.ok((await inSight()).includes(line + 1));
    }
    const within = await changesDuring(async () => {
      for (const part of [0.1, 0.2, 0.3, 0.4]) await shown.hear(startOf(17) + part);
    });
    assert.deepEqual(within, { added: 0, marked: 0 }, 'the time alone changes nothing');
    const next = await changesDuring(() => shown.hear(startOf(18)));
    assert.deepEqual(next, { added: 0, marked: 2 }, 'one is marked, the other no more');
    await shown.hear(many * 2 + 1);
    assert.equal(await shown.page.locator('[aria-current]').count(), 0);
  });

  it('goes line by line to any end, with the keyboard in the list', async () => {
    await shown.show({ ...talk(many), player: undefined, noPlayer: 'The recording is gone.' });
    await shown.page.focus('.segment');
    const focused = () => shown.page.evaluate(() => document.activeElement?.getAttribute('aria-posinset'));
    for (let step = 0; step < 40; step++) await shown.page.keyboard.press('ArrowDown');
    assert.equal(await focused(), '41');
    assert.ok((await inSight()).includes(41));
    await scrollTo(200_000);
    assert.equal(await focused(), '41', 'the line with the focus stays, however far it is scrolled away');
    assert.ok((await lines()) < mostLines);
    await shown.page.keyboard.press('ArrowDown');
    assert.equal(await focused(), '42');
    assert.ok((await inSight()).includes(42));
  });

  it('is entered by the Tab key at what is in sight', async () => {
    await shown.show(talk(many));
    await scrollTo(100_000);
    await shown.page.locator('.actions button').filter({ visible: true }).last().focus();
    await shown.page.keyboard.press('Tab');
    const at = await shown.page.evaluate(() => Number(document.activeElement?.getAttribute('aria-posinset')));
    assert.ok((await inSight()).includes(at), `line ${at}`);
    assert.equal(await shown.page.locator('.segment[tabindex="0"]').count(), 1);
  });

  it('copies what is selected over lines that are not drawn, as text without times', async () => {
    await shown.show(talk(many));
    const copied = (): Promise<string> =>
      shown.page.evaluate(() => {
        const event = new ClipboardEvent('copy', {
          clipboardData: new DataTransfer(),
          bubbles: true,
          cancelable: true,
        });
        (document.activeElement ?? document.body).dispatchEvent(event);
        return event.defaultPrevented ? (event.clipboardData?.getData('text/plain') ?? '') : 'as ever';
      });
    const select = (from: number, to: number): Promise<void> =>
      shown.page.evaluate(
        (ends) => {
          const [start, end] = ends.map((n) => document.querySelector(`[aria-posinset="${n + 1}"] .words`)?.firstChild);
          const selection = getSelection();
          if (start && ends[0] !== ends[1]) selection?.setBaseAndExtent(start, 'Line '.length, start, 8);
          if (end && ends[0] === ends[1]) selection?.setBaseAndExtent(end, 0, end, 4);
          if (end && ends[0] !== ends[1]) selection?.extend(end, 'Line 1'.length);
        },
        [from, to],
      );
    await select(2, 2);
    assert.equal(await copied(), 'as ever');
    await select(2, 4);
    const { segments } = talk(many);
    assert.equal(await copied(), `${segments[2]?.text.slice('Line '.length)}\n${segments[3]?.text}\nLine 4`);
    await scrollTo(9_999_999);
    assert.equal(await shown.page.locator('[aria-posinset="3"]').count(), 1, 'an end of what is selected stays');
    await shown.page.evaluate(() => {
      const last = document.querySelector('[aria-posinset="10000"] .words')?.firstChild;
      if (last) getSelection()?.extend(last, 4);
    });
    const lines = (await copied()).split('\n');
    assert.deepEqual([lines.length, lines[4_000], lines.at(-1)], [many - 2, segments[4_002]?.text, 'Line']);
    await shown.page.evaluate(() => getSelection()?.selectAllChildren(document.body));
    assert.equal(await copied(), segments.map(({ text }) => text).join('\n'));
  });

  it('is shown again where it was left, after the page was thrown away', async () => {
    await shown.show(talk(many));
    await shown.page.selectOption('select', '1.5');
    // A place that the recording has: where it is shown again, the browser goes no further than to its end.
    await shown.hear(startOf(1));
    await shown.page.keyboard.press('f');
    await scrollTo(90_000);
    const [first = 0] = await inSight();
    const state = () =>
      shown.page.evaluate(() => globalThis.saved as { place?: { line: number; seconds: number } } | undefined);
    await shown.page.waitForFunction(
      (line) => (globalThis.saved as { place?: { line: number } } | undefined)?.place?.line === line,
      first - 1,
    );
    await shown.show(talk(many));
    assert.deepEqual(await inSight().then(([now]) => now), first);
    assert.equal(await shown.page.inputValue('select'), '1.5');
    assert.equal(await shown.page.getAttribute('[title^=Follow]', 'aria-pressed'), 'false');
    assert.equal((await state())?.place?.seconds, startOf(1));
    await shown.show({ ...talk(many), state: { sha256: 'b'.repeat(64), path: '/other.wav' } });
    assert.deepEqual((await inSight())[0], 1, 'another one begins at its start');
  });

  it('keeps what is read where it is when the window becomes narrow', async () => {
    await shown.show(talk(many));
    await scrollTo(150_000);
    const [first = 0] = await inSight();
    await shown.page.setViewportSize({ width: 320, height: 700 });
    await drawn(shown.page);
    const [now = 0] = await inSight();
    assert.ok(Math.abs(now - first) <= 1, `line ${now} in the place of ${first}, but for what a scroll bar rounds`);
    assert.ok((await lines()) < mostLines);
  });
});
