import type { Uri } from 'vscode';
import type { Query, SearchAnswer, SearchHit } from '../protocol.ts';
import { uriOf } from './obstacle.ts';
import type { SearchIndex } from './searchIndex.ts';

/** A hit as other parts of Parley, and other extensions, get it. Lines are counted from 1, both ends included. */
export interface Hit extends Pick<SearchHit, 'startLine' | 'endLine' | 'text' | 'score' | 'why'> {
  uri: Uri;
  /** The line that best shows why, and its text. */
  line: number;
  preview: string;
}

export interface Answer {
  hits: Hit[];
  by: SearchAnswer['by'];
}

/** Searches; the first time in a session, the keyword half is brought up to date before, which sends nothing. */
export async function search(index: SearchIndex, query: Query, signal?: AbortSignal): Promise<Answer> {
  await index.prepare();
  const { roots } = index.scope();
  const { hits, by } = await index.client.search(roots, query, await index.allowedMeant(), { signal });
  return { by, hits: hits.map(({ root, path, ...hit }) => ({ ...hit, uri: uriOf(root, path) })) };
}
