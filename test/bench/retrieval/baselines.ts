import { DatabaseSync } from 'node:sqlite';
import type { Chunk } from '../../../src/search/chunker/chunker.ts';
import type { Hit } from './measure.ts';
import {
  candidates,
  columnWeights,
  definedNames,
  indexedWords,
  mostScored,
  type Outline,
  queryWords,
  rankBefore,
} from './rulesBefore.ts';

/** Finds chunks for a question, the best first. */
export type Finder = (text: string) => Hit[];

/** What Parley is held against, over the same chunks. */
export interface Baselines {
  /** FTS5's BM25 over the texts, identifiers split, words stemmed. */
  fts5: Finder;
  /** Files by how often any of the words occurs in them, in any case and within words: what a text search shows. */
  counted: Finder;
  /** The ranking of version 0.4. */
  rulesBefore: Finder;
  close(): void;
}

/** Hits that are looked at: enough for ten files. */
export const hitsLooked = 60;

/** Writes what the baselines need of a project; without guarding it against a crash. */
export function writeBaselines(path: string): { add(path: string, chunks: readonly Chunk[]): void; close(): void } {
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
    CREATE TABLE chunks (id INTEGER PRIMARY KEY, path TEXT, start_line INTEGER, end_line INTEGER, names TEXT, text TEXT);
    CREATE VIRTUAL TABLE plain USING fts5 (body, content = '', tokenize = 'porter unicode61');
    CREATE VIRTUAL TABLE words USING fts5 (path, names, body, content = '', tokenize = 'porter unicode61');
    BEGIN`);
  const addChunk = database.prepare('INSERT INTO chunks VALUES (NULL, ?, ?, ?, ?, ?)');
  const addPlain = database.prepare('INSERT INTO plain (rowid, body) VALUES (?, ?)');
  const addWords = database.prepare('INSERT INTO words (rowid, path, names, body) VALUES (?, ?, ?, ?)');
  return {
    add(path, chunks) {
      for (const { startLine, endLine, text, enclosing } of chunks) {
        const names = definedNames(text).join('\n');
        const id = addChunk.run(path, startLine, endLine, names, text).lastInsertRowid;
        const body = indexedWords(text);
        addPlain.run(id, body);
        addWords.run(id, indexedWords(path), indexedWords(`${enclosing.join('\n')}\n${names}`), body);
      }
    },
    close() {
      database.exec('COMMIT');
      database.close();
    },
  };
}

/** The baselines over what was written of a project. */
export function openBaselines(path: string): Baselines {
  const database = new DatabaseSync(path, { readOnly: true });
  const chunks = new Map<number, Outline & Hit>();
  for (const row of database.prepare('SELECT id, path, start_line, end_line, names FROM chunks').all()) {
    const id = Number(row['id']);
    const names = String(row['names']).split('\n').filter(Boolean);
    const [startLine, endLine] = [Number(row['start_line']), Number(row['end_line'])];
    chunks.set(id, { id, path: String(row['path']), startLine, endLine, names });
  }
  const hitsOf = (ids: readonly number[]): Hit[] => ids.slice(0, hitsLooked).flatMap((id) => chunks.get(id) ?? []);
  const plain = database.prepare(
    `SELECT rowid AS id FROM plain WHERE plain MATCH ? ORDER BY bm25(plain) LIMIT ${hitsLooked}`,
  );
  const weighted = database.prepare(
    `SELECT rowid AS id, bm25(words, ${columnWeights}) AS score FROM words WHERE words MATCH ? ORDER BY score LIMIT ${candidates}`,
  );
  const count = database.prepare('SELECT count(*) AS chunks FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ?)');
  const match = (words: readonly string[]): { id: number; relevance: number }[] =>
    words.length === 0
      ? []
      : weighted.all(expression(words)).map((row) => ({ id: Number(row['id']), relevance: -Number(row['score']) }));

  function rarest(words: readonly string[]): string[] {
    let sum = 0;
    return words
      .map((word) => ({ word, chunks: Number(count.get(expression([word]), mostScored)?.['chunks']) }))
      .filter(({ chunks }) => chunks > 0)
      .sort((a, b) => a.chunks - b.chunks)
      .filter(({ chunks }, index) => {
        sum += chunks;
        return index === 0 || sum <= mostScored;
      })
      .map(({ word }) => word);
  }

  let counter: Finder | undefined;
  return {
    fts5: (text) => {
      const words = queryWords(text);
      return words.length === 0 ? [] : hitsOf(plain.all(expression(words)).map((row) => Number(row['id'])));
    },
    counted(text) {
      counter ??= countWords(database);
      return counter(text);
    },
    rulesBefore(text) {
      const words = queryWords(text);
      const rare = rarest(words);
      const few = match(rare);
      const hits = few.length < candidates && rare.length < words.length ? match(words) : few;
      return hitsOf(rankBefore(text, hits, (id) => chunks.get(id)));
    },
    close: () => database.close(),
  };
}

const expression = (words: readonly string[]): string => words.map((word) => `"${word}"`).join(' OR ');

/** By a list of all the words of the project: a word of the question counts wherever one of them contains it. */
function countWords(database: DatabaseSync): Finder {
  const words = new Map<string, Map<string, number>>();
  for (const row of database.prepare('SELECT path, text FROM chunks').all()) {
    const path = String(row['path']);
    for (const word of String(row['text'])
      .toLowerCase()
      .match(/[\p{L}\p{N}_$]+/gu) ?? []) {
      const files = words.get(word) ?? new Map<string, number>();
      words.set(word, files);
      files.set(path, (files.get(path) ?? 0) + 1);
    }
  }
  return (text) => {
    const counts = new Map<string, number>();
    for (const asked of queryWords(text)) {
      for (const [word, files] of words) {
        if (!word.includes(asked)) continue;
        for (const [path, count] of files) counts.set(path, (counts.get(path) ?? 0) + count);
      }
    }
    const ranked = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    return ranked.slice(0, hitsLooked).map(([path]) => ({ path, startLine: 0, endLine: 0 }));
  };
}
