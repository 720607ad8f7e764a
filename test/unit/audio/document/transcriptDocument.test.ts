import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { TranscriptDocument } from '../../../../src/audio/document/timedLines.ts';
import {
  type DocumentFormat,
  documentFormats,
  lineMap,
  readDocument,
  writeDocument,
} from '../../../../src/audio/document/transcriptDocument.ts';
import { plainLines } from '../../../../src/audio/transcript/timedText.ts';
import { isCancelled } from '../../../../src/base/errors.ts';
import type { Segment } from '../../../../src/service/audio/audio.ts';
import { anyText, orderedSegments } from '../segments.ts';

const never = new AbortController().signal;
const read = (text: string, format: DocumentFormat): Promise<TranscriptDocument> => readDocument(text, format, never);

async function write(segments: Segment[] | undefined, format: DocumentFormat, text = ''): Promise<string> {
  const written = await writeDocument({ fileName: 'a_1.ogg', text, segments }, format, 'By a *model*', never);
  assert.ok('content' in written, JSON.stringify(written));
  return written.content;
}

const bare = ({ segments }: TranscriptDocument): Segment[] =>
  segments.map(({ start, end, text }) => ({ start, end, text }));

describe('a transcript as a document', () => {
  const tide = [
    { start: 0, end: 4.2, text: 'Notice to mariners.' },
    { start: 3725.0014, end: 3730, text: 'First line.\nSecond <line> & -->' },
  ];

  test('is SRT', async () => {
    assert.equal(
      await write(tide, 'srt'),
      '1\n00:00:00,000 --> 00:00:04,200\nNotice to mariners.\n\n' +
        '2\n01:02:05,001 --> 01:02:10,000\nFirst line.\nSecond <\u2060line> & --\u2060>\n',
    );
  });

  test('is WebVTT', async () => {
    assert.equal(
      await write(tide, 'vtt'),
      'WEBVTT\n\n1\n00:00:00.000 --> 00:00:04.200\nNotice to mariners.\n\n' +
        '2\n01:02:05.001 --> 01:02:10.000\nFirst line.\nSecond &lt;line&gt; &amp; --&gt;\n',
    );
  });

  test('is Markdown', async () => {
    assert.equal(
      await write(tide, 'md'),
      '# a\\_1.ogg\n\n*By a \\*model\\**\n\n**0:00.000 – 0:04.200** Notice to mariners.\n\n' +
        '**1:02:05.001 – 1:02:10.000** First line.\nSecond \\<line\\> \\& --\\>\n',
    );
  });

  test('has no form as subtitles without times, and says so', async () => {
    for (const segments of [undefined, [], [{ start: 0, end: 1, text: ' \n' }]]) {
      for (const format of ['srt', 'vtt'] as const) {
        assert.deepEqual(await writeDocument({ fileName: 'a.ogg', text: 'Hello.', segments }, format, '', never), {
          refused: 'no-times',
          fileName: 'a.ogg',
        });
      }
    }
  });

  for (const format of documentFormats) {
    test(`is read back from ${format} as it was, whatever was said, with LF, CRLF, or a byte order mark`, async () => {
      await fc.assert(
        fc.asyncProperty(
          orderedSegments(anyText),
          fc.boolean(),
          fc.constantFrom('', '\ufeff'),
          async (segments, isCrlf, mark) => {
            const said = segments.map((segment) => ({ ...segment, text: plainLines(segment.text) }));
            const expected = said.filter(({ text }) => text !== '');
            fc.pre(expected.length > 0);
            const text = await write(segments, format);
            const document = await read(mark + (isCrlf ? text.replaceAll('\n', '\r\n') : text), format);
            assert.deepEqual(bare(document), expected);
            assert.deepEqual(document.problems, []);
            // Writing what was read gives the same document.
            assert.equal(await write(bare(document), format), text);
            // Each segment has lines of its own, and those are in order.
            const map = lineMap(document, segments).filter((index) => index !== undefined);
            assert.deepEqual(
              [...new Set(map)],
              [...new Set(map)].toSorted((a, b) => a - b),
            );
            assert.equal(new Set(map).size, expected.length);
          },
        ),
        { numRuns: 300 },
      );
    });
  }

  test('is read back from Markdown when it has no times', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, async (text) => {
        const document = await read(await write(undefined, 'md', text), 'md');
        assert.deepEqual(document, { segments: [], text: plainLines(text), problems: [] });
      }),
      { numRuns: 300 },
    );
  });

  test('keeps every character but spaces and control characters', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const plain = plainLines(text);
        const visible = (all: string): string => all.replace(/[\s\p{Cc}]/gu, '');
        assert.equal(visible(plain), visible(text));
        assert.equal(plainLines(plain), plain);
        assert.ok(!/[^\P{Cc}\n]|\n\n\n|^\s|\s$|[^\S\n]\n/u.test(plain), JSON.stringify(plain));
      }),
    );
  });
});

describe('the lines of a document', () => {
  const segments = [
    { start: 0, end: 1, text: 'One.' },
    { start: 1, end: 2, text: '' },
    { start: 2, end: 3, text: 'Three,\n\nin two parts.' },
  ];
  const no = undefined;

  test('belong to segments of the transcript, those without a text counted', async () => {
    const expected = {
      srt: [0, 0, 0, no, 2, 2, 2, 2, 2],
      vtt: [no, no, 0, 0, 0, no, 2, 2, 2, 2, 2],
      md: [no, no, no, no, 0, no, 2, 2, 2],
    };
    for (const format of documentFormats) {
      const document = await read(await write(segments, format), format);
      assert.deepEqual(lineMap(document, segments), expected[format], format);
    }
  });

  test('belong to the segments of the document where nothing else is given', async () => {
    assert.deepEqual(lineMap(await read(await write(segments, 'srt'), 'srt')), [0, 0, 0, no, 1, 1, 1, 1, 1]);
  });

  test('belong to segments in order of time, wherever they stand', async () => {
    const document = await read('00:05 --> 00:06\nLater.\n\n00:01 --> 00:02\nEarlier.\n', 'vtt');
    assert.deepEqual(bare(document), [
      { start: 1, end: 2, text: 'Earlier.' },
      { start: 5, end: 6, text: 'Later.' },
    ]);
    assert.deepEqual(lineMap(document), [1, 1, no, 0, 0]);
  });
});

describe('subtitles that others wrote', () => {
  test('are read without numbers, without hours, with either mark, with settings and blank lines within', async () => {
    const text = [
      ...['\ufeff0:01.5 --> 00:02,25 X1:10 X2:20', '', 'One,', '', 'and more.', ''],
      ...['7', '00:00:03,000 ---> 0:0:4', 'Two.', '00:05.000-->00:06.000 align:start', '- Three', '', '', ''],
    ].join('\r');
    for (const format of ['srt', 'vtt'] as const) {
      const document = await read(text, format);
      assert.deepEqual(document.problems, [], format);
      assert.deepEqual(bare(document), [
        { start: 1.5, end: 2.25, text: 'One,\n\nand more.' },
        { start: 3, end: 4, text: 'Two.' },
        { start: 5, end: 6, text: '- Three' },
      ]);
      assert.deepEqual(
        document.segments.map(({ lines }) => [lines.first, lines.last]),
        [
          [0, 4],
          [6, 8],
          [9, 10],
        ],
      );
    }
  });

  test('are WebVTT with a header, comments, styles, names of cues, tags and references', async () => {
    const text = [
      ...[
        'WEBVTT - Tides',
        'Kind: captions',
        '',
        'NOTE',
        '00:00 is high tide',
        '',
        'STYLE',
        '::cue { color: red }',
        '',
      ],
      ...[
        'first cue',
        '00:01.000 --> 00:02.000',
        '<v Ann>Is <i.loud>2 &lt; 3</i>?</v> a<b &amp; c&nbsp;d &#x41;&#66; &x;',
      ],
      ...[
        'NOTE of the harbour',
        '',
        'NOTE nothing',
        '',
        'last',
        '00:03.000 --> 00:04.000',
        '<00:03.500>End &#xD800;',
        '',
      ],
    ].join('\n');
    const document = await read(text, 'vtt');
    assert.deepEqual(document.problems, []);
    assert.deepEqual(bare(document), [
      { start: 1, end: 2, text: 'Is 2 < 3? a<b & c\u00a0d AB &x;\nNOTE of the harbour' },
      { start: 3, end: 4, text: 'End \ufffd' },
    ]);
    assert.equal(document.segments[0]?.lines.first, 9);
  });

  test('leave nothing out that a person wrote in SRT', async () => {
    const document = await read('1\n00:00:01,000 --> 00:00:02,000\n<i>So</i> {\\an8} &amp; 5 > 4 -> 3\n', 'srt');
    assert.deepEqual(bare(document), [{ start: 1, end: 2, text: '<i>So</i> {\\an8} &amp; 5 > 4 -> 3' }]);
  });
});

describe('a document with mistakes', () => {
  const problems = async (lines: readonly string[], format: DocumentFormat) =>
    (await read(lines.join('\n'), format)).problems.map(({ line, reason }) => `${line} ${reason}`);

  test('names the lines, and gives the rest', async () => {
    const lines = [
      ...['Hello', '', '1', '00:00:01,000 --> 00:00:02,000', 'One.', ''],
      ...['2', '00:00:61,000 --> 00:00:62,000', 'Two.', '', '3', '00:00:05 --> ', 'Three.', ''],
      ...['4', '00:00:09,000 --> 00:00:08,000', 'Four.', ''],
    ];
    const document = await read(lines.join('\n'), 'srt');
    assert.deepEqual(await problems(lines, 'srt'), [
      '0 text-without-time',
      '7 bad-time',
      '11 bad-time',
      '15 end-before-start',
    ]);
    assert.deepEqual(bare(document), [
      { start: 1, end: 2, text: 'One.' },
      { start: 9, end: 9, text: 'Four.' },
    ]);
  });

  test('names the lines of Markdown, too', async () => {
    const lines = ['# a', '', 'Before.', '', '**0:75** Bad.', '', '**0:05–0:04** Turned.', '**5 boats** sank.'];
    assert.deepEqual(await problems(lines, 'md'), ['2 text-without-time', '4 bad-time', '6 end-before-start']);
    assert.deepEqual(bare(await read(lines.join('\n'), 'md')), [
      { start: 5, end: 5, text: 'Turned.\n**5 boats** sank.' },
    ]);
  });

  test('may say only where segments begin: each lasts until the next', async () => {
    assert.deepEqual(bare(await read('**0:01** One.\n\n**0:04** Two.\n', 'md')), [
      { start: 1, end: 4, text: 'One.' },
      { start: 4, end: 4, text: 'Two.' },
    ]);
  });

  test('is bounded: characters, segments, lines of a text, problems', async () => {
    assert.deepEqual(await problems(['a'.repeat(17 * 1024 * 1024)], 'srt'), ['0 too-long']);
    assert.deepEqual(await problems(['0:01 --> 0:02', 'a'.repeat(2 * 1024 * 1024)], 'srt'), ['1 too-long']);
    assert.deepEqual(await problems(['0:01 --> 0:02', ...Array<string>(50_001).fill('a')], 'vtt'), ['50001 too-long']);
    const many = await read('0:01 --> 0:02\na\n'.repeat(100_003), 'srt');
    assert.equal(many.segments.length, 100_000);
    assert.deepEqual(many.problems, [{ line: 200_000, reason: 'too-many-segments' }]);
    assert.equal((await problems(Array<string>(1000).fill('-->'), 'vtt')).length, 100);
  });

  test('takes no longer than its length asks for', async () => {
    const size = 1_000_000;
    // Each would not end if the time rose with the square.
    for (const part of [
      '\n',
      '\r\n',
      ' ',
      'a\n',
      '<',
      '<v ',
      '&#',
      '&',
      '**',
      '**0:0',
      '\\',
      '-',
      '-->',
      '0',
      '0:',
      '1\n',
    ]) {
      const text = part.repeat(size / part.length);
      for (const format of documentFormats) {
        await read(text, format);
        await read(`${format === 'md' ? '**0:01** ' : '0:01 --> 0:02\n'}${text.slice(0, 200_000)}`, format);
      }
    }
  });

  test('is given up at once when it is no longer wanted', async () => {
    const stop = new AbortController();
    stop.abort();
    const whole = 'a\n'.repeat(1_000_000);
    await assert.rejects(readDocument(whole, 'srt', stop.signal), isCancelled);
    const segments = Array.from({ length: 50_000 }, () => ({ start: 0, end: 1, text: 'a' }));
    await assert.rejects(writeDocument({ fileName: 'a', text: '', segments }, 'srt', '', stop.signal), isCancelled);
  });
});
