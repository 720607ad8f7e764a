import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { chunkText } from '../../../../src/search/chunker/chunker.ts';
import { pathTest } from '../../../../src/search/query/filter/queryFilter.ts';
import { openStore, type Store } from '../../../../src/search/store/store.ts';
import { indexedWords, queryWords, splitIdentifier } from '../../../../src/search/store/words.ts';
import { normalise, quantise, toRows } from '../../../../src/search/vectors/quantise.ts';
import { temporaryFolder } from '../../../support/searchFolder.ts';

const root = '/code';
const stamp = { size: 1, mtimeMs: 1 };

function put(store: Store, path: string, text: string): void {
  store.putFiles(root, [{ path, stamp, content: { hash: text, chunks: chunkText(text), lines: 0 } }]);
}

function opened(t: TestContext, directory = temporaryFolder(t)): Store {
  const store = openStore(directory);
  t.after(() => store.close());
  return store;
}

function pathsFor(store: Store, query: string, globs: string[] = []): (string | undefined)[] {
  const found = store.findWords(queryWords(query), 10, store.filesMatching([root], pathTest({ globs })));
  return found.map(({ id }) => store.chunk(id)?.path);
}

test('identifiers are found by the words they are made of, and words by their stem', (t) => {
  const store = opened(t);
  put(store, 'a.ts', 'export function parseHTTPHeaders() {}\n');
  put(store, 'b.py', 'def load_tide_table(): pass\n');
  assert.deepEqual(pathsFor(store, 'header parsing'), ['a.ts']);
  assert.deepEqual(pathsFor(store, 'loading tables'), ['b.py']);
  assert.deepEqual(pathsFor(store, 'parseHTTPHeaders'), ['a.ts']);
  assert.deepEqual(pathsFor(store, 'nothing like it'), []);
});

test('the words of a path find a file too', (t) => {
  const store = opened(t);
  put(store, 'src/tideTable.ts', 'export const x = 1;\n');
  assert.deepEqual(pathsFor(store, 'tide'), ['src/tideTable.ts']);
});

test('words that follow each other in a question are found side by side, in either order, whatever stands farther apart', (t) => {
  const store = opened(t);
  put(store, 'a.ts', 'openHarbourGate(night);\n');
  put(store, 'b.ts', 'gate of the harbour, closed\n');
  put(store, 'c.ts', 'harbour and then a long way to go to the gate\n');
  const words = ['harbour', 'gate', 'night'];
  const found = store.findAdjacent(words, store.countWords(words).withWord);
  const shares = [...found].map(([id, share]) => [store.chunk(id)?.path, share]);
  assert.deepEqual(shares, [
    ['a.ts', 1],
    ['b.ts', 0.5],
  ]);
  assert.equal(store.findAdjacent(['gate'], new Map()).size, 0);
  const common = new Map(words.map((word) => [word, 8_000]));
  assert.equal(store.findAdjacent(words, common).size, 0, 'pairs of common words are not looked up');
});

test('globs leave files out before anything is counted', (t) => {
  const store = opened(t);
  put(store, 'src/a.ts', 'retry\n');
  put(store, 'test/a.test.ts', 'retry\n');
  put(store, 'b.py', 'retry\n');
  assert.deepEqual(pathsFor(store, 'retry', ['*.py']), ['b.py']);
  assert.deepEqual(pathsFor(store, 'retry', ['src/**']), ['src/a.ts']);
});

test('no question breaks the word index', (t) => {
  const store = opened(t);
  put(store, 'a.ts', 'text\n');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (query) => {
      const words = queryWords(query);
      if (words.length > 0) store.findWords(words, 10, [1]);
      store.findAdjacent(words, store.countWords(words).withWord);
    }),
  );
});

test('identifiers are split at case, digits and underscores', () => {
  assert.deepEqual(splitIdentifier('parseHTTPHeader_v2'), ['parse', 'HTTP', 'Header', 'v2']);
  assert.equal(indexedWords('readFile(x)'), 'readFile read File(x)');
});

test('a file put again takes the place of the old one; a removed file leaves nothing to find', (t) => {
  const store = opened(t);
  put(store, 'a.ts', 'harbour\n');
  put(store, 'a.ts', 'lighthouse\n');
  assert.deepEqual(pathsFor(store, 'harbour'), []);
  assert.deepEqual(pathsFor(store, 'lighthouse'), ['a.ts']);
  store.removeFiles(root, ['a.ts']);
  assert.deepEqual(pathsFor(store, 'lighthouse'), []);
  assert.deepEqual(store.counts(), { files: 0, chunks: 0, tokens: 0 });
});

test('a text is asked for once, whatever files it stands in, and never again under another path', (t) => {
  const store = opened(t);
  put(store, 'a.ts', 'same\n');
  put(store, 'b.ts', 'same\n');
  const space = store.space('m');
  const [item, ...others] = store.itemsWithout(space);
  assert.ok(item);
  assert.equal(others.length, 0);
  assert.equal(store.amountWithout(space).chunks, 1);
  store.putVectors(space, toRows([{ hash: item.hash, vector: Float32Array.of(1, 2) }]));
  assert.equal(store.filesDone(space), 2);
  store.removeFiles(root, ['a.ts', 'b.ts']);
  put(store, 'renamed/c.ts', 'same\n');
  assert.equal(store.amountWithout(space).chunks, 0);
});

test('a model has its own vectors, and finds them again after a change and back', (t) => {
  const directory = temporaryFolder(t);
  const first = openStore(directory);
  put(first, 'a.ts', 'one\n');
  const [item] = first.itemsWithout(first.space('small'));
  assert.ok(item);
  first.putVectors(first.space('small'), toRows([{ hash: item.hash, vector: Float32Array.of(1, 0) }]));
  assert.equal(first.amountWithout(first.space('large')).chunks, 1);
  first.putVectors(first.space('large'), toRows([{ hash: item.hash, vector: Float32Array.of(0, 1, 0) }]));
  first.close();
  const again = opened(t, directory);
  for (const [model, query] of Object.entries({ small: [1, 0], large: [0, 1, 0] })) {
    const space = again.space(model);
    assert.equal(again.amountWithout(space).chunks, 0);
    const [nearest] = again.findNearest(space, Float32Array.from(query), 5, again.filesMatching([root]));
    assert.ok(nearest && nearest.cosine > 0.99);
  }
});

test('vectors of another length than before are refused, and nothing of that answer is kept', (t) => {
  const store = opened(t);
  put(store, 'a.ts', 'one\n');
  put(store, 'b.ts', 'two\n');
  const space = store.space('m');
  const [a, b] = store.itemsWithout(space);
  assert.ok(a && b);
  store.putVectors(space, toRows([{ hash: a.hash, vector: Float32Array.of(1, 2) }]));
  assert.throws(() => store.putVectors(space, toRows([{ hash: b.hash, vector: Float32Array.of(1, 2, 3) }])), {
    kind: 'malformed',
  });
  assert.equal(store.amountWithout(space).chunks, 1);
});

test('a file counts as done only when all its chunks are in', (t) => {
  const store = opened(t);
  put(store, 'long.ts', Array.from({ length: 120 }, (_, i) => `const value${i} = ${i};`).join('\n'));
  const space = store.space('m');
  const items = [...store.itemsWithout(space)];
  assert.ok(items.length > 1);
  const vectors = items.map(({ hash }) => ({ hash, vector: Float32Array.of(1, 1) }));
  store.putVectors(space, toRows(vectors.slice(1)));
  assert.equal(store.filesDone(space), 0);
  store.putVectors(space, toRows(vectors.slice(0, 1)));
  assert.equal(store.filesDone(space), 1);
});

test('two windows write into one index, and each finds what the other wrote', (t) => {
  const directory = temporaryFolder(t);
  const [one, two] = [opened(t, directory), opened(t, directory)];
  const vectorOf = (index: number): Float32Array => Float32Array.from({ length: 50 }, (_, i) => (i === index ? 1 : 0));
  for (let index = 0; index < 50; index++) {
    const store = index % 2 === 0 ? one : two;
    put(store, `${index}.ts`, `content ${index}\n`);
    const [item] = store.itemsWithout(store.space('m'));
    assert.ok(item);
    store.putVectors(store.space('m'), toRows([{ hash: item.hash, vector: vectorOf(index) }]));
  }
  for (const store of [one, two]) {
    for (let index = 0; index < 50; index++) {
      const [nearest] = store.findNearest(store.space('m'), vectorOf(index), 1, store.filesMatching([root]));
      assert.equal(store.chunk(nearest?.id ?? 0)?.path, `${index}.ts`);
    }
  }
});

test('a database that cannot be read is renamed, and a new one works', (t) => {
  const directory = temporaryFolder(t);
  writeFileSync(join(directory, 'index.db'), 'this is no database, '.repeat(300));
  const store = opened(t, directory);
  put(store, 'a.ts', 'harbour\n');
  assert.deepEqual(pathsFor(store, 'harbour'), ['a.ts']);
  assert.match(readFileSync(join(directory, 'index.db.damaged'), 'utf8'), /^this is no database/);
  assert.ok(readdirSync(directory).includes('index.db'));
});

test('a vector rounded to bytes points almost where it did', () => {
  const component = fc.float({ min: -1, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.array(component, { minLength: 64, maxLength: 64 }), (values) => {
      const vector = Float32Array.from(values);
      fc.pre(vector.some((value) => Math.abs(value) > 0.01));
      const { values: bytes, scale } = quantise(vector);
      const unit = normalise(vector);
      const cosine = unit.reduce((sum, value, index) => sum + value * (bytes[index] ?? 0) * scale, 0);
      assert.ok(cosine > 0.99, String(cosine));
    }),
  );
});
