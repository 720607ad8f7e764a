import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import fc from 'fast-check';
import { openVectorCache } from '../../../../src/search/embedding/vectorCache.ts';
import { quantise, toRows } from '../../../../src/search/vectors/quantise.ts';
import { packSlots, packWhole, unpackWhole } from '../../../../src/search/vectors/rowCodec.ts';
import { openVectorFiles } from '../../../../src/search/vectors/vectorFiles.ts';
import { temporaryFolder } from '../../../support/searchFolder.ts';

/** Two vectors, and the bytes in which version 0.2.0 left them: those of now are the same. */
const items = [
  { hash: new Uint8Array(32).fill(1), vector: Float32Array.of(3, -4, 0, 1.5, 0.25) },
  { hash: new Uint8Array(32).fill(2), vector: Float32Array.of(-1, 2, -3, 4, -5) },
];
const left = {
  bits: 'HQAAAAAAAAAAAAAAAAAAAAoAAAAAAAAAAAAAAAAAAAA=',
  values:
    '085JWid7xTsBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAV+BADAIAAAAAAAAAAAAAADol2n2RvStOwICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIC5zO0ZoEAAAAAAAAAAAAAAA==',
  rest: '3OTKSEAAAKHwAAAAAAAAAAAAAADrx8ovms3NmgAAAAAAAAAAAAAAAA==',
};
const leftWhole = ['q8IwyCd7xTtfgQAwCEAAAKHw', 'Im0J/0b0rTvnM7RmgZrNzZoA'];
const bytesOf = (text: string): Buffer => Buffer.from(text, 'base64');

test('files of a space as they were left are read, and are what is written now', (t) => {
  const path = join(temporaryFolder(t), 'v');
  for (const [ending, text] of Object.entries(left)) writeFileSync(`${path}.${ending}`, bytesOf(text));
  const files = openVectorFiles(path, 5);
  t.after(() => files.close());
  for (const [slot, { hash, values, scale, rest }] of toRows(items).entries()) {
    assert.deepEqual([files.check(slot), files.readHash(slot)], ['sound', hash]);
    const [read, finer] = [new Int8Array(16), new Int8Array(16)];
    assert.equal(files.readValues(slot, new Uint8Array(read.buffer), 0), Math.fround(scale));
    assert.ok(files.readRest(slot, new Uint8Array(finer.buffer), 0));
    assert.deepEqual([read, finer], [values, rest]);
  }
  files.write(0, toRows(items));
  for (const [ending, text] of Object.entries(left)) assert.deepEqual(readFileSync(`${path}.${ending}`), bytesOf(text));
});

test('vectors of the machine as they were left are found, and go into an index as they are', (t) => {
  const path = join(temporaryFolder(t), 'vectorCache.db');
  const made = openVectorCache(path);
  made.keep('a', toRows(items));
  made.close();
  const database = new DatabaseSync(path);
  const rows = database.prepare('SELECT vector FROM vectors ORDER BY id').all();
  assert.deepEqual(
    rows.map((row) => Buffer.from(row['vector'] as Uint8Array).toString('base64')),
    leftWhole,
  );
  const set = database.prepare('UPDATE vectors SET vector = ? WHERE hash = ?');
  for (const [index, { hash }] of items.entries()) set.run(bytesOf(leftWhole[index] ?? ''), hash);
  database.close();
  const cache = openVectorCache(path);
  t.after(() => cache.close());
  const found = cache.find(
    'a',
    items.map(({ hash }) => hash),
  );
  const packed = packSlots(0, 5, found);
  assert.deepEqual([packed.bits, packed.values, packed.rest], Object.values(left).map(bytesOf));
});

test('a row in one piece is the same again; with a bit turned it is none', () => {
  const vector = fc.array(fc.float({ noNaN: true, min: -1, max: 1 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(vector, fc.nat(), (values, bit) => {
      fc.pre(values.some((value) => Math.abs(value) > 0.01));
      const row = quantise(Float32Array.from(values));
      const bytes = packWhole(row);
      assert.deepEqual(unpackWhole(bytes), { ...row, scale: Math.fround(row.scale) });
      const at = bit % (bytes.length * 8);
      bytes[at >> 3] = (bytes[at >> 3] ?? 0) ^ (1 << (at & 7));
      assert.equal(unpackWhole(bytes), undefined);
    }),
  );
});

test('a row that holds no number or only zeros is none', () => {
  for (const length of [0, 3]) {
    const row = { dimensions: length, scale: Number.NaN, values: new Int8Array(16), rest: new Int8Array(16) };
    assert.equal(unpackWhole(packWhole(row)), undefined);
  }
});
