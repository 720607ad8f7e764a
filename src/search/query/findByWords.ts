import type { Store } from '../store/store.ts';
import { queryWords, simpleWords } from '../store/words.ts';
import type { HeldChunk } from './filter/findHolding.ts';
import { readTerms } from './queryTerms.ts';
import type { Found } from './ranking.ts';
import { findRuns } from './wordRuns.ts';

/** Number of candidates by words: more than by meaning, as words identify the one wanted hit less surely. */
const candidates = 200;
/** The most names of a question whose declarations are looked up. */
const mostNames = 5;

/**
 * The half of a search that goes by words: chunks with words of a text, and those that declare a name in it, which are too many
 * to be among the first where hundreds of files mention it.
 */
export function findByWords(
  store: Pick<Store, 'countWords' | 'findAdjacent' | 'findWords' | 'findDefining' | 'chunksWithRun' | 'scanChunks'>,
  text: string,
  files: readonly number[] | undefined,
  limit: number = candidates,
): Pick<Found, 'words' | 'adjacent' | 'counts' | 'runs'> {
  const words = queryWords(text);
  const counts = store.countWords(words);
  const adjacent = store.findAdjacent(simpleWords(text), counts.withWord);
  const found = store.findWords(words, limit, files, counts.withWord);
  const known = new Set(found.map(({ id }) => id));
  const names = [...readTerms(text).symbols].slice(0, mostNames);
  const defining = store.findDefining(names, files).filter(({ id }) => !known.has(id));
  const runs = findRuns(store, text, counts, files);
  for (const { id } of defining) known.add(id);
  // What has a run of the question's words need not be among the first by the words alone.
  const least = (found.at(-1)?.relevance ?? 1) / 2;
  const running = [...runs.keys()].filter((id) => !known.has(id)).map((id) => ({ id, relevance: least }));
  return { words: [...found, ...defining, ...running], adjacent, counts, runs };
}

/** What a chunk without the words counts that declares what an expression matches, as a share of another. */
const declaring = 3;
/** The most candidates that are looked at where some of them may have to go. */
export const manyCandidates = 600;

/** The same among the chunks that hold what the question wants of their text; those without any of its words come last. */
export function findHeldByWords(
  store: Pick<Store, 'countWords' | 'findAdjacent' | 'findWordsIn' | 'chunksWithRun' | 'scanChunks'>,
  text: string,
  chunks: readonly HeldChunk[],
): Pick<Found, 'words' | 'adjacent' | 'counts' | 'runs'> {
  const ids = chunks.map(({ id }) => id);
  const words = queryWords(text);
  const counts = store.countWords(words);
  const found = store.findWordsIn(words, ids);
  const known = new Set(found.map(({ id }) => id));
  const least = (found.at(-1)?.relevance ?? 1) / 2;
  const others = chunks
    .filter(({ id }) => !known.has(id))
    .map(({ id, declares }) => ({ id, relevance: declares ? least * declaring : least }))
    .sort((a, b) => b.relevance - a.relevance);
  const held = new Set(ids);
  const runs = findRuns(store, text, counts, [...new Set(chunks.map(({ file }) => file))]);
  for (const id of runs.keys()) if (!held.has(id)) runs.delete(id);
  return {
    words: [...found, ...others].sort((a, b) => b.relevance - a.relevance),
    adjacent: store.findAdjacent(simpleWords(text), counts.withWord),
    counts,
    runs,
  };
}
