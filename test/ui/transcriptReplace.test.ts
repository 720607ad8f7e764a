import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SegmentView } from '../../src/webview/shared/protocol/transcriptProtocol.ts';
import type { TranscriptPage } from './transcriptPage.ts';
import { talk, untimed } from './transcriptSamples.ts';
import { useTranscriptPage } from './useTranscriptPage.ts';

function talkWith(count: number, texts: Readonly<Record<number, string>>) {
  const { segments, ...rest } = talk(count);
  const other = segments.map((segment, line): SegmentView => ({ ...segment, text: texts[line] ?? segment.text }));
  return { ...rest, segments: other };
}

describe('Replace in a transcript', () => {
  let shown: TranscriptPage;
  useTranscriptPage((opened) => {
    shown = opened;
  });

  const press = (key: string): Promise<void> => shown.page.keyboard.press(key);
  const type = (text: string): Promise<void> => shown.page.keyboard.type(text);
  const place = (): Promise<string | null> => shown.page.textContent('.find-place');
  const textOf = (line: number): Promise<string | null> =>
    shown.page.textContent(`.segment[aria-posinset="${line + 1}"] .words`);
  /** The edits that the host was told, message by message: the number of the line, and its text. */
  const told = async () =>
    (await shown.posted()).flatMap((message) =>
      message.type === 'edit' ? [message.edits.map(({ segment, text }) => [segment, text])] : [],
    );

  it('replaces one after the other, and does not find what it put there', async () => {
    await shown.show(talkWith(100, { 3: 'A Needle, and a needle.', 90: 'The needle.' }));
    await press('Control+h');
    await shown.page.fill('.find-box >> nth=0', 'needle');
    await shown.page.getByRole('textbox', { name: 'Replace' }).fill('needle pin');
    for (let step = 0; step < 3; step++) await press('Enter');
    assert.deepEqual(await told(), [
      [[3, 'A needle pin, and a needle.']],
      [[3, 'A needle pin, and a needle pin.']],
      [[90, 'The needle pin.']],
    ]);
    assert.equal(await place(), '1 of 3');
    assert.deepEqual(await shown.axe(), []);
  });

  it('replaces all at once, and takes it back at once', async () => {
    await shown.show(talkWith(3_000, { 2: 'The harbor, our Harbor.', 2900: 'A harbor.' }));
    await press('Control+f');
    await type('harbor');
    await shown.page.getByRole('button', { name: 'Replace…' }).click();
    await type('harbour');
    await press('Control+Alt+Enter');
    assert.deepEqual(await told(), [
      [
        [2, 'The harbour, our harbour.'],
        [2_900, 'A harbour.'],
      ],
    ]);
    assert.equal(await place(), 'No results');
    await shown.page.waitForFunction(() =>
      [...document.querySelectorAll('[role=status]')].some(({ textContent }) => textContent === '3 places replaced'),
    );
    await press('Escape');
    await press('Control+z');
    assert.equal(await textOf(2), 'The harbor, our Harbor.');
    assert.equal((await told()).length, 2);
    await press('Control+y');
    assert.equal(await textOf(2), 'The harbour, our harbour.');
  });

  it('replaces in a thousand lines with one message', async () => {
    await shown.show(talk(1_000));
    await press('Control+h');
    await type('of a talk');
    await shown.page.getByRole('button', { name: 'Replace All (Ctrl+Alt+Enter)' }).click();
    const [edits = [], ...more] = await told();
    assert.deepEqual([edits.length, more.length, edits[7]], [1_000, 0, [7, 'Line 7 .']]);
  });

  it('is not there for a text without lines of its own, nor does anything where nothing is found', async () => {
    await shown.show(talk(10));
    await press('Control+h');
    await type('haystack');
    await shown.page.getByRole('textbox', { name: 'Replace' }).fill('x');
    await press('Enter');
    await press('Control+Alt+Enter');
    assert.deepEqual(await told(), []);
    await shown.show({ ...untimed, text: 'The tide.' });
    await press('Control+h');
    assert.equal(await shown.page.locator('.replace').count(), 0);
    assert.equal(await shown.page.locator('.find').isVisible(), true);
  });
});
