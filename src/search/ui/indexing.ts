import { type Disposable, l10n } from 'vscode';
import { registerCommand } from '../../editor/commands.ts';
import { Disposables } from '../../editor/disposables.ts';
import type { Services } from '../../editor/services.ts';
import { Command } from '../../ids.ts';
import { createIndexCommand, type IndexCommand } from './indexCommand.ts';
import { createIndexDocuments } from './indexDocuments.ts';
import { findObstacle } from './obstacle.ts';
import { reportText } from './reportText.ts';
import type { SearchIndex } from './searchIndex.ts';
import { createStatusEntry, showActions } from './statusEntry.ts';

/** The building of the index as a person sees it: Index Workspace, pause and resume, the status entry, the report. */
export function registerIndexing(
  services: Services,
  index: SearchIndex,
): Pick<IndexCommand, 'forCaller' | 'end'> & Disposable {
  const { notices } = services;
  const owned = new Disposables();
  const documents = owned.add(createIndexDocuments());
  const indexing = createIndexCommand(services, index, documents);
  owned.add(createStatusEntry(services, index));
  owned.add(registerCommand(Command.searchIndex, notices, indexing.forPerson));
  owned.add(registerCommand(Command.searchResume, notices, indexing.forPerson));
  owned.add(registerCommand(Command.searchPause, notices, () => index.sending.pause('user')));
  owned.add(registerCommand(Command.searchCancel, notices, indexing.cancel));
  owned.add(registerCommand(Command.searchActions, notices, () => showActions(index, indexing.isRunning)));
  owned.add(
    registerCommand(Command.searchReport, notices, async () => {
      const obstacle = findObstacle();
      if (obstacle !== undefined) return notices.warn(obstacle.sentence, obstacle.action);
      await documents.showMarkdown(l10n.t('Index Report.md'), await reportText(index));
    }),
  );
  owned.add(index.sending.onTomorrow(indexing.forPerson));
  return { forCaller: indexing.forCaller, end: indexing.end, dispose: () => owned.dispose() };
}
