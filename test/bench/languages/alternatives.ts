import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Chunk } from '../../../src/search/chunker/chunker.ts';
import { quoted } from '../../../src/search/store/words.ts';
import { hitsLooked } from '../retrieval/baselines.ts';
import type { Hit } from '../retrieval/measure.ts';

/** A way to cut texts without blanks into words. */
export type Splitter = (run: string) => string[];

const runs = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}ー\p{M}]+/gu;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Ways that search engines have: none, pairs of letters (Lucene's CJKAnalyzer), and ICU's words. */
export const splitters: Readonly<Record<string, Splitter>> = {
  'runs as they are': (run) => [run],
  'pairs of letters': (run) => {
    const letters = [...run.replace(/\p{M}/gu, '')];
    return letters.length < 2 ? letters : letters.slice(1).map((letter, at) => `${letters[at]}${letter}`);
  },
  'words by ICU': (run) => [...segmenter.segment(run)].map(({ segment }) => segment.replace(/\p{M}/gu, '')),
};

/** A word index alone, without any rule of ranking. */
export interface WordTable {
  buildMs: number;
  bytes: number;
  find(text: string): Hit[];
  close(): void;
}

/** Writes and opens such an index over chunks, in a folder. */
export function makeTable(
  folder: string,
  name: string,
  split: Splitter,
  chunks: readonly { path: string; chunk: Chunk }[],
): WordTable {
  const path = join(folder, `${name}.db`);
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
    CREATE VIRTUAL TABLE words USING fts5 (body, content = '', tokenize = 'porter unicode61')`);
  const add = database.prepare('INSERT INTO words (rowid, body) VALUES (?, ?)');
  const plain = (text: string): string => text.normalize('NFKC').replace(runs, (run) => ` ${split(run).join(' ')} `);
  const start = performance.now();
  database.exec('BEGIN');
  for (const [id, { chunk }] of chunks.entries()) add.run(id + 1, plain(chunk.text));
  database.exec('COMMIT');
  const buildMs = performance.now() - start;
  const query = database.prepare(
    `SELECT rowid AS id FROM words WHERE words MATCH ? ORDER BY bm25(words) LIMIT ${hitsLooked}`,
  );
  return {
    buildMs,
    bytes: statSync(path).size,
    find(text) {
      const words = plain(text).match(/[\p{L}\p{N}]+/gu) ?? [];
      if (words.length === 0) return [];
      return query.all(words.map(quoted).join(' OR ')).flatMap(({ id }) => {
        const found = chunks[Number(id) - 1];
        return found ? { path: found.path, startLine: found.chunk.startLine, endLine: found.chunk.endLine } : [];
      });
    },
    close: () => database.close(),
  };
}
