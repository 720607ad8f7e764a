import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import MarkdownIt from 'markdown-it';
import { toMarkdown } from '../../../../src/audio/export/transcriptMarkdown.ts';
import { paragraphText, toPlainText } from '../../../../src/audio/export/transcriptText.ts';
import { formatTime } from '../../../../src/audio/transcript/timestamps.ts';
import { parseTranscript, type Transcript } from '../../../../src/audio/transcript/transcript.ts';

const transcript: Transcript = {
  version: 1,
  fileName: 'aviso_1.ogg',
  path: '/recordings/aviso_1.ogg',
  size: 15_292,
  sha256: 'a'.repeat(64),
  contentType: 'audio/ogg',
  playerType: 'audio/ogg; codecs="vorbis"',
  model: 'parley-whisper',
  text: 'Notice to mariners. High tide comes at six.',
  createdAt: '2026-11-20T10:00:00.000Z',
};
const timed: Transcript = {
  ...transcript,
  segments: [
    { start: 0, end: 61.2, text: 'Notice to mariners.' },
    { start: 61.2, end: 3700, text: 'High tide comes at six.' },
  ],
};

describe('a transcript', () => {
  test('is plain text, with the times where there are segments', () => {
    assert.equal(toPlainText(transcript), 'Notice to mariners. High tide comes at six.\n');
    assert.equal(toPlainText(timed), '[0:00] Notice to mariners.\n[1:01] High tide comes at six.\n');
    assert.equal(paragraphText(timed), 'Notice to mariners. High tide comes at six.');
    const [one, two] = timed.segments ?? [];
    assert.ok(one && two);
    const paused = { ...timed, segments: [one, { ...two, start: one.end + 3 }] };
    assert.equal(paragraphText(paused), 'Notice to mariners.\n\nHigh tide comes at six.');
    assert.equal(paragraphText({ ...transcript, text: 'One.\n\nTwo.\n' }), 'One.\n\nTwo.');
  });

  test('is Markdown under its file name', () => {
    assert.equal(
      toMarkdown(timed, 'Translated by parley-whisper'),
      '# aviso\\_1.ogg\n\n*Translated by parley-whisper*\n\n**0:00** Notice to mariners.\n\n**1:01** High tide comes at six.\n',
    );
  });

  test('shows in Markdown the very characters that were said', () => {
    const said = '<img src=x> *stars* [link](command:x) `code` a_b 1. & # | ~';
    const html = new MarkdownIt().render(toMarkdown({ ...transcript, text: `${said}\n\n- one\n\n2. two` }, 'About'));
    assert.ok(!/<(img|a|code|ol|ul|li)\b/.test(html), html);
    assert.ok(html.includes('&lt;img src=x&gt; *stars* [link](command:x) `code` a_b 1. &amp; # | ~'), html);
    assert.ok(html.includes('- one') && html.includes('2. two'), html);
  });

  test('writes times as people read them', () => {
    assert.deepEqual([0, 9.99, 61, 3600, 3725, -1].map(formatTime), [
      '0:00',
      '0:09',
      '1:01',
      '1:00:00',
      '1:02:05',
      '0:00',
    ]);
  });

  test('is read back as it was written, and nothing else is read', () => {
    assert.deepEqual(parseTranscript(JSON.stringify(timed)), timed);
    const measures = { avgLogprob: -0.25, noSpeechProb: 0.01, compressionRatio: 1.2 };
    const measured = { ...timed, segments: timed.segments?.map((segment) => ({ ...segment, ...measures })) ?? [] };
    assert.deepEqual(parseTranscript(JSON.stringify(measured)), measured);
    for (const other of ['', '{', 'null', '{}', JSON.stringify({ ...transcript, version: 2 })]) {
      assert.equal(parseTranscript(other), undefined);
    }
  });
});
