import { posix } from 'node:path';
import { l10n, type QuickPickItem, ThemeIcon, workspace } from 'vscode';
import { throttle } from '../../../base/throttle.ts';
import { plain } from '../../../editor/text/plainText.ts';
import { type PlainQuickPick, plainItems } from '../../../editor/text/window.ts';
import { firstHits, hitsByFile } from '../../query/hitsByFile.ts';
import { fileOfHit, type Hit, type HitsAnswer } from '../index/runSearch.ts';
import type { SearchIndex } from '../index/searchIndex.ts';
import { type Filters, filtersText } from '../shared/filters.ts';
import {
  halfText,
  leftOutNote,
  leftText,
  moreText,
  progressText,
  stateText,
  whyText,
  wordsText,
} from '../shared/sentences.ts';
import { createActiveHit } from './activeHit.ts';
import type { PastSearch } from './searchHistory.ts';

/** Interval, in milliseconds, at which the title counts the files read. */
const countMs = 250;

export interface HitItem extends QuickPickItem {
  hit?: Hit;
  past?: PastSearch;
  /** Shows the hits that are not listed yet. */
  isMore?: boolean;
  /** Indexes the workspace. */
  isIndexing?: boolean;
}

/** The items of a list for an answer, and the title that says what was searched, and how. */
export interface AnswerList {
  readonly answer: HitsAnswer | undefined;
  /**
   * Shows an answer; a further one to the same question leaves the list where it is.
   * @param isFirst what the words found, before the whole answer is there: its first hit is to give way to that of the answer
   */
  show(answer: HitsAnswer, search: PastSearch, isFirst?: boolean): void;
  /** Shows a sentence in place of hits. */
  showNote(sentence: string): void;
  /** Lists all hits of the answer. */
  showMore(): void;
  /** Brings the title up to date, now or soon. */
  count(): void;
  /** Forgets the answer: the next one is to another question. */
  forget(): void;
}

export function createAnswerList(pick: PlainQuickPick<HitItem>, index: SearchIndex): AnswerList {
  const active = createActiveHit(pick);
  let shown: { readonly answer: HitsAnswer; readonly search: PastSearch; readonly isFirst: boolean } | undefined;
  let showsAll = false;
  let narrowed: Filters = {};

  function showTitle(): void {
    pick.title = plain(titleOf(index, narrowed, shown?.answer, shown?.search.text));
  }
  const count = throttle(showTitle, countMs);

  function draw({ hits, ...half }: HitsAnswer, { text, filters }: PastSearch, isAgain: boolean): void {
    const { phase } = index;
    const reading = phase.kind === 'reading' ? progressText(phase.progress) : undefined;
    const nothing =
      leftOutNote(half.leftOut) ?? wordsText(text, half.words) ?? reading ?? l10n.t('Nothing found for “{0}”', text);
    const first = showsAll ? hitsByFile(hits, fileOfHit).flat() : firstHits(hits, fileOfHit);
    const more = hits.length > first.length ? [moreItem(hits.length - first.length)] : [];
    // A name that was left out is told beside what else has it.
    const leftOut = leftOutNote(half.leftOut);
    const told = leftOut === undefined ? [] : [note(leftOut)];
    const offered = half.otherModel === undefined ? [] : [indexItem()];
    const rows = hits.length > 0 ? [...toItems(first, hits), ...more, ...told] : [note(nothing)];
    const items = plainItems([...rows, ...offered]);
    // A repeated question keeps the list's scroll position.
    pick.keepScrollPosition = isAgain;
    active.show(items);
    narrowed = filters;
    showTitle();
  }

  return {
    get answer() {
      return shown?.answer;
    },
    show(answer, search, isFirst = false) {
      const isAgain = shown !== undefined;
      if (shown?.isFirst && pick.activeItems[0] === pick.items[0]) active.forget();
      shown = { answer, search, isFirst };
      draw(answer, search, isAgain);
    },
    showNote(sentence) {
      pick.items = plainItems([note(sentence)]);
    },
    showMore() {
      if (shown === undefined || showsAll) return;
      showsAll = true;
      const { answer, search } = shown;
      const before = new Set(firstHits(answer.hits, fileOfHit));
      const next = hitsByFile(answer.hits, fileOfHit)
        .flat()
        .find((hit) => !before.has(hit));
      draw(answer, search, true);
      const item = pick.items.find(({ hit }) => hit === next);
      if (item !== undefined) pick.activeItems = [item];
    },
    count,
    forget() {
      count.dispose();
      shown = undefined;
      active.forget();
      showsAll = false;
    },
  };
}

export function titleOf(index: SearchIndex, filters: Filters, answer: HitsAnswer | undefined, text = ''): string {
  const title = l10n.t('Search Code by Meaning');
  // While files are read, the progress tells more than the share that meaning can find.
  const reading = index.phase.kind === 'reading' || index.phase.kind === 'updating' ? stateText(index) : undefined;
  const state = answer && (wordsText(text, answer.words) ?? reading ?? halfText(answer) ?? stateText(index));
  return [title, filtersText(filters), state].filter(Boolean).join(' · ');
}

/**
 * The rows of hits that stand by their files: the first of a file names its folder, and how many of the file are not listed; further ones
 * are set in below it.
 */
function toItems(hits: readonly Hit[], all: readonly Hit[]): HitItem[] {
  const left = new Map<string, number>();
  for (const hit of all) left.set(fileOfHit(hit), (left.get(fileOfHit(hit)) ?? 0) + 1);
  for (const hit of hits) left.set(fileOfHit(hit), (left.get(fileOfHit(hit)) ?? 0) - 1);
  return hits.map((hit, at) => {
    const isFurther = at > 0 && fileOfHit(hits[at - 1] as Hit) === fileOfHit(hit);
    return toItem(hit, isFurther, isFurther ? 0 : (left.get(fileOfHit(hit)) ?? 0));
  });
}

function toItem(hit: Hit, isFurther: boolean, left: number): HitItem {
  const path = workspace.asRelativePath(hit.uri);
  const name = posix.basename(path);
  const folder = path.slice(0, -name.length - 1);
  return {
    label: `${name}:${hit.line}`,
    // The reason comes first: a narrow window cuts off the end.
    description: [whyText(hit.why), left > 0 ? leftText(left) : '', isFurther ? '' : folder]
      .filter(Boolean)
      .join(' · '),
    detail: hit.preview,
    ...(isFurther ? { iconPath: new ThemeIcon('blank') } : {}),
    // VS Code would hide items that do not contain the question word for word.
    alwaysShow: true,
    hit,
  };
}

function moreItem(count: number): HitItem {
  return { label: moreText(count), iconPath: new ThemeIcon('ellipsis'), alwaysShow: true, isMore: true };
}

/** What builds an index of the model that is chosen now. */
function indexItem(): HitItem {
  return {
    label: l10n.t('Index Workspace'),
    detail: l10n.t('To search by meaning with the model that is set now'),
    iconPath: new ThemeIcon('sparkle'),
    alwaysShow: true,
    isIndexing: true,
  };
}

function note(label: string): HitItem {
  return { label, alwaysShow: true };
}
