import { isCancelled, ServiceError } from '../../../base/errors.ts';
import { throttle } from '../../../base/throttle.ts';
import { queryLimit } from '../../query/query.ts';
import { queryOf, searchNow, searchWords } from '../index/runSearch.ts';
import type { SearchIndex } from '../index/searchIndex.ts';
import { sentenceOf } from '../shared/sentences.ts';
import type { AnswerList } from './answerList.ts';
import type { PastSearch } from './searchHistory.ts';

/**
 * Debounce of typing, in milliseconds: before a question is asked for its words, which costs nothing, and before it is asked of the
 * service, too.
 */
const [wordsPauseMs, pauseMs] = [60, 250] as const;
/** Interval, in milliseconds, at which a question is repeated while files are read. */
const againMs = 1_000;

/** Asks the questions typed in a list. */
export interface TypedQuery {
  /** Asks after a pause; a new question cancels the one before. */
  change(search: PastSearch): void;
  /** Repeats a question answered from part of the files, when the state of the index changes. */
  follow(): void;
  /** Whether the answer is from part of the files, or by its words alone while the service is asked. */
  readonly isPartial: boolean;
  stop(): void;
}

/**
 * @param pick shows that an answer is awaited
 * @param list shows the answers
 */
export function createTypedQuery(
  pick: { busy: boolean },
  list: AnswerList,
  index: SearchIndex,
  fail: (error: unknown) => void,
): TypedQuery {
  let last: PastSearch | undefined;
  let asked: AbortController | undefined;
  let timers: NodeJS.Timeout[] = [];
  let askedWords: AbortController | undefined;
  /** Files were being read when the question was asked: more may be found. */
  let isPartial = false;
  /** What is listed are the hits of the words, until the whole answer comes. */
  let isOfWords = false;
  const isReading = (): boolean => index.phase.kind === 'reading' || index.phase.kind === 'updating';
  const askSoon = throttle(askLast, againMs);

  function askLast(): void {
    if (last !== undefined) void ask(last);
  }

  /** What the words find is listed at once; the answer of both halves comes when the service has given the question's vector. */
  async function askWords({ text, filters }: PastSearch): Promise<void> {
    const controller = new AbortController();
    askedWords = controller;
    const query = queryOf(text, filters, queryLimit);
    const asking = Promise.all([searchWords(index, query, controller.signal), index.allowedModel()]);
    const [found, model] = await asking.catch(() => []);
    // Without hits there is nothing to show yet; and what is wrong with a question is told with the whole answer.
    if (found === undefined || found.hits.length === 0 || controller.signal.aborted) return;
    isOfWords = model !== undefined;
    list.show(found, { text, filters }, true);
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
      askedWords?.abort();
      isOfWords = false;
      list.show(found, search);
    } catch (error) {
      if (isCancelled(error) || controller.signal.aborted) return;
      // An incomplete revision, still being typed, must not clear the list.
      if (error instanceof ServiceError && error.kind === 'invalid-request') list.showNote(sentenceOf(error));
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
    list.count();
    if (asked !== undefined) return;
    if (!isReading()) askLast();
    // The question's vector is cached by now, so repeating it sends nothing; without one, the service would be asked
    // each time.
    else if (list.answer?.by !== 'failed') askSoon();
  }

  function stop(): void {
    for (const timer of timers) clearTimeout(timer);
    askedWords?.abort();
    isOfWords = false;
    askSoon.dispose();
    list.forget();
    asked?.abort();
    asked = undefined;
    last = undefined;
  }

  return {
    follow,
    stop,
    get isPartial() {
      return isPartial || isOfWords;
    },
    change(search) {
      stop();
      isPartial = false;
      pick.busy = search.text !== '';
      if (search.text === '') return;
      timers = [setTimeout(() => void askWords(search), wordsPauseMs), setTimeout(() => void ask(search), pauseMs)];
    },
  };
}
