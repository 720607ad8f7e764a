import * as path from 'node:path';
import { type Disposable, Uri } from 'vscode';
import { Disposables } from '../../editor/disposables.ts';
import type { Services } from '../../editor/services.ts';
import type { WorkspaceSearch } from '../context/workspaceContext.ts';
import { createHistory } from '../history/history.ts';
import { registerAsk } from './ask.ts';
import { registerChatCommands } from './chatCommands.ts';
import { registerConfigurationCommands } from './configuration/configurationCommands.ts';
import { createInstructionFiles } from './context/instructionFiles.ts';
import { registerPromptCommands } from './context/prompts/promptCommands.ts';
import { createPromptReader } from './context/prompts/promptFiles.ts';
import { registerSelectionCommands } from './context/selection.ts';
import { createConversationsView } from './list/conversationList.ts';
import { createConversationSearch } from './list/conversationSearch.ts';
import { registerHistoryCommands } from './list/historyCommands.ts';
import { createOpenConversations } from './openConversations.ts';
import type { CodeReview } from './panel/code/applyCode.ts';
import { createDiagramPreview } from './panel/code/previewDiagram.ts';
import { createSurfaces } from './surfaces/surfaces.ts';
import { createUnsavedNotice } from './unsaved.ts';

/**
 * The chat panel, the list of conversations, their commands, and the commands on a selection.
 * @param searcher for questions about the workspace; undefined when the code search did not start
 * @param review for code of answers; undefined when the edits did not start
 */
export function registerChat(
  services: Services,
  searcher: WorkspaceSearch | undefined,
  review: CodeReview | undefined,
): Disposable {
  const owned = new Disposables();
  const folder = path.join(services.context.globalStorageUri.fsPath, 'conversations');
  const history = createHistory(folder, createUnsavedNotice(services.notices, services.log));
  const instructions = owned.add(createInstructionFiles());
  const promptFolder = Uri.joinPath(services.context.globalStorageUri, 'prompts');
  const prompts = createPromptReader(promptFolder);
  const conversations = owned.add(createOpenConversations({ ...services, instructions }, history));
  const diagrams = owned.add(createDiagramPreview());
  const shared = { services, conversations, searcher, instructions, prompts, review, diagrams };
  const surfaces = owned.add(createSurfaces(shared));
  const search = owned.add(createConversationSearch(history));
  const list = owned.add(createConversationsView(conversations, history, search, surfaces));
  owned.add(registerHistoryCommands(services, { history, conversations, surfaces, search, list }));
  owned.add(registerAsk(services.log, surfaces));
  owned.add(registerChatCommands(services, conversations, history, surfaces));
  owned.add(registerSelectionCommands(services.notices, surfaces, prompts));
  owned.add(registerConfigurationCommands(services, conversations, surfaces, instructions));
  owned.add(registerPromptCommands(services.notices, promptFolder));
  return owned;
}
