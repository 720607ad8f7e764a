import { l10n, type QuickPick, type QuickPickItem, ThemeIcon, window, workspace } from 'vscode';
import { setContext } from '../../editor/context.ts';
import { ContextKey } from '../../ids.ts';
import { isCancelled } from '../../service/errors.ts';
import { type Answer, type Hit, search } from './search.ts';
import type { SearchIndex } from './searchIndex.ts';
import { progressText, stateText, whyText } from './sentences.ts';

/** Hits a question gets, where nothing else is asked for. */
export const queryLimit = 20;
/** Pause in typing after which a question is asked, in milliseconds: each may cost a request. */
const pauseMs = 250;

interface HitItem extends QuickPickItem {
  hit?: Hit;
}

/** What the list does with its results. */
export interface QueryActions {
  open(hit: Hit): unknown;
  /** Shows it and leaves the list open. */
  peek(hit: Hit): unknown;
  /** Keeps the list in the results view. */
  keep(query: string, answer: Answer): unknown;
}

/** The list while it is open. */
export interface QueryList {
  /** Peeks at the hit that is marked in the list. */
  peek(): void;
  hide(): void;
}

/** A list that fills as one types. Enter opens, → peeks, the button keeps the list in the results view. */
export function openQueryList(index: SearchIndex, actions: QueryActions, fail: (error: unknown) => void): QueryList {
  const pick = window.createQuickPick<HitItem>();
  pick.title = l10n.t('Search Code by Meaning');
  pick.buttons = [{ iconPath: new ThemeIcon('list-tree'), tooltip: l10n.t('Keep the Results in the View') }];
  const questions = createQuestions(pick, index, fail);
  const showState = (): void => {
    pick.placeholder = placeholderOf(index);
  };
  const listening = index.onDidChange(showState);

  pick.onDidChangeValue(questions.change);
  pick.onDidAccept(() => {
    const hit = pick.selectedItems[0]?.hit;
    if (hit === undefined) return;
    pick.hide();
    actions.open(hit);
  });
  pick.onDidTriggerButton(() => {
    const answer = questions.answer();
    if (answer === undefined) return;
    actions.keep(pick.value.trim(), answer);
    pick.hide();
  });
  pick.onDidHide(() => {
    questions.stop();
    listening.dispose();
    void setContext(ContextKey.searchPicking, false);
    pick.dispose();
  });
  showState();
  void setContext(ContextKey.searchPicking, true);
  pick.show();
  return {
    peek: () => {
      const hit = pick.activeItems[0]?.hit;
      if (hit !== undefined) actions.peek(hit);
    },
    hide: () => pick.hide(),
  };
}

/** Asks what was typed, after a pause; a new question stops the one before. */
function createQuestions(pick: QuickPick<HitItem>, index: SearchIndex, fail: (error: unknown) => void) {
  let answer: Answer | undefined;
  let asked: AbortController | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function ask(text: string): Promise<void> {
    const controller = new AbortController();
    asked = controller;
    try {
      const found = await search(index, { text, limit: queryLimit, globs: [] }, controller.signal);
      if (controller.signal.aborted) return;
      answer = found;
      pick.items = found.hits.length > 0 ? found.hits.map(toItem) : [nothingFound(text)];
      pick.title = titleOf(found, index);
    } catch (error) {
      if (!isCancelled(error) && !controller.signal.aborted) fail(error);
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
    change(value: string): void {
      stop();
      const text = value.trim();
      pick.busy = text !== '';
      if (text === '') pick.items = [];
      else timer = setTimeout(() => void ask(text), pauseMs);
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

function nothingFound(text: string): HitItem {
  return { label: l10n.t('Nothing found for “{0}”', text), alwaysShow: true };
}

function titleOf({ by }: Answer, index: SearchIndex): string {
  const title = l10n.t('Search Code by Meaning');
  if (by === 'failed') return `${title} · ${l10n.t('the service did not answer, so by keywords')}`;
  return [title, stateText(index)].filter(Boolean).join(' · ');
}
