import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { stem } from '../../../../src/search/store/stem.ts';
import { splitIdentifier } from '../../../../src/search/store/words.ts';

const packages = join(import.meta.dirname, '../../../../node_modules');

/** Where FTS5 has a quirk of its own: [word, its stem in FTS5, ours]. */
const quirks: readonly [word: string, inIndex: string, ours: string][] = [
  // It takes `yy` for a double consonant, of which one goes.
  ['yyed', 'y', 'yy'],
  // It counts bytes: this word has three.
  ['жs', 'ж', 'жs'],
];

/** The words of the identifiers and texts of many packages, in lower case. */
function vocabulary(): string[] {
  const words = new Set<string>();
  for (const path of globSync('*/{README.md,*.js,{lib,dist,src}/*.js}', { cwd: packages }).sort().slice(0, 1_500)) {
    const text = readFileSync(join(packages, path), 'utf8').slice(0, 100_000);
    for (const [identifier] of text.matchAll(/[a-z0-9_$]+/gi)) {
      for (const word of [identifier, ...splitIdentifier(identifier)]) {
        if (/^[a-z0-9]+$/i.test(word)) words.add(word.toLowerCase());
      }
    }
  }
  return [...words];
}

/** What FTS5 makes of each word. */
function inIndex(words: readonly string[]): Map<string, string> {
  const database = new DatabaseSync(':memory:');
  database.exec(`
    CREATE VIRTUAL TABLE texts USING fts5 (body, tokenize = 'porter unicode61');
    CREATE VIRTUAL TABLE terms USING fts5vocab (texts, 'instance');
  `);
  const add = database.prepare('INSERT INTO texts (rowid, body) VALUES (?, ?)');
  database.exec('BEGIN');
  for (const [index, word] of words.entries()) add.run(index, word);
  database.exec('COMMIT');
  const rows = database.prepare('SELECT doc, term FROM terms').all();
  database.close();
  return new Map(rows.map(({ doc, term }) => [words[Number(doc)] ?? '', String(term)]));
}

test('a word has the stem that the word index has for it', () => {
  const words = vocabulary();
  assert.ok(words.length > 20_000, `only ${words.length} words`);
  const stems = inIndex(words);
  assert.equal(stems.size, words.length);
  const others = words.filter((word) => stem(word) !== stems.get(word) && !quirks.some(([quirk]) => quirk === word));
  assert.deepEqual(others, []);
});

test('the few words that have another stem are known', () => {
  const stems = inIndex(quirks.map(([word]) => word));
  assert.deepEqual(
    quirks.map(([word]) => [word, stems.get(word), stem(word)]),
    quirks,
  );
});
