import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { searchTranscripts } from '../../../../src/audio/transcript/searchTranscripts.ts';
import { anyText, orderedSegments, transcriptWith } from '../segments.ts';

const harbour = transcriptWith({
  fileName: 'harbour.ogg',
  segments: [
    { start: 0, end: 2, text: 'High tide comes at six.' },
    { start: 2, end: 4, text: 'The harbour opens\nwith the tide.' },
  ],
});
const untimed = transcriptWith({
  fileName: 'memo.ogg',
  text: `${'Something else is said. '.repeat(40)}The tide is low.`,
});
const found = (text: string, isJoined = false) =>
  searchTranscripts([harbour, untimed], text, 100, isJoined).map(({ transcript, segment }) => [
    transcript.fileName,
    segment,
  ]);

describe('a search over all translations', () => {
  test('finds lines that have all the words, in any order and whatever their case', () => {
    assert.deepEqual(found('TIDE'), [
      ['harbour.ogg', 0],
      ['harbour.ogg', 1],
      ['memo.ogg', undefined],
    ]);
    assert.deepEqual(found('tide  opens'), [['harbour.ogg', 1]]);
    assert.deepEqual(found('tide ebb'), []);
    assert.deepEqual(found(' '), []);
  });

  test('finds words whose blanks could not be typed, where it is told so', () => {
    assert.deepEqual(found('hightide', true), [['harbour.ogg', 0]]);
    assert.deepEqual(found('hightide'), []);
  });

  test('shows the words around what it found, in one line', () => {
    const [hit] = searchTranscripts([untimed], 'low', 10);
    assert.match(hit?.text ?? '', /^….*The tide is low\.$/);
    assert.ok((hit?.text.length ?? 0) < 210);
    assert.equal(searchTranscripts([harbour], 'opens', 10)[0]?.text, 'The harbour opens with the tide.');
  });

  test('gives no more than are wanted, of whatever texts, each in one line', () => {
    fc.assert(
      fc.property(orderedSegments(anyText), anyText, fc.boolean(), (segments, text, isJoined) => {
        const hits = searchTranscripts([transcriptWith({ segments })], text, 3, isJoined);
        assert.ok(hits.length <= 3);
        for (const hit of hits) assert.doesNotMatch(hit.text, /[\n\r]/);
      }),
    );
  });
});
