import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { documentFormats, readDocument, writeDocument } from '../../../../src/audio/document/transcriptDocument.ts';
import { findSegment, isEdited, replaceTexts, restoreTexts } from '../../../../src/audio/transcript/editTranscript.ts';
import { parseTranscript, type Transcript } from '../../../../src/audio/transcript/transcript.ts';
import type { Segment } from '../../../../src/service/audio/audio.ts';
import { anyText, orderedSegments, transcriptWith } from '../segments.ts';

const now = Date.UTC(2026, 10, 23);
const never = new AbortController().signal;

/** A segment of which the service said more than text and times. */
const unsure = (segment: Segment): Segment => ({ ...segment, confidence: 0.4 }) as Segment;
const one = unsure({ start: 0.00004, end: 2, text: 'Notice to marinas.' });
const two = unsure({ start: 2, end: 4.5, text: 'High tide\r\ncomes at six.' });
const timed = transcriptWith({ segments: [one, two] });

describe('an edited transcript', () => {
  test('has a line where a page means it by its start and text, whatever its number is by now', () => {
    const found = (...segments: Segment[]) =>
      findSegment(transcriptWith({ segments }), { segment: 1, start: two.start, before: two.text });
    assert.equal(found(one, two), 1);
    assert.equal(found(one, { start: 1, end: 2, text: 'More.' }, two), 2);
    assert.equal(found(two), 0);
    assert.equal(found(one, { ...two, text: 'High tide.' }), undefined);
    assert.equal(found(one, { ...two, start: 2.5 }), undefined);
    assert.equal(found(two, one, two), undefined, 'two are meant as well');
    assert.equal(found(one), undefined);
  });

  test('has the text of the user, and keeps what the service gave', () => {
    const edited = replaceTexts(
      timed,
      { segments: [{ ...two }, { start: 0, end: 2, text: 'Notice to mariners.' }] },
      now,
    );
    assert.equal(edited.text, 'Notice to mariners. High tide\ncomes at six.');
    assert.deepEqual(edited.original, { text: timed.text, segments: timed.segments });
    assert.equal(edited.editedAt, '2026-11-23T00:00:00.000Z');
    assert.deepEqual([isEdited(timed), isEdited(edited)], [false, true]);
    assert.deepEqual(restoreTexts(edited), timed);
    assert.equal(restoreTexts(timed), timed);
    assert.deepEqual(edited.segments?.[0], { start: 0, end: 2, text: 'Notice to mariners.' }, 'no longer unsure');
    assert.equal(edited.segments?.[1], two, 'the very segment');
  });

  test('keeps what is known of a segment whose times alone were changed', () => {
    const moved = replaceTexts(
      timed,
      {
        segments: [
          { start: 0, end: 1.5, text: one.text },
          { ...two, start: 1.5 },
        ],
      },
      now,
    );
    assert.deepEqual(moved.segments, [
      { ...one, start: 0, end: 1.5 },
      { ...two, start: 1.5, text: 'High tide\ncomes at six.' },
    ]);
  });

  test('keeps the first original through many edits, and is as if never edited when all is taken back', () => {
    const first = replaceTexts(timed, { segments: [{ start: 0, end: 1, text: 'A' }] }, now);
    const second = replaceTexts(first, { segments: [{ start: 0, end: 1, text: 'B' }] }, now + 1000);
    assert.deepEqual(second.original, first.original);
    assert.equal(second.editedAt, '2026-11-23T00:00:01.000Z');
    assert.equal(replaceTexts(second, { segments: [{ start: 0.0001, end: 1, text: ' B ' }] }, now), second);
    assert.deepEqual(replaceTexts(second, { segments: [{ ...one, start: 0 }, two] }, now), timed);
  });

  test('may have all its text taken away, its times, or times where there were none', () => {
    const emptied = replaceTexts(timed, { segments: [{ start: 0, end: 1, text: ' \n' }] }, now);
    assert.deepEqual([emptied.text, emptied.segments], ['', undefined]);
    const untimed = replaceTexts(timed, { segments: [], text: ' High tide. ' }, now);
    assert.deepEqual([untimed.text, untimed.segments], ['High tide.', undefined]);
    const plain = transcriptWith({ text: 'High tide.' });
    assert.equal(replaceTexts(plain, { segments: [], text: 'High tide.' }, now), plain);
    const given = replaceTexts(plain, { segments: [{ start: 1, end: 2, text: 'High tide.' }] }, now);
    assert.deepEqual(given.original, { text: 'High tide.' });
    for (const each of [emptied, untimed]) assert.deepEqual(restoreTexts(each), timed);
    assert.deepEqual(restoreTexts(given), plain);
  });

  test('is saved and read with what the service gave, and older files are read as before', () => {
    const segments = [{ start: 0, end: 1, text: 'A' }];
    const saved = transcriptWith({ segments, text: 'A' });
    const edited = replaceTexts(saved, { segments: [], text: 'B' }, now);
    assert.deepEqual(parseTranscript(JSON.stringify(edited)), edited);
    assert.deepEqual(parseTranscript(JSON.stringify(saved)), saved);
    assert.equal(parseTranscript(JSON.stringify({ ...edited, original: 'A' })), undefined);
  });

  test('is the same transcript after a document of it was read back unchanged, and its own after any edit', async () => {
    await fc.assert(
      fc.asyncProperty(orderedSegments(anyText), orderedSegments(anyText), async (segments, others) => {
        const transcript: Transcript = transcriptWith({ segments: segments.map(unsure) });
        for (const format of documentFormats) {
          const written = await writeDocument(transcript, format, 'By a model', never);
          if ('refused' in written) continue;
          const document = await readDocument(written.content, format, never);
          assert.equal(replaceTexts(transcript, document, now), transcript);
        }
        const edited = replaceTexts(transcript, { segments: others }, now);
        assert.deepEqual(restoreTexts(edited), transcript);
        assert.equal(replaceTexts(edited, { segments: others }, now), edited);
      }),
      { numRuns: 200 },
    );
  });
});
