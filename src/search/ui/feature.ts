import { commands, type Disposable, l10n } from 'vscode';
import type { ParleyCommands } from '../../editor/api.ts';
import { argumentsOf, forCaller } from '../../editor/commandError.ts';
import { registerCommand } from '../../editor/commands.ts';
import { Disposables } from '../../editor/disposables.ts';
import { describeForLog } from '../../editor/log.ts';
import type { Services } from '../../editor/services.ts';
import { window } from '../../editor/text/window.ts';
import { Command } from '../../ids/ids.ts';
import { findObstacle } from '../../workspace/ui/folders.ts';
import { registerAgents } from './agents/agentsFeature.ts';
import type { IndexCommand } from './index/indexCommand.ts';
import { registerIndexing } from './index/indexFeature.ts';
import { createSearcher, type Searcher } from './index/runSearch.ts';
import { createSearchIndex, type SearchIndex } from './index/searchIndex.ts';
import { watchFiles } from './index/watchFiles.ts';
import { registerWhy } from './index/why.ts';
import { createQueries } from './query/queries.ts';
import { searchForCaller } from './query/queryCommand.ts';
import { registerFindSimilar } from './query/similar.ts';
import { createHitMarks } from './results/hitMarks.ts';
import { createKeptHits, type KeptHits } from './results/keptHits.ts';
import {
  createOpenHit,
  createResultSearch,
  type ResultSearch,
  registerResultCommands,
} from './results/resultCommands.ts';
import { createResultsView } from './results/resultsView.ts';
import { registerSharing } from './share/shareCommands.ts';

/** The code search and its API for other parts of Parley. */
export interface SearchFeature extends Disposable {
  readonly searcher: Searcher;
}

/** Code search by meaning: the index, the question, the results view, the marks in editors. Nothing starts before first use. */
export function registerSearch(services: Services): SearchFeature {
  const owned = new Disposables();
  const { notices, log } = services;
  const index = owned.add(createSearchIndex(services));
  const keptHits = owned.add(createKeptHits());
  const marks = owned.add(createHitMarks(services.context.extensionUri, keptHits));
  const view = owned.add(createResultsView(index, keptHits));
  const search = owned.add(createResultSearch(keptHits, view));
  const open = createOpenHit(marks, notices);
  const results = { keptHits, search, open };
  const queries = owned.add(createQueries(services, index, results, services.context.workspaceState));
  owned.add(registerFindSimilar(notices, index, search));
  owned.add(registerResultCommands(notices, keptHits, search, open));
  owned.add(watchFiles(services, index));
  owned.add(registerWhy(services, index));
  owned.add(registerAgents(services, index));

  const indexing = owned.add(registerIndexing(services, index));
  owned.add(registerSharing(services, index, indexing));
  // registerCommand is not used, because another extension must see the command fail.
  const api: Pick<ParleyCommands, 'parley.search.index' | 'parley.search.query'> = {
    'parley.search.index': () => forCaller(log, indexing.forCaller),
    'parley.search.query': (text, options) => forCaller(log, () => searchForCaller(index, text, options)),
  };
  owned.add(commands.registerCommand(Command.searchIndexForCaller, api[Command.searchIndexForCaller]));
  owned.add(
    commands.registerCommand(Command.searchQuery, (...given: unknown[]) => {
      const [text, options] = argumentsOf(given);
      return text === undefined || text === null
        ? queries.show()
        : api[Command.searchQuery](text as string, options as object);
    }),
  );
  owned.add(registerCommand(Command.searchDeleteIndex, notices, () => deleteIndex(services, index, indexing, results)));
  // The state of an existing index is shown from the start. Not awaited: no other part needs it.
  takeIndexIn(index).catch((error: unknown) => log.warn(describeForLog(error)));
  return { searcher: createSearcher(index), dispose: () => owned.dispose() };
}

/**
 * Shows the state of the index. Where there is none in the storage of this window, as VS Code gave it another one, but the user has agreed to
 * the folder, it is made of what is on this machine; nothing is sent.
 */
async function takeIndexIn(index: SearchIndex): Promise<void> {
  await index.peek();
  if (findObstacle() !== undefined || (await index.exists()) || (await index.allowedModel()) === undefined) return;
  await index.keywordHalf.prepare();
}

async function deleteIndex(
  { notices }: Services,
  index: SearchIndex,
  indexing: Pick<IndexCommand, 'end'>,
  { keptHits, search }: { keptHits: KeptHits; search: ResultSearch },
): Promise<void> {
  const confirm = l10n.t('Delete Index');
  const withCache = l10n.t('Delete All Vectors Too');
  const chosen = await window.showWarningMessage(
    l10n.t('Delete the search index of this workspace?'),
    {
      modal: true,
      detail: l10n.t(
        'Embeddings stay cached on this machine for all folders: a new index reuses them and costs nothing. You can delete them, too.',
      ),
    },
    confirm,
    withCache,
  );
  if (chosen !== confirm && chosen !== withCache) return;
  search.stop();
  await indexing.end();
  const isForgotten = await index.remove({ cache: chosen === withCache });
  keptHits.clear();
  if (!isForgotten) {
    void notices.warn(
      l10n.t(
        'The search index is deleted, but the cached embeddings are not: another window is writing them, or the disk does not let them go. Try again in a while.',
      ),
      { title: l10n.t('Delete Index'), command: Command.searchDeleteIndex },
    );
    return;
  }
  void notices.info(l10n.t('The search index is deleted.'), {
    title: l10n.t('Index Workspace'),
    command: Command.searchIndex,
  });
}
