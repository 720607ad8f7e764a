import type { Services } from '../../editor/services.ts';
import { findObstacle } from './obstacle.ts';
import { openQueryList, type QueryActions, type QueryList, queryLimit } from './queryList.ts';
import { type Hit, search } from './search.ts';
import type { SearchIndex } from './searchIndex.ts';

/** The search for another extension: `(text, { limit, globs })`. Rejects with a sentence when there is nothing to search in. */
export async function searchForCaller(index: SearchIndex, text: string, options: unknown): Promise<Hit[]> {
  const obstacle = findObstacle();
  if (obstacle !== undefined) throw Object.assign(new Error(obstacle.sentence), { code: obstacle.code });
  return (await search(index, { text, ...readOptions(options) })).hits;
}

function readOptions(options: unknown): { limit: number; globs: string[] } {
  const given: { limit?: unknown; globs?: unknown } = typeof options === 'object' && options !== null ? options : {};
  const globs = Array.isArray(given.globs) ? given.globs.filter((glob) => typeof glob === 'string') : [];
  const wanted = typeof given.limit === 'number' && given.limit >= 1 ? Math.floor(given.limit) : queryLimit;
  return { limit: Math.min(wanted, 100), globs };
}

/** The search for a person: the list, or what stands against it and the button that helps. */
export function showQuery(services: Services, index: SearchIndex, actions: QueryActions): QueryList | undefined {
  const obstacle = findObstacle();
  if (obstacle !== undefined) {
    void services.notices.warn(obstacle.sentence, obstacle.action);
    return undefined;
  }
  const fail = (error: unknown): void => {
    list.hide();
    void services.notices.error(error, () => showQuery(services, index, actions));
  };
  const list = openQueryList(index, actions, fail);
  // So that the first question finds the index ready; it sends nothing.
  index.prepare().catch(fail);
  return list;
}
