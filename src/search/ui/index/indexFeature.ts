import { type Disposable, l10n, workspace } from 'vscode';
import { registerCommand } from '../../../editor/commands.ts';
import { Disposables } from '../../../editor/disposables.ts';
import type { Services } from '../../../editor/services.ts';
import { Command } from '../../../ids/ids.ts';
import { findObstacle } from '../../../workspace/ui/folders.ts';
import { contentsText } from './contentsText.ts';
import { createIndexCommand, type IndexCommand } from './indexCommand.ts';
import { createIndexDocuments } from './indexDocuments.ts';
import { reportText } from './reportText.ts';
import { createUploadQuestion } from './run/uploadQuestion.ts';
import type { SearchIndex } from './searchIndex.ts';
import { createStatusEntry, showActions } from './statusEntry.ts';

/** The index commands and views: Index Workspace, pause and resume, the status entry, the report. */
export function registerIndexing(
  services: Services,
  index: SearchIndex,
): Pick<IndexCommand, 'forCaller' | 'withShared' | 'end'> & Disposable {
  const { notices } = services;
  const owned = new Disposables();
  /** A restored tab states the obstacle where nothing can be read. */
  const unless = async (text: () => Promise<string>): Promise<string> => findObstacle()?.sentence ?? text();
  const documents = owned.add(
    createIndexDocuments({
      contents: { name: l10n.t('Before Indexing.txt'), text: () => unless(() => contentsOf(index)) },
      report: { name: l10n.t('Index Report.md'), text: () => unless(() => reportText(index)) },
    }),
  );
  const question = createUploadQuestion(notices);
  // The question was about the folders that were there when it was asked.
  owned.add(
    workspace.onDidChangeWorkspaceFolders(() => {
      if (question.asked === undefined) return;
      question.answer(false);
      const sentence = l10n.t('The folders of this workspace are others now, so nothing was sent.');
      void notices.info(sentence, { title: l10n.t('Index Workspace'), command: Command.searchIndex });
    }),
  );
  const indexing = createIndexCommand(services, index, question, documents);
  owned.add(createStatusEntry(services, index));
  owned.add(registerCommand(Command.searchIndex, notices, indexing.forPerson));
  owned.add(registerCommand(Command.searchResume, notices, indexing.forPerson));
  owned.add(registerCommand(Command.searchAnswer, notices, indexing.forPerson));
  owned.add(
    registerCommand(Command.searchPause, notices, () => {
      if (indexing.isSending) return index.sending.pause('user');
      return notices.info(l10n.t('Nothing is being indexed, so there is nothing to pause.'));
    }),
  );
  owned.add(registerCommand(Command.searchCancel, notices, indexing.cancel));
  owned.add(registerCommand(Command.searchActions, notices, () => showActions(index, question, indexing.isRunning)));
  owned.add(
    registerCommand(Command.searchReport, notices, async () => {
      const obstacle = findObstacle();
      if (obstacle !== undefined) return notices.warn(obstacle.sentence, obstacle.action);
      await documents.show('report');
    }),
  );
  owned.add(index.sending.onTomorrow(indexing.forPerson));
  return {
    forCaller: indexing.forCaller,
    withShared: indexing.withShared,
    end: indexing.end,
    dispose: () => owned.dispose(),
  };
}

async function contentsOf(index: SearchIndex): Promise<string> {
  const endpoint = await index.endpoint();
  const contents = await index.client.contents(endpoint && index.sending.forQuestions(endpoint));
  const folders = (workspace.workspaceFolders ?? []).map(({ uri, name }) => ({ root: uri.fsPath, name }));
  return contentsText(contents, folders);
}
