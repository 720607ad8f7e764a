import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { readDocument, writeDocument } from '../../../../src/audio/document/transcriptDocument.ts';
import { exportTranscripts, type TextFormat } from '../../../../src/audio/export/exportTranscripts.ts';
import { paragraphText, toPlainText } from '../../../../src/audio/export/transcriptText.ts';
import { editSegments, replaceTexts, restoreTexts } from '../../../../src/audio/transcript/editTranscript.ts';
import { parseTranscript } from '../../../../src/audio/transcript/transcript.ts';
import { inParagraphs, timedSegments, toBlocks } from '../../../../src/audio/transcript/transcriptBlocks.ts';
import { anyText, transcriptWith } from '../segments.ts';

const never = new AbortController().signal;
const now = Date.UTC(2026, 10, 28);
const first = { start: 0, end: 600, text: 'The harbour opens at six.\n\nShips may leave.' };
const second = { start: 600, end: 1200, text: 'The tide is high.' };
const blocks = transcriptWith({
  text: 'The harbour opens at six. Ships may leave. The tide is high.',
  segments: [first, second],
  areBlocks: true,
});
const sentence = 'The tide comes in again, and the boats go out with it. ';

describe('a transcript without times', () => {
  test('is a block for each piece, and one for a recording that went as it is', () => {
    assert.deepEqual(toBlocks('Hello.', undefined, 12), [{ start: 0, end: 12, text: 'Hello.' }]);
    assert.deepEqual(toBlocks('Hello.', undefined), [{ start: 0, end: 0, text: 'Hello.' }]);
    assert.deepEqual(toBlocks(' ', undefined, 12), []);
    const pieces = [second, { start: 1200, end: 1300, text: ' ' }];
    assert.deepEqual(toBlocks('any', pieces, 1300), [second]);
  });

  test('has paragraphs that end with a sentence, and those that the service wrote', () => {
    assert.equal(inParagraphs('One.\n\nTwo.'), 'One.\n\nTwo.');
    assert.equal(inParagraphs('Short. Very short.'), 'Short. Very short.');
    const long = inParagraphs(sentence.repeat(30)).split('\n\n');
    assert.ok(long.length > 2);
    for (const each of long) assert.match(each, /^The tide .*it\.$/);
    const endless = inParagraphs('word '.repeat(1000)).split('\n\n');
    assert.ok(endless.length > 2 && endless.every((each) => each.length < 1300));
    const doctor = inParagraphs(`${'a'.repeat(598)} Dr. Bright came. Then he left.`);
    assert.equal(doctor.split('\n\n')[0]?.endsWith('Dr. Bright came.'), true);
    assert.ok(inParagraphs('潮が満ちます。'.repeat(200)).includes('。\n\n潮'));
  });

  test('has the same words in its paragraphs, whatever they are, and the same paragraphs when they are made again', () => {
    const squeezed = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, '');
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 60 }), (texts) => {
        const text = texts.join(' ');
        const made = inParagraphs(text);
        assert.equal(squeezed(made), squeezed(text));
        assert.equal(inParagraphs(made), made);
        assert.doesNotMatch(made, /\n{3}|^\n|\n$/);
      }),
    );
  });

  test('is read back as it was kept, and none of it counts as timed', () => {
    assert.deepEqual(parseTranscript(JSON.stringify(blocks)), blocks);
    assert.equal(timedSegments(blocks), undefined);
    assert.deepEqual(timedSegments(transcriptWith({ segments: [first] })), [first]);
  });

  test('is no subtitles, and has the times of its pieces in all else', async () => {
    const written = async (format: TextFormat, times = true) => {
      const file = await exportTranscripts([blocks], format, { times, about: () => '' }, never);
      return 'content' in file ? file.content : file.refused;
    };
    for (const format of ['srt', 'vtt'] as const) assert.equal(await written(format), 'no-times');
    for (const format of ['srt', 'vtt'] as const)
      assert.deepEqual(await writeDocument(blocks, format, '', never), {
        refused: 'no-times',
        fileName: 'aviso_1.ogg',
      });
    assert.equal(toPlainText(blocks), `[0:00] ${first.text}\n[10:00] ${second.text}\n`);
    assert.equal(paragraphText(blocks), 'The harbour opens at six.\n\nShips may leave.\n\nThe tide is high.');
    assert.match(await written('md'), /\*\*10:00\*\* The tide is high\./);
    assert.equal(JSON.parse(await written('json')).areBlocks, true);
  });

  test('is edited block by block, and keeps its paragraphs', () => {
    const text = 'The harbour opens at seven.\n\nShips may leave.';
    const edited = editSegments(blocks, [{ segment: 0, text }], now);
    assert.equal(edited.areBlocks, true);
    assert.deepEqual(edited.segments, [{ ...first, text }, second]);
    assert.equal(edited.text, `${text}\n\n${second.text}`);
    assert.deepEqual(edited.original, { text: blocks.text, segments: blocks.segments, areBlocks: true });
    assert.deepEqual(editSegments(edited, [{ segment: 0, text: first.text }], now), blocks);
    assert.deepEqual(restoreTexts(edited), blocks);
  });

  test('is edited as a document, in which times that the user writes are times', async () => {
    const file = await writeDocument(blocks, 'md', '', never);
    assert.ok('content' in file);
    const same = await readDocument(file.content, 'md', never);
    assert.equal(replaceTexts(blocks, same, now), blocks);
    const edited = replaceTexts(blocks, await readDocument(file.content.replace('high', 'low'), 'md', never), now);
    assert.equal(edited.areBlocks, true);
    assert.equal(edited.segments?.[1]?.text, 'The tide is low.');
    const typed = file.content.replace('Ships may', '**0:04.000 – 0:06.000** Ships may');
    const timed = replaceTexts(blocks, await readDocument(typed, 'md', never), now);
    assert.equal(timed.areBlocks, undefined);
    assert.equal(timedSegments(timed)?.length, 3);
    assert.deepEqual(restoreTexts(timed), blocks);
  });
});
