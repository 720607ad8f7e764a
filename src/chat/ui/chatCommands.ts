import { type Disposable, l10n, type QuickPickItem, workspace } from 'vscode';
import { registerCommand } from '../../editor/commands.ts';
import { Disposables } from '../../editor/disposables.ts';
import type { Services } from '../../editor/services.ts';
import { window } from '../../editor/text/window.ts';
import { Command, type CommandId } from '../../ids.ts';
import { conversationToMarkdown } from '../conversationMarkdown.ts';
import type { History } from '../history/history.ts';
import type { OpenConversations } from './openConversations.ts';
import { relativeTime } from './relativeTime.ts';
import type { Surfaces } from './surfaces.ts';

/** The commands of conversations, apart from Ask. */
export function registerChatCommands(
  services: Services,
  conversations: OpenConversations,
  history: History,
  surfaces: Surfaces,
): Disposable {
  const owned = new Disposables();
  const on = (id: CommandId, run: (...args: unknown[]) => unknown): void => {
    owned.add(registerCommand(id, services.notices, run));
  };

  on(Command.chatNew, async () => {
    const { chats, panel } = surfaces.active;
    await chats.startNew();
    await panel.focus();
  });
  on(Command.chatStop, () => surfaces.active.chats.stop());
  on(Command.chatRetry, () => surfaces.active.chats.retry());
  on(Command.chatContinue, () => surfaces.active.chats.continue());
  on(Command.chatFork, async () => {
    const { panel } = surfaces.active;
    await panel.focus();
    await panel.fork();
  });
  on(Command.chatOpen, async (argument) => {
    const id = typeof argument === 'string' ? argument : await pickConversation(history);
    if (id === undefined) return;
    const { chats, panel } = surfaces.active;
    const corrupted = await chats.open(id);
    if (corrupted === undefined)
      return services.notices.warn(l10n.t('This conversation cannot be read; its file may be damaged or gone.'));
    await panel.focus();
    if (corrupted > 0)
      void services.notices.warn(l10n.t('Some of this conversation could not be read, and was left out.'));
  });
  on(Command.chatDelete, async (argument) => {
    const { chats } = surfaces.active;
    await chats.restored();
    const id = idOf(argument) ?? chats.conversation.id;
    const summary = (await history.list()).find((each) => each.id === id);
    if (summary === undefined) return;
    await conversations.remove(id);
    void services.notices.info(l10n.t('“{0}” was deleted.', summary.title || l10n.t('Untitled')), {
      title: l10n.t('Undo'),
      command: Command.chatBringBack,
      arguments: [id],
    });
  });
  on(Command.chatBringBack, async (id, messages) => {
    if (typeof id !== 'string') return;
    if (Array.isArray(messages)) return conversations.change(id, (session) => session.restore(messages.map(String)));
    await history.bringBack(id);
    await surfaces.active.chats.open(id);
  });
  on(Command.chatRename, async (argument) => {
    const id = idOf(argument) ?? surfaces.active.chats.conversation.id;
    const summary = (await history.list()).find((each) => each.id === id);
    if (summary === undefined) return;
    const title = await window.showInputBox({
      title: l10n.t('Rename Conversation'),
      value: summary.title,
      prompt: l10n.t('Its name in the list; empty for its first question'),
    });
    if (title !== undefined) await conversations.change(id, (session) => session.rename(title.trim().slice(0, 200)));
  });
  for (const [command, isPinned] of [
    [Command.chatPin, true],
    [Command.chatUnpin, false],
  ] as const) {
    on(command, async (argument) => {
      const id = idOf(argument);
      if (id !== undefined) await conversations.change(id, (session) => session.pin(isPinned));
    });
  }
  on(Command.chatExport, async () => {
    const { chats } = surfaces.active;
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
