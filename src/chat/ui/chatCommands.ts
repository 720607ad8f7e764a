import { type Disposable, l10n, type QuickPickItem, workspace } from 'vscode';
import { registerCommand } from '../../editor/commands.ts';
import { Disposables } from '../../editor/disposables.ts';
import type { Services } from '../../editor/services.ts';
import { window } from '../../editor/text/window.ts';
import { Command, type CommandId } from '../../ids.ts';
import { titleOf } from '../conversation.ts';
import { conversationToMarkdown } from '../conversationMarkdown.ts';
import type { History } from '../history/history.ts';
import { pickChatModel } from './chatModel.ts';
import type { Chats } from './currentChat.ts';
import type { ChatPanel } from './panel/chatPanel.ts';
import { relativeTime } from './relativeTime.ts';

/** The commands of conversations, apart from Ask. */
export function registerChatCommands(services: Services, chats: Chats, history: History, panel: ChatPanel): Disposable {
  const owned = new Disposables();
  const on = (id: CommandId, run: (...args: unknown[]) => unknown): void => {
    owned.add(registerCommand(id, services.notices, run));
  };

  on(Command.chatNew, async () => {
    await chats.startNew();
    await panel.focus();
  });
  on(Command.chatStop, () => chats.stop());
  on(Command.chatRetry, () => chats.retry());
  on(Command.chatPickModel, () => pickChatModel(services));
  on(Command.chatOpen, async (argument) => {
    const id = typeof argument === 'string' ? argument : await pickConversation(history);
    if (id === undefined) return;
    if (await chats.open(id)) await panel.focus();
    else await services.notices.warn(l10n.t('This conversation cannot be read; its file may be damaged or gone.'));
  });
  on(Command.chatDelete, async (argument) => {
    await chats.restored();
    const id = idOf(argument) ?? chats.conversation.id;
    const conversation = id === chats.conversation.id ? chats.conversation : await history.load(id);
    const name = (conversation && titleOf(conversation)) || l10n.t('Untitled');
    const remove = l10n.t('Delete');
    const chosen = await window.showWarningMessage(
      l10n.t('Delete “{0}”?', name),
      { modal: true, detail: l10n.t('It cannot be brought back.') },
      remove,
    );
    if (chosen === remove) await chats.remove(id);
  });
  on(Command.chatExport, async () => {
    await chats.restored();
    const content = conversationToMarkdown(chats.conversation, {
      untitled: l10n.t('Conversation'),
      question: l10n.t('Question'),
      answer: l10n.t('Answer'),
      incomplete: l10n.t('This answer is not complete.'),
    });
    await window.showTextDocument(await workspace.openTextDocument({ language: 'markdown', content }));
  });
  return owned;
}

function idOf(argument: unknown): string | undefined {
  if (typeof argument === 'string') return argument;
  if (typeof argument !== 'object' || argument === null || !('id' in argument)) return undefined;
  return typeof argument.id === 'string' ? argument.id : undefined;
}

async function pickConversation(history: History): Promise<string | undefined> {
  const list = async (): Promise<(QuickPickItem & { id: string })[]> => {
    const now = Date.now();
    return (await history.list()).map(({ id, title, updatedAt }) => ({
      id,
      label: title || l10n.t('Untitled'),
      description: relativeTime(updatedAt, now),
    }));
  };
  const items = await list();
  const chosen = await window.showQuickPick(items, {
    title: l10n.t('Conversations'),
    placeHolder: items.length === 0 ? l10n.t('There are no conversations yet') : l10n.t('Open a conversation'),
    matchOnDescription: true,
  });
  return chosen?.id;
}
