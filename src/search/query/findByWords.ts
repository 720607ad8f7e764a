import type { Store } from '../store/store.ts';
import { queryWords, simpleWords } from '../store/words.ts';
import { readTerms } from './queryTerms.ts';
import type { Found } from './ranking.ts';

/** Number of candidates by words: more than by meaning, as words identify the one wanted hit less surely. */
const candidates = 200;
/** The most names of a question whose declarations are looked up. */
const mostNames = 5;

/**
 * The half of a search that goes by words: chunks with words of a text, and those that declare a name in it, which are too many
 * to be among the first where hundreds of files mention it.
 */
export function findByWords(
  store: Pick<Store, 'countWords' | 'findAdjacent' | 'findWords' | 'findDefining'>,
  text: string,
  files: readonly number[] | undefined,
): Pick<Found, 'words' | 'adjacent' | 'counts'> {
  const words = queryWords(text);
  const counts = store.countWords(words);
  const adjacent = store.findAdjacent(simpleWords(text), counts.withWord);
  const found = store.findWords(words, candidates, files, counts.withWord);
  const known = new Set(found.map(({ id }) => id));
  const names = [...readTerms(text).symbols].slice(0, mostNames);
  const defining = store.findDefining(names, files).filter(({ id }) => !known.has(id));
  return { words: [...found, ...defining], adjacent, counts };
}
