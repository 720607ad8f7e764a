import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { query } from '../../../../src/search/store/rows.ts';
import { storageReason } from '../../../../src/search/store/storageError.ts';

function opened(t: TestContext): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  t.after(() => database.close());
  database.exec("CREATE TABLE t (id INTEGER, name, data); INSERT INTO t VALUES (1, 'a', x'01'), (2, NULL, x'02')");
  return database;
}

test('a row has its columns, in their types', (t) => {
  const columns = { id: 'number', name: 'text?', data: 'blob' } as const;
  const rows = query(opened(t), 'SELECT * FROM t WHERE id >= ? ORDER BY id', columns);
  const [first, second] = rows.all(1);
  const sum: number = (first?.id ?? 0) + (second?.id ?? 0);
  assert.deepEqual([sum, first?.name, second?.name, second?.data], [3, 'a', null, Uint8Array.of(2)]);
  assert.deepEqual(rows.get(2), { id: 2, name: null, data: Uint8Array.of(2) });
  assert.equal(rows.get(3), undefined);
  assert.throws(() => rows.one(3), /No row/);
});

test('a column that the query does not give is said, and is no NaN', (t) => {
  assert.throws(() => query(opened(t), 'SELECT id FROM t', { files: 'number' }).one(), /No column files in: SELECT id/);
});

test('a value of another kind is damage of the disk', (t) => {
  const database = opened(t);
  for (const kind of ['text', 'number', 'blob', 'number?'] as const) {
    const read = (): unknown =>
      query(database, `SELECT ${kind === 'number?' ? "'x'" : 'NULL'} AS v`, { v: kind }).all();
    assert.throws(read, (error) => storageReason(error) === 'damaged', kind);
  }
  assert.deepEqual({ ...query(database, 'SELECT NULL AS v', { v: 'any' }).one() }, { v: null });
});
