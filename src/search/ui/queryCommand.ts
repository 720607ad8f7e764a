import { l10n } from 'vscode';
import type { SearchHit } from '../../editor/api.ts';
import { CommandFailure, checkArgument, readOptions } from '../../editor/commandError.ts';
import type { Services } from '../../editor/services.ts';
import type { Query } from '../protocol.ts';
import { findObstacle } from './obstacle.ts';
import { openQueryList, type QueryActions, type QueryList, type QueryStart } from './queryList.ts';
import { queryLimit } from './questions.ts';
import { search } from './search.ts';
import type { SearchIndex } from './searchIndex.ts';

/** More hits than this no caller gets: neither half of the search puts forward more. */
const mostHits = 100;

/** `parley.search.query` (editor/api.ts) for another extension. */
export async function searchForCaller(index: SearchIndex, text: unknown, options: unknown): Promise<SearchHit[]> {
  const query = readQuery(text, options);
  const obstacle = findObstacle();
  if (obstacle !== undefined) throw new CommandFailure(obstacle.code, obstacle.sentence);
  const { hits } = await search(index, query);
  return hits.map(({ uri, startLine, endLine, text, score, why }) => ({ uri, startLine, endLine, text, score, why }));
}

function readQuery(text: unknown, options: unknown): Query {
  checkArgument(typeof text === 'string' && text.trim() !== '', 'text', l10n.t('a text that is not empty'));
  const { limit = queryLimit, globs = [], languages = [], folder, changedSince } = readOptions(options);
  const isCount = typeof limit === 'number' && Number.isInteger(limit) && limit >= 1 && limit <= mostHits;
  checkArgument(isCount, 'limit', l10n.t('a whole number from 1 to {0}', mostHits));
  checkArgument(areTexts(globs), 'globs', l10n.t('a list of patterns such as {0}', '*.py'));
  checkArgument(areTexts(languages), 'languages', l10n.t('a list of languages such as {0}', 'typescript'));
  const isText = (value: unknown): value is string | undefined => value === undefined || areTexts([value]);
  checkArgument(isText(folder), 'folder', l10n.t('a text that is not empty'));
  checkArgument(isText(changedSince), 'changedSince', l10n.t('a text that is not empty'));
  return { text, limit, globs, languages, folder, changedSince };
}

function areTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string' && each !== '');
}

/** The search for a person: the list, or what stands against it and the button that helps. */
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
  // So that the first question finds the index ready; it sends nothing.
  index.prepare().catch(fail);
  return list;
}
