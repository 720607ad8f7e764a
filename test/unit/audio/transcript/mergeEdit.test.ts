import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { readDocument, writeDocument } from '../../../../src/audio/document/transcriptDocument.ts';
import { editSegments, replaceTexts } from '../../../../src/audio/transcript/editTranscript.ts';
import { mergeEdit } from '../../../../src/audio/transcript/mergeEdit.ts';
import type { Segment } from '../../../../src/service/audio/audio.ts';
import { transcriptWith } from '../segments.ts';

const never = new AbortController().signal;
const said = (...texts: string[]): Segment[] =>
  texts.map((text, index) => ({ start: 2 * index, end: 2 * index + 2, text }));
const base = transcriptWith({ segments: said('one cat', 'two', 'three') });
const textsOf = (segments: readonly Segment[] = []): string[] => segments.map(({ text }) => text);

/** What is kept when a document that was read from `base` is saved after another edit, and what it took the place of. */
async function save(change: (document: string) => string, kept = base) {
  const written = await writeDocument(base, 'srt', '', never);
  assert.ok('content' in written);
  const { edit, replaced } = mergeEdit(base, kept, await readDocument(change(written.content), 'srt', never));
  return { texts: textsOf(replaceTexts(kept, edit, 20).segments), replaced };
}

describe('a document that is saved after the transcript was edited elsewhere', () => {
  test('keeps what was changed there, and what was changed in it', async () => {
    const kept = editSegments(base, [{ segment: 0, text: 'one dog' }], 10);
    assert.deepEqual(await save((text) => text.replace('three', 'THREE'), kept), {
      texts: ['one dog', 'two', 'THREE'],
      replaced: [],
    });
    const cut = '3\n00:00:04,000 --> 00:00:06,000\nthree\n';
    assert.deepEqual((await save((text) => text.replace(cut, ''), kept)).texts, ['one dog', 'two']);
    const more = `3\n00:00:03,000 --> 00:00:03,500\nmore\n\n${cut}`;
    assert.deepEqual((await save((text) => text.replace(cut, more), kept)).texts, ['one dog', 'two', 'more', 'three']);
  });

  test('keeps its own line where both changed one, and says what it takes the place of', async () => {
    const kept = editSegments(
      editSegments(base, [{ segment: 0, text: 'one dog' }], 10),
      [{ segment: 1, text: 'too' }],
      10,
    );
    assert.deepEqual(await save((text) => text.replace('one cat', 'one bird'), kept), {
      texts: ['one bird', 'too', 'three'],
      replaced: ['one dog'],
    });
    const cut = '1\n00:00:00,000 --> 00:00:02,000\none cat\n\n';
    assert.deepEqual(await save((text) => text.replace(cut, ''), kept), {
      texts: ['too', 'three'],
      replaced: ['one dog'],
    });
    const emptied = editSegments(base, [{ segment: 0, text: '' }], 10);
    assert.deepEqual(await save((text) => text.replace('one cat', 'one bird'), emptied), {
      texts: ['one bird', 'two', 'three'],
      replaced: [''],
    });
  });

  test('has a change once that both made, and the very transcript where nothing was changed in it', async () => {
    const kept = editSegments(base, [{ segment: 0, text: 'one dog' }], 10);
    assert.deepEqual(await save((text) => text.replace('one cat', 'one dog'), kept), {
      texts: ['one dog', 'two', 'three'],
      replaced: [],
    });
    const unchanged = mergeEdit(base, kept, { segments: base.segments ?? [] });
    assert.equal(replaceTexts(kept, unchanged.edit, 20), kept);
  });

  test('has a line twice rather than not at all where one side moved it in time', async () => {
    const kept = transcriptWith({ segments: base.segments?.with(0, { start: 0.5, end: 2, text: 'one dog' }) });
    assert.deepEqual(await save((text) => text.replace('one cat', 'one bird'), kept), {
      texts: ['one bird', 'one dog', 'two', 'three'],
      replaced: [''],
    });
  });

  test('tells a text without times that it takes the place of', () => {
    const plain = transcriptWith({ text: 'One.' });
    const replacedBy = (text: string, kept: string) =>
      mergeEdit(plain, transcriptWith({ text: kept }), { segments: [], text }).replaced;
    assert.deepEqual(replacedBy('Mine.', 'One.'), []);
    assert.deepEqual(replacedBy('Mine.', 'Mine.'), []);
    assert.deepEqual(replacedBy('Mine.', 'Theirs.'), ['Theirs.']);
  });

  test('loses no line that either side changed, whatever both did', () => {
    const edits = fc.array(fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined }), {
      minLength: 6,
      maxLength: 6,
    });
    fc.assert(
      fc.property(edits, edits, (mine, theirs) => {
        const from = said('u', 'v', 'w', 'x', 'y', 'z');
        const edited = (texts: (string | undefined)[]): Segment[] =>
          from.map((segment, index) => ({ ...segment, text: texts[index] ?? segment.text }));
        const kept = transcriptWith({ segments: edited(theirs) });
        const { edit, replaced } = mergeEdit(transcriptWith({ segments: from }), kept, { segments: edited(mine) });
        const expected = from.map(({ text }, index) => mine[index] ?? theirs[index] ?? text);
        assert.deepEqual(textsOf(edit.segments), expected);
        const lost = theirs.filter((text, index) => text !== undefined && text !== expected[index]);
        assert.deepEqual(replaced, lost);
      }),
    );
  });
});
