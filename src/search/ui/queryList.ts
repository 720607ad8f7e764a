import { l10n, type QuickPick, type QuickPickItem, ThemeIcon, window, workspace } from 'vscode';
import { setContext } from '../../editor/context.ts';
import { ContextKey } from '../../ids.ts';
import { isCancelled, ServiceError } from '../../service/errors.ts';
import { type Filters, filtersText } from './filters.ts';
import { type Answer, type Hit, queryOf, search } from './search.ts';
import type { PastSearch } from './searchHistory.ts';
import type { SearchIndex } from './searchIndex.ts';
import { halfText, progressText, sentenceOf, stateText, whyText } from './sentences.ts';

/** Hits a question gets, where nothing else is asked for. */
export const queryLimit = 20;
/** Pause in typing after which a question is asked, in milliseconds: each may cost a request. */
const pauseMs = 250;

interface HitItem extends QuickPickItem {
  hit?: Hit;
  past?: PastSearch;
}

/** What the list does with its results. */
export interface QueryActions {
  open(hit: Hit, search: PastSearch): unknown;
  /** Shows it and leaves the list open. */
  peek(hit: Hit): unknown;
  /** Keeps the list in the results view. */
  keep(search: PastSearch, answer: Answer): unknown;
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
  const listening = index.onDidChange(showState);
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
    actions.keep(search, answer);
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

/** Asks what was typed, after a pause; a new question stops the one before. */
function createQuestions(pick: QuickPick<HitItem>, index: SearchIndex, fail: (error: unknown) => void) {
  let answer: Answer | undefined;
  let asked: AbortController | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function ask({ text, filters }: PastSearch): Promise<void> {
    const controller = new AbortController();
    asked = controller;
    try {
      const found = await search(index, queryOf(text, filters, queryLimit), controller.signal);
      if (controller.signal.aborted) return;
      answer = found;
      pick.items = found.hits.length > 0 ? found.hits.map(toItem) : [note(l10n.t('Nothing found for “{0}”', text))];
      pick.title = titleOf(index, filters, found);
    } catch (error) {
      if (isCancelled(error) || controller.signal.aborted) return;
      // A revision that is still being typed is not worth losing the list for.
      if (error instanceof ServiceError && error.kind === 'invalid-request') pick.items = [note(sentenceOf(error))];
      else fail(error);
    } finally {
      if (asked === controller) pick.busy = false;
    }
  }

  function stop(): void {
    clearTimeout(timer);
    asked?.abort();
  }

  return {
    stop,
    answer: () => answer,
    change(search: PastSearch): void {
      stop();
      answer = undefined;
      pick.busy = search.text !== '';
      if (search.text !== '') timer = setTimeout(() => void ask(search), pauseMs);
    },
  };
}

function placeholderOf({ phase, status }: SearchIndex): string {
  if (phase.kind === 'reading') return progressText(phase.progress);
  return status !== undefined && status.filesDone === undefined
    ? l10n.t('Searching by keywords. Run Index Workspace to search by meaning.')
    : l10n.t('What does the code do?');
}

function toItem(hit: Hit): HitItem {
  const path = workspace.asRelativePath(hit.uri);
  const name = path.slice(path.lastIndexOf('/') + 1);
  const folder = path.slice(0, -name.length - 1);
  return {
    label: `${name}:${hit.line}`,
    description: [folder, whyText(hit.why)].filter(Boolean).join(' · '),
    detail: hit.preview,
    // VS Code would hide what does not hold the question word for word.
    alwaysShow: true,
    hit,
  };
}

function toPastItem(past: PastSearch): HitItem {
  return { label: past.text, description: filtersText(past.filters), iconPath: new ThemeIcon('history'), past };
}

function note(label: string): HitItem {
  return { label, alwaysShow: true };
}

function titleOf(index: SearchIndex, filters: Filters, answer: Answer | undefined): string {
  const title = l10n.t('Search Code by Meaning');
  const state = answer && (halfText(answer) ?? stateText(index));
  return [title, filtersText(filters), state].filter(Boolean).join(' · ');
}
