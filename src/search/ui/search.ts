import { type Uri, workspace } from 'vscode';
import type { Query, SearchAnswer, SearchHit } from '../protocol.ts';
import { type Filters, toQueryFilters } from './filters.ts';
import { findObstacle, uriOf } from './obstacle.ts';
import type { SearchIndex } from './searchIndex.ts';

/** A hit as other parts of Parley, and other extensions, get it. Lines are counted from 1, both ends included. */
export interface Hit extends Pick<SearchHit, 'startLine' | 'endLine' | 'text' | 'score' | 'why'> {
  uri: Uri;
  /** The line that best shows why, and its text. */
  line: number;
  preview: string;
}

export interface Answer extends Omit<SearchAnswer, 'hits'> {
  hits: Hit[];
}

/** A question of a person, narrowed. */
export function queryOf(text: string, filters: Filters, limit: number): Query {
  return { text, limit, ...toQueryFilters(filters) };
}

/** Searches; the first time in a session, the keyword half is brought up to date before, which sends nothing. */
export async function search(index: SearchIndex, query: Query, signal?: AbortSignal): Promise<Answer> {
  await index.prepare();
  return searchNow(index, query, signal);
}

/** Searches what is in the index already: while files are read, a part of them. */
export async function searchNow(index: SearchIndex, query: Query, signal?: AbortSignal): Promise<Answer> {
  const { roots } = index.scope();
  const { hits, ...half } = await index.client.search(roots, query, await index.allowedMeant(), { signal });
  return { ...half, hits: hits.map(({ root, path, ...hit }) => ({ ...hit, uri: uriOf(root, path) })) };
}

/** The search for other parts of Parley: pieces of code for a question. */
export interface Searcher {
  isAvailable(): boolean;
  search(
    text: string,
    limit: number,
    signal: AbortSignal,
  ): Promise<(Pick<Hit, 'startLine' | 'endLine' | 'text'> & { path: string })[]>;
}

export function createSearcher(index: SearchIndex): Searcher {
  return {
    isAvailable: () => findObstacle() === undefined,
    async search(text, limit, signal) {
      const { hits } = await search(index, { text, limit, globs: [] }, signal);
      return hits.map(({ uri, startLine, endLine, text: lines }) => {
        return { path: workspace.asRelativePath(uri), startLine, endLine, text: lines };
      });
    },
  };
}
