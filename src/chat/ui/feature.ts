import * as path from 'node:path';
import type { Disposable } from 'vscode';
import { Disposables } from '../../editor/disposables.ts';
import { describeForLog } from '../../editor/log.ts';
import type { Services } from '../../editor/services.ts';
import { createCompletionSources } from '../context/completionSources.ts';
import type { WorkspaceSearch } from '../context/workspaceContext.ts';
import { createHistory } from '../history/history.ts';
import { registerAsk } from './ask.ts';
import { registerChatCommands } from './chatCommands.ts';
import { createAttachments } from './context/attachments.ts';
import { createQuestionSearch } from './context/questionSearch.ts';
import { registerSelectionCommands } from './context/selection.ts';
import { createSelectionSource } from './context/sources/selectionSource.ts';
import { createConversationsView } from './conversationList.ts';
import { createChats } from './currentChat.ts';
import { createPanel } from './panel/chatPanel.ts';
import { createUnsavedNotice } from './unsaved.ts';

/**
 * The chat panel, the list of conversations, their commands, and the commands on a selection.
 * @param searcher for questions about the workspace; undefined when the code search did not start
 */
export function registerChat(services: Services, searcher: WorkspaceSearch | undefined): Disposable {
  const owned = new Disposables();
  const folder = path.join(services.context.globalStorageUri.fsPath, 'conversations');
  const history = createHistory(folder, createUnsavedNotice(services.notices, services.log));
  const chats = owned.add(createChats(services, history));
  const attachments = owned.add(createAttachments());
  const search = owned.add(createQuestionSearch(searcher, chats, attachments, services.notices));
  // What `@` and `/` offer at the message box, in this order.
  const completions = createCompletionSources([createSelectionSource(attachments)], (error) =>
    services.log.error(describeForLog(error)),
  );
  const panel = owned.add(createPanel(services, chats, attachments, search, completions));
  owned.add(createConversationsView(chats, history));
  owned.add(registerAsk(services.log, chats, panel));
  owned.add(registerChatCommands(services, chats, history, panel));
  owned.add(registerSelectionCommands(services.notices, chats, attachments, panel));
  return owned;
}
