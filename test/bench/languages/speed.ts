import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Chunk } from '../../../src/search/chunker/chunker.ts';
import { asciiWords } from '../../../src/search/letters/asciiWords.ts';
import { countWords, findAdjacent, findWords } from '../../../src/search/store/wordIndex.ts';
import { indexedWords, queryWords, simpleWords } from '../../../src/search/store/words.ts';
import { type Row, toRow } from '../row.ts';

const bench = 'languages';
const wantedChunks = 100_000;
/** As many as `search/query/finder.ts` takes. */
const candidates = 200;
const rounds = 3;

/**
 * Word indexes with the words of every language and without, made by turns: what they add to building an index of all packages, and asking
 * one of 100,000 chunks. The chunks are those of the packages, again and again: nearly half have letters beyond ASCII, so that more words
 * are made of them than of any usual project.
 * @param wholeMs how long the index of these chunks takes to build, once
 */
export function speedRows(
  folder: string,
  chunks: readonly { path: string; chunk: Chunk }[],
  questions: readonly string[],
  wholeMs: number,
): Row[] {
  const ways = { with: indexedWords, without: asciiWords };
  const built = { with: [] as number[], without: [] as number[] };
  const asked = { with: 0, without: 0 };
  for (let round = 0; round < rounds; round++) {
    for (const name of ['with', 'without'] as const) {
      const database = new DatabaseSync(join(folder, `speed-${name}-${round}.db`));
      database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; CREATE VIRTUAL TABLE words USING fts5 (
        path, names, body, content = '', contentless_delete = 1, tokenize = 'porter unicode61')`);
      built[name].push(build(database, chunks, ways[name], 0, chunks.length));
      if (round === rounds - 1) {
        build(database, chunks, ways[name], chunks.length, wantedChunks);
        asked[name] = medianTime(database, questions);
      }
      database.close();
    }
  }
  const peer = (value: number) => ({ name: 'without the words of every language', value });
  const added = Math.min(...built.with) - Math.min(...built.without);
  return [
    toRow({
      bench,
      metric: 'index of all packages: built in',
      value: wholeMs,
      unit: 'ms',
      peer: peer(wholeMs - added),
      goal: { of: 'ratio', is: '<=', bound: 1.15 },
    }),
    toRow({
      bench,
      metric: 'word index of 100,000 chunks: query p50',
      value: asked.with,
      unit: 'ms',
      peer: peer(asked.without),
    }),
  ];
}

function build(
  database: DatabaseSync,
  chunks: readonly { path: string; chunk: Chunk }[],
  words: (text: string) => string,
  from: number,
  to: number,
): number {
  const add = database.prepare('INSERT INTO words (rowid, path, names, body) VALUES (?, ?, ?, ?)');
  const start = performance.now();
  database.exec('BEGIN');
  for (let id = from + 1; id <= to; id++) {
    const { path, chunk } = chunks[id % chunks.length] as (typeof chunks)[number];
    add.run(id, words(path), words([...chunk.enclosing, ...chunk.names].join('\n')), words(chunk.text));
  }
  database.exec('COMMIT');
  return performance.now() - start;
}

/** The median over the questions of the shortest time that each took. */
function medianTime(database: DatabaseSync, questions: readonly string[]): number {
  const times = questions.map((question) => {
    let least = Number.POSITIVE_INFINITY;
    for (let round = 0; round < rounds; round++) {
      const start = performance.now();
      const words = queryWords(question);
      const counts = countWords(database, words);
      findAdjacent(database, simpleWords(question), counts);
      findWords(database, words, candidates, undefined, counts);
      least = Math.min(least, performance.now() - start);
    }
    return least;
  });
  return times.sort((a, b) => a - b)[times.length >> 1] ?? Number.NaN;
}
