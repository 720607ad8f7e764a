import { env, l10n, ThemeIcon, TreeItemCollapsibleState } from 'vscode';
import { relativeTime } from '../../../editor/sentences/relativeTime.ts';
import { plain, plainLines } from '../../../editor/text/plainText.ts';
import { markedTreeItem, type PlainTreeItem, treeItem } from '../../../editor/text/shown.ts';
import { Command } from '../../../ids/ids.ts';
import type { SearchResult, Summary } from '../../history/conversationSummaries.ts';
import type { MessageHit } from '../../history/messageIndex.ts';
import { marksOf } from '../../history/searchWords.ts';

/** The row above the conversations of other folders. */
export const others = Symbol('others');

/** A conversation in which something was found. */
export type FoundRow = SearchResult['conversations'][number];

/** A message that was found. */
export interface HitRow {
  readonly in: FoundRow;
  readonly hit: MessageHit;
}

export type ConversationRow = Summary | typeof others | FoundRow | HitRow;

/** What is searched for: as it was typed, and as it is marked. */
export interface ConversationQuery {
  readonly text: string;
  readonly words: readonly string[];
}

/** The id of a conversation: as it is given, or of its row. */
export function idOf(argument: unknown): string | undefined {
  if (typeof argument === 'string') return argument;
  if (typeof argument !== 'object' || argument === null || !('id' in argument)) return undefined;
  return typeof argument.id === 'string' ? argument.id : undefined;
}

export function isHit(row: ConversationRow): row is HitRow {
  return row !== others && 'hit' in row;
}

export function isFound(row: ConversationRow): row is FoundRow {
  return row !== others && 'summary' in row;
}

export function othersItem(): PlainTreeItem {
  const item = treeItem(plain(l10n.t('Other Folders')), TreeItemCollapsibleState.Collapsed);
  item.id = 'others';
  item.contextValue = 'others';
  return item;
}

export function conversationItem(summary: Summary, isWriting: boolean): PlainTreeItem {
  const { title, isUnreadable } = summary;
  const label = isUnreadable ? l10n.t('A conversation that cannot be read') : title || l10n.t('Untitled');
  return described(treeItem(plain(label)), summary, isWriting);
}

/** A conversation with its hits below; the words are marked in its title, too. */
export function foundItem(
  { summary, hits, isTitle }: FoundRow,
  { words }: ConversationQuery,
  isWriting: boolean,
): PlainTreeItem {
  const label = plain(summary.title || l10n.t('Untitled'));
  const state = hits.length > 0 ? TreeItemCollapsibleState.Expanded : TreeItemCollapsibleState.None;
  const item = described(markedTreeItem(label, isTitle ? marksOf(label, words) : [], state), summary, isWriting);
  // VS Code remembers by the id which rows are collapsed: those of the list are others.
  item.id = `found ${summary.id}`;
  return item;
}

export function hitItem({ in: { summary }, hit }: HitRow, { text, words }: ConversationQuery): PlainTreeItem {
  const label = plain(hit.line);
  const item = markedTreeItem(label, marksOf(label, words));
  const isQuestion = hit.role === 'user';
  item.id = `hit ${summary.id} ${hit.message}`;
  item.iconPath = new ThemeIcon(isQuestion ? 'question' : 'comment');
  item.tooltip = label;
  item.contextValue = 'hit';
  item.command = {
    command: Command.chatOpen,
    title: l10n.t('Open Conversation'),
    arguments: [summary.id, hit.message, text],
  };
  item.accessibilityInformation = {
    label: plain(isQuestion ? l10n.t('Question: {0}', label) : l10n.t('Answer: {0}', label)),
  };
  return item;
}

/** The item with all but its label. */
function described(item: PlainTreeItem, summary: Summary, isWriting: boolean): PlainTreeItem {
  const { id, title, updatedAt, questions, workspace, isPinned, isUnreadable } = summary;
  const name = plain(title || l10n.t('Untitled'));
  const time = plain(relativeTime(updatedAt, Date.now()));
  item.id = id;
  item.description = isWriting ? plain(l10n.t('writing…')) : time;
  const where = workspace === undefined ? [] : [workspace.name];
  item.tooltip = plainLines([name, new Date(updatedAt).toLocaleString(env.language), ...where].join('\n'));
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
