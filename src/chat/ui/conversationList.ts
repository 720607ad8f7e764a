import { type Disposable, EventEmitter, l10n, ThemeIcon } from 'vscode';
import { Disposables } from '../../editor/disposables.ts';
import { plain, plainLines } from '../../editor/text/plainText.ts';
import { type PlainTreeItem, treeItem } from '../../editor/text/shown.ts';
import { window } from '../../editor/text/window.ts';
import { Command, View } from '../../ids.ts';
import type { History, Summary } from '../history/history.ts';
import type { Chats } from './currentChat.ts';
import { relativeTime } from './relativeTime.ts';

/** The view that lists the conversations, newest first. */
export function createConversationsView(chats: Chats, history: History): Disposable {
  const owned = new Disposables();
  const changed = owned.add(new EventEmitter<undefined>());
  owned.add(chats.onDidChangeList(() => changed.fire(undefined)));
  owned.add(
    window.createTreeView<Summary>(View.conversations, {
      treeDataProvider: {
        onDidChangeTreeData: changed.event,
        getChildren: (parent) => (parent === undefined ? history.list() : []),
        getTreeItem: conversationItem,
      },
    }),
  );
  return owned;
}

function conversationItem({ id, title, updatedAt, questions }: Summary): PlainTreeItem {
  const name = plain(title || l10n.t('Untitled'));
  const time = plain(relativeTime(updatedAt, Date.now()));
  const item = treeItem(name);
  item.id = id;
  item.description = time;
  item.tooltip = plainLines(`${name}\n${new Date(updatedAt).toLocaleString()}`);
  item.iconPath = new ThemeIcon('comment-discussion');
  item.contextValue = 'conversation';
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
