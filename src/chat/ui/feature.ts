import * as path from 'node:path';
import type { Disposable } from 'vscode';
import { Disposables } from '../../editor/disposables.ts';
import type { Services } from '../../editor/services.ts';
import type { WorkspaceSearch } from '../context/workspaceContext.ts';
import { createHistory } from '../history/history.ts';
import { registerAsk } from './ask.ts';
import { registerChatCommands } from './chatCommands.ts';
import { registerSelectionCommands } from './context/selection.ts';
import { createConversationsView } from './conversationList.ts';
import { createOpenConversations } from './openConversations.ts';
import { createSurfaces } from './surfaces.ts';
import { createUnsavedNotice } from './unsaved.ts';

/**
 * The chat panel, the list of conversations, their commands, and the commands on a selection.
 * @param searcher for questions about the workspace; undefined when the code search did not start
 */
export function registerChat(services: Services, searcher: WorkspaceSearch | undefined): Disposable {
  const owned = new Disposables();
  const folder = path.join(services.context.globalStorageUri.fsPath, 'conversations');
  const history = createHistory(folder, createUnsavedNotice(services.notices, services.log));
  const conversations = owned.add(createOpenConversations(services, history));
  const surfaces = owned.add(createSurfaces({ services, conversations, searcher }));
  owned.add(createConversationsView(conversations, history));
  owned.add(registerAsk(services.log, surfaces));
  owned.add(registerChatCommands(services, conversations, history, surfaces));
  owned.add(registerSelectionCommands(services.notices, surfaces));
  return owned;
}
