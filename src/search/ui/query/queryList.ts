import { commands, l10n, ThemeIcon } from 'vscode';
import { setContext } from '../../../editor/contextKeys.ts';
import { plain } from '../../../editor/text/plainText.ts';
import { plainItems, window } from '../../../editor/text/window.ts';
import { Command, ContextKey } from '../../../ids/ids.ts';
import type { Hit, HitsAnswer } from '../index/runSearch.ts';
import type { SearchIndex } from '../index/searchIndex.ts';
import { filtersText } from '../shared/filters.ts';
import { progressText } from '../shared/sentences.ts';
import { createAnswerList, type HitItem, titleOf } from './answerList.ts';
import type { PastSearch } from './searchHistory.ts';
import { createTypedQuery } from './typedQuery.ts';

/** Actions on the results of the list. */
export interface QueryActions {
  open(hit: Hit, search: PastSearch): unknown;
  /** Shows a hit and leaves the list open. */
  peek(hit: Hit): unknown;
  /**
   * Keeps the list in the results view. @param answer undefined while files are read: the complete answer is yet to
   * come
   */
  keep(search: PastSearch, answer: HitsAnswer | undefined): Promise<void>;
  /** Asks for other filters and reopens the list. */
  filter(search: PastSearch): unknown;
}

/** Initial content of the list. */
export interface QueryStart extends PastSearch {
  /** Searches that an empty list offers, the latest first. */
  readonly history: readonly PastSearch[];
}

/** The list and its key commands: Tab does not reach its buttons. */
export interface QueryList {
  readonly isOpen: boolean;
  /** Peeks at the focused hit of the list. */
  peek(): void;
  keep(): void;
  filter(): void;
  hide(): void;
}

/**
 * A list that fills while the user types; empty input shows past searches. Enter opens, → peeks, Alt+Enter or a button
 * keeps the list in the results view.
 */
export function openQueryList(
  index: SearchIndex,
  { text, filters: initial, history }: QueryStart,
  actions: QueryActions,
  fail: (error: unknown) => void,
): QueryList {
  const pick = window.createQuickPick<HitItem>();
  let filters = initial;
  const keepButton = { iconPath: new ThemeIcon('list-tree'), tooltip: l10n.t('Keep the Results in the View') };
  const filterButton = { iconPath: new ThemeIcon('filter'), tooltip: l10n.t('Filter Search') };
  pick.buttons = [filterButton, keepButton];
  const list = createAnswerList(pick, index);
  const questions = createTypedQuery(pick, list, index, fail);
  const asked = (): PastSearch => ({ text: pick.value.trim(), filters });
  const showState = (): void => {
    pick.placeholder = plain(placeholderOf(index));
  };
  const listening = index.onDidChange(() => {
    showState();
    questions.follow();
  });
  const change = (): void => {
    if (pick.value.trim() === '') pick.items = plainItems(history.map(toPastItem));
    questions.change(asked());
  };

  pick.onDidChangeValue(change);
  pick.onDidAccept(() => {
    const [item] = pick.selectedItems;
    if (item?.past !== undefined) {
      filters = item.past.filters;
      pick.value = item.past.text;
      change();
    }
    if (item?.isMore) list.showMore();
    if (item?.isIndexing) {
      pick.hide();
      void commands.executeCommand(Command.searchIndex);
    }
    if (item?.hit === undefined) return;
    const search = asked();
    pick.hide();
    actions.open(item.hit, search);
  });
  const filter = (): void => {
    const search = asked();
    pick.hide();
    actions.filter(search);
  };
  const keep = (): void => {
    const search = asked();
    if (search.text === '') return;
    // A partial answer is not kept: the view asks again.
    const answer = questions.isPartial ? undefined : list.answer;
    pick.hide();
    actions.keep(search, answer).catch(fail);
  };
  pick.onDidTriggerButton((button) => (button === filterButton ? filter() : keep()));
  let isOpen = true;
  pick.onDidHide(() => {
    isOpen = false;
    questions.stop();
    listening.dispose();
    void setContext(ContextKey.searchPicking, false);
    pick.dispose();
  });
  showState();
  pick.value = text;
  pick.title = plain(titleOf(index, filters, undefined));
  change();
  void setContext(ContextKey.searchPicking, true);
  pick.show();
  return {
    peek: () => {
      const hit = pick.activeItems[0]?.hit;
      if (hit !== undefined) actions.peek(hit);
    },
    get isOpen() {
      return isOpen;
    },
    keep,
    filter,
    hide: () => pick.hide(),
  };
}

function placeholderOf({ phase, status }: SearchIndex): string {
  if (phase.kind === 'reading') return progressText(phase.progress);
  return status !== undefined && status.filesDone === undefined
    ? l10n.t('Searching by keywords. Run Index Workspace to search by meaning.')
    : l10n.t('What does the code do?');
}

function toPastItem(past: PastSearch): HitItem {
  return { label: past.text, description: filtersText(past.filters), iconPath: new ThemeIcon('history'), past };
}
