import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../../../src/base/errors.ts';
import { explanationText, failureText } from '../../../../src/search/mcp/agentSentences.ts';
import { type AnswerCoverage, coverageText, halvesText } from '../../../../src/search/mcp/coverage.ts';
import type { FolderIndex, OutsideAnswer } from '../../../../src/search/registry/folderIndex.ts';

const now = Date.parse('2026-05-05T12:00:00Z');
const read = (ms: number): string => new Date(now - ms).toISOString();

test('coverage is one line: how many, by what, how old', () => {
  const plain = { files: 2, isReading: false, isOpenInEditor: false };
  const cases: [AnswerCoverage, string][] = [
    [{ ...plain, readAt: read(0) }, 'Index: 2 files, read 0 seconds ago.'],
    [{ ...plain, files: 1, readAt: read(1_000) }, 'Index: 1 file, read 1 second ago.'],
    [{ ...plain, readAt: read(119_000) }, 'Index: 2 files, read 119 seconds ago.'],
    [{ ...plain, readAt: read(120_000) }, 'Index: 2 files, read 2 minutes ago.'],
    [{ ...plain, readAt: read(3 * 86_400_000) }, 'Index: 2 files, read 3 days ago.'],
    // A clock that was put back makes no age below nothing.
    [{ ...plain, readAt: read(-60_000) }, 'Index: 2 files, read 0 seconds ago.'],
    [
      { ...plain, readAt: read(5_000), isReading: true },
      'Index: 2 files, read 5 seconds ago, being brought up to date.',
    ],
    [plain, 'Index: 2 files, not complete yet.'],
    [
      { ...plain, filesByMeaning: 1, isOpenInEditor: true },
      'Index: 2 files, 1 of them by meaning, kept current by an open editor.',
    ],
  ];
  for (const [coverage, text] of cases) assert.equal(coverageText(coverage, now), text);
});

test('an answer says by what it was made, why not by both, and what was sent', () => {
  const index = { record: { source: { model: 'm' } } } as unknown as FolderIndex;
  const open = { files: 1, isReading: false, isOpenInEditor: true };
  const text = (
    answer: Partial<OutsideAnswer>,
    what: 'question' | 'code' = 'question',
    coverage: AnswerCoverage = open,
  ): string => halvesText({ hits: [], by: 'keywords', ...answer }, index, coverage, what);
  const origin = 'https://s';
  assert.equal(text({ by: 'both' }), 'Searched by words and meaning. Nothing was sent.');
  assert.equal(
    text({ by: 'both', indexed: 0.999, asked: { outcome: 'vector', origin } }),
    'Searched by words and meaning, by meaning in 99 % of the files. The question was sent to https://s, and no code.',
  );
  assert.match(text({ by: 'both', asked: { outcome: 'vector' } }), /was sent to the embedding service of the editor/);
  assert.match(
    text({ by: 'both', asked: { outcome: 'vector', origin } }, 'code'),
    /^Searched by meaning\. The code at the place was sent/,
  );
  assert.match(text({ by: 'failed', asked: { outcome: 'token', origin } }), /Ask again\. Nothing was sent\.$/);
  assert.match(text({ otherModel: 'a\nb' }), /vectors of a\\nb, and the editor uses another model\. Run/);
  assert.match(
    text({}, 'question', { ...open, isOpenInEditor: false }),
    /meaning needs this folder open in the editor/,
  );
});

test('every failure is a sentence with what to do next, and nothing of what went wrong inside', () => {
  const failure = (kind: ConstructorParameters<typeof ServiceError>[0], details = {}): string =>
    failureText(new ServiceError(kind, details));
  assert.equal(
    failure('invalid-request', { param: 'pattern', message: '(', hint: 'Unterminated group' }),
    'The regular expression /(/ is none: Unterminated group. Put quotes around a text that is meant letter by letter.',
  );
  assert.match(
    failure('invalid-request', { param: 'pattern', message: 'x'.repeat(2_000), hint: 'long' }),
    /^.{0,260}$/,
  );
  assert.match(failure('invalid-request', { param: 'globs', hint: 'length 500' }), /`paths`/);
  assert.match(failure('invalid-request', { param: 'parley.search.exclude' }), /parley\.search\.exclude/);
  assert.match(failure('invalid-request', { message: 'sk-1' }), /^The search cannot be made like this/);
  for (const hint of ['full', 'busy', 'damaged', 'read-only', 'sqlite', undefined])
    assert.match(failure('storage', { hint }), /\.$/);
  assert.match(
    failureText(Object.assign(new Error('ENOTDIR: /home/x'), { syscall: 'mkdir' })),
    /^The index cannot be read or written/,
  );
  assert.match(
    failureText(new TypeError('x is undefined')),
    /^The search met an error that it did not expect\. Try it again\.$/,
  );
});

test('an explanation names the file on one line, with counts as they are spoken', () => {
  const indexed = { kind: 'indexed', chunks: 1, byMeaning: undefined, mtimeMs: now, isStale: false } as const;
  assert.equal(
    explanationText('a.ts', indexed),
    'a.ts is in the index as it was at 2026-05-05T12:00:00.000Z, in 1 chunk. Words find it.',
  );
  assert.match(
    explanationText('a.ts', { ...indexed, chunks: 3, byMeaning: 2, isStale: true }),
    /in 3 chunks\. Words find it, and meaning finds 2 of its chunks\. It has changed since\.$/,
  );
  assert.match(explanationText('a.ts', { ...indexed, byMeaning: 1 }), /Words and meaning find it\.$/);
  assert.match(
    explanationText('a\nb.ts', { kind: 'missing' }),
    /^a\\nb\.ts is not in the index: there is no such file/,
  );
});
