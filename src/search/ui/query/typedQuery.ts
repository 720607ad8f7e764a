import { posix } from 'node:path';
import { l10n, type QuickPickItem, ThemeIcon, workspace } from 'vscode';
import { isCancelled, ServiceError } from '../../../base/errors.ts';
import { throttle } from '../../../base/throttle.ts';
import { plain } from '../../../editor/text/plainText.ts';
import { type PlainQuickPick, plainItems } from '../../../editor/text/window.ts';
import { type Hit, type HitsAnswer, queryOf, searchNow } from '../index/runSearch.ts';
import type { SearchIndex } from '../index/searchIndex.ts';
import { type Filters, filtersText } from '../shared/filters.ts';
import { firstHits, queryLimit } from '../shared/firstHits.ts';
import { halfText, moreText, progressText, sentenceOf, stateText, whyText, wordsText } from '../shared/sentences.ts';
import { createActiveHit } from './activeHit.ts';
import type { PastSearch } from './searchHistory.ts';

/** Debounce of typing before a question is asked, in milliseconds: each may cost a request. */
const pauseMs = 250;
/** Interval, in milliseconds, at which a question is repeated while files are read. */
const againMs = 1_000;
/** Interval, in milliseconds, at which the title counts the files read. */
const countMs = 250;

export interface HitItem extends QuickPickItem {
  hit?: Hit;
  past?: PastSearch;
  /** Shows the hits that are not listed yet. */
  isMore?: boolean;
}

/** Asks the questions typed in a list, and shows their answers. */
export interface TypedQuery {
  /** Asks after a pause; a new question cancels the one before. */
  change(search: PastSearch): void;
  /** Repeats a question answered from part of the files, when the state of the index changes. */
  follow(): void;
  answer(): HitsAnswer | undefined;
  /** Lists all hits of the answer. */
  showMore(): void;
  /** Whether the answer is from part of the files. */
  readonly isPartial: boolean;
  stop(): void;
}

export function createTypedQuery(
  pick: PlainQuickPick<HitItem>,
  index: SearchIndex,
  fail: (error: unknown) => void,
): TypedQuery {
  let last: PastSearch | undefined;
  let answer: HitsAnswer | undefined;
  let asked: AbortController | undefined;
  let timer: NodeJS.Timeout | undefined;
  const active = createActiveHit(pick);
  /** Files were being read when the question was asked: more may be found. */
  let isPartial = false;
  let showsAll = false;
  let narrowed: Filters = {};
  const showTitle = (): void => {
    pick.title = plain(titleOf(index, narrowed, answer, last?.text));
  };
  const count = throttle(showTitle, countMs);
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
      const isAgain = answer !== undefined;
      answer = found;
      show(found, search, isAgain);
    } catch (error) {
      if (isCancelled(error) || controller.signal.aborted) return;
      // An incomplete revision, still being typed, must not clear the list.
      if (error instanceof ServiceError && error.kind === 'invalid-request')
        pick.items = plainItems([note(sentenceOf(error))]);
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
    if (!isPartial) return;
    count();
    if (asked !== undefined) return;
    if (!isReading()) askLast();
    // The question's vector is cached by now, so repeating it sends nothing; without one, the service would be asked
    // each time.
    else if (answer?.by !== 'failed') askSoon();
  }

  function show({ hits, ...half }: HitsAnswer, { text, filters }: PastSearch, isAgain: boolean): void {
    const { phase } = index;
    const reading = phase.kind === 'reading' ? progressText(phase.progress) : undefined;
    const nothing = wordsText(text, half.words) ?? reading ?? l10n.t('Nothing found for “{0}”', text);
    const first = showsAll ? hits : firstHits(hits);
    const more = hits.length > first.length ? [moreItem(hits.length - first.length)] : [];
    const items = plainItems(hits.length > 0 ? [...first.map(toItem), ...more] : [note(nothing)]);
    // A repeated question keeps the list's scroll position.
    pick.keepScrollPosition = isAgain;
    active.show(items);
    narrowed = filters;
    showTitle();
  }

  function stop(): void {
    clearTimeout(timer);
    askSoon.dispose();
    count.dispose();
    asked?.abort();
    asked = undefined;
    last = undefined;
  }

  return {
    follow,
    stop,
    answer: () => answer,
    showMore() {
      if (answer === undefined || last === undefined || showsAll) return;
      showsAll = true;
      const next = answer.hits[firstHits(answer.hits).length];
      show(answer, last, true);
      const item = pick.items.find(({ hit }) => hit === next);
      if (item !== undefined) pick.activeItems = [item];
    },
    get isPartial() {
      return isPartial;
    },
    change(search) {
      stop();
      answer = undefined;
      active.forget();
      isPartial = false;
      showsAll = false;
      pick.busy = search.text !== '';
      if (search.text !== '') timer = setTimeout(() => void ask(search), pauseMs);
    },
  };
}

export function titleOf(index: SearchIndex, filters: Filters, answer: HitsAnswer | undefined, text = ''): string {
  const title = l10n.t('Search Code by Meaning');
  // While files are read, the progress tells more than the share that meaning can find.
  const reading = index.phase.kind === 'reading' ? stateText(index) : undefined;
  const state = answer && (wordsText(text, answer.words) ?? reading ?? halfText(answer) ?? stateText(index));
  return [title, filtersText(filters), state].filter(Boolean).join(' · ');
}

function toItem(hit: Hit): HitItem {
  const path = workspace.asRelativePath(hit.uri);
  const name = posix.basename(path);
  const folder = path.slice(0, -name.length - 1);
  return {
    label: `${name}:${hit.line}`,
    // The reason comes first: a narrow window cuts off the end.
    description: [whyText(hit.why), folder].filter(Boolean).join(' · '),
    detail: hit.preview,
    // VS Code would hide items that do not contain the question word for word.
    alwaysShow: true,
    hit,
  };
}

function moreItem(count: number): HitItem {
  return { label: moreText(count), iconPath: new ThemeIcon('ellipsis'), alwaysShow: true, isMore: true };
}

function note(label: string): HitItem {
  return { label, alwaysShow: true };
}
