import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { drawn } from './chatPage.ts';
import type { TranscriptPage } from './transcriptPage.ts';
import { talk, timed, untimed } from './transcriptSamples.ts';
import { useTranscriptPage } from './useTranscriptPage.ts';

describe('Editing a transcript', () => {
  let shown: TranscriptPage;
  useTranscriptPage((opened) => {
    shown = opened;
  });

  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await shown.page.keyboard.press(key);
  };
  const type = (text: string): Promise<void> => shown.page.keyboard.type(text);
  const row = (line: number) => shown.page.locator(`.segment[aria-posinset="${line + 1}"]`);
  const textOf = (line: number): Promise<string | null> => row(line).locator('.words').textContent();
  const edits = async () => (await shown.posted()).filter(({ type: what }) => what === 'edit');
  const boxes = (): Promise<number> => shown.page.locator('.segment textarea').count();
  const focused = () => shown.page.evaluate(() => document.activeElement?.getAttribute('aria-posinset'));

  it('begins by Enter, F2, a double click or the button, and ends with Enter', async () => {
    await shown.show(talk(10));
    await row(0).focus();
    await press('Enter');
    assert.equal(await shown.page.getByRole('textbox', { name: 'Text at 0:00' }).inputValue(), 'Line 0 of a talk.');
    assert.deepEqual(await shown.axe(), []);
    await type(' More.');
    await press('Enter');
    assert.equal(await boxes(), 0);
    assert.equal(await textOf(0), 'Line 0 of a talk. More.');
    assert.equal(await focused(), '1', 'the keyboard goes on from the line');
    await press('ArrowDown', 'F2', 'Control+a');
    await type('Another text.');
    await press('Enter');
    await row(2).locator('.words').dblclick();
    assert.equal(await boxes(), 1);
    await press('Control+a');
    await type('A third.');
    await press('Enter');
    await row(3).hover();
    await row(3).getByRole('button', { name: 'Edit Line (Enter)' }).click();
    assert.equal(await boxes(), 1);
    await press('Enter');
    const edit = (segment: number, text: string) => {
      const { start, text: before } = talk(10).segments[segment] ?? {};
      return { type: 'edit', edits: [{ segment, start, before, text }] };
    };
    assert.deepEqual(await edits(), [
      edit(0, 'Line 0 of a talk. More.'),
      edit(1, 'Another text.'),
      edit(2, 'A third.'),
    ]);
  });

  it('gives back by Escape what was written, and keeps it when something else is clicked', async () => {
    await shown.show(talk(10));
    await row(0).focus();
    await press('Enter');
    await type(' Not this.');
    await press('Escape');
    assert.deepEqual([await textOf(0), await focused(), await edits()], ['Line 0 of a talk.', '1', []]);
    await press('Enter');
    await type(' But this.');
    await shown.page.click('h1');
    assert.equal(await textOf(0), 'Line 0 of a talk. But this.');
    assert.equal((await edits()).length, 1);
  });

  it('takes plain text alone, in one line', async () => {
    await shown.show(talk(3));
    await row(0).focus();
    await press('Enter', 'Control+a');
    await shown.page.keyboard.insertText('  <b>One</b>\n\n<img src=x onerror=alert(1)>  ');
    await press('Shift+Enter');
    await type('two');
    await press('Enter');
    assert.equal(await textOf(0), '<b>One</b> <img src=x onerror=alert(1)> two');
    assert.equal(await shown.page.locator('.segment :is(b, img)').count(), 0);
  });

  it('writes in the box what are keys of the page elsewhere', async () => {
    await shown.show(talk(10));
    await row(0).focus();
    await press('Enter', 'Control+a', 'l', 'f', ' ', 'l', 'ArrowLeft', 'ArrowUp', 'Home', 'x', 'Enter');
    assert.equal(await textOf(0), 'xlf l');
    assert.equal(await shown.page.evaluate(() => document.querySelector('audio')?.paused), true);
  });

  it('undoes and redoes edits, goes to their lines, and tells the host', async () => {
    await shown.show(talk(1000));
    await row(0).focus();
    await press('Enter', 'Control+a', 'A', 'Enter', 'ArrowDown', 'Enter', 'Control+a', 'B', 'Enter');
    await shown.page.evaluate(() => document.querySelector('.text')?.scrollTo(0, 20_000));
    await drawn(shown.page);
    await press('Control+z');
    assert.deepEqual([await textOf(1), await focused()], ['Line 1 of a talk. And the tide comes in again.', '2']);
    await press('Control+z');
    assert.equal(await textOf(0), 'Line 0 of a talk.');
    await press('Control+z');
    await press('Control+Shift+z');
    assert.equal(await textOf(0), 'A');
    await press('Control+y');
    assert.equal(await textOf(1), 'B');
    assert.deepEqual(
      (await edits()).map((each) => each.type === 'edit' && each.edits[0]?.text),
      ['A', 'B', 'Line 1 of a talk. And the tide comes in again.', 'Line 0 of a talk.', 'A', 'B'],
    );
  });

  it('marks what was edited quietly, and restores what was translated', async () => {
    const [first, ...rest] = timed.segments;
    assert.ok(first);
    await shown.show({ ...timed, segments: [{ ...first, text: 'Good evening.', original: first.text }, ...rest] });
    assert.equal(await row(0).locator('.mark').textContent(), 'Edited');
    assert.equal(await row(1).locator('.mark').count(), 0);
    await row(0).focus();
    await row(0).getByRole('button', { name: 'Restore Original' }).click();
    assert.equal(await textOf(0), first.text);
    assert.equal(await row(0).locator('.mark').count(), 0);
    await press('Control+z');
    assert.equal(await textOf(0), 'Good evening.');
    assert.deepEqual(await edits(), [
      { type: 'edit', edits: [{ segment: 0, start: 0, before: 'Good evening.', text: first.text }] },
      { type: 'edit', edits: [{ segment: 0, start: 0, before: first.text, text: 'Good evening.' }] },
    ]);
  });

  it('says that a line has no text any more, and lets it have one again', async () => {
    await shown.show(timed);
    await row(0).focus();
    await press('Enter', 'Control+a', 'Delete', 'Enter');
    assert.equal(await row(0).locator('.emptied').textContent(), 'No text');
    await row(0).locator('.emptied').dblclick();
    await type('Hello.');
    await press('Enter');
    assert.equal(await textOf(0), 'Hello.');
  });

  it('shows a line that was edited elsewhere, whether it is drawn or not', async () => {
    await shown.show(talk(1000));
    await shown.send({ type: 'changed', lines: [{ segment: 1, text: 'From the other document.' }] });
    await shown.send({ type: 'changed', lines: [{ segment: 900, text: 'And this.' }] });
    await shown.send({ type: 'changed', lines: [{ segment: 90_000, text: 'There is no such line.' }] });
    assert.equal(await textOf(1), 'From the other document.');
    assert.equal(await row(1).locator('.mark').textContent(), 'Edited');
    await shown.page.evaluate(() => document.querySelector('.text')?.scrollTo(0, 9_999_999));
    await drawn(shown.page);
    await press('Control+f');
    await type('And this.');
    assert.equal(await textOf(900), 'And this.');
    assert.deepEqual(await edits(), []);
  });

  it('is not taken back by late answers of the host to earlier edits', async () => {
    await shown.show(timed);
    await row(0).focus();
    await press('Enter', 'Control+a', 'A', 'Enter', 'Enter', 'Control+a', 'B', 'Enter');
    await shown.send({ type: 'changed', lines: [{ segment: 0, text: 'A' }] });
    assert.equal(await textOf(0), 'B');
    await shown.send({ type: 'changed', lines: [{ segment: 0, text: 'B' }] });
    assert.equal(await textOf(0), 'B');
    await shown.send({ type: 'changed', lines: [{ segment: 0, text: 'A' }] });
    assert.equal(await textOf(0), 'A', 'this one is from elsewhere');
  });

  it('keeps the box while the line is edited elsewhere, and while another one is heard', async () => {
    await shown.show(talk(1000));
    await row(0).focus();
    await press('Enter', 'Control+a');
    await type('Mine');
    await shown.send({ type: 'changed', lines: [{ segment: 0, text: 'Theirs' }] });
    await shown.hear(1500);
    assert.equal(await shown.page.inputValue('.segment textarea'), 'Mine');
    assert.ok(await row(0).isVisible(), 'the text does not go away from who writes');
    await press('Escape');
    assert.equal(await textOf(0), 'Theirs');
  });

  it('tells the host which text was there when it began, also where the line was edited elsewhere since', async () => {
    await shown.show(talk(10));
    await row(0).focus();
    await press('Enter', 'Control+a');
    await type('Mine');
    await shown.send({ type: 'changed', lines: [{ segment: 0, text: 'Theirs' }] });
    await press('Enter');
    assert.deepEqual(await edits(), [
      { type: 'edit', edits: [{ segment: 0, start: 0, before: 'Line 0 of a talk.', text: 'Mine' }] },
    ]);
  });

  it('keeps the box, and the caret in it, when all is drawn again with other lines before', async () => {
    await shown.show(timed);
    await row(1).focus();
    await press('Enter', 'Control+a');
    await type('Mine');
    await press('ArrowLeft');
    const more = { ...timed, segments: [{ start: 0, end: 0.5, time: '0:00', text: 'More.' }, ...timed.segments] };
    await shown.show(more);
    await type('!');
    assert.equal(await row(2).locator('textarea').inputValue(), 'Min!e');
    assert.deepEqual(await edits(), []);
    await press('Enter');
    const [made] = await edits();
    const sent = { type: 'edit', edits: [{ segment: 2, start: 1.68, before: 'Your berth is free.', text: 'Min!e' }] };
    assert.deepEqual(made, sent);
    await row(2).focus();
    await press('Enter');
    await type(' Not lost.');
    await shown.show({ ...timed, segments: timed.segments.slice(0, 1) });
    assert.equal(await boxes(), 0);
    // The host knows no such line, and lets the text be copied.
    const [first] = sent.edits;
    const last = { type: 'edit', edits: [{ ...first, before: 'Min!e', text: 'Min!e Not lost.' }] };
    assert.deepEqual((await edits()).at(-1), last);
  });

  it('undoes what an earlier page of the transcript did, which VS Code threw away', async () => {
    await shown.show(talk(10));
    await row(3).focus();
    await press('Enter', 'Control+a', 'A', 'Enter');
    const { segments, ...rest } = talk(10);
    await shown.show({ ...rest, segments: segments.map((one, line) => (line === 3 ? { ...one, text: 'A' } : one)) });
    await row(0).focus();
    await press('Control+z');
    assert.deepEqual([await textOf(3), await focused()], [segments[3]?.text, '4']);
  });

  it('is no part of a text without times', async () => {
    await shown.show(untimed);
    await shown.page.dblclick('.words');
    await press('F2', 'Enter');
    assert.equal(await shown.page.locator('textarea').count(), 0);
  });
});
