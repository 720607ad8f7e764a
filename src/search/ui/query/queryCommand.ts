import { l10n } from 'vscode';
import type { SearchHit, SearchPlace } from '../../../editor/api.ts';
import { CommandFailure, checkArgument, readOptions } from '../../../editor/commandError.ts';
import type { Services } from '../../../editor/services.ts';
import { checkGlobs } from '../../../workspace/glob/glob.ts';
import { findObstacle } from '../../../workspace/ui/folders.ts';
import { firstLimit, hitsByFile, placesLimit } from '../../query/hitsByFile.ts';
import { type Query, queryLimit } from '../../query/query.ts';
import { fileOfHit, type Hit, search } from '../index/runSearch.ts';
import type { SearchIndex } from '../index/searchIndex.ts';
import { openQueryList, type QueryActions, type QueryList, type QueryStart } from './queryList.ts';

/** `parley.search.query` (editor/api.ts) for another extension: the best place of each file, and further ones in `places`. */
export async function searchForCaller(index: SearchIndex, text: unknown, options: unknown): Promise<SearchHit[]> {
  const { limit, ...query } = readQuery(text, options);
  const obstacle = findObstacle();
  if (obstacle !== undefined) throw new CommandFailure(obstacle.code, obstacle.sentence);
  const { hits } = await search(index, { ...query, limit: queryLimit });
  return hitsByFile(hits, fileOfHit)
    .slice(0, limit)
    .flatMap(([best, ...further]) => {
      if (best === undefined) return [];
      const places = further.slice(0, placesLimit - 1).map(placeOf);
      return [{ uri: best.uri, ...placeOf(best), ...(places.length > 0 ? { places } : {}) }];
    });
}

function placeOf({ startLine, endLine, text, score, why }: Hit): SearchPlace {
  return { startLine, endLine, text, score, why };
}

function readQuery(text: unknown, options: unknown): Query {
  checkArgument(typeof text === 'string' && text.trim() !== '', 'text', l10n.t('a text that is not empty'));
  const { limit = firstLimit, globs = [], languages = [], folder, changedSince } = readOptions(options);
  const isCount = typeof limit === 'number' && Number.isInteger(limit) && limit >= 1 && limit <= queryLimit;
  checkArgument(isCount, 'limit', l10n.t('a whole number from 1 to {0}', queryLimit));
  checkArgument(areTexts(globs), 'globs', l10n.t('a list of patterns such as {0}', '*.py'));
  checkGlobs(globs, 'globs');
  checkArgument(areTexts(languages), 'languages', l10n.t('a list of languages such as {0}', 'typescript'));
  const isText = (value: unknown): value is string | undefined => value === undefined || areTexts([value]);
  checkArgument(isText(folder), 'folder', l10n.t('a text that is not empty'));
  checkArgument(isText(changedSince), 'changedSince', l10n.t('a text that is not empty'));
  return { text, limit, globs, languages, folder, changedSince };
}

function areTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string' && each !== '');
}

/** Opens the list, or shows the obstacle and the button that helps. */
export function showQuery(
  services: Services,
  index: SearchIndex,
  start: QueryStart,
  actions: QueryActions,
): QueryList | undefined {
  const obstacle = findObstacle();
  if (obstacle !== undefined) {
    void services.notices.warn(obstacle.sentence, obstacle.action);
    return undefined;
  }
  const fail = (error: unknown): void => {
    list.hide();
    void services.notices.error(error, () => showQuery(services, index, start, actions));
  };
  const list = openQueryList(index, start, actions, fail);
  // The index is updated early, so that the first question finds it ready; this sends nothing.
  index.keywordHalf.prepare().catch(fail);
  return list;
}
