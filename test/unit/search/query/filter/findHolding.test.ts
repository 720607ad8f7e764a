import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ServiceError } from '../../../../../src/base/errors.ts';
import type { EmbeddingModel } from '../../../../../src/search/embedding/embeddingModel.ts';
import { createEngine } from '../../../../../src/search/engine.ts';
import { withinTime } from '../../../../../src/search/query/filter/withinTime.ts';
import { temporaryFolder } from '../../../../support/searchFolder.ts';

const never = new AbortController().signal;

async function indexed(t: TestContext, files: Record<string, string>, embeddingModel?: EmbeddingModel) {
  const root = temporaryFolder(t);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const engine = createEngine(temporaryFolder(t));
  t.after(() => engine.close());
  await engine.index({ roots: [root], maxBytes: 1024 * 1024 }, embeddingModel, never, () => undefined);
  const search = (text: string) => engine.search([root], { limit: 20, globs: [], text }, embeddingModel, never);
  const paths = async (text: string) => (await search(text)).hits.map(({ path }) => path);
  return { search, paths };
}

test('a path filter sees folders that begin with a dot', async (t) => {
  const { paths } = await indexed(t, {
    'packages/curl/.github/workflows/lint.yml': 'name: ship it\n',
    'packages/curl/src/ship.c': 'int ship;\n',
    '.config/ship.ini': 'ship = 1\n',
    'src/ship.ts': 'const ship = 1;\n',
  });
  assert.deepEqual((await paths('ship -path:packages/')).sort(), ['.config/ship.ini', 'src/ship.ts']);
  assert.deepEqual((await paths('ship NOT path:packages/')).sort(), ['.config/ship.ini', 'src/ship.ts']);
  assert.deepEqual(await paths('ship path:.github/'), ['packages/curl/.github/workflows/lint.yml']);
  assert.deepEqual(await paths('ship path:workflows'), ['packages/curl/.github/workflows/lint.yml']);
  assert.deepEqual(await paths('ship path:**/*.yml'), ['packages/curl/.github/workflows/lint.yml']);
  assert.deepEqual((await paths('ship')).length, 4);
});

const harbour = {
  'gate.ts': 'export function openGate() {\n  // Open the harbour\n  // gate slowly.\n}\n',
  'lock.ts': 'export const note = "open the harbour gate";\n',
  'tide.ts': 'export function harbourTide() { return "gate of the open harbour"; }\n',
  'pydantic.py': 'def from_pydantic(model):\n    return model\n\n\ndef from_pyarrow(table):\n    return table\n',
  'usage.py': 'print(from_pydantic(1))\n',
};

test('a phrase is in every hit, and the line that has it is shown', async (t) => {
  const { search, paths } = await indexed(t, harbour);
  assert.deepEqual(await paths('"open the harbour gate"'), ['lock.ts']);
  assert.deepEqual(await paths('“the harbour” tide'), ['lock.ts', 'gate.ts'].sort().reverse());
  const { hits } = await search('"gate slowly"');
  assert.deepEqual([hits[0]?.path, hits[0]?.line, hits[0]?.preview], ['gate.ts', 3, '// gate slowly.']);
  assert.deepEqual(await paths('"open the harbour bridge"'), []);
  assert.equal((await paths('open the harbour gate')).length, 3, 'without quotes, any of the words will do');
  assert.deepEqual(await paths('"});"'), [], 'signs alone are looked for, too');
  assert.deepEqual(await paths('"gate\';"'), []);
  assert.deepEqual((await paths('"the"')).sort(), ['gate.ts', 'lock.ts', 'tide.ts']);
});

test('hits by meaning hold the phrase as well, and what must not be there is not', async (t) => {
  const asked: string[] = [];
  const model: EmbeddingModel = {
    model: 'm',
    embed: async (texts) => {
      asked.push(...texts);
      return texts.map((text) => Float32Array.of(/gate|harbour/i.test(text) ? 1 : 0, 0.1));
    },
  };
  const { paths } = await indexed(t, harbour, model);
  assert.deepEqual(await paths('waterway "gate slowly"'), ['gate.ts']);
  asked.length = 0;
  assert.deepEqual(await paths('harbour -slowly NOT "open harbour"'), ['lock.ts']);
  assert.deepEqual(asked, ['harbour'], 'what is left out is not sent');
  asked.length = 0;
  assert.deepEqual((await paths(String.raw`/from_py\w+/`)).length, 2);
  assert.deepEqual(asked, [], 'an expression means nothing to a model');
});

test('an expression finds what matches it, the declaration first', async (t) => {
  const { search, paths } = await indexed(t, harbour);
  const { hits } = await search(String.raw`/from_py\w+/`);
  assert.deepEqual([...new Set(hits.map(({ path }) => path))], ['pydantic.py', 'usage.py']);
  assert.equal(hits[0]?.line, 1);
  assert.deepEqual(await paths(String.raw`/from_py\w+/ path:usage`), ['usage.py']);
  assert.deepEqual(await paths(String.raw`model /print\(/`), ['usage.py']);
  assert.deepEqual(await paths('/nothing(like|of) this/'), []);
});

test('a symbol is where it is declared', async (t) => {
  const { paths } = await indexed(t, harbour);
  assert.deepEqual(await paths('symbol:from_pydantic'), ['pydantic.py']);
  assert.deepEqual(await paths('symbol:Gates.openGate()'), ['gate.ts']);
  assert.deepEqual(await paths('symbol:note -symbol:openGate'), ['lock.ts']);
  assert.deepEqual(await paths('symbol:slowly'), []);
});

test('an expression that does not end is ended, and the next question is answered', async (t) => {
  const { search, paths } = await indexed(t, { 'a.ts': `const text = "${'a'.repeat(60)}b";\n`, ...harbour });
  await assert.rejects(
    search('/(a+)+$/'),
    (error) => error instanceof ServiceError && error.param === 'pattern' && error.hint === 'slow',
  );
  await assert.rejects(
    search('/(open/ [x'),
    (error) => error instanceof ServiceError && error.param === 'pattern' && error.message === '(open',
  );
  assert.deepEqual(await paths('symbol:note'), ['lock.ts']);
  assert.equal(withinTime(() => 1, 1_000)?.value, 1);
  assert.throws(() => withinTime(() => assert.fail('its own'), 1_000), /its own/);
});
