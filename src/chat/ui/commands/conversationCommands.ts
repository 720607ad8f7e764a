import { type Disposable, l10n, type QuickPickItem } from 'vscode';
import { registerCommand } from '../../../editor/commands.ts';
import { Disposables } from '../../../editor/disposables.ts';
import type { Notices } from '../../../editor/notices.ts';
import { relativeTime } from '../../../editor/sentences/relativeTime.ts';
import { window } from '../../../editor/text/window.ts';
import { Command, type CommandId } from '../../../ids/ids.ts';
import type { Summary } from '../../history/conversationSummaries.ts';
import type { History } from '../../history/history.ts';
import { wordsOf } from '../../history/searchWords.ts';
import type { OpenConversations } from '../conversations/openConversations.ts';
import { idOf } from '../list/conversationRows.ts';
import type { Surfaces } from '../surfaces/surfaces.ts';

/** What the commands of kept conversations work on. */
interface Parts {
  readonly notices: Notices;
  readonly conversations: OpenConversations;
  readonly history: History;
  readonly surfaces: Surfaces;
}

/** The commands of conversations that are kept: each takes the row or the id that is given, else the conversation that is shown. */
export function registerConversationCommands(parts: Parts): Disposable {
  const { surfaces, notices } = parts;
  const owned = new Disposables();
  const on = (id: CommandId, run: (parts: Parts, args: unknown[]) => unknown): void => {
    owned.add(registerCommand(id, notices, (...args: unknown[]) => run(parts, args)));
  };
  on(Command.chatOpen, openConversation);
  on(Command.chatOpenInEditor, (_, args) => openInTab(parts, args, surfaces.tabs.open));
  on(Command.chatOpenInWindow, (_, args) => openInTab(parts, args, surfaces.tabs.openInWindow));
  on(Command.chatDelete, deleteConversation);
  on(Command.chatBringBack, bringBack);
  on(Command.chatRename, rename);
  on(Command.chatPin, (_, args) => pin(parts, args, true));
  on(Command.chatUnpin, (_, args) => pin(parts, args, false));
  return owned;
}

async function openConversation({ conversations, history, surfaces, notices }: Parts, args: unknown[]): Promise<void> {
  const [given, message, query] = args;
  const id = typeof given === 'string' ? given : await pickConversation(history);
  if (id === undefined) return;
  // A row of the list stands beside the view.
  const { shown, panel } = typeof given === 'string' ? surfaces.view : surfaces.of(args);
  const corrupted = await shown.open(id);
  if (corrupted !== undefined && typeof message === 'string') {
    await conversations.change(id, (session) => session.reveal(message));
    await panel.showMessage(message, wordsOf(typeof query === 'string' ? query : ''));
  } else if (corrupted !== undefined) {
    await panel.focus();
  }
  warnOf(corrupted, notices);
}

async function openInTab(
  { conversations, surfaces, notices }: Parts,
  args: unknown[],
  show: Surfaces['tabs']['open'],
): Promise<void> {
  const { shown } = surfaces.of(args);
  await shown.restored();
  const kept = await conversations.find(idOf(args[0]) ?? shown.conversation.id);
  if (kept !== undefined) await show(kept.found);
  warnOf(kept?.corrupted, notices);
}

/** @param corrupted how many lines of a file could not be read; undefined: all of them */
function warnOf(corrupted: number | undefined, notices: Notices): void {
  if (corrupted === 0) return;
  const sentence =
    corrupted === undefined
      ? l10n.t('This conversation cannot be read; its file may be damaged or gone.')
      : l10n.t('Some of this conversation could not be read, and was left out.');
  void notices.warn(sentence);
}

async function deleteConversation(parts: Parts, args: unknown[]): Promise<void> {
  const { shown } = parts.surfaces.of(args);
  await shown.restored();
  const id = idOf(args[0]) ?? shown.conversation.id;
  const summary = await summaryOf(parts, id);
  if (summary === undefined) return;
  await parts.conversations.remove(id);
  void parts.notices.info(l10n.t('“{0}” was deleted.', summary.title || l10n.t('Untitled')), {
    title: l10n.t('Undo'),
    command: Command.chatBringBack,
    arguments: [id],
  });
}

async function bringBack({ conversations, history, surfaces }: Parts, [id, messages]: unknown[]): Promise<unknown> {
  if (typeof id !== 'string') return;
  if (Array.isArray(messages)) return conversations.change(id, (session) => session.restore(messages.map(String)));
  await history.bringBack(id);
  return surfaces.view.shown.open(id);
}

async function rename(parts: Parts, args: unknown[]): Promise<void> {
  const id = idOf(args[0]) ?? parts.surfaces.of(args).shown.conversation.id;
  const summary = await summaryOf(parts, id);
  if (summary === undefined) return;
  const title = await window.showInputBox({
    title: l10n.t('Rename Conversation'),
    value: summary.title,
    prompt: l10n.t('Its name in the list; empty for its first question'),
  });
  if (title !== undefined)
    await parts.conversations.change(id, (session) => session.rename(title.trim().slice(0, 200)));
}

async function pin({ conversations }: Parts, [argument]: unknown[], isPinned: boolean): Promise<void> {
  const id = idOf(argument);
  if (id !== undefined) await conversations.change(id, (session) => session.pin(isPinned));
}

async function summaryOf({ history }: Parts, id: string): Promise<Summary | undefined> {
  return (await history.list()).find((each) => each.id === id);
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
