import { commands, type Disposable, l10n, window } from 'vscode';
import type { ParleyCommands } from '../../editor/api.ts';
import { argumentsOf, forCaller } from '../../editor/commandError.ts';
import { registerCommand } from '../../editor/commands.ts';
import { Disposables } from '../../editor/disposables.ts';
import type { Services } from '../../editor/services.ts';
import { Command } from '../../ids.ts';
import { createFound, type Found } from './found.ts';
import type { IndexCommand } from './indexCommand.ts';
import { registerIndexing } from './indexing.ts';
import { createHitMarks } from './marks.ts';
import { createQueries } from './queries.ts';
import { searchForCaller } from './queryCommand.ts';
import { createKeepResults, createOpenHit, createResultSearch, registerResultCommands } from './resultCommands.ts';
import { createResultsView } from './results.ts';
import { createSearcher, type Searcher } from './search.ts';
import { createSearchIndex, type SearchIndex } from './searchIndex.ts';
import { registerFindSimilar } from './similar.ts';
import { registerUpdates } from './updates.ts';
import { registerWhy } from './why.ts';

/** The code search, and what other parts of Parley are given of it. */
export interface SearchFeature extends Disposable {
  readonly searcher: Searcher;
}

/** Code search by meaning: the index, the question, the results view, the marks in editors. Nothing starts before first use. */
export function registerSearch(services: Services): SearchFeature {
  const owned = new Disposables();
  const { notices, log } = services;
  const index = owned.add(createSearchIndex(services));
  const found = owned.add(createFound());
  const marks = owned.add(createHitMarks(services.context.extensionUri, found));
  const view = owned.add(createResultsView(index, found));
  const search = owned.add(createResultSearch(found));
  const open = createOpenHit(marks, notices);
  const results = { found, search, open, keep: createKeepResults(found, view) };
  const queries = owned.add(createQueries(services, index, results, services.context.workspaceState));
  owned.add(registerFindSimilar(notices, index, results.keep));
  owned.add(registerResultCommands(notices, found, search, open));
  owned.add(registerUpdates(services, index));
  owned.add(registerWhy(services, index));

  const indexing = owned.add(registerIndexing(services, index));
  // Not by registerCommand: another extension must see it fail.
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
  owned.add(registerCommand(Command.searchDeleteIndex, notices, () => deleteIndex(services, index, indexing, found)));
  return { searcher: createSearcher(index), dispose: () => owned.dispose() };
}

async function deleteIndex(
  { notices }: Services,
  index: SearchIndex,
  indexing: Pick<IndexCommand, 'end'>,
  found: Found,
): Promise<void> {
  const confirm = l10n.t('Delete Index');
  const withPaid = l10n.t('Delete All Vectors Too');
  const chosen = await window.showWarningMessage(
    l10n.t('Delete the search index of this workspace?'),
    {
      modal: true,
      detail: l10n.t(
        'The vectors a service was paid for stay on this machine for all folders, so that a new index costs nothing. You can delete them, too.',
      ),
    },
    confirm,
    withPaid,
  );
  if (chosen !== confirm && chosen !== withPaid) return;
  await indexing.end();
  await index.remove({ paid: chosen === withPaid });
  found.clear();
  void notices.info(l10n.t('The search index is deleted.'), {
    title: l10n.t('Index Workspace'),
    command: Command.searchIndex,
  });
}
