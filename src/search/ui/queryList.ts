import { l10n, ThemeIcon, window } from 'vscode';
import { setContext } from '../../editor/context.ts';
import { ContextKey } from '../../ids.ts';
import { filtersText } from './filters.ts';
import { createQuestions, type HitItem, titleOf } from './questions.ts';
import type { Answer, Hit } from './search.ts';
import type { PastSearch } from './searchHistory.ts';
import type { SearchIndex } from './searchIndex.ts';
import { progressText } from './sentences.ts';

/** What the list does with its results. */
export interface QueryActions {
  open(hit: Hit, search: PastSearch): unknown;
  /** Shows it and leaves the list open. */
  peek(hit: Hit): unknown;
  /** Keeps the list in the results view. @param answer undefined while files are read: the whole of it is yet to come */
  keep(search: PastSearch, answer: Answer | undefined): Promise<void>;
  /** Asks for other filters, and opens the list again. */
  filter(search: PastSearch): unknown;
}

/** What the list begins with. */
export interface QueryStart extends PastSearch {
  /** What an empty list offers, the latest first. */
  readonly history: readonly PastSearch[];
}

/** The list, and what keys do in it: Tab does not reach its buttons. */
export interface QueryList {
  readonly isOpen: boolean;
  /** Peeks at the hit that is marked in the list. */
  peek(): void;
  keep(): void;
  filter(): void;
  hide(): void;
}

/**
 * A list that fills as one types; while nothing is typed, it holds the searches before. Enter opens, → peeks, Alt+Enter or a
 * button keeps the list in the results view.
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
  const questions = createQuestions(pick, index, fail);
  const asked = (): PastSearch => ({ text: pick.value.trim(), filters });
  const showState = (): void => {
    pick.placeholder = placeholderOf(index);
  };
  const listening = index.onDidChange(() => {
    showState();
    questions.follow();
  });
  const change = (): void => {
    if (pick.value.trim() === '') pick.items = history.map(toPastItem);
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
    const answer = questions.answer();
    if (answer === undefined) return;
    pick.hide();
    actions.keep(search, questions.isPartial ? undefined : answer).catch(fail);
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
  pick.title = titleOf(index, filters, undefined);
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
