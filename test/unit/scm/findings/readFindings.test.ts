import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createFindingsReader, readFindings } from '../../../../src/scm/findings/readFindings.ts';
import { mostRead } from '../../../../src/scm/findings/reviewFinding.ts';
import { assertGrowsNoFaster } from '../../../support/growth.ts';
import { fileWith } from './files.ts';

const every = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at);
const files = [
  fileWith('src/a.ts', 60, every(1, 60)),
  fileWith('src/deep/b c.ts', 60, every(1, 60)),
  fileWith('one/index.ts', 60, every(1, 60)),
  fileWith('two/index.ts', 60, every(1, 60)),
];
/** Findings as `path:first-last severity text`. */
const read = (answer: string): string[] =>
  readFindings(answer, files).map(
    ({ path, first, last, severity, text }) => `${path}:${first}-${last} ${severity ?? '-'} ${text}`,
  );

describe('JSON lines', () => {
  const line = (number: number, message = `m${number}`): string =>
    JSON.stringify({ path: 'src/a.ts', line: number, severity: 'bug', message });
  const found = (number: number, message = `m${number}`): string => `src/a.ts:${number}-${number} bug ${message}`;

  it('are read though one among them is odd', () => {
    for (const odd of [
      '{"path":"src/a.ts","line":2,"severity":"bug","message":"say "hi}',
      '{"path":"src/a.ts","line":2,"message":"never closed',
      '{"path":"src/a.ts","line":2,"severity":"bug","message":"m"',
      '{"path":"src/a.ts","line":2,"message":7}',
      '{"path":"src/elsewhere.ts","line":2,"message":"x"}',
    ]) {
      const all = read([line(1), odd, line(3), line(4)].join('\n'));
      assert.deepEqual(
        all.filter((each) => !each.includes(':2-2 ')),
        [found(1), found(3), found(4)],
        odd,
      );
    }
  });

  it('are read where they are nearly JSON', () => {
    const nearly = ["{'path': 'src/a.ts', 'line': 2, 'severity': 'bug', 'message': 'm2'}", `${line(3)},`];
    assert.deepEqual(read(nearly.join('\n')), [found(2), found(3)]);
  });

  it('have texts of several lines, with marks of JSON, and places that are no findings of their own', () => {
    const messages = ['one\ntwo', 'use } or { here: [a', 'as in src/a.ts:7: bug: x'];
    const written = messages.map((message, at) => line(at + 1, message));
    assert.deepEqual(
      read(written.join('\n')),
      messages.map((message, at) => found(at + 1, message)),
    );
  });

  it('in the text of a finding whose lines are broken are no end of it', () => {
    const broken = '{"path":"src/a.ts","line":2,"severity":"bug","message":"write\n  {x: 1}\nhere"}';
    assert.deepEqual(read(broken), [found(2, 'write\n  {x: 1}\nhere')]);
  });
});

describe('a finding', () => {
  const same = 'src/a.ts:12-12 bug The sum is off by one.';
  for (const line of [
    'src/a.ts:12: bug: The sum is off by one.',
    '- src/a.ts:12: bug: The sum is off by one.',
    '1. **src/a.ts:12**: bug: The sum is off by one.',
    '* `src/a.ts:12`: **bug**: The sum is off by one.',
    '- [ ] `src/a.ts`:12 - [BUG] The sum is off by one.',
    '**bug**: src/a.ts:12: The sum is off by one.',
    '- Bug: `src/a.ts:12` – The sum is off by one.',
    '> src/a.ts:12:5: Bug - The sum is off by one.',
    'src/a.ts#L12: (bug) The sum is off by one.',
    'src/a.ts (line 12): bug: The sum is off by one.',
    'File: src/a.ts, line 12: error: The sum is off by one.',
    'b/src/a.ts:L12: critical: The sum is off by one.',
    './src/a.ts:12: High: The sum is off by one.',
    'src\\a.ts:12: **Bug:** The sum is off by one.',
    'a.ts:12: bug: The sum is off by one.',
    '[src/a.ts:12](src/a.ts#L12): bug: The sum is off by one.',
    '| src/a.ts | 12 | bug | The sum is off by one. |',
    '"src/a.ts:12: bug: The sum is off by one.",',
    '### src/a.ts\n\n- Line 12: bug: The sum is off by one.',
    '**`src/a.ts`**:\n- 12: bug: The sum is off by one.',
    'src/a.ts:12: bug:\n  The sum is off by one.',
    '{"path": "src/a.ts", "line": 12, "severity": "bug", "message": "The sum is off by one."}',
    '[{"file":"src/a.ts","startLine":12,"endLine":12,"severity":"Error","comment":"The sum is off by one."}]',
    '```json\n{\n  "findings": [\n    {\n      "filename": "a.ts",\n      "lines": "12-12",\n      "level": "high",\n      "text": "The sum is off by one."\n    }\n  ]\n}\n```',
    'Here it is:\n```json\n[\n  {"path": "src/a.ts:12", "severity": "bug", "body": "The sum is off by one."},\n]\n```\nThat is all.',
    '<think>\nsrc/a.ts:1: bug: maybe\n</think>\nsrc/a.ts:12: bug: The sum is off by one.',
    'src/a.ts:1: bug: maybe\n</think>src/a.ts:12: bug: The sum is off by one.',
    '```text\nsrc/a.ts:12: bug: The sum is off by one.\n```\n\nAll else is well.',
  ])
    it(`is read from ${JSON.stringify(line)}`, () => assert.deepEqual(read(line), [same]));

  it('may be about several lines, a name with a blank, or a file as a whole', () => {
    assert.deepEqual(
      read('src/deep/b c.ts:12-14: risk: Slow.\nsrc/a.ts, lines 3 to 4: style: Long.\nsrc/a.ts: style: No tests.'),
      ['src/deep/b c.ts:12-14 risk Slow.', 'src/a.ts:3-4 style Long.', 'src/a.ts:1-1 style No tests.'],
    );
  });

  it('may have no severity, and keeps words that only look like one', () => {
    assert.deepEqual(read('src/a.ts:3: error handling is missing\nsrc/a.ts:4: low-level code: fine?'), [
      'src/a.ts:3-3 - error handling is missing',
      'src/a.ts:4-4 - low-level code: fine?',
    ]);
  });

  it('keeps the marks with which its text begins', () => {
    assert.deepEqual(read('src/a.ts:3: .env is read\nsrc/a.ts:4 `sum` is `null`\nsrc/a.ts:5: risk: (a) and *b*'), [
      'src/a.ts:3-3 - .env is read',
      'src/a.ts:4-4 - `sum` is `null`',
      'src/a.ts:5-5 risk (a) and *b*',
    ]);
  });

  it('goes on in the next lines, and ends at a blank one', () => {
    const answer =
      'Review:\n\nsrc/a.ts:3: bug: One\nand two,\n  and three.\n\nOverall this is fine.\nsrc/a.ts:9: risk: Four\n\n  five';
    assert.deepEqual(read(answer), ['src/a.ts:3-3 bug One\nand two,\nand three.', 'src/a.ts:9-9 risk Four\nfive']);
  });

  it('is dropped where its file is not in the diff, or could be one of two', () => {
    assert.deepEqual(
      read('src/z.ts:3: bug: x\nindex.ts:3: bug: x\n/etc/passwd:1: bug: x\n{"path":"z","line":1,"text":"x"}'),
      [],
    );
    assert.deepEqual(read('two/index.ts:3: bug: x'), ['two/index.ts:3-3 bug x']);
  });

  it('is there once', () => {
    assert.deepEqual(
      read('src/a.ts:3: bug: The same.\n- `src/a.ts:3`: bug: the same\nsrc/a.ts:4: bug: The same.').length,
      2,
    );
  });

  it('is bounded in its text, and findings in their number', () => {
    const many = every(1, 60).flatMap((line) => every(1, 10).map((n) => `src/a.ts:${line}: bug: no. ${n}`));
    assert.equal(read(many.join('\n')).length, mostRead.findings);
    const [long] = readFindings(`src/a.ts:3: bug: ${'x'.repeat(9_000)}`, files);
    assert.equal(long?.text.length, mostRead.text);
    const [grown] = readFindings(`src/a.ts:3: bug: x\n${'more\n'.repeat(9_000)}`, files);
    assert.equal(grown?.text.length, mostRead.text);
  });
});

describe('an answer without findings', () => {
  it('says so', () => {
    for (const answer of [
      'No findings.',
      '**No issues found.**',
      'LGTM',
      '[]',
      '{"findings": []}',
      'I see no problems.',
    ]) {
      const reader = createFindingsReader(files);
      reader.push(answer);
      reader.end();
      assert.deepEqual([reader.findings, reader.saysNothing], [[], true], answer);
    }
    const reader = createFindingsReader(files);
    reader.push('I cannot review code.\n');
    assert.equal(reader.saysNothing, false);
  });
});

/** Pieces of which answers are made, sound and broken. */
const word = fc.constantFrom(
  ...[
    'src/a.ts',
    ':12',
    ': bug: ',
    '12-14',
    'b c.ts',
    '\n',
    '\r\n',
    '\n\n',
    '```',
    '```json\n',
    '<think>',
    '</think>',
    '- ',
    '**',
  ],
  ...[
    '{"path":"src/a.ts","line":3,"text":"x"}',
    '{',
    '}',
    '[',
    ']',
    '"',
    '\\',
    'No findings.',
    ' text ',
    '| ',
    'ä',
    '\u202E',
  ],
);
const answers = fc
  .array(fc.oneof({ weight: 4, arbitrary: word }, fc.string({ unit: 'binary' })))
  .map((parts) => parts.join(''));

describe('the reader', () => {
  it('gives the same whatever the pieces are in which an answer comes', () => {
    fc.assert(
      fc.property(answers, fc.array(fc.nat({ max: 12 })), (answer, sizes) => {
        const reader = createFindingsReader(files);
        let at = 0;
        for (const size of sizes) {
          reader.push(answer.slice(at, at + size));
          at += size;
        }
        reader.push(answer.slice(at));
        reader.end();
        assert.deepEqual(reader.findings, readFindings(answer, files));
      }),
      { numRuns: 2_000 },
    );
  });

  it('throws at nothing, and gives only findings within the diff', () => {
    fc.assert(
      fc.property(answers, (answer) => {
        for (const { path, first, last, text } of readFindings(answer, files)) {
          assert.ok(files.some((file) => file.path === path));
          assert.ok(1 <= first && first <= last && last <= 60);
          assert.ok(text !== '' && text.length <= mostRead.text);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('gives a finding as soon as its line has ended, and lets it grow', () => {
    const reader = createFindingsReader(files);
    assert.equal(reader.push('src/a.ts:3: bug: One'), false);
    const texts = (): string[] => reader.findings.map(({ text }) => text);
    assert.deepEqual(texts(), []);
    assert.equal(reader.push('.\n'), true);
    assert.deepEqual(texts(), ['One.']);
    assert.equal(reader.push('And two.\n'), true);
    assert.deepEqual(texts(), ['One.\nAnd two.']);
    assert.equal(reader.push('\n\n'), false);
  });

  it('takes no longer than its length, with any answer', async () => {
    for (const text of [
      '-',
      '{',
      '[',
      '"',
      '{"',
      'src/a.ts:',
      ' 1',
      ':1 ',
      '*',
      'src/a.ts:1: bug: x\n',
      '\n',
      '(',
      '12,',
      '</think>',
    ])
      await assertGrowsNoFaster((size) => readFindings(text.repeat(size / text.length), files), 20_000, text);
    const long = 'src/a.ts:1: bug: x\n'.repeat(200);
    await assertGrowsNoFaster((size) => readFindings(long + 'a\n'.repeat(size), files), 20_000);
  });
});
