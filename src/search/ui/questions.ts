import { l10n, type QuickPick, type QuickPickItem, workspace } from 'vscode';
import { throttle } from '../../editor/throttle.ts';
import { isCancelled, ServiceError } from '../../service/errors.ts';
import { type Filters, filtersText } from './filters.ts';
import { type Answer, type Hit, queryOf, searchNow } from './search.ts';
import type { PastSearch } from './searchHistory.ts';
import type { SearchIndex } from './searchIndex.ts';
import { halfText, progressText, sentenceOf, stateText, whyText } from './sentences.ts';

/** Hits a question gets, where nothing else is asked for. */
export const queryLimit = 20;
/** Pause in typing after which a question is asked, in milliseconds: each may cost a request. */
const pauseMs = 250;
/** While files are read and nothing was found, the question is asked again so often, in milliseconds. */
const againMs = 1_000;

export interface HitItem extends QuickPickItem {
  hit?: Hit;
  past?: PastSearch;
}

/** The questions of a list: what is typed is asked, and its answer shown. */
export interface Questions {
  /** Asks after a pause; a new question stops the one before. */
  change(search: PastSearch): void;
  /** The state of the index is another: an answer from part of the files is asked for again. */
  follow(): void;
  answer(): Answer | undefined;
  /** The answer is from part of the files. */
  readonly isPartial: boolean;
  stop(): void;
}

export function createQuestions(
  pick: QuickPick<HitItem>,
  index: SearchIndex,
  fail: (error: unknown) => void,
): Questions {
  let last: PastSearch | undefined;
  let answer: Answer | undefined;
  let asked: AbortController | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** Files were being read when it was asked: more may be found. */
  let isPartial = false;
  const isReading = (): boolean => index.phase.kind === 'reading';
  const askSoon = throttle(askLast, againMs);

  function askLast(): void {
    if (last !== undefined) void ask(last);
  }

  async function ask(search: PastSearch): Promise<void> {
    asked?.abort();
    const controller = new AbortController();
    asked = controller;
    last = search;
    isPartial = isReading();
    const { text, filters } = search;
    try {
      const found = await searchNow(index, queryOf(text, filters, queryLimit), controller.signal);
      if (controller.signal.aborted) return;
      answer = found;
      show(found, text, filters);
    } catch (error) {
      if (isCancelled(error) || controller.signal.aborted) return;
      // A revision that is still being typed is not worth losing the list for.
      if (error instanceof ServiceError && error.kind === 'invalid-request') pick.items = [note(sentenceOf(error))];
      else fail(error);
    } finally {
      if (asked === controller) {
        asked = undefined;
        pick.busy = isPartial;
        follow();
      }
    }
  }

  function follow(): void {
    if (!isPartial || asked !== undefined) return;
    if (!isReading()) askLast();
    else if (answer?.hits.length === 0) askSoon();
  }

  function show({ hits, ...half }: Answer, text: string, filters: Filters): void {
    const active = pick.activeItems[0]?.hit;
    const { phase } = index;
    const nothing = phase.kind === 'reading' ? progressText(phase.progress) : l10n.t('Nothing found for “{0}”', text);
    const items = hits.length > 0 ? hits.map(toItem) : [note(nothing)];
    pick.items = items;
    // The hit one was at stays the one, where it is still there.
    const same = items.find(({ hit }) => hit?.uri.toString() === active?.uri.toString() && hit?.line === active?.line);
    if (active !== undefined && same !== undefined) pick.activeItems = [same];
    pick.title = titleOf(index, filters, { hits, ...half });
  }

  function stop(): void {
    clearTimeout(timer);
    askSoon.dispose();
    asked?.abort();
    asked = undefined;
    last = undefined;
  }

  return {
    follow,
    stop,
    answer: () => answer,
    get isPartial() {
      return isPartial;
    },
    change(search) {
      stop();
      answer = undefined;
      isPartial = false;
      pick.busy = search.text !== '';
      if (search.text !== '') timer = setTimeout(() => void ask(search), pauseMs);
    },
  };
}

export function titleOf(index: SearchIndex, filters: Filters, answer: Answer | undefined): string {
  const title = l10n.t('Search Code by Meaning');
  const state = answer && (halfText(answer) ?? stateText(index));
  return [title, filtersText(filters), state].filter(Boolean).join(' · ');
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

function note(label: string): HitItem {
  return { label, alwaysShow: true };
}
