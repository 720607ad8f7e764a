import { type Disposable, type Event, EventEmitter, Uri, workspace } from 'vscode';
import { setContext } from '../../../editor/contextKeys.ts';
import { Disposables } from '../../../editor/disposables.ts';
import { ContextKey } from '../../../ids.ts';
import type { Hit, HitsAnswer } from '../index/runSearch.ts';
import { type Filters, hasFilters, isSameFilters } from '../shared/filters.ts';
import { firstHits } from '../shared/firstHits.ts';
import { moveLines } from './moveLines.ts';

/** A search that can be repeated, with the same filters or with others. */
export interface Asked {
  /** The query text, as the view shows it. */
  readonly text: string;
  readonly filters: Filters;
  search(filters: Filters, signal: AbortSignal): Promise<HitsAnswer>;
}

/** A hit with its current place: its lines are followed while the document changes. */
export interface KeptHit extends Hit {
  readonly id: string;
  /** The hit's own lines were changed, so they differ from what was found. */
  touched: boolean;
}

type Half = Omit<HitsAnswer, 'hits'>;
const noHalf: Half = { by: 'keywords' };

export interface KeptFile {
  readonly uri: Uri;
  /** Hits from top to bottom. */
  readonly hits: readonly KeptHit[];
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
  let asked: Asked | undefined;
  let half = noHalf;
  let files: KeptFile[] = [];
  /** The tail of the answer, which is not listed yet. */
  let rest: readonly KeptHit[] = [];
  let showsAll = false;
  let current: KeptHit | undefined;
  let lastId = 0;

  const listed = (): KeptHit[] => files.flatMap(({ hits }) => hits);
  /** All whose places are kept up to date, also those that are not listed yet. */
  const followed = (): Set<KeptHit> => new Set([...listed(), ...rest, ...(current === undefined ? [] : [current])]);
  const follow = (hit: Hit): KeptHit => ({ ...hit, id: `${++lastId}`, touched: false });

  function set(next: KeptFile[]): void {
    files = next;
    void setContext(ContextKey.searchHasResults, asked !== undefined);
    void setContext(ContextKey.searchHasFilters, asked !== undefined && hasFilters(asked.filters));
    changed.fire();
  }

  owned.add(
    workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      const uri = document.uri.toString();
      const hits = followed();
      const here = [...hits].filter((hit) => hit.uri.toString() === uri);
      if (here.length === 0 || contentChanges.length === 0) return;
      for (const hit of here) {
        // Changes of one event run from the bottom to the top, so each place is valid for the text before it.
        for (const { range, text } of contentChanges) {
          const { touched, ...place } = moveLines(hit, { start: range.start, end: range.end, text });
          const lines = hit.lines.map((each) => each + place.startLine - hit.startLine);
          Object.assign(hit, place, { lines, touched: hit.touched || touched });
        }
      }
      moved.fire();
    }),
  );

  owned.add(
    workspace.onDidRenameFiles(({ files: renamed }) => {
      let isMoved = false;
      for (const hit of followed()) {
        const uri = afterRename(hit.uri, renamed);
        if (uri === undefined) continue;
        hit.uri = uri;
        isMoved = true;
      }
      if (isMoved) set(byFile(listed()));
    }),
  );

  return {
    get asked() {
      return asked;
    },
    get half() {
      return half;
    },
    get files() {
      return files;
    },
    get current() {
      return current;
    },
    get hidden() {
      return rest.length;
    },
    showMore() {
      showsAll = true;
      const more = rest;
      rest = [];
      if (more.length > 0) set(byFile([...listed(), ...more]));
    },
    keep(next, { hits, ...nextHalf }) {
      const isAgain = asked !== undefined && isSameSearch(asked, next);
      showsAll &&= isAgain;
      const first = showsAll ? hits : firstHits(hits);
      const before = isAgain ? listed() : [];
      const kept = first.map((hit) => before.find((own) => !own.touched && isSameHit(own, hit)) ?? follow(hit));
      const isUnchanged =
        isAgain && isSameHalf(half, nextHalf) && isSameList(before, kept) && rest.length === hits.length - first.length;
      asked = next;
      rest = hits.slice(first.length).map(follow);
      // Equal rows keep the selection; where all are equal, the view is not redrawn.
      if (isUnchanged) return;
      half = nextHalf;
      if (current !== undefined && !kept.includes(current)) current = undefined;
      set(byFile(kept));
    },
    dismiss(hits) {
      const gone = new Set(hits);
      if (current !== undefined && gone.has(current)) current = undefined;
      const left = files.map(({ uri, hits: own }) => ({ uri, hits: own.filter((hit) => !gone.has(hit)) }));
      set(left.filter((file) => file.hits.length > 0));
    },
    clear() {
      asked = undefined;
      rest = [];
      half = noHalf;
      current = undefined;
      set([]);
    },
    setCurrent(hit) {
      current = listed().find((own) => own.id === (hit as Partial<KeptHit>).id || isSame(own, hit)) ?? follow(hit);
      moved.fire();
      return current;
    },
    step(offset) {
      const hits = listed();
      const at = current === undefined ? -1 : hits.indexOf(current);
      if (at === -1) return offset === 1 ? hits[0] : hits.at(-1);
      return hits[(at + offset + hits.length) % hits.length];
    },
    onDidChange: changed.event,
    onDidMove: moved.event,
    dispose: () => owned.dispose(),
  };
}

/** The address of a file after renames of it or of a folder around it; undefined where there were none. */
function afterRename(uri: Uri, renamed: readonly { readonly oldUri: Uri; readonly newUri: Uri }[]): Uri | undefined {
  for (const { oldUri, newUri } of renamed) {
    if (uri.toString() === oldUri.toString()) return newUri;
    if (uri.toString().startsWith(`${oldUri}/`)) return Uri.joinPath(newUri, uri.path.slice(oldUri.path.length));
  }
  return undefined;
}

function isSameSearch(a: Asked, b: Asked): boolean {
  return a.text === b.text && isSameFilters(a.filters, b.filters);
}

function isSameHalf(a: Half, b: Half): boolean {
  return a.by === b.by && a.indexed === b.indexed;
}

function isSameList(a: readonly KeptHit[], b: readonly KeptHit[]): boolean {
  return a.length === b.length && b.every((hit) => a.includes(hit));
}

function isSameHit(a: Hit, b: Hit): boolean {
  return isSame(a, b) && (['line', 'text', 'score', 'why'] as const).every((aspect) => a[aspect] === b[aspect]);
}

function isSame(a: Hit, b: Hit): boolean {
  return a.uri.toString() === b.uri.toString() && a.startLine === b.startLine && a.endLine === b.endLine;
}

function byFile(hits: readonly KeptHit[]): KeptFile[] {
  const files = new Map<string, { uri: Uri; hits: KeptHit[] }>();
  for (const hit of hits) {
    const key = hit.uri.toString();
    const file = files.get(key) ?? { uri: hit.uri, hits: [] };
    file.hits.push(hit);
    files.set(key, file);
  }
  for (const file of files.values()) file.hits.sort((a, b) => a.line - b.line);
  return [...files.values()];
}
