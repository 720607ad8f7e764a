import type { DatabaseSync } from 'node:sqlite';
import { compoundMark, compoundQuery } from '../letters/compounds.ts';
import { query } from './rows.ts';
import { matchExpression, quoted } from './words.ts';

/** A chunk that contains words of the question. */
export interface WordHit {
  id: number;
  /** BM25 relevance, over 0. */
  relevance: number;
}

/** How often words stand in the index. */
export interface WordCounts {
  /** The number of chunks, about. */
  readonly chunks: number;
  /** The number of chunks with each word, in lower case. */
  readonly withWord: ReadonlyMap<string, number>;
}

/** BM25 weights of a word in the path, in the names a chunk defines, and in its text. */
export const columnWeights = '2, 6, 1';
/**
 * Limit of chunks scored for a question, which bounds the time however large the index is. A word with more chunks than
 * are left is not looked up: the rarer words choose the candidates, and ranking looks at all words.
 */
const scored = 8_000;

/** Chunks that have any of the words, the best first; of all files or of these. */
export function findWords(
  database: DatabaseSync,
  words: readonly string[],
  limit: number,
  files: readonly number[] | undefined,
  counts: ReadonlyMap<string, number> = countWords(database, words),
): WordHit[] {
  const others = othersOf.get(counts);
  const expressionOf = (some: readonly string[]): string => matchExpression(some, (word) => others?.get(word) ?? []);
  if (files !== undefined) return match(database, expressionOf(words), limit, files);
  const rare = rarest(words, counts);
  const found = match(database, expressionOf(rare), limit, undefined);
  const isMore = found.length < limit && rare.length < words.length;
  return isMore ? match(database, expressionOf(words), limit, undefined) : found;
}

/** The most pairs of words that are looked up: code that is searched for has hundreds. */
const mostPairs = 12;
/** The most words that stand between two that are side by side. */
const between = 2;

/**
 * The chunks in which words that follow each other in a question stand side by side, in either order, and the share of those pairs
 * that each chunk has. A pair of two common words is passed over: to look it up takes as long as the index is large.
 */
export function findAdjacent(
  database: DatabaseSync,
  words: readonly string[],
  counts: ReadonlyMap<string, number>,
): Map<number, number> {
  const find = query(database, 'SELECT rowid AS id FROM words WHERE words MATCH ? LIMIT ?', { id: 'number' });
  const isRare = (word: string): boolean => (counts.get(word) ?? 0) < scored;
  const pairs = words.slice(1, mostPairs + 1).map((word, at) => [words[at] ?? '', word] as const);
  const shares = new Map<number, number>();
  for (const pair of pairs) {
    if (!pair.some(isRare)) continue;
    for (const { id } of find.all(`NEAR(${pair.map(quoted).join(' ')}, ${between})`, scored)) {
      shares.set(id, (shares.get(id) ?? 0) + 1 / pairs.length);
    }
  }
  return shares;
}

/** The number of chunks with each word, or with other forms of it; of a word with more than can be scored, as many as can be. */
export function countWords(database: DatabaseSync, words: readonly string[]): Map<string, number> {
  const count = query(database, countSql, { chunks: 'number' });
  const countOf = (expression: string, most = scored): number => count.one(expression, most).chunks;
  const counts = new Map(words.map((word) => [word, countOf(matchExpression([word]))]));
  const others = compoundsOf(counts, countOf);
  for (const [word, forms] of others) counts.set(word, countOf(matchExpression([word], () => forms)));
  othersOf.set(counts, others);
  return counts;
}

/** What stands for words of a question besides, by the counts that were made for it. */
const othersOf = new WeakMap<ReadonlyMap<string, number>, ReadonlyMap<string, readonly string[]>>();

/**
 * The other forms and the compounds of words, in texts of German and the like; most indexes have none. A word that many chunks have as it
 * is needs no others; and where it stands in other texts far more often, it is one of English that a few of those have, too.
 */
function compoundsOf(
  counts: ReadonlyMap<string, number>,
  countOf: (expression: string, most?: number) => number,
): ReadonlyMap<string, readonly string[]> {
  const forms = new Map<string, readonly string[]>();
  const all = countOf(quoted(compoundMark), enough);
  for (const [word, own] of counts) {
    // To look forms up takes longer than a word, so it is not done in vain.
    const expressions = own >= enough || own * leastOthers > all ? [] : compoundQuery(word);
    if (all === 0 || expressions.length === 0) continue;
    const others = countOf(expressions.join(' OR '), enough);
    if (others > 0 && others >= own * leastOthers) forms.set(word, expressions);
  }
  return forms;
}

/** The least chunks with other forms of a word, as a share of those that have it as it is. */
const leastOthers = 0.5;
/** As many chunks as a word needs, to be found well by itself; as many as ranking looks at. */
const enough = 200;
const countSql = 'SELECT count(*) AS chunks FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ?)';

/** The words with the fewest chunks, as many as can be scored; one at least. */
function rarest(words: readonly string[], counts: ReadonlyMap<string, number>): string[] {
  const counted = words
    .map((word) => ({ word, chunks: counts.get(word) ?? 0 }))
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
  expression: string,
  limit: number,
  files: readonly number[] | undefined,
): WordHit[] {
  if (expression === '') return [];
  // With `+`, SQLite looks up the words first. By the rowid, it would begin the look-up anew for every chunk of the files: 18 s for 12,000.
  const within =
    files === undefined ? '' : 'AND +rowid IN (SELECT id FROM chunks WHERE file IN (SELECT value FROM json_each(?)))';
  const rows = query(
    database,
    `SELECT rowid AS id, bm25(words, ${columnWeights}) AS score FROM words
     WHERE words MATCH ? ${within} ORDER BY score LIMIT ?`,
    { id: 'number', score: 'number' },
  ).all(expression, ...(files === undefined ? [] : [JSON.stringify(files)]), limit);
  return rows.map(({ id, score }) => ({ id, relevance: -score }));
}
