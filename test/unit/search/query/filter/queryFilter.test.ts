import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { ServiceError } from '../../../../../src/base/errors.ts';
import type { EmbeddingModel } from '../../../../../src/search/embedding/embeddingModel.ts';
import { createEngine, type Engine } from '../../../../../src/search/engine.ts';
import { parseQuery } from '../../../../../src/search/query/filter/parseQuery.ts';
import { pathTest } from '../../../../../src/search/query/filter/queryFilter.ts';
import type { Query } from '../../../../../src/search/query/query.ts';
import { temporaryFolder } from '../../../../support/searchFolder.ts';

const never = new AbortController().signal;

/** A workspace, its engine with the words of it, and the paths a query finds. */
async function indexed(t: TestContext, files: Record<string, string>, embeddingModel?: EmbeddingModel) {
  const root = temporaryFolder(t);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const engine: Engine = createEngine(temporaryFolder(t));
  t.after(() => engine.close());
  const scope = { roots: [root], maxBytes: 1024 * 1024 };
  const index = () => engine.index(scope, embeddingModel, never, () => undefined);
  await index();
  const search = (query: Partial<Query> & { text: string }) =>
    engine.search([root], { limit: 10, globs: [], ...query }, embeddingModel, never);
  const paths = async (query: Partial<Query> & { text: string }) =>
    (await search(query)).hits.map((hit) => hit.path).sort();
  return { root, index, search, paths };
}

test('operators are taken out of a question', () => {
  assert.deepEqual(parseQuery('where is lang:ts,tsx  a ship path:src/ built -path:test changed:main'), {
    text: 'where is a ship built',
    filters: {
      globs: ['**/src/**', '!**/*test*', '!**/*test*/**'],
      languages: ['ts', 'tsx'],
      changedSince: 'main',
    },
  });
  assert.deepEqual(parseQuery('"lang:ts" in xpath:a'), {
    text: 'lang:ts in xpath:a',
    filters: { globs: [] },
    rules: [{ kind: 'phrase', source: 'lang:ts', isNegative: false }],
  });
  assert.deepEqual(parseQuery('path:*.md').filters.globs, ['*.md']);
});

test('a file has to get through every filter', () => {
  const passes = (path: string, filters: Parameters<typeof pathTest>[0]) => pathTest(filters)?.('/r', path) ?? true;
  const filters = { globs: ['*.ts', '!**/old/**'], languages: ['typescript'], folder: './src/' };
  assert.equal(passes('src/a.ts', filters), true);
  assert.equal(passes('srcs/a.ts', filters), false);
  assert.equal(passes('src/old/a.ts', filters), false);
  assert.equal(passes('src/a.js', { globs: [], languages: ['typescript'] }), false);
  assert.equal(passes('Makefile', { globs: [], languages: ['makefile'] }), true);
  assert.equal(pathTest({ globs: [] }), undefined);
});

test('filters and operators narrow the same way', async (t) => {
  const { paths } = await indexed(t, { 'src/a.ts': 'ship\n', 'src/b.py': 'ship\n', 'test/a.test.ts': 'ship\n' });
  assert.deepEqual(await paths({ text: 'ship', languages: ['typescript'] }), ['src/a.ts', 'test/a.test.ts']);
  assert.deepEqual(await paths({ text: 'ship', folder: 'src' }), ['src/a.ts', 'src/b.py']);
  assert.deepEqual(await paths({ text: 'ship lang:ts -path:test' }), ['src/a.ts']);
  assert.deepEqual(await paths({ text: 'ship path:src/', globs: ['!*.ts'] }), ['src/b.py']);
});

test('filters leave as many hits as there were asked for, when as many files match', async (t) => {
  const files = Object.fromEntries(
    Array.from({ length: 600 }, (_, i) => [`${i < 40 ? 'few' : 'many'}/f${i}.ts`, `export const ship${i} = "ship";\n`]),
  );
  const { search } = await indexed(t, files);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 40 }), fc.constantFrom('few', 'many'), async (limit, folder) => {
      const { hits } = await search({ text: 'where is a ship', limit, folder });
      assert.equal(hits.length, limit);
      assert.ok(hits.every((hit) => hit.path.startsWith(`${folder}/`)));
    }),
    { numRuns: 20 },
  );
});

test('changed since a revision: commits, changes that are not in one, and files that are new', async (t) => {
  const files = { 'same.ts': 'ship\n', 'committed.ts': 'ship\n', 'edited.ts': 'ship\n' };
  const { root, index, paths, search } = await indexed(t, files);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: root, stdio: 'pipe' });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'one');
  git('tag', 'one');
  writeFileSync(join(root, 'committed.ts'), 'ship 2\n');
  git('commit', '-qam', 'two');
  writeFileSync(join(root, 'edited.ts'), 'ship 3\n');
  writeFileSync(join(root, 'new.ts'), 'ship 4\n');
  await index();
  assert.deepEqual(await paths({ text: 'ship', changedSince: 'one' }), ['committed.ts', 'edited.ts', 'new.ts']);
  assert.deepEqual(await paths({ text: 'ship changed:HEAD' }), ['edited.ts', 'new.ts']);
  for (const revision of ['nowhere', '--output=x'])
    await assert.rejects(
      search({ text: 'ship', changedSince: revision }),
      (error) => error instanceof ServiceError && error.kind === 'invalid-request' && error.param === 'changedSince',
    );
});

/** Vectors for a world with two meanings. */
function service() {
  const sent: string[][] = [];
  const embeddingModel: EmbeddingModel = {
    model: 'm',
    documentPrefix: 'code: ',
    embed: async (texts) => {
      sent.push([...texts]);
      return texts.map((text) => Float32Array.of(/ship|boat/.test(text) ? 1 : 0, /tax|price/.test(text) ? 1 : 0, 0.1));
    },
  };
  return { sent, embeddingModel };
}

test('what is like a chunk is found by its stored vector, without a request and without itself', async (t) => {
  const { sent, embeddingModel } = service();
  const files = { 'a.ts': 'const ship = 1;\n', 'b.ts': 'const boat = 2;\n', 'c.ts': 'const tax = 3;\n' };
  const { root, paths, search } = await indexed(t, files, embeddingModel);
  sent.length = 0;
  const similarTo = { root, path: 'a.ts', startLine: 1, endLine: 1 };
  assert.deepEqual(await paths({ text: 'const ship = 1;', similarTo }), ['b.ts']);
  assert.deepEqual(await paths({ text: '', similarTo }), ['b.ts'], 'without a selection, like the chunk there');
  assert.deepEqual(sent, []);
  assert.equal((await search({ text: 'ship', similarTo })).hits[0]?.path, 'b.ts');
  assert.deepEqual(sent, [['code: ship']], 'a part of a chunk is sent as a document');
});

test('without vectors, what is like a place is found by its words', async (t) => {
  const { root, paths } = await indexed(t, {
    'a.ts': 'const harbourMaster = openGate(lock);\n',
    'b.ts': 'closeGate(harbourMaster);\n',
    'c.ts': 'const other = 1;\n',
  });
  const similarTo = { root, path: 'a.ts', startLine: 1, endLine: 1 };
  assert.deepEqual((await paths({ text: '', similarTo })).slice(0, 1), ['b.ts']);
});

test('the answer says which part of the files meaning can find, until it is all of them', async (t) => {
  const { embeddingModel } = service();
  const files = { 'a.ts': 'const ship = 1;\n', 'b.ts': 'const tax = 2;\n' };
  const { root, search, index } = await indexed(t, files, embeddingModel);
  assert.equal((await search({ text: 'boat' })).indexed, undefined);
  writeFileSync(join(root, 'c.ts'), 'const other = 3;\n');
  const refused = { ...embeddingModel, allowance: 0 };
  Object.assign(embeddingModel, refused);
  await index().catch(() => undefined);
  const { by, indexed: part } = await search({ text: 'boat' });
  assert.equal(by, 'both');
  assert.equal(part, 2 / 3);
});
