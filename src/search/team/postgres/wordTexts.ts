import type { WordCounts } from '../../store/wordIndex.ts';
import type { WordText } from '../indexStore.ts';
import { byText, placeShape } from './foundTexts.ts';
import { isStorable, type StoreContext, settingsOf } from './storeContext.ts';
import type { Transaction } from './wire/serverConnection.ts';
import { type AskedTerms, askedTerms, countTerms, type TermCounts, termQuery } from './wire/textVector.ts';

/** Chunks that are ranked for a question, which bounds its time however large the index is. */
const mostRanked = 2_000;
/** Words count for the relevance from the rarest on, until so many chunks have them; and so far chunks are counted. As the index of this machine does it. */
const mostScored = 8_000;
/** Words of a question that are looked up: code that is searched for has hundreds. */
const mostWords = 64;
/** Weights of a word by its column, and the constants of BM25, as the index of this machine has them (FTS5). */
const columnWeights: TermCounts = { path: 2, names: 6, body: 1 };
const saturation = 1.2;
const lengthShare = 0.75;
const leastRarity = 1e-6;

/** What is known of the words of a question before chunks are looked at. */
interface AskedWords {
  readonly chunks: number;
  /** The mean number of words in a chunk. */
  readonly meanLength: number;
  readonly words: readonly AskedWord[];
}

interface AskedWord {
  readonly word: string;
  readonly asked: AskedTerms;
  /** Chunks with it, counted up to the limit. */
  readonly counted: number;
  /** Chunks with it, as far as is known. */
  readonly likely: number;
}

/** How many chunks have each word. */
export async function countWordRows(
  context: StoreContext,
  words: readonly string[],
  signal: AbortSignal,
): Promise<WordCounts> {
  const { chunks, words: asked } = await inReading(context, signal, (transaction) =>
    askCounts(context, transaction, words),
  );
  const counts = new Map(asked.map(({ word, counted }) => [word, counted]));
  return { chunks, withWord: new Map(words.map((word) => [word, counts.get(word) ?? 0])) };
}

/** Texts with any of the words, ranked by BM25. */
export async function findWordTexts(
  context: StoreContext,
  { words, limit, paths }: { words: readonly string[]; limit: number; paths: readonly string[] | undefined },
  signal: AbortSignal,
): Promise<WordText[]> {
  const only = paths?.filter(isStorable);
  if (words.length === 0 || limit < 1 || only?.length === 0) return [];
  return inReading(context, signal, async (transaction) => {
    const asked = await askCounts(context, transaction, words);
    const rows = await candidates(context, transaction, asked, Math.min(limit, mostRanked), only);
    // A common word would tell little: the index of this machine leaves it out, too, where there is no filter and enough is found.
    const scored = only === undefined ? rarest(asked.words, mostScored) : asked.words;
    const ranked = rank(rows, { ...asked, words: scored });
    const isEnough = ranked.length >= limit || scored.length === asked.words.length;
    return (isEnough ? ranked : rank(rows, asked)).slice(0, Math.floor(limit));
  });
}

function inReading<T>(
  context: StoreContext,
  signal: AbortSignal,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  // Where a word stands in half of all chunks, the server would rather read all words of all chunks than ask the index.
  const settings = settingsOf(context, 'SET LOCAL enable_seqscan = off');
  return context.server.transaction(signal, work, { isReading: true, settings });
}

/** Asks how often words stand in the repository. A word that is none once it is cleaned is left out. */
async function askCounts(
  { names, repository }: StoreContext,
  transaction: Transaction,
  words: readonly string[],
): Promise<AskedWords> {
  const asked = [...new Set(words)]
    .map((word) => ({ word, asked: askedTerms(word) }))
    .filter(({ asked: { terms } }) => terms.length > 0)
    .slice(0, mostWords);
  const [counts] = await transaction.rows(
    `SELECT chunks, words, array_to_string(counted, ' '), array_to_string(likely, ' ')
      FROM ${names.schema}.word_counts($1, $2, $3::tsquery[], $4)`,
    [
      repository,
      asked.map(({ asked: { terms } }) => terms.join(' ')),
      asked.map(({ asked: each }) => termQuery(each)),
      mostScored,
    ],
    { chunks: 'integer', words: 'integer', counted: 'text', likely: 'text' },
  );
  if (counts === undefined) return { chunks: 0, meanLength: 1, words: [] };
  const [counted, likely] = [counts.counted, counts.likely].map((text) => text.split(' ').map(Number));
  return {
    chunks: counts.chunks,
    meanLength: Math.max(1, counts.words / Math.max(1, counts.chunks)),
    words: asked.map((each, at) => ({ ...each, counted: counted?.[at] ?? 0, likely: likely?.[at] ?? 0 })),
  };
}

const rowShape = { hash: 'uuid', tail: 'uuid', ...placeShape, length: 'integer', words: 'text' } as const;

/** A chunk that was found, with its own words. */
interface CandidateRow {
  readonly hash: Buffer;
  readonly tail: Buffer;
  readonly path: string;
  readonly file: Buffer;
  readonly firstLine: number;
  readonly lastLine: number;
  readonly length: number;
  readonly words: string;
}

/**
 * The chunks to rank: those with the rarest words, as many words as chunks can be ranked. Where the rarest is common by itself, those that
 * have it in a name or a path come first. Where too few are found, all words.
 */
async function candidates(
  { names, repository }: StoreContext,
  transaction: Transaction,
  { words }: AskedWords,
  limit: number,
  paths: readonly string[] | undefined,
): Promise<CandidateRow[]> {
  const found = new Map<string, CandidateRow>();
  const ask = async (queries: readonly string[]): Promise<void> => {
    const sql = `SELECT * FROM ${names.schema}.words($1, $2::tsquery, $3, $4)`;
    const most = mostRanked - found.size;
    if (queries.length === 0 || most < 1) return;
    const rows = await transaction.rows(sql, [repository, queries.join(' | '), most, paths ?? null], rowShape, most);
    for (const row of rows) found.set(`${row.path}\n${row.firstLine}\n${row.hash.toString('hex')}`, row);
  };
  const present = words.filter(({ counted }) => counted > 0);
  const rare = rarest(words, mostRanked);
  if (rare.some(({ counted }) => counted > mostRanked)) await ask(rare.map(({ asked }) => termQuery(asked, 'AB')));
  await ask(rare.map(({ asked }) => termQuery(asked)));
  if (found.size < limit && rare.length < present.length) await ask(present.map(({ asked }) => termQuery(asked)));
  return [...found.values()];
}

/** Of the words that are there, those with the fewest chunks, until they have so many; one at least. */
function rarest(words: readonly AskedWord[], most: number): AskedWord[] {
  let sum = 0;
  const present = words.filter(({ counted }) => counted > 0).sort((a, b) => a.likely - b.likely);
  return present.filter(({ counted }, at) => {
    sum += counted;
    return at === 0 || sum <= most;
  });
}

/** Each text once, by its best chunk. */
function rank(rows: readonly CandidateRow[], asked: AskedWords): WordText[] {
  const ranked = byText(rows).map(({ hash, places, rows: all }) => {
    const relevance = Math.max(...all.map((row) => relevanceOf(row, asked)));
    return { hash, places: places.sort((a, b) => (a.path < b.path ? -1 : 1)).slice(0, mostPlaces), relevance };
  });
  return ranked.filter(({ relevance }) => relevance > 0).sort((a, b) => b.relevance - a.relevance);
}

const mostPlaces = 20;

/** BM25 with weighted columns, as FTS5 counts it (https://sqlite.org/fts5.html, “The bm25() function”). */
function relevanceOf({ words: vector, length }: CandidateRow, { words, chunks, meanLength }: AskedWords): number {
  let sum = 0;
  for (const { asked, likely } of words) {
    const { path, names, body } = countTerms(vector, asked);
    const often = path * columnWeights.path + names * columnWeights.names + body * columnWeights.body;
    if (often === 0) continue;
    const rarity = Math.max(leastRarity, Math.log((chunks - likely + 0.5) / (likely + 0.5)));
    const norm = saturation * (1 - lengthShare + (lengthShare * length) / meanLength);
    sum += (rarity * often * (saturation + 1)) / (often + norm);
  }
  return sum;
}
