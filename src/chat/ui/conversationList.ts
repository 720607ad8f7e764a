import { type Disposable, EventEmitter, l10n, ThemeIcon, TreeItemCollapsibleState } from 'vscode';
import { Disposables } from '../../editor/disposables.ts';
import { plain, plainLines } from '../../editor/text/plainText.ts';
import { type PlainTreeItem, treeItem } from '../../editor/text/shown.ts';
import { window } from '../../editor/text/window.ts';
import { Command, View } from '../../ids.ts';
import type { History, Summary } from '../history/history.ts';
import { type OpenConversations, workspacePlace } from './openConversations.ts';
import { relativeTime } from './relativeTime.ts';

/** The row above the conversations of other folders. */
const others = Symbol('others');
type Row = Summary | typeof others;

/** Milliseconds after which the ages in the list are told anew. */
const agesEveryMs = 60_000;

/** The view that lists the conversations: pinned ones first, then newest first; those of other folders below. */
export function createConversationsView(conversations: OpenConversations, history: History): Disposable {
  const owned = new Disposables();
  const changed = owned.add(new EventEmitter<undefined>());
  const refresh = (): void => changed.fire(undefined);
  owned.add(conversations.onDidChangeList(refresh));
  const view = owned.add(
    window.createTreeView<Row>(View.conversations, {
      treeDataProvider: {
        onDidChangeTreeData: changed.event,
        async getChildren(parent) {
          const [here, elsewhere] = split(await history.list());
          if (parent === others) return elsewhere;
          return parent !== undefined ? [] : elsewhere.length === 0 ? here : [...here, others];
        },
        getTreeItem: (row) => (row === others ? othersItem() : conversationItem(row, conversations.isWriting(row.id))),
      },
    }),
  );
  const ages = setInterval(() => view.visible && refresh(), agesEveryMs);
  owned.add({ dispose: () => clearInterval(ages) });
  return owned;
}

/** Conversations of the open folder, and of others. One that says no folder is from before they did. */
function split(summaries: readonly Summary[]): [here: Summary[], elsewhere: Summary[]] {
  const here = workspacePlace()?.uri;
  const isHere = ({ workspace }: Summary): boolean => workspace === undefined || workspace.uri === here;
  return [summaries.filter(isHere), summaries.filter((summary) => !isHere(summary))];
}

function othersItem(): PlainTreeItem {
  const item = treeItem(plain(l10n.t('Other Folders')), TreeItemCollapsibleState.Collapsed);
  item.id = 'others';
  item.contextValue = 'others';
  return item;
}

function conversationItem(summary: Summary, isWriting: boolean): PlainTreeItem {
  const { id, title, updatedAt, questions, workspace, isPinned, isUnreadable } = summary;
  const name = plain(title || l10n.t('Untitled'));
  const time = plain(relativeTime(updatedAt, Date.now()));
  const item = treeItem(isUnreadable ? plain(l10n.t('A conversation that cannot be read')) : name);
  item.id = id;
  item.description = isWriting ? plain(l10n.t('writing…')) : time;
  const where = workspace === undefined ? [] : [workspace.name];
  item.tooltip = plainLines([name, new Date(updatedAt).toLocaleString(), ...where].join('\n'));
  item.iconPath = new ThemeIcon(iconOf(summary, isWriting));
  item.contextValue = isUnreadable ? 'unreadable' : isPinned ? 'conversation pinned' : 'conversation';
  item.command = { command: Command.chatOpen, title: l10n.t('Open Conversation'), arguments: [id] };
  item.accessibilityInformation = {
    label: plain(
      questions === 1
        ? l10n.t('{0}, one question, {1}', name, time)
        : l10n.t('{0}, {1} questions, {2}', name, questions, time),
    ),
  };
  return item;
}

function iconOf({ isUnreadable, isPinned }: Summary, isWriting: boolean): string {
  if (isWriting) return 'loading~spin';
  if (isUnreadable) return 'warning';
  return isPinned ? 'pinned' : 'comment-discussion';
}
