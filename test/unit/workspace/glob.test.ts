import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { ServiceError } from '../../../src/base/errors.ts';
import { pathTest } from '../../../src/search/query/filter/queryFilter.ts';
import { createFilter } from '../../../src/workspace/fileFilter.ts';
import { compileGlobs, type GlobBound, globFault } from '../../../src/workspace/glob/glob.ts';
import type { GlobOptions } from '../../../src/workspace/glob/globSegment.ts';
import { temporaryFolder } from '../../support/searchFolder.ts';

const token = fc.constantFrom(
  ...['a', 'b', 'c', '*', '?', '[a]', '[!b]', '[^a]', '[a-b]', '[ab', '{a,b}', '{a,{b,c}}', '{1..3}', '{a', 'a,b}'],
  ...['(a', ')', '|', '!', '+', '$'],
);
/** A part of a glob. Stars that touch are read by Node in a way of its own. */
const segment = fc
  .array(token, { minLength: 1, maxLength: 5 })
  .map((tokens) => tokens.join(''))
  // Groups such as `!(a)` are read by Node, and not by VS Code.
  .filter((text) => !text.includes('**') && !/[?*!+@]\(/.test(text));
const glob = fc
  .array(fc.oneof({ weight: 3, arbitrary: segment }, { weight: 1, arbitrary: fc.constant('**') }), {
    minLength: 1,
    maxLength: 4,
  })
  .map((segments) => segments.join('/'))
  .filter((text) => globFault([text]) === undefined);
const pathOf = (...letters: string[]) =>
  fc
    .array(fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 })
    .filter((names) => !names.includes('.') && !names.includes('..'))
    .map((names) => names.join('/'));

const fits = (pattern: string, path: string, options?: GlobOptions): boolean =>
  compileGlobs([pattern], options)(path) === 0;

test('a glob means what it means to matchesGlob of Node', () => {
  const same = (pattern: string, path: string): void =>
    assert.equal(fits(pattern, path), posix.matchesGlob(path, pattern), JSON.stringify({ pattern, path }));
  fc.assert(fc.property(glob, pathOf('a', 'b', 'c', '1'), same), { numRuns: 2_000, seed: 8 });
  fc.assert(fc.property(glob, pathOf('a', 'b', '.'), same), { numRuns: 2_000, seed: 8 });
});

test('globs that people write find what they are for', () => {
  const finds = (pattern: string, ...paths: string[]): void => {
    for (const path of paths) assert.ok(fits(pattern, path), `${pattern} ${path}`);
  };
  finds('src/**/*.{ts,tsx}', 'src/a.ts', 'src/deep/er/b.tsx');
  finds('src\\**', 'src/a.ts');
  finds('**/*.test.[jt]s', 'a.test.js', 'x/b.test.ts');
  finds('app/(shop)/*.ts', 'app/(shop)/page.ts');
  finds('routes/+page.*', 'routes/+page.svelte');
  assert.equal(fits('a/**', 'a/.hidden/b', { dot: true }), true);
  assert.equal(fits('a/**', 'a/.hidden/b'), false);
});

/** Each would take longer than the sun lasts in a matcher that tries one way after the other. */
const slow: readonly (readonly [glob: string, name: string])[] = [
  [`${'*a'.repeat(20)}*b`, 'a'.repeat(120)],
  [`${'**/'.repeat(20)}b`, Array(500).fill('a').join('/')],
  [`${'**/*a/'.repeat(9)}b`, Array(500).fill('aa').join('/')],
];

test('no glob is slow, whatever the name', () => {
  for (const [pattern, name] of slow) {
    assert.equal(globFault([pattern]), undefined, pattern);
    assert.equal(fits(pattern, name), false, pattern);
    assert.equal(pathTest({ globs: [pattern] })?.('/r', name), false, pattern);
  }
});

test('a glob over a bound is refused, and the bound is named', () => {
  const faults: [globs: string[], bound: GlobBound][] = [
    [['['.repeat(10_000)], 'length'],
    [[`${'*a'.repeat(41)}b`], 'wildcards'],
    [['{a,b}'.repeat(18)], 'braces'],
    [['{1..1000000}'], 'braces'],
    [[`${'{a,'.repeat(90)}b${'}'.repeat(90)}`.repeat(1), '{{{a,b},c}{d,e},{f,g}{1..90}}'], 'braces'],
    [Array.from({ length: 101 }, (_, index) => `${index}`), 'list'],
  ];
  for (const [globs, bound] of faults) {
    assert.equal(globFault(globs), bound, globs[0]);
    assert.throws(
      () => pathTest({ globs }),
      (error) => error instanceof ServiceError && error.param === 'globs' && error.hint?.startsWith(bound) === true,
    );
  }
});

test('a setting with a glob over a bound keeps all files back and names itself', (t) => {
  const scope = { roots: [], maxBytes: 1024 };
  const bad = ['{a,b}'.repeat(18)];
  const root = temporaryFolder(t);
  for (const [name, settings] of Object.entries({ exclude: { exclude: bad }, allowPaths: { allow: bad } }))
    assert.throws(
      () => createFilter(root, { ...scope, ...settings }, new Map()),
      (error) => error instanceof ServiceError && error.param === `parley.search.${name}`,
    );
});

test('a folder that a setting leaves out stays out with what is hidden in it', (t) => {
  const filter = createFilter(temporaryFolder(t), { roots: [], maxBytes: 1024, exclude: ['private'] }, new Map());
  assert.equal(filter.byPath('private/.notes/plan.md')?.reason, 'setting');
  assert.equal(filter.byPath('src/private/a.ts')?.reason, 'setting');
  assert.equal(filter.byPath('src/privates/a.ts'), undefined);
});

test('a glob is read once for all files of a question', () => {
  const paths = Array.from({ length: 500 }, (_, index) => `src/folder${index % 100}/file${index}.ts`);
  const globs = ['**/*file[1]*', '**/*file[1]*/**'];
  const quickest = (work: () => string[]): number => {
    const times = Array.from({ length: 7 }, () => {
      const start = performance.now();
      assert.equal(work().length, 111);
      return performance.now() - start;
    });
    return Math.min(...times);
  };
  const once = quickest(() => {
    const passes = pathTest({ globs });
    return paths.filter((path) => passes?.('/r', path));
  });
  const each = quickest(() => paths.filter((path) => pathTest({ globs })?.('/r', path)));
  assert.ok(once < each / 2, `${once} ms when read once, ${each} ms when read for each path`);
});
