import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Chunk, chunkFile, chunkText } from '../../../../src/search/chunker/chunker.ts';

const method = (at: number): string => `    fun open${at}(pier: Int): Int {\n        return pier + ${at}\n    }\n\n`;
const sound = `class Ledger {\n${Array.from({ length: 60 }, (_, at) => method(at)).join('')}}\n`;
const textOf = (chunks: readonly Chunk[]): string => chunks.map(({ text }) => text).join('');

test('a text past the bounds of a grammar is cut without it, and the next text as if nothing had been', async () => {
  const wanted = await chunkFile('a.kt', sound);
  assert.deepEqual(wanted[1]?.enclosing, ['class Ledger']);
  const nested = '"${'.repeat(1_100);
  // Each time, the parser left something of its stack behind.
  for (let count = 0; count < 300; count++) assert.equal(textOf(await chunkFile('a.kt', nested)), nested);
  assert.deepEqual(await chunkFile('a.kt', nested), chunkText(nested, undefined, 'a.kt'));
  assert.deepEqual(await chunkFile('a.kt', sound), wanted);
});

test('a text whose every step reads to its end is given up', async () => {
  const endless = 'def a = { case x: (a => b) => if (x) <b> '.repeat(6_000);
  assert.deepEqual(await chunkFile('a.scala', endless), chunkText(endless, undefined, 'a.scala'));
});

test('dense Kotlin is cut by its structure: its grammar takes more steps than others', async () => {
  const load = (at: number): string =>
    `    suspend fun load${at}(id: Int, name: String?): List<Int> = withContext(io) {
        val found = store.find { it.id == id && it.name != name }?.let { listOf(it) } ?: emptyList()
        found.map { it.copy(count = it.count + ${at}) }.filter { it.count > 0 }
    }\n\n`;
  const dense = `class Ledger(private val store: Store) {\n${Array.from({ length: 120 }, (_, at) => load(at)).join('')}}\n`;
  assert.deepEqual((await chunkFile('a.kt', dense))[1]?.enclosing, ['class Ledger']);
});
