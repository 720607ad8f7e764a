import { type Disposable, EventEmitter } from 'vscode';
import { Disposables } from '../../../editor/disposables.ts';
import { keepAgesFresh } from '../../../editor/sentences/relativeTime.ts';
import { plain } from '../../../editor/text/plainText.ts';
import { window } from '../../../editor/text/window.ts';
import { View } from '../../../ids/ids.ts';
import type { Summary } from '../../history/conversationSummaries.ts';
import type { History } from '../../history/history.ts';
import type { OpenConversations } from '../conversations/openConversations.ts';
import { workspacePlace } from '../conversations/workspacePlace.ts';
import type { Surfaces } from '../surfaces/surfaces.ts';
import {
  type ConversationRow,
  conversationItem,
  foundItem,
  hitItem,
  isFound,
  isHit,
  others,
  othersItem,
} from './conversationRows.ts';
import { type ConversationSearch, resultText } from './conversationSearch.ts';

/** The view that lists the conversations. */
export interface ConversationsView extends Disposable {
  /** Moves the focus to the first row. */
  focus(): Promise<void>;
}

/**
 * The view that lists the conversations: pinned ones first, then newest first; those of other folders below. While they are
 * searched, it has those with hits, and the hits below each.
 */
export function createConversationsView(
  conversations: OpenConversations,
  history: History,
  search: ConversationSearch,
  surfaces: Surfaces,
): ConversationsView {
  const owned = new Disposables();
  const changed = owned.add(new EventEmitter<undefined>());
  const refresh = (): void => changed.fire(undefined);
  /** The rows of the list as they were given last, those of other folders among them. */
  let listed: readonly Summary[] = [];
  /** The conversation that was selected because the panel shows it. */
  let selected: string | undefined;

  async function rootRows(): Promise<ConversationRow[]> {
    const summaries = await history.list();
    const { query } = search;
    const result = query && search.find(query);
    const message = plain(query === undefined || result === undefined ? '' : resultText(query, result));
    if (view.message !== message) view.message = message;
    if (result !== undefined) return [...result.conversations];
    listed = summaries;
    const [here, elsewhere] = split(summaries);
    return elsewhere.length === 0 ? here : [...here, others];
  }

  function childrenOf(row: ConversationRow): ConversationRow[] {
    if (row === others) return split(listed)[1];
    return isFound(row) ? row.hits.map((hit) => ({ in: row, hit })) : [];
  }

  const view = owned.add(
    window.createTreeView<ConversationRow>(View.conversations, {
      treeDataProvider: {
        onDidChangeTreeData: changed.event,
        getChildren: (row) => (row === undefined ? rootRows() : childrenOf(row)),
        getParent: parentOf,
        getTreeItem(row) {
          const query = search.query ?? { text: '', words: [] };
          if (row === others) return othersItem();
          if (isHit(row)) return hitItem(row, query);
          if (isFound(row)) return foundItem(row, query, conversations.isWriting(row.id));
          return conversationItem(row, conversations.isWriting(row.id));
        },
      },
    }),
  );

  /** Selects the conversation that is shown in the panel, wherever the focus is. */
  async function showCurrent(): Promise<void> {
    const currentId = (): string => surfaces.active.shown.conversation.id;
    const id = currentId();
    if (id === selected || !view.visible || search.query !== undefined) return;
    listed = await history.list();
    if (currentId() !== id) return;
    const row = listed.find((each) => each.id === id);
    // One of another folder is not unfolded for this.
    if (row === undefined || isElsewhere(row)) return;
    await view.reveal(row, { select: true, focus: false });
    // A list that is read anew meanwhile loses the selection; its next change selects again.
    if (view.selection.some((each) => each !== others && !isHit(each) && each.id === id)) selected = id;
  }

  owned.add(
    conversations.onDidChangeList(() => {
      refresh();
      // A new conversation is in the list once it is kept.
      void showCurrent();
    }),
  );
  owned.add(search.onDidChange(refresh));
  owned.add(surfaces.onDidSwitch(() => void showCurrent()));
  owned.add(
    view.onDidChangeVisibility(({ visible }) => {
      if (!visible) return;
      refresh();
      void showCurrent();
    }),
  );
  owned.add(view.onDidChangeSelection(({ selection: [row] }) => row !== undefined && isHit(row) && search.settle()));
  owned.add({ dispose: keepAgesFresh(() => view.visible, refresh) });

  return {
    async focus() {
      const [first] = await rootRows();
      if (first !== undefined) await view.reveal(first, { focus: true, select: true });
    },
    dispose: () => owned.dispose(),
  };
}

/** Conversations of the open folder, and of others. */
function split(summaries: readonly Summary[]): [here: Summary[], elsewhere: Summary[]] {
  return [summaries.filter((summary) => !isElsewhere(summary)), summaries.filter(isElsewhere)];
}

function parentOf(row: ConversationRow): ConversationRow | undefined {
  if (row === others || isFound(row)) return undefined;
  if (isHit(row)) return row.in;
  return isElsewhere(row) ? others : undefined;
}

/** Whether a conversation belongs to another folder. One that says no folder is from before they did. */
function isElsewhere({ workspace }: Summary): boolean {
  return workspace !== undefined && workspace.uri !== workspacePlace()?.uri;
}
