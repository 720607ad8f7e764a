import * as files from 'node:fs/promises';
import * as path from 'node:path';
import type { Disposable } from 'vscode';
import { Disposables } from '../../editor/disposables.ts';
import type { Services } from '../../editor/services.ts';
import { createHistory } from '../history.ts';
import { registerAsk } from './ask.ts';
import { createChats } from './chats.ts';
import { registerChatCommands } from './commands.ts';
import { createPanel } from './panel.ts';
import { registerSelectionCommands } from './selection.ts';
import { createConversationsView } from './tree.ts';

/** The chat panel, the list of conversations, their commands, and the commands on a selection. */
export function registerChat(services: Services): Disposable {
  const owned = new Disposables();
  const folder = path.join(services.context.globalStorageUri.fsPath, 'conversations');
  const history = createHistory(folder, files);
  const chats = owned.add(createChats(services, history));
  const panel = owned.add(createPanel(services, chats));
  owned.add(createConversationsView(chats, history));
  owned.add(registerAsk(services.log, chats, panel));
  owned.add(registerChatCommands(services, chats, history, panel));
  owned.add(registerSelectionCommands(services.notices, chats, panel));
  return owned;
}
