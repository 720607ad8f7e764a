import * as files from 'node:fs/promises';
import * as path from 'node:path';
import type { Disposable } from 'vscode';
import { Disposables } from '../../editor/disposables.ts';
import type { Services } from '../../editor/services.ts';
import { createHistory } from '../history.ts';
import type { Searcher } from '../searcher.ts';
import { registerAsk } from './ask.ts';
import { createChats } from './chats.ts';
import { registerChatCommands } from './commands.ts';
import { createPanel } from './panel.ts';
import { createQuestionSearch } from './questionSearch.ts';
import { registerSelectionCommands } from './selection.ts';
import { createConversationsView } from './tree.ts';

/**
 * The chat panel, the list of conversations, their commands, and the commands on a selection.
 * @param searcher for questions about the workspace; undefined when the code search did not start
 */
export function registerChat(services: Services, searcher: Searcher | undefined): Disposable {
  const owned = new Disposables();
  const folder = path.join(services.context.globalStorageUri.fsPath, 'conversations');
  const history = createHistory(folder, files);
  const chats = owned.add(createChats(services, history));
  const search = owned.add(createQuestionSearch(searcher, chats, services.notices));
  const panel = owned.add(createPanel(services, chats, search));
  owned.add(createConversationsView(chats, history));
  owned.add(registerAsk(services.log, chats, panel));
  owned.add(registerChatCommands(services, chats, history, panel));
  owned.add(registerSelectionCommands(services.notices, chats, panel));
  return owned;
}
