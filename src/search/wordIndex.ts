import type { DatabaseSync } from 'node:sqlite';
import { matchExpression } from './words.ts';

/** A chunk that has words of the question. */
export interface WordHit {
  id: number;
  /** How well, by BM25; over 0. */
  relevance: number;
}

/** What a word counts in the path, in the names a chunk defines, and in its text. */
const columnWeights = '2, 6, 1';
/**
 * Chunks that are scored for a question. A word that would bring more than are left is not looked up: the rarer ones choose the
 * candidates, and the rules for the order look at all of them. It bounds the time, however large the index is.
 */
const scored = 8_000;

/** Chunks that have any of the words, the best first; of all files or of these. */
export function findWords(
  database: DatabaseSync,
  words: readonly string[],
  limit: number,
  files: readonly number[] | undefined,
): WordHit[] {
  if (files !== undefined) return match(database, words, limit, files);
  const rare = rarest(database, words);
  const found = match(database, rare, limit, undefined);
  return found.length < limit && rare.length < words.length ? match(database, words, limit, undefined) : found;
}

/** The words with the fewest chunks, as many as can be scored; one at least. */
function rarest(database: DatabaseSync, words: readonly string[]): string[] {
  const count = database.prepare('SELECT count(*) AS chunks FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ?)');
  const counted = words
    .map((word) => ({ word, chunks: Number(count.get(matchExpression([word]), scored)?.['chunks']) }))
    .filter(({ chunks }) => chunks > 0)
    .sort((a, b) => a.chunks - b.chunks);
  let sum = 0;
  return counted
    .filter(({ chunks }, index) => {
      sum += chunks;
      return index === 0 || sum <= scored;
    })
    .map(({ word }) => word);
}

function match(
  database: DatabaseSync,
  words: readonly string[],
  limit: number,
  files: readonly number[] | undefined,
): WordHit[] {
  if (words.length === 0) return [];
  const within =
    files === undefined ? '' : 'AND rowid IN (SELECT id FROM chunks WHERE file IN (SELECT value FROM json_each(?)))';
  const rows = database
    .prepare(
      `SELECT rowid AS id, bm25(words, ${columnWeights}) AS score FROM words
       WHERE words MATCH ? ${within} ORDER BY score LIMIT ?`,
    )
    .all(matchExpression(words), ...(files === undefined ? [] : [JSON.stringify(files)]), limit);
  return rows.map((row) => ({ id: Number(row['id']), relevance: -Number(row['score']) }));
}
