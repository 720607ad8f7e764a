import { type Disposable, l10n, type QuickPickItem, workspace } from 'vscode';
import { registerCommand } from '../../editor/commands.ts';
import { Disposables } from '../../editor/disposables.ts';
import { relativeTime } from '../../editor/sentences/relativeTime.ts';
import type { Services } from '../../editor/services.ts';
import { window } from '../../editor/text/window.ts';
import { Command, type CommandId } from '../../ids.ts';
import { conversationToMarkdown } from '../exchange/conversationMarkdown.ts';
import type { History } from '../history/history.ts';
import { wordsOf } from '../history/searchWords.ts';
import type { OpenConversations } from './openConversations.ts';
import type { Surfaces } from './surfaces/surfaces.ts';

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

  /** @param corrupted how many lines of a file could not be read; undefined: all of them */
  function warnOf(corrupted: number | undefined): void {
    if (corrupted === 0) return;
    const sentence =
      corrupted === undefined
        ? l10n.t('This conversation cannot be read; its file may be damaged or gone.')
        : l10n.t('Some of this conversation could not be read, and was left out.');
    void services.notices.warn(sentence);
  }

  on(Command.chatNew, async (...args) => {
    const { chats, panel } = surfaces.of(args);
    await chats.startNew();
    await panel.focus();
  });
  on(Command.chatStop, () => surfaces.active.chats.stop());
  on(Command.chatRetry, () => surfaces.active.chats.retry());
  on(Command.chatContinue, () => surfaces.active.chats.continue());
  on(Command.chatFork, async (...args) => {
    const { panel } = surfaces.of(args);
    await panel.focus();
    await panel.fork();
  });
  on(Command.chatFind, (...args) => surfaces.of(args).panel.find());
  on(Command.chatOpen, async (...args) => {
    const [given, message, query] = args;
    const id = typeof given === 'string' ? given : await pickConversation(history);
    if (id === undefined) return;
    // A row of the list stands beside the view.
    const { chats, panel } = typeof given === 'string' ? surfaces.view : surfaces.of(args);
    const corrupted = await chats.open(id);
    if (corrupted !== undefined && typeof message === 'string') {
      await conversations.change(id, (session) => session.reveal(message));
      await panel.showMessage(message, wordsOf(typeof query === 'string' ? query : ''));
    } else if (corrupted !== undefined) {
      await panel.focus();
    }
    warnOf(corrupted);
  });
  for (const [command, show] of [
    [Command.chatOpenInEditor, surfaces.tabs.open],
    [Command.chatOpenInWindow, surfaces.tabs.openInWindow],
  ] as const) {
    on(command, async (...args) => {
      const { chats } = surfaces.of(args);
      await chats.restored();
      const kept = await conversations.find(idOf(args[0]) ?? chats.conversation.id);
      if (kept !== undefined) await show(kept.found);
      warnOf(kept?.corrupted);
    });
  }
  on(Command.chatDelete, async (...args) => {
    const { chats } = surfaces.of(args);
    await chats.restored();
    const id = idOf(args[0]) ?? chats.conversation.id;
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
    await surfaces.view.chats.open(id);
  });
  on(Command.chatRename, async (...args) => {
    const id = idOf(args[0]) ?? surfaces.of(args).chats.conversation.id;
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
  on(Command.chatExport, async (...args) => {
    const { chats } = surfaces.of(args);
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

/** The id of a conversation: as it is given, or of its row. */
export function idOf(argument: unknown): string | undefined {
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
