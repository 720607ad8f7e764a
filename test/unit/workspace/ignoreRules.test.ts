import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { explainFile } from '../../../src/search/indexing/explainFile.ts';
import { scanAll } from '../../../src/search/indexing/scan.ts';
import { openStore } from '../../../src/search/store/store.ts';
import { createFilter } from '../../../src/workspace/fileFilter.ts';
import { listFiles } from '../../../src/workspace/fileList.ts';
import { maxRules, readIgnoreFiles } from '../../../src/workspace/ignoreFiles.ts';
import { parseIgnoreRules } from '../../../src/workspace/ignoreRules.ts';
import { maxRuleBytes } from '../../../src/workspace/readRuleFile.ts';
import { temporaryFolder } from '../../support/searchFolder.ts';

const never = new AbortController().signal;

function write(root: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

const lineToken = fc.constantFrom(
  ...[
    'a',
    'b',
    'c',
    '*',
    '?',
    '/',
    '**',
    '[ab]',
    '[!a]',
    '[^b]',
    '[a-c]',
    '\\*',
    '\\a',
    '\\',
    '[a',
    ' ',
    '+(a)',
    '{a,b}',
    '#',
    '!',
  ],
);
const line = fc.oneof(
  fc.array(lineToken, { minLength: 1, maxLength: 5 }).map((tokens) => tokens.join('')),
  fc.constantFrom(
    'a',
    'a/',
    '/a',
    '!a',
    '!b',
    '!*/',
    '*',
    '/*',
    'a/**',
    '**/a',
    'a/**/b',
    '# a',
    '',
    '\\#a',
    '\\!a',
    'a  ',
  ),
);
const names = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '*', '#'), minLength: 1, maxLength: 3 });
const path = fc
  .array(names, { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join('/'))
  // A folder that is there.
  .filter((each) => each !== 'a');

/** What git says of paths that are not there: the line of the rule, or nothing where none names it or one takes it back. */
function byGit(root: string, paths: readonly string[]): (string | undefined)[] {
  const input = paths.map((each) => `${each}\0`).join('');
  const args = ['check-ignore', '--no-index', '-v', '-n', '-z', '--stdin'];
  // It ends with 1 where no rule names any of them.
  const fields = spawnSync('git', args, { cwd: root, input, encoding: 'utf8' }).stdout.split('\0');
  return paths.map((_, index) => {
    const [, number = '', pattern = ''] = fields.slice(index * 4);
    return pattern === '' || pattern.startsWith('!') ? undefined : number;
  });
}

test('a line of an ignore file means what it means to git', (t) => {
  const root = temporaryFolder(t);
  execFileSync('git', ['init', '-q'], { cwd: root });
  const lines = fc.array(line, { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(lines, lines, fc.uniqueArray(path, { minLength: 30, maxLength: 30 }), (outer, inner, paths) => {
      write(root, { '.gitignore': outer.join('\n'), 'a/.gitignore': inner.join('\r\n') });
      const rules = readIgnoreFiles(root, '.gitignore');
      const found = paths.map((each) => {
        const rule = rules.ruleFor(each, false);
        return rule ? String(rule.line) : undefined;
      });
      assert.deepEqual(found, byGit(root, paths), JSON.stringify({ outer, inner, paths }));
    }),
    { numRuns: 120, seed: 8 },
  );
});

test('no line of an ignore file is slow, whatever the path', () => {
  const name = 'a'.repeat(250);
  for (const slow of [
    `${'*a'.repeat(20)}*b`,
    `${'**/*a/'.repeat(20)}b`,
    '['.repeat(10_000),
    `${'[!b]*'.repeat(60)}b`,
  ]) {
    const rules = parseIgnoreRules(slow, 1);
    assert.equal(rules?.find(Array(8).fill(name).join('/'), false), undefined);
  }
});

/** A root with an ignore file that cannot be followed, and what is said of it. */
async function scanned(
  t: TestContext,
  files: Record<string, string>,
  prepare: (root: string) => void = () => undefined,
) {
  const root = temporaryFolder(t);
  write(root, files);
  prepare(root);
  const store = openStore(temporaryFolder(t));
  t.after(() => store.close());
  const scope = { roots: [root], maxBytes: 8 * 1024 * 1024 };
  await scanAll(store, scope, never, () => undefined);
  const indexed = store.pathsOf(root).filter((each) => store.known(root, each)?.hash !== undefined);
  const why = (each: string) => explainFile(store, scope, root, each, undefined, never);
  return { root, store, indexed: indexed.sort(), why };
}

const manyLines = Array.from({ length: 300_000 }, (_, index) => `x${index}`).join('\n');

test('a .parleyignore of 300,000 lines leaves out its folder, and says so', async (t) => {
  const files = { 'a.ts': 'a\n', 'deep/b.ts': 'b\n', 'deep/.parleyignore': manyLines, 'deep/er/c.ts': 'c\n' };
  const { root, store, indexed, why } = await scanned(t, files);
  assert.deepEqual(indexed, ['a.ts']);
  assert.deepEqual(store.excluded(), { 'rule-file': 3 });
  const rule = { file: join(root, 'deep/.parleyignore'), line: 0, pattern: '', problem: 'too-large' };
  assert.deepEqual(await why('deep/er/c.ts'), { kind: 'excluded', exclusion: { reason: 'rule-file', rule } });
});

test('a .gitignore over a bound leaves out its folder where git does not answer, and is told of', async (t) => {
  const rules = Array.from({ length: maxRules + 1 }, (_, index) => `x${index}`).join('\n');
  const { root, store, indexed, why } = await scanned(t, {
    'a.ts': 'a\n',
    'deep/b.ts': 'b\n',
    'deep/.gitignore': rules,
  });
  assert.deepEqual(indexed, ['a.ts']);
  assert.deepEqual(store.excluded(), { 'rule-file': 1 });
  const rule = { file: join(root, 'deep/.gitignore'), line: 0, pattern: '', problem: 'too-large' };
  assert.deepEqual(await why('deep/b.ts'), { kind: 'ignored', rule });
});

test('a .gitattributes over a bound counts all in its folder as generated where git does not answer', async (t) => {
  const attributes = `${'*.md text\n'.repeat(maxRuleBytes / 10 + 1)}`;
  const { store, indexed } = await scanned(t, { 'a.ts': 'a\n', 'deep/b.ts': 'b\n', 'deep/.gitattributes': attributes });
  assert.deepEqual(indexed, ['a.ts']);
  assert.deepEqual(store.excluded(), { generated: 1, 'rule-file': 1 });
});

test('the rules of all folders around a path are counted together', async (t) => {
  const rules = Array.from({ length: maxRules / 2 }, (_, index) => `x${index}`).join('\n');
  const nested = { '.parleyignore': rules, 'a/.parleyignore': rules, 'a/b/.parleyignore': 'x' };
  const { indexed } = await scanned(t, { ...nested, 'a/a.ts': 'a\n', 'a/b/b.ts': 'b\n' });
  assert.deepEqual(indexed, ['.parleyignore', 'a/.parleyignore', 'a/a.ts']);
});

test('an ignore file that is a pipe, a folder or a link out of the root is not waited for and leaves out its folder', async (t) => {
  const outside = temporaryFolder(t);
  write(outside, { rules: 'nothing\n' });
  const { root, indexed } = await scanned(
    t,
    {
      'a.ts': 'a\n',
      'pipe/b.ts': 'b\n',
      'link/c.ts': 'c\n',
      'folder/.parleyignore/d.ts': 'd\n',
      'inside/e.ts': 'e\n',
      'inside/f.ts': 'f\n',
      rules: 'e.ts\n',
    },
    (folder) => {
      execFileSync('mkfifo', [join(folder, 'pipe/.parleyignore')]);
      symlinkSync(join(outside, 'rules'), join(folder, 'link/.parleyignore'));
      symlinkSync('../rules', join(folder, 'inside/.parleyignore'));
    },
  );
  assert.deepEqual(indexed, ['a.ts', 'inside/f.ts', 'rules']);
  assert.deepEqual((await listFiles(root, never)).length, 10);
  const filter = createFilter(root, { roots: [root], maxBytes: 1024 }, new Map());
  assert.deepEqual(filter.byPath('pipe/b.ts')?.rule?.problem, 'unreadable');
});
