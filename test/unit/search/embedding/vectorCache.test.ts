import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { openVectorCache, type VectorCache } from '../../../../src/search/embedding/vectorCache.ts';
import { toRows } from '../../../../src/search/vectors/quantise.ts';
import { temporaryFolder } from '../../../support/searchFolder.ts';

const hash = (text: string): Uint8Array => Buffer.from(text.padEnd(32, '.'));

function open(t: TestContext, path: string, limit?: number): VectorCache {
  const opened = openVectorCache(path, limit);
  t.after(() => opened.close());
  return opened;
}

test('a vector is found again under its source alone, as good as it was', (t) => {
  const path = join(temporaryFolder(t), 'deep', 'vectorCache.db');
  const vector = Float32Array.from({ length: 300 }, (_, i) => Math.sin(i * 7));
  open(t, path).keep('a', toRows([{ hash: hash('x'), vector }]));
  const other = open(t, path);
  const [found] = other.find('a', [hash('y'), hash('x')]);
  assert.deepEqual(found?.hash, hash('x'));
  const length = Math.hypot(...vector);
  const kept = (i: number): number => ((found?.values[i] ?? 0) + (found?.rest[i] ?? 0) / 254) * (found?.scale ?? 0);
  const errors = vector.map((value, i) => Math.abs(value / length - kept(i)));
  assert.ok(Math.max(...errors) < 1e-5);
  assert.deepEqual(other.find('b', [hash('x')]), []);
});

test('two windows write and read at the same time', (t) => {
  const path = join(temporaryFolder(t), 'vectorCache.db');
  const [one, two] = [open(t, path), open(t, path)];
  assert.equal(two.knows('a'), false);
  const hashes = Array.from({ length: 20 }, (_, i) => hash(String(i)));
  for (const [i, each] of hashes.entries())
    (i % 2 ? one : two).keep('a', toRows([{ hash: each, vector: Float32Array.of(i, 1) }]));
  assert.deepEqual([one.find('a', hashes).length, two.find('a', hashes).length], [20, 20]);
  assert.equal(two.clear(), true);
  assert.deepEqual([one.find('a', hashes), one.knows('a')], [[], false]);
});

test('says so where the vectors cannot be deleted, as another window writes, and they are there still', (t) => {
  const path = join(temporaryFolder(t), 'vectorCache.db');
  const [one, writer] = [open(t, path), new DatabaseSync(path)];
  t.after(() => writer.close());
  one.keep('a', toRows([{ hash: hash('x'), vector: Float32Array.of(1, 2) }]));
  writer.exec('BEGIN IMMEDIATE');
  assert.equal(one.clear(), false);
  writer.exec('COMMIT');
  assert.equal(one.find('a', [hash('x')]).length, 1);
  assert.equal(one.clear(), true);
  assert.equal(one.hasAny(), false);
});

test('a model that now gives another length has only its new vectors', (t) => {
  const paid = open(t, join(temporaryFolder(t), 'vectorCache.db'));
  paid.keep('a', toRows([{ hash: hash('x'), vector: Float32Array.of(1, 2, 3) }]));
  paid.keep('a', toRows([{ hash: hash('y'), vector: Float32Array.of(1, 2) }]));
  assert.deepEqual(
    paid.find('a', [hash('x'), hash('y')]).map((found) => found.dimensions),
    [2],
  );
});

test('over the limit the oldest are dropped', (t) => {
  const paid = open(t, join(temporaryFolder(t), 'vectorCache.db'), 512 * 1024);
  const hashes = Array.from({ length: 500 }, (_, i) => hash(String(i)));
  for (const each of hashes) paid.keep('a', toRows([{ hash: each, vector: new Float32Array(1_000).fill(1) }]));
  const kept = paid.find('a', hashes).map((found) => hashes.indexOf(found.hash));
  assert.ok(kept.length > 100 && kept.length < 400, String(kept.length));
  assert.equal(kept.at(-1), 499);
  assert.equal(kept[0], 500 - kept.length, 'what is left is the newest');
});

test('a damaged file costs what it held and nothing else', (t) => {
  const path = join(temporaryFolder(t), 'vectorCache.db');
  writeFileSync(path, 'no database at all, and longer than the header of one would be. '.repeat(20));
  const first = open(t, path);
  const vectors = [{ hash: hash('x'), vector: Float32Array.of(1) }];
  first.keep('a', toRows(vectors));
  assert.deepEqual(first.find('a', [hash('x')]), []);
  const second = open(t, path);
  second.keep('a', toRows(vectors));
  assert.equal(second.find('a', [hash('x')]).length, 1);
});

test('a place where nothing can be written costs nothing', (t) => {
  const file = join(temporaryFolder(t), 'file');
  writeFileSync(file, '');
  const paid = open(t, join(file, 'vectorCache.db'));
  paid.keep('a', toRows([{ hash: hash('x'), vector: Float32Array.of(1) }]));
  assert.deepEqual(paid.find('a', [hash('x')]), []);
});
