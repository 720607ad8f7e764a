import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { folderListing, foldersOf } from '../../../../src/chat/context/folderListing.ts';
import { problemsText } from '../../../../src/chat/context/problemsText.ts';
import { rankPaths, searchablePath } from '../../../../src/chat/context/rankPaths.ts';

const paths = [
  'src/berths.ts',
  'src/web/berthsView.ts',
  'test/berths.test.ts',
  'docs/about-berths.md',
  'src/mail.ts',
  'LICENSE',
];
const ranked = (text: string, limit = 10): string[] =>
  rankPaths(
    paths.map((path) => searchablePath(path, path)),
    text,
    limit,
  ).map(({ path }) => path);

describe('The files that fit what was typed', () => {
  it('are ranked: name, beginning of a name, part of one, part of a path, letters in their order', () => {
    assert.deepEqual(ranked('berths.ts').slice(0, 1), ['src/berths.ts']);
    assert.deepEqual(ranked('Berths'), [
      'src/berths.ts',
      'test/berths.test.ts',
      'src/web/berthsView.ts',
      'docs/about-berths.md',
    ]);
    assert.deepEqual(ranked('web/'), ['src/web/berthsView.ts']);
    assert.deepEqual(ranked('srcml'), ['src/mail.ts']);
    assert.deepEqual(ranked('zzz'), []);
    assert.equal(ranked('e', 2).length, 2);
  });

  it('are found among a hundred thousand while one types', () => {
    const many = Array.from({ length: 100_000 }, (_, i) =>
      searchablePath(`packages/p${i % 100}/src/module${i}/index${i}.ts`, i),
    );
    assert.deepEqual(
      rankPaths(many, 'index99999.ts', 8).map(({ of }) => of),
      [99_999],
    );
  });
});

describe('A folder', () => {
  it('is listed by its files, bounded', () => {
    assert.equal(folderListing(paths, 'src'), 'src/berths.ts\nsrc/mail.ts\nsrc/web/berthsView.ts');
    assert.equal(folderListing(paths, 'sr'), '');
    assert.equal(folderListing(paths, '').split('\n').length, 6);
    const many = folderListing(
      Array.from({ length: 2_500 }, (_, i) => `f${i}`),
      '',
    ).split('\n');
    assert.deepEqual([many.length, many.at(-1)], [2_001, '… and 500 more files']);
  });

  it('is known by the files below it', () => {
    assert.deepEqual(foldersOf(['a/b/c.ts', 'a/d.ts', 'e.ts', 'a/b/f.ts']).sort(), ['a', 'a/b']);
  });
});

describe('Problems', () => {
  const problem = (line: number, severity: 'error' | 'warning', message = 'm') =>
    ({ path: 'a.ts', line, column: 2, severity, message, source: 'ts 2304' }) as const;

  it('are a list, errors first, each on a line', () => {
    assert.equal(
      problemsText([problem(9, 'warning'), problem(7, 'error', 'one\n  two'), problem(3, 'error')]),
      'a.ts:3:2: error: m [ts 2304]\na.ts:7:2: error: one two [ts 2304]\na.ts:9:2: warning: m [ts 2304]',
    );
  });

  it('are bounded in number and length', () => {
    const text = problemsText(Array.from({ length: 400 }, (_, i) => problem(i + 1, 'error', 'x'.repeat(5_000))));
    assert.equal(text.split('\n').at(-1), '… and 100 more');
    assert.ok(text.length < 330_000);
  });
});
