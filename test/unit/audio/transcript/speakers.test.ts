import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { exportTranscripts, type TextFormat } from '../../../../src/audio/export/exportTranscripts.ts';
import { docxPieces } from '../../../../src/audio/export/transcriptDocx.ts';
import { mergePieces } from '../../../../src/audio/merge/mergePieces.ts';
import { editSegments, replaceTexts, restoreTexts } from '../../../../src/audio/transcript/editTranscript.ts';
import { nameSpeaker, namesIn } from '../../../../src/audio/transcript/speakers.ts';
import { parseTranscript, type Transcript } from '../../../../src/audio/transcript/transcript.ts';
import { readSegments } from '../../../../src/service/audio/segments.ts';
import { anyText, transcriptWith } from '../segments.ts';

const never = new AbortController().signal;
const now = Date.UTC(2026, 10, 28);
const lines = ['Good morning.', 'Welcome aboard.', 'Thank you.', 'Let us go.'];
const talk = transcriptWith({
  text: lines.join(' '),
  segments: lines.map((text, at) => ({
    start: 2 * at,
    end: 2 * at + 2,
    text,
    speaker: at === 2 ? 'Speaker 1' : 'Speaker 0',
  })),
});
const speakers = ({ segments = [] }: Transcript): (string | undefined)[] => segments.map(({ speaker }) => speaker);
const written = async (transcript: Transcript, format: TextFormat, times = true): Promise<string> => {
  const file = await exportTranscripts([transcript], format, { times, about: () => '' }, never);
  assert.ok('content' in file);
  return file.content;
};

describe('who speaks', () => {
  test('is read from numbers, letters, labels and names, and from nothing else', async () => {
    const read = async (speaker: unknown) =>
      (await readSegments([{ start: 0, end: 1, text: 'Hello.', speaker }], ''))?.[0]?.speaker;
    const cases: [unknown, string | undefined][] = [
      [0, 'Speaker 0'],
      ['1', 'Speaker 1'],
      ['A', 'Speaker A'],
      ['SPEAKER_01', 'Speaker 01'],
      ['speaker 2', 'Speaker 2'],
      [' Anna\n Berg ', 'Anna Berg'],
      ['', undefined],
      [1.5, undefined],
      [null, undefined],
      [{ name: 'Anna' }, undefined],
      ['x'.repeat(81), undefined],
    ];
    for (const [given, name] of cases) assert.equal(await read(given), name, String(given));
  });

  test('is renamed for all that is said, or from a line on up to the next name', () => {
    assert.deepEqual(speakers(nameSpeaker(talk, 0, ' Anna ', 'all')), ['Anna', 'Anna', 'Speaker 1', 'Anna']);
    assert.deepEqual(speakers(nameSpeaker(talk, 1, 'Ben', 'here')), ['Speaker 0', 'Ben', 'Speaker 1', 'Speaker 0']);
    assert.deepEqual(speakers(nameSpeaker(talk, 2, '', 'here')), ['Speaker 0', 'Speaker 0', undefined, 'Speaker 0']);
    assert.equal(nameSpeaker(talk, 0, 'Speaker 0', 'all'), talk);
    assert.deepEqual(namesIn(talk), ['Speaker 0', 'Speaker 1']);
    const unnamed = transcriptWith({ segments: lines.map((text, at) => ({ start: at, end: at + 1, text })) });
    const byHand = nameSpeaker(nameSpeaker(unnamed, 1, 'Anna', 'here'), 3, 'Ben', 'here');
    assert.deepEqual(speakers(byHand), [undefined, 'Anna', 'Anna', 'Ben']);
    assert.deepEqual(parseTranscript(JSON.stringify(byHand)), byHand);
  });

  test('stays with the text while that is edited, and when the edit is taken back', () => {
    const edited = editSegments(nameSpeaker(talk, 0, 'Anna', 'all'), [{ segment: 1, text: 'Welcome.' }], now);
    assert.deepEqual(speakers(edited), ['Anna', 'Anna', 'Speaker 1', 'Anna']);
    assert.deepEqual(speakers(restoreTexts(nameSpeaker(edited, 2, 'Ben', 'all'))), ['Anna', 'Anna', 'Ben', 'Anna']);
    const document = lines.map((text, at) => ({
      start: 2 * at,
      end: 2 * at + 2,
      text: text.replace('Thank', 'Thanks to'),
    }));
    assert.deepEqual(speakers(replaceTexts(talk, { segments: document }, now)), speakers(talk));
  });

  test('without a name is another one in each piece', async () => {
    const piece = (start: number, speaker: string) => {
      const segments = [{ start: 0, end: 2, text: `Said at ${start}.`, speaker }];
      const translation = { text: `Said at ${start}.`, segments };
      return { start, end: start + 10, from: start, to: start + 10, startsQuiet: true, translation };
    };
    const names = async (...pieces: ReturnType<typeof piece>[]) =>
      (await mergePieces(pieces)).segments?.map(({ speaker }) => speaker);
    assert.deepEqual(await names(piece(0, 'Speaker 0'), piece(10, 'Speaker 0'), piece(20, 'Anna')), [
      'Speaker 0 (piece 1)',
      'Speaker 0 (piece 2)',
      'Anna',
    ]);
    assert.deepEqual(await names(piece(0, 'Speaker 0')), ['Speaker 0']);
  });

  test('stands in every export, where it is another one than before', async () => {
    const named = nameSpeaker(nameSpeaker(talk, 0, 'Anna', 'all'), 2, 'Ben <b>', 'all');
    assert.equal(
      await written(named, 'txt'),
      '[0:00] Anna: Good morning.\n[0:02] Welcome aboard.\n[0:04] Ben <b>: Thank you.\n[0:06] Anna: Let us go.\n',
    );
    assert.equal(
      await written(named, 'txt', false),
      'Anna: Good morning. Welcome aboard.\n\nBen <b>: Thank you.\n\nAnna: Let us go.\n',
    );
    assert.match(await written(named, 'md'), /\*\*0:04\*\* Ben \\<b\\>: Thank you\./);
    assert.match([...docxPieces(named, '', true)].join(''), /> Ben &lt;b&gt;: Thank you\.</);
    const csv = (await written(named, 'csv')).split('\r\n');
    assert.equal(csv[0], '\ufefffile,start,end,speaker,text');
    assert.equal(csv[3], '"aviso_1.ogg",4.000,6.000,"Ben <b>","Thank you."');
    assert.equal(JSON.parse(await written(named, 'json')).segments[0].speaker, 'Anna');
    const srt = await written(named, 'srt');
    assert.match(srt, /\nAnna: Good morning\.\n/);
    assert.match(srt, /\nBen <\u2060b>: Thank you\.\n/);
    const vtt = await written(named, 'vtt');
    assert.match(vtt, /\n<v Anna>Good morning\.\n/);
    assert.match(vtt, /\n<v Anna>Welcome aboard\.\n/);
    assert.match(vtt, /\n<v Ben &lt;b&gt;>Thank you\.\n/);
  });

  test('never ends a cue or begins another, whatever the name is', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, async (name) => {
        // What is longer than two lines of a cue is shown in two, as any text is.
        const named = nameSpeaker(talk, 0, name.slice(0, 30), 'all');
        for (const format of ['srt', 'vtt'] as const) {
          const cues = (await written(named, format)).split('\n').filter((line) => line.includes(' --> '));
          assert.equal(cues.length, 4, format);
        }
      }),
    );
  });
});
