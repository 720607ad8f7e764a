import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { editSegments, replaceTexts, restoreTexts } from '../../../../src/audio/transcript/editTranscript.ts';
import { settledIn, tickSegment } from '../../../../src/audio/transcript/segmentNotes.ts';
import { parseTranscript, type Transcript } from '../../../../src/audio/transcript/transcript.ts';
import { transcriptWith } from '../segments.ts';

const now = Date.UTC(2026, 10, 28);
const given = transcriptWith({
  segments: [
    { start: 0, end: 2, text: 'Notice to marinas.', avgLogprob: -2 },
    { start: 2, end: 4, text: 'High tide comes at six.', avgLogprob: -2 },
  ],
});
const settled = (transcript: Transcript): boolean[] => [0, 1].map(settledIn(transcript));

describe('a place worth checking', () => {
  test('is ticked off and on again, and is kept so', () => {
    const ticked = tickSegment(given, 1, true);
    assert.deepEqual(settled(ticked), [false, true]);
    assert.deepEqual(parseTranscript(JSON.stringify(ticked)), ticked);
    assert.equal(ticked.original, undefined, 'its text is not edited');
    assert.equal(tickSegment(ticked, 1, true), ticked);
    assert.equal(tickSegment(given, 7, true), given);
    assert.deepEqual(tickSegment(ticked, 1, false), given);
  });

  test('needs no check where its text was edited, until the edit is taken back', () => {
    const edited = editSegments(given, [{ segment: 0, text: 'Notice to mariners.' }], now);
    assert.deepEqual(settled(edited), [true, false]);
    assert.deepEqual(settled(editSegments(edited, [{ segment: 0, text: 'Notice to marinas.' }], now)), [false, false]);
  });

  test('stays ticked off while texts come and go around it', () => {
    const edited = editSegments(tickSegment(given, 1, true), [{ segment: 0, text: 'Notice to mariners.' }], now);
    assert.deepEqual(settled(edited), [true, true]);
    const later = tickSegment(editSegments(given, [{ segment: 0, text: 'Other.' }], now), 1, true);
    const back = editSegments(later, [{ segment: 0, text: 'Notice to marinas.' }], now);
    assert.equal(back.original, undefined);
    assert.deepEqual(settled(back), [false, true], 'the tick came after the edit that is taken back');
    assert.equal(back.segments?.[1]?.avgLogprob, -2);
    assert.deepEqual(settled(restoreTexts(later)), [false, true]);
    const saved = replaceTexts(
      tickSegment(given, 1, true),
      {
        segments: [
          { start: 0, end: 1, text: 'Notice.' },
          { start: 1, end: 2, text: 'To mariners.' },
          { start: 2, end: 4, text: 'High tide comes at six.' },
        ],
      },
      now,
    );
    assert.deepEqual([0, 1, 2].map(settledIn(saved)), [true, true, true]);
    assert.equal(saved.segments?.[2]?.isChecked, true);
  });
});
