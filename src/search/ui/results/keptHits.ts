import { type Disposable, type Event, EventEmitter } from 'vscode';
import { setContext } from '../../../editor/contextKeys.ts';
import { Disposables } from '../../../editor/disposables.ts';
import { ContextKey } from '../../../ids/ids.ts';
import { fileOfHit, type Hit, type HitsAnswer } from '../index/runSearch.ts';
import { type Filters, hasFilters, isSameFilters } from '../shared/filters.ts';
import { followPlaces } from './followPlaces.ts';
import { createKeptAnswer, type Half, type KeptFile, type KeptHit } from './keptAnswer.ts';

/** A search that can be repeated, with the same filters or with others. */
export interface Asked {
  /** The query text, as the view shows it. */
  readonly text: string;
  readonly filters: Filters;
  search(filters: Filters, signal: AbortSignal): Promise<HitsAnswer>;
}

/** The hits that are kept: the results view lists them, the editors mark them, and commands go from one to the next. */
export interface KeptHits extends Disposable {
  readonly asked: Asked | undefined;
  /** The answer's origin, without its hits. */
  readonly half: Half;
  /** Files, the one with the best hit first. */
  readonly files: readonly KeptFile[];
  /** The number of hits that are not listed until they are wanted. */
  readonly hidden: number;
  /** The number of hits of a file that are not listed until they are wanted. */
  hiddenIn(file: KeptFile): number;
  showMore(): void;
  /** The hit that was opened last, whether it is in the list or not. */
  readonly current: KeptHit | undefined;
  keep(asked: Asked, answer: HitsAnswer): void;
  dismiss(hits: readonly KeptHit[]): void;
  clear(): void;
  /** Makes a hit the current one; returns it as it is followed from now on. */
  setCurrent(hit: Hit): KeptHit;
  /** The hit `by` places after the current one in the list, wrapping around; undefined for an empty list. */
  step(by: 1 | -1): KeptHit | undefined;
  /** Fires when the list was replaced. */
  readonly onDidChange: Event<void>;
  /** Fires when lines moved or changed, or another hit is the current one. */
  readonly onDidMove: Event<void>;
}

export function createKeptHits(): KeptHits {
  const owned = new Disposables();
  const changed = owned.add(new EventEmitter<void>());
  const moved = owned.add(new EventEmitter<void>());
  const answer = createKeptAnswer();
  let asked: Asked | undefined;
  let current: KeptHit | undefined;

  function tellChange(): void {
    void setContext(ContextKey.searchHasResults, asked !== undefined);
    void setContext(ContextKey.searchHasFilters, asked !== undefined && hasFilters(asked.filters));
    changed.fire();
  }

  /** All whose places are kept up to date, also those that are not listed yet. */
  const followed = (): Set<KeptHit> =>
    new Set([...answer.listed(), ...answer.rest, ...(current === undefined ? [] : [current])]);
  const onRename = (): void => {
    answer.regroup();
    tellChange();
  };
  owned.add(followPlaces(followed, () => moved.fire(), onRename));

  return {
    get asked() {
      return asked;
    },
    get half() {
      return answer.half;
    },
    get files() {
      return answer.files;
    },
    get current() {
      return current;
    },
    get hidden() {
      return answer.rest.length;
    },
    hiddenIn: ({ uri }) => answer.rest.filter((hit) => fileOfHit(hit) === fileOfHit({ uri })).length,
    showMore() {
      if (answer.showMore()) tellChange();
    },
    keep(next, found) {
      const isAgain = asked !== undefined && isSameSearch(asked, next);
      asked = next;
      if (!answer.take(found, isAgain)) return;
      if (current !== undefined && !answer.listed().includes(current)) current = undefined;
      tellChange();
    },
    dismiss(hits) {
      const gone = new Set(hits);
      if (current !== undefined && gone.has(current)) current = undefined;
      answer.dismiss(gone);
      tellChange();
    },
    clear() {
      asked = undefined;
      current = undefined;
      answer.clear();
      tellChange();
    },
    setCurrent(hit) {
      current = answer.keptHit(hit);
      moved.fire();
      return current;
    },
    step(offset) {
      const hits = answer.listed();
      const at = current === undefined ? -1 : hits.indexOf(current);
      if (at === -1) return offset === 1 ? hits[0] : hits.at(-1);
      return hits[(at + offset + hits.length) % hits.length];
    },
    onDidChange: changed.event,
    onDidMove: moved.event,
    dispose: () => owned.dispose(),
  };
}

function isSameSearch(a: Asked, b: Asked): boolean {
  return a.text === b.text && isSameFilters(a.filters, b.filters);
}
