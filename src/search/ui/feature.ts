import { commands, type Disposable, l10n, Uri, window } from 'vscode';
import type { ParleyCommands, SearchHit } from '../../editor/api.ts';
import { argumentsOf, forCaller } from '../../editor/commandError.ts';
import { registerCommand } from '../../editor/commands.ts';
import { Disposables } from '../../editor/disposables.ts';
import type { Services } from '../../editor/services.ts';
import { Command } from '../../ids.ts';
import { createIndexCommand } from './indexCommand.ts';
import { createHitMarks } from './marks.ts';
import { searchForCaller, showQuery } from './queryCommand.ts';
import type { QueryActions, QueryList } from './queryList.ts';
import { createResultsView } from './results.ts';
import type { Hit } from './search.ts';
import { createSearchIndex, type SearchIndex } from './searchIndex.ts';
import { registerUpdates } from './updates.ts';

/** Code search by meaning: the index, the question, the results view, the marks in editors. Nothing starts before first use. */
export function registerSearch(services: Services): Disposable {
  const owned = new Disposables();
  const { notices, log } = services;
  const index = owned.add(createSearchIndex(services));
  const marks = owned.add(createHitMarks());
  const results = owned.add(createResultsView(index));
  owned.add(registerUpdates(services, index));
  const clear = (): void => {
    marks.clear();
    results.clear();
  };
  let list: QueryList | undefined;
  const actions: QueryActions = {
    open: (hit) => openHit(hit),
    peek: (hit) => openHit(hit, { preserveFocus: true }),
    keep: (query, answer) => {
      marks.clear();
      return results.show(query, answer);
    },
  };
  const show = (): void => {
    list = showQuery(services, index, actions);
  };

  const indexing = createIndexCommand(services, index);
  owned.add(registerCommand(Command.searchIndex, notices, indexing.forPerson));
  // Not by registerCommand: another extension must see it fail.
  const api: Pick<ParleyCommands, 'parley.search.index' | 'parley.search.query'> = {
    'parley.search.index': () => forCaller(log, indexing.forCaller),
    'parley.search.query': (text, options) => forCaller(log, () => searchForCaller(index, text, options)),
  };
  owned.add(commands.registerCommand(Command.searchIndexForCaller, api[Command.searchIndexForCaller]));
  owned.add(
    commands.registerCommand(Command.searchQuery, (...given: unknown[]) => {
      const [text, options] = argumentsOf(given);
      return text === undefined || text === null ? show() : api[Command.searchQuery](text as string, options as object);
    }),
  );
  owned.add(
    registerCommand(Command.searchOpenHit, notices, (value) => {
      const hit = toHit(value);
      return hit === undefined ? undefined : openHit(hit);
    }),
  );
  owned.add(registerCommand(Command.searchPeekHit, notices, () => list?.peek()));
  owned.add(registerCommand(Command.searchClear, notices, clear));
  owned.add(registerCommand(Command.searchDeleteIndex, notices, () => deleteIndex(services, index, clear)));
  return owned;

  async function openHit(hit: Hit, options?: { preserveFocus: boolean }): Promise<void> {
    try {
      await marks.open(hit, options);
    } catch {
      void notices.warn(l10n.t('The file of this hit is gone.'), {
        title: l10n.t('Search Again'),
        command: Command.searchQuery,
      });
    }
  }
}

/** A hit of the list, or one as other extensions get it, which has no line that shows best why. */
function toHit(value: unknown): Hit | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!('uri' in value && value.uri instanceof Uri && 'startLine' in value && 'endLine' in value)) return undefined;
  const hit = value as SearchHit;
  return { line: hit.startLine, preview: '', ...hit };
}

async function deleteIndex({ notices }: Services, index: SearchIndex, clear: () => void): Promise<void> {
  const confirm = l10n.t('Delete Index');
  const chosen = await window.showWarningMessage(
    l10n.t('Delete the search index of this workspace?'),
    { modal: true, detail: l10n.t('What the service was paid to embed has to be sent again for a new one.') },
    confirm,
  );
  if (chosen !== confirm) return;
  await index.remove();
  clear();
  void notices.info(l10n.t('The search index is deleted.'), {
    title: l10n.t('Index Workspace'),
    command: Command.searchIndex,
  });
}
