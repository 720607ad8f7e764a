import { type Uri, workspace } from 'vscode';
import { findObstacle, roots, uriOf } from '../../../workspace/ui/folders.ts';
import type { EmbeddingModel } from '../../embedding/embeddingModel.ts';
import { parseQuery } from '../../query/filter/parseQuery.ts';
import { mostAsked, type Query, type SearchAnswer, type SearchHit } from '../../query/query.ts';
import { wordProblem } from '../../store/words.ts';
import { type Filters, toQueryFilters } from '../shared/filters.ts';
import { wordsText } from '../shared/sentences.ts';
import type { SearchIndex } from './searchIndex.ts';

/** A hit as other parts of Parley, and other extensions, receive it. Lines are counted from 1, both ends included. */
export interface Hit extends Pick<SearchHit, 'startLine' | 'endLine' | 'text' | 'score' | 'why' | 'isWeak' | 'lines'> {
  uri: Uri;
  /** The line that best shows why the code was found, and its text. */
  line: number;
  preview: string;
  /** The stems of the words that were asked for; they are marked where the hit is shown. */
  stems: readonly string[];
}

/** What the hits of one file have in common. */
export const fileOfHit = ({ uri }: Pick<Hit, 'uri'>): string => uri.toString();

export interface HitsAnswer extends Omit<SearchAnswer, 'hits' | 'stems'> {
  hits: Hit[];
}

/** A query from a user's text and filters. */
export function queryOf(text: string, filters: Filters, limit: number): Query {
  return { text, limit, ...toQueryFilters(filters) };
}

/** Searches; the first time in a session, the keyword half is updated first, which sends nothing. */
export async function search(index: SearchIndex, query: Query, signal?: AbortSignal): Promise<HitsAnswer> {
  await index.keywordHalf.prepare();
  return searchNow(index, query, signal);
}

/** Searches the current index, which is incomplete while files are read. */
export async function searchNow(index: SearchIndex, query: Query, signal?: AbortSignal): Promise<HitsAnswer> {
  return askFor(index, query, await index.allowedModel(), signal);
}

/** The same by words alone, which waits for no service. */
export async function searchWords(index: SearchIndex, query: Query, signal?: AbortSignal): Promise<HitsAnswer> {
  return askFor(index, query, undefined, signal);
}

async function askFor(
  index: SearchIndex,
  query: Query,
  embeddingModel: EmbeddingModel | undefined,
  signal: AbortSignal | undefined,
): Promise<HitsAnswer> {
  const { hits, stems = [], ...half } = await index.client.search(roots(), query, embeddingModel, { signal });
  if (half.by === 'both') index.tellAnswered();
  return { ...half, hits: hits.map(({ root, path, ...hit }) => ({ ...hit, uri: uriOf(root, path), stems })) };
}

/** The search for other parts of Parley: pieces of code for a question. */
export interface Searcher {
  isAvailable(): boolean;
  /** The address a question would be sent to; undefined where the search uses keywords only. */
  serviceAsked(): Promise<string | undefined>;
  /** The problem with the words of a question, as a sentence without its period; undefined when there is none. */
  problemOf(text: string): string | undefined;
  search(
    text: string,
    limit: number,
    signal: AbortSignal,
  ): Promise<(Pick<Hit, 'startLine' | 'endLine' | 'text'> & { path: string })[]>;
}

export function createSearcher(index: SearchIndex): Searcher {
  return {
    isAvailable: () => findObstacle() === undefined,
    serviceAsked: () => index.serviceAsked(),
    problemOf(asked) {
      const { text, rules = [] } = parseQuery(asked.slice(0, mostAsked));
      return rules.some(({ isNegative }) => !isNegative) ? undefined : wordsText(asked, wordProblem(text));
    },
    async search(text, limit, signal) {
      const { hits } = await search(index, { text, limit, globs: [] }, signal);
      return hits.map(({ uri, startLine, endLine, text: lines }) => {
        return { path: workspace.asRelativePath(uri), startLine, endLine, text: lines };
      });
    },
  };
}
