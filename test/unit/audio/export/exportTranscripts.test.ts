import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import {
  exportFile,
  exportFormats,
  exportTranscripts,
  type TextFormat,
} from '../../../../src/audio/export/exportTranscripts.ts';
import { escapeMarkdown, unescapeMarkdown } from '../../../../src/audio/export/transcriptMarkdown.ts';
import { oneLine, plainLines } from '../../../../src/audio/transcript/timedText.ts';
import type { Transcript } from '../../../../src/audio/transcript/transcript.ts';
import { isCancelled } from '../../../../src/base/errors.ts';
import { anyText, transcriptWith } from '../segments.ts';

const never = new AbortController().signal;
const about = ({ model }: Transcript): string => `By ${model}`;

const tide = transcriptWith({
  segments: [
    { start: 0, end: 2, text: 'Notice to mariners.' },
    { start: 2.0004, end: 4, text: '  ' },
    { start: 61.2, end: 64, text: 'High tide\ncomes at six.' },
  ],
});
const untimed = transcriptWith({ fileName: 'b.mp3', text: 'First.\n\nSecond.' });

async function exported(transcripts: readonly Transcript[], format: TextFormat, times = true): Promise<string> {
  const result = await exportTranscripts(transcripts, format, { times, about }, never);
  assert.ok('content' in result, JSON.stringify(result));
  return result.content;
}

describe('a saved transcript', () => {
  test('is text with times, or in paragraphs that a long pause divides', async () => {
    assert.equal(await exported([tide], 'txt'), '[0:00] Notice to mariners.\n[1:01] High tide\ncomes at six.\n');
    assert.equal(await exported([tide], 'txt', false), 'Notice to mariners.\n\nHigh tide comes at six.\n');
    assert.equal(await exported([untimed], 'txt', false), 'First.\n\nSecond.\n');
  });

  test('has paragraphs of a length that can be read', async () => {
    const said = (text: string) =>
      transcriptWith({ segments: Array.from({ length: 200 }, (_, index) => ({ start: index, end: index + 1, text })) });
    for (const [text, most] of [
      ['High tide comes at six.', 650],
      ['and so on', 1300],
    ] as const) {
      const paragraphs = (await exported([said(text)], 'txt', false)).trim().split('\n\n');
      assert.ok(paragraphs.length > 1 && paragraphs.every(({ length }) => length < most));
      assert.equal(paragraphs.join(' '), Array(200).fill(text).join(' '));
    }
  });

  test('is Markdown', async () => {
    assert.equal(
      await exported([tide], 'md'),
      '# aviso\\_1.ogg\n\n*By parley-whisper*\n\n**0:00** Notice to mariners.\n\n**1:01** High tide\ncomes at six.\n',
    );
    assert.equal(
      await exported([tide], 'md', false),
      '# aviso\\_1.ogg\n\n*By parley-whisper*\n\nNotice to mariners.\n\nHigh tide comes at six.\n',
    );
  });

  test('is subtitles by the guidelines', async () => {
    assert.equal(
      await exported([tide], 'srt'),
      '1\n00:00:00,000 --> 00:00:02,000\nNotice to mariners.\n\n2\n00:01:01,200 --> 00:01:04,000\nHigh tide comes at six.\n',
    );
    assert.match(
      await exported([tide], 'vtt'),
      /^WEBVTT\n\n1\n00:00:00\.000 --> 00:00:02\.000\nNotice to mariners\.\n\n2\n/,
    );
  });

  test('is JSON without the path of the recording', async () => {
    const json = await exported([tide], 'json');
    const { fileName, model, createdAt, text, segments } = tide;
    assert.deepEqual(JSON.parse(json), { fileName, model, createdAt, text, segments });
    assert.match(json, /\n {4}\{"start":0,"end":2,"text":"Notice to mariners\."\},\n/);
    assert.deepEqual(JSON.parse(await exported([untimed, tide], 'json')), [
      { fileName: 'b.mp3', model, createdAt, text: untimed.text },
      { fileName, model, createdAt, text, segments },
    ]);
    assert.deepEqual(JSON.parse(await exported([], 'json')), []);
  });

  test('is a table', async () => {
    assert.equal(
      await exported([tide, untimed], 'csv'),
      '\ufefffile,start,end,text\r\n' +
        '"aviso_1.ogg",0.000,2.000,"Notice to mariners."\r\n' +
        '"aviso_1.ogg",61.200,64.000,"High tide comes at six."\r\n' +
        '"b.mp3",,,"First. Second."\r\n',
    );
  });

  test('stands below a heading with others in one file', async () => {
    assert.equal(
      await exported([untimed, tide], 'txt'),
      'b.mp3\n=====\n\nFirst.\n\nSecond.\n\n\naviso_1.ogg\n===========\n\n[0:00] Notice to mariners.\n[1:01] High tide\ncomes at six.\n',
    );
    assert.equal(
      await exported([untimed, tide], 'md'),
      '# b.mp3\n\n*By parley-whisper*\n\nFirst.\n\nSecond.\n\n# aviso\\_1.ogg\n\n*By parley-whisper*\n\n' +
        '**0:00** Notice to mariners.\n\n**1:01** High tide\ncomes at six.\n',
    );
  });

  test('is no subtitles without times, nor with those of several recordings, and says why', async () => {
    for (const format of ['srt', 'vtt'] as const) {
      const refusal = (transcripts: readonly Transcript[]) =>
        exportTranscripts(transcripts, format, { times: true, about }, never);
      assert.deepEqual(await refusal([untimed]), { refused: 'no-times', fileName: 'b.mp3' });
      assert.deepEqual(await refusal([tide, untimed]), { refused: 'several-recordings', fileName: 'b.mp3' });
      assert.deepEqual(await refusal([]), { refused: 'no-times', fileName: '' });
    }
  });

  test('is no subtitles where nobody speaks, and says why; the text has what the service wrote', async () => {
    const segments = [{ start: 0, end: 30, text: '[Music]' }];
    const silent = transcriptWith({ text: '[Music]', segments });
    const options = { times: false, about };
    assert.deepEqual(await exportTranscripts([silent], 'srt', options, never), {
      refused: 'no-speech',
      fileName: 'aviso_1.ogg',
    });
    assert.equal(await exported([silent], 'txt'), '[0:00] [Music]\n');
    const spoken = transcriptWith({ segments: [...segments, { start: 30, end: 32, text: 'Hello.' }] });
    assert.deepEqual(await exportTranscripts([spoken], 'srt', options, never), {
      content: '1\n00:00:30,000 --> 00:00:32,000\nHello.\n',
    });
  });

  test('is no longer written once the user has stopped it', async () => {
    const stop = new AbortController();
    stop.abort();
    const segments = Array.from({ length: 20_000 }, (_, start) => ({ start, end: start + 1, text: 'High tide.' }));
    for (const format of exportFormats.filter((each) => each !== 'txt')) {
      const result = exportFile([transcriptWith({ segments })], format, { times: true, about }, stop.signal);
      await assert.rejects(result, isCancelled, format);
    }
  });
});

/** The cells of a table by RFC 4180; throws where a quote stands in the wrong place. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  const cells = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/gy;
  for (let match = cells.exec(text); match !== null && match[0] !== ''; match = cells.exec(text)) {
    rows.at(-1)?.push((match[1] ?? match[2] ?? '').replaceAll('""', '"'));
    if (match[3] === '\r\n') rows.push([]);
    if (cells.lastIndex === text.length) return rows.slice(0, -1);
  }
  throw new Error(text);
}

describe('what was said', () => {
  test('is no formula in a spreadsheet', async () => {
    const risky = ['=1+1', '+1', '-1', '@sum(a)', '\t=1', '\r=1', '＝1', 'a;=1', 'a; @b', ' =1', '"=1"'];
    for (const text of risky) {
      const [, row = []] = parseCsv(await exported([transcriptWith({ fileName: text, text })], 'csv'));
      for (const cell of [row[0], row[3]]) assert.doesNotMatch(cell ?? '', /(^|;)\s*[=+\-@＝\t\r]/, text);
    }
    // Where a spreadsheet divides at semicolons, the quotation mark that the file doubles may begin a cell, or stand before one.
    for (const text of ['x;"=1+1', 'x; "" =1', 'x;\u200b=1', '";\u00a0"@a']) {
      assert.doesNotMatch(
        await exported([transcriptWith({ fileName: text, text })], 'csv'),
        /;[\s"\u200b]*[=+\-@]/,
        text,
      );
    }
  });

  test('is a cell of a table, whatever it is', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, anyText, async (fileName, text) => {
        const rows = parseCsv(await exported([transcriptWith({ fileName, text })], 'csv'));
        assert.equal(rows.length, 2);
        const [, [name = '', , , cell = ''] = []] = rows;
        const plain = (all: string): string => all.replaceAll("'", '');
        assert.deepEqual([plain(name), plain(cell)], [plain(oneLine(fileName)), plain(oneLine(text))]);
      }),
      { numRuns: 300 },
    );
  });

  test('is JSON, whatever it is', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, anyText, async (fileName, text) => {
        const read: unknown = JSON.parse(
          await exported([transcriptWith({ fileName, text, segments: [{ start: 0, end: 1, text }] })], 'json'),
        );
        const { model, createdAt } = tide;
        assert.deepEqual(read, { fileName, model, createdAt, text, segments: [{ start: 0, end: 1, text }] });
      }),
    );
  });

  test('shows in Markdown as the very characters, whatever it is', () => {
    const markdown = new MarkdownIt();
    fc.assert(
      fc.property(anyText, (said) => {
        const text = plainLines(said);
        const escaped = escapeMarkdown(text);
        assert.equal(unescapeMarkdown(escaped), text);
        const html = markdown.render(escaped);
        assert.ok(!/<(?!\/?p>)/.test(html), html);
        const shown = html
          .replace(/<\/?p>/g, '')
          .replaceAll('&lt;', '<')
          .replaceAll('&gt;', '>')
          .replaceAll('&quot;', '"')
          .replaceAll('&amp;', '&');
        const letters = (all: string): string => all.replace(/[\s\ufffd\p{Cs}]/gu, '');
        assert.equal(letters(shown), letters(text));
      }),
      { numRuns: 1000 },
    );
  });
});
