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
 * A word index of 100,000 chunks with the words of every language and without, by turns: building it, and asking it. The chunks are those
 * of the packages, again and again; most have letters beyond ASCII, so that more words are made of them than of any usual project.
 */
export function speedRows(
  folder: string,
  chunks: readonly { path: string; chunk: Chunk }[],
  questions: readonly string[],
): Row[] {
  const ways = { with: indexedWords, without: asciiWords };
  const built = { with: [] as number[], without: [] as number[] };
  const asked = { with: 0, without: 0 };
  for (let round = 0; round < rounds; round++) {
    for (const name of ['with', 'without'] as const) {
      const database = new DatabaseSync(join(folder, `speed-${name}-${round}.db`));
      database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; CREATE VIRTUAL TABLE words USING fts5 (
        path, names, body, content = '', contentless_delete = 1, tokenize = 'porter unicode61')`);
      built[name].push(build(database, chunks, ways[name]));
      if (round === rounds - 1) asked[name] = medianTime(database, questions);
      database.close();
    }
  }
  const peer = (value: number) => ({ name: 'without the words of every language', value });
  return [
    toRow({
      bench,
      metric: 'word index of 100,000 chunks: built in',
      value: Math.min(...built.with),
      unit: 'ms',
      peer: peer(Math.min(...built.without)),
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
): number {
  const add = database.prepare('INSERT INTO words (rowid, path, names, body) VALUES (?, ?, ?, ?)');
  const start = performance.now();
  database.exec('BEGIN');
  for (let id = 1; id <= wantedChunks; id++) {
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
