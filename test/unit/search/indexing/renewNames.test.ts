import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { type Chunk, chunkFile, namesVersion, textHash } from '../../../../src/search/chunker/chunker.ts';
import { scanAll, scanSome } from '../../../../src/search/indexing/scan.ts';
import { openStore, type Store } from '../../../../src/search/store/store.ts';
import type { Scope } from '../../../../src/workspace/fileFilter.ts';
import { temporaryFolder } from '../../../support/searchFolder.ts';

const method = (name: string): string =>
  `  ${name}(): void {\n${'    this.value = compute(this.value);\n'.repeat(25)}  }\n\n`;
const files: Record<string, string> = {
  'ledger.ts': `export class Ledger {\n${['open', 'close', 'count', 'store'].map(method).join('')}}\n`,
  'gate.lua': 'function M.find(list, key)\n  return list[key]\nend\n',
  'shop.rb': 'class Shop\n  def self.call(env)\n    env\n  end\nend\n',
};
const never = new AbortController().signal;

/** An index of the files above, as an older version left it: other names, and no word on their version. */
async function oldIndex(t: TestContext) {
  const [root, directory] = [temporaryFolder(t), temporaryFolder(t)];
  for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text);
  const scope: Scope = { roots: [root], maxBytes: 1e6 };
  const store = openStore(directory);
  t.after(() => store.close());
  await scanAll(store, scope, never, () => undefined);
  const database = new DatabaseSync(join(directory, 'index.db'));
  t.after(() => database.close());
  const age = (): void => {
    for (const row of database.prepare('SELECT id FROM chunks').all()) {
      const id = Number(row['id']);
      database.prepare("UPDATE chunks SET names = 'zzold' WHERE id = ?").run(id);
      database.prepare('DELETE FROM words WHERE rowid = ?').run(id);
      database.prepare("INSERT INTO words (rowid, path, names, body) VALUES (?, 'p', 'zzold', 'b')").run(id);
    }
    database.exec("DELETE FROM meta WHERE name = 'names'");
  };
  age();
  const rows = (): unknown[] => database.prepare('SELECT id, file, hash, start_line FROM chunks ORDER BY id').all();
  const named = (word: string): number =>
    database.prepare('SELECT rowid FROM words WHERE words MATCH ?').all(`names: ${word}`).length;
  return { scope, store, rows, named, age, root };
}

/** The names of the chunk at a line. */
function namesAt(store: Store, root: string, path: string, line: number): readonly string[] {
  const id = store.chunksAt({ root, path, startLine: line, endLine: line })[0]?.id ?? 0;
  return store.outline(id)?.names ?? [];
}

test('the names of an older index are renewed by a scan; its chunks, and so their vectors, stay', async (t) => {
  const { scope, store, rows, named, root } = await oldIndex(t);
  const before = rows();
  assert.equal(named('zzold'), before.length);
  await scanAll(
    store,
    scope,
    never,
    () => undefined,
    () => true,
  );
  assert.deepEqual(rows(), before);
  assert.equal(named('zzold'), 0);
  assert.equal(named('find'), 1);
  assert.deepEqual(namesAt(store, root, 'gate.lua', 1), ['find']);
  assert.deepEqual(namesAt(store, root, 'shop.rb', 1), ['Shop', 'call']);
  assert.ok(namesAt(store, root, 'ledger.ts', 1).includes('Ledger'));
  assert.equal(store.meta('names'), String(namesVersion));
});

test('a scan that was interrupted leaves the names old, and the next one renews them', async (t) => {
  const { scope, store, named } = await oldIndex(t);
  const stop = new AbortController();
  const stopped = scanAll(store, scope, stop.signal, ({ phase }) => phase === 'reading' && stop.abort());
  await assert.rejects(stopped, { kind: 'cancelled' });
  assert.equal(store.meta('names'), undefined);
  assert.ok(named('zzold') > 0);
  await scanAll(store, scope, never, () => undefined);
  assert.equal(named('zzold'), 0);
});

test('a file that a save reads again for its names alone is not new, so nothing of it is sent', async (t) => {
  const { scope, store, root, named } = await oldIndex(t);
  assert.deepEqual(await scanSome(store, scope, [join(root, 'gate.lua')], never), []);
  assert.equal(named('find'), 1);
});

test('a file that was cut at other borders keeps them while its names are renewed, whichever texts have vectors', async (t) => {
  const { scope, store, rows, age, root } = await oldIndex(t);
  const path = 'ledger.ts';
  const text = files[path] ?? '';
  const best = await chunkFile(path, text);
  assert.ok(best.length > 2);
  // The border between the first two chunks is a line higher than the best one.
  const [first, second] = best as [Chunk, Chunk];
  const border = first.text.lastIndexOf('\n', first.text.length - 120) + 1;
  const moved = [
    { ...first, text: first.text.slice(0, border) },
    { ...second, text: first.text.slice(border) + second.text },
    ...best.slice(2),
  ];
  const known = store.known(root, path);
  assert.ok(known?.hash !== undefined);
  const stamp = { size: known.size, mtimeMs: known.mtimeMs };
  store.putFiles(root, [{ path, stamp, content: { hash: known.hash, chunks: moved, lines: 1 } }]);
  age();
  const hashes = (): Set<string> =>
    new Set((rows() as { hash: Uint8Array }[]).map(({ hash }) => Buffer.from(hash).toString('hex')));
  const before = hashes();
  assert.ok(before.has(Buffer.from(textHash(moved[0]?.text ?? '')).toString('hex')));
  await scanAll(
    store,
    scope,
    never,
    () => undefined,
    () => false,
  );
  assert.deepEqual(hashes(), before);
});

test('a file of which a secret is left out gets no text that is new to the index, however it would be cut today', async (t) => {
  const { scope, store, rows, age, root } = await oldIndex(t);
  const path = 'ledger.ts';
  const plain = files[path] ?? '';
  const [, where] = (await chunkFile(path, plain)) as [Chunk, Chunk];
  const middle = plain.indexOf(where.text) + where.text.indexOf('\n', where.text.length / 2) + 1;
  const text = `${plain.slice(0, middle)}    this.key = 'AKIA${'QWERTYUI98765432'}';\n${plain.slice(middle)}`;
  writeFileSync(join(root, path), text);
  await scanAll(store, scope, never, () => undefined);
  const known = store.known(root, path);
  assert.ok(known?.hash !== undefined);
  // The border between the first chunk and the one with the secret was a line higher.
  const [first, second, ...others] = (await chunkFile(path, text)) as [Chunk, Chunk, ...Chunk[]];
  assert.ok(second.text.includes('AKIA'));
  const border = first.text.lastIndexOf('\n', first.text.length - 120) + 1;
  const moved = { ...first, text: first.text.slice(0, border) };
  const stamp = { size: known.size, mtimeMs: known.mtimeMs };
  store.putFiles(root, [{ path, stamp, content: { hash: known.hash, chunks: [moved, ...others], lines: 1 } }]);
  age();
  const hashes = (): string[] =>
    (rows() as { hash: Uint8Array }[]).map(({ hash }) => Buffer.from(hash).toString('hex')).sort();
  const before = hashes();
  await scanAll(store, scope, never, () => undefined);
  assert.deepEqual(hashes(), before);
});
