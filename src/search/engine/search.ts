import type { EmbeddingModel } from '../embedding/embeddingModel.ts';
import type { Finder } from '../query/finder.ts';
import { pathTestOf } from '../query/pathFilter.ts';
import { mostAsked, type Query, type SearchAnswer } from '../query/query.ts';
import { parseQuery } from '../query/queryFilter.ts';
import { readTerms } from '../query/queryTerms.ts';
import { rank } from '../query/ranking.ts';
import type { Store } from '../store/store.ts';
import { wordProblem } from '../store/words.ts';
import type { MeaningShare } from './meaningShare.ts';

/** Answers a question: applies its operators as filters and ranks the hits of both halves as one list. */
export type Search = (
  roots: readonly string[],
  query: Query,
  embeddingModel: EmbeddingModel | undefined,
  signal: AbortSignal,
) => Promise<SearchAnswer>;

/** @param the share of the files that meaning can find; an answer states it while it is below 1 */
export function createSearch(store: () => Store, finder: Finder, share: MeaningShare): Search {
  return async (roots, { text: asked, limit, similarTo, ...given }, embeddingModel, signal) => {
    const { text, filters } =
      similarTo === undefined ? parseQuery(asked.slice(0, mostAsked)) : { text: asked, filters: { globs: [] } };
    const words = similarTo === undefined ? wordProblem(text) : undefined;
    if (words === 'none') return { hits: [], by: 'keywords', words };
    const files = store().filesMatching(roots, await pathTestOf(roots, [given, filters], signal));
    const found =
      similarTo === undefined
        ? await finder.find(text, embeddingModel, files, signal)
        : await finder.findSimilar(text, similarTo, embeddingModel, files, signal);
    const ranked = rank(found, store(), limit);
    const hits = ranked.map(({ chunk: { id: _, ...chunk }, ...rest }) => ({ ...chunk, ...rest }));
    const indexed = embeddingModel !== undefined && found.by === 'both' ? share.of(embeddingModel).share : 1;
    const stems = similarTo === undefined ? [...readTerms(found.text).words.keys()] : [];
    return { hits, by: found.by, stems, ...(indexed < 1 ? { indexed } : {}), ...(words ? { words } : {}) };
  };
}
