import { commands, type Disposable } from 'vscode';
import { registerCommand } from '../../../editor/commands.ts';
import { Disposables } from '../../../editor/disposables.ts';
import type { Services } from '../../../editor/services.ts';
import { Command, type CommandId, View } from '../../../ids/ids.ts';
import { type ConversationFilesParts, createConversationFiles } from '../list/conversationFiles.ts';
import type { ConversationsView } from '../list/conversationList.ts';
import type { ConversationSearch } from '../list/conversationSearch.ts';
import { openRequestOfClipboard } from '../list/openedRequest.ts';

/** The parts that the commands on all conversations work with. */
export interface HistoryParts extends ConversationFilesParts {
  readonly search: ConversationSearch;
  readonly list: ConversationsView;
}

/** The commands on all conversations: searching them, taking them along, and bringing in others. */
export function registerHistoryCommands(services: Services, parts: HistoryParts): Disposable {
  const { search, list } = parts;
  const owned = new Disposables();
  const files = createConversationFiles(services, parts);
  const on = (id: CommandId, run: (...args: unknown[]) => unknown): void => {
    owned.add(registerCommand(id, services.notices, run));
  };

  on(Command.chatSearch, async () => {
    await commands.executeCommand(`${View.conversations}.focus`);
    if (await search.ask()) await list.focus();
  });
  on(Command.chatClearSearch, () => search.clear());
  on(Command.chatExportJson, (row) => files.save(row));
  on(Command.chatImport, () => files.open());
  on(Command.chatOpenRequest, () => openRequestOfClipboard({ ...parts, notices: services.notices }));
  return owned;
}
