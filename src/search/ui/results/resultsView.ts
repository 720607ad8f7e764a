import { posix } from 'node:path';
import {
  type Disposable,
  EventEmitter,
  l10n,
  Position,
  Range,
  type TextDocumentShowOptions,
  ThemeIcon,
  type TreeDataProvider,
  TreeItemCollapsibleState,
  workspace,
} from 'vscode';
import { throttle } from '../../../base/throttle.ts';
import { Disposables } from '../../../editor/disposables.ts';
import { plain } from '../../../editor/text/plainText.ts';
import { markdownWithCode, markedTreeItem, type PlainTreeItem, treeItem } from '../../../editor/text/shown.ts';
import { type PlainTreeView, window } from '../../../editor/text/window.ts';
import { Command, View } from '../../../ids/ids.ts';
import { matchesIn } from '../../query/matches.ts';
import type { Why } from '../../query/ranking.ts';
import type { SearchIndex } from '../index/searchIndex.ts';
import { filtersText, hasFilters } from '../shared/filters.ts';
import {
  halfText,
  leftOutNote,
  leftText,
  moreText,
  numberText,
  reasonText,
  stateText,
  whyText,
  wordsText,
} from '../shared/sentences.ts';
import type { KeptFile, KeptHit } from './keptAnswer.ts';
import type { KeptHits } from './keptHits.ts';

/** Throttle of progress: VS Code redraws a view only when nothing has changed for 200 ms, so faster updates never show. */
const progressMs = 250;

/** The last row, where not all hits are listed. */
interface MoreRow {
  readonly more: number;
}

/** The row that offers to index the workspace, where the index is of another model. */
interface IndexRow {
  readonly otherModel: string;
}

/** A row of the results view. */
export type Row = KeptFile | KeptHit | MoreRow | IndexRow;

/** The results view: files, the best first, with their hits. */
export interface ResultsView extends Disposable {
  /** Selects the first row, and moves the focus to it unless it is to stay where it is. */
  selectFirst(focus?: boolean): Promise<void>;
}

export function createResultsView(index: SearchIndex, keptHits: KeptHits): ResultsView {
  const owned = new Disposables();
  const changed = owned.add(new EventEmitter<undefined>());
  const provider: TreeDataProvider<Row> & { getTreeItem(row: Row): PlainTreeItem } = {
    onDidChangeTreeData: changed.event,
    getChildren: (row) => (row === undefined ? rootRows() : isFile(row) ? [...row.hits] : []),
    getParent: (row) => keptHits.files.find(({ hits }) => hits.some((hit) => hit === row)),
    getTreeItem(row) {
      if (isFile(row)) return fileItem(row, keptHits.hiddenIn(row));
      if (isMore(row)) return moreItem(row);
      return isIndex(row) ? indexItem(row) : hitItem(row);
    },
  };
  const rootRows = (): Row[] => {
    const { otherModel } = keptHits.half;
    return [
      ...keptHits.files,
      ...(keptHits.hidden === 0 ? [] : [{ more: keptHits.hidden }]),
      ...(otherModel === undefined ? [] : [{ otherModel }]),
    ];
  };
  const view = owned.add(window.createTreeView(View.search, { treeDataProvider: provider, showCollapseAll: true }));

  /**
   * Shows the state beside the title of an idle view without results: a message would hide the welcome with its
   * buttons.
   */
  function showState(): void {
    const state = stateText(index);
    const busy = index.phase.kind !== 'idle';
    // Beside hits, a complete index needs no mention.
    const news = keptHits.asked !== undefined && index.state.kind === 'ready' ? undefined : state;
    // An empty view mentions a waiting question, with a button that shows it.
    const asks = index.state.kind === 'consent';
    const isMessage = keptHits.asked !== undefined || (busy && !asks);
    const half =
      leftOutNote(keptHits.half.leftOut) ??
      wordsText(keptHits.asked?.text ?? '', keptHits.half.words) ??
      halfText(keptHits.half);
    const message = plain(isMessage ? [headingOf(keptHits), half ?? news].filter(Boolean).join(' · ') : '');
    const description = plain(isMessage || asks ? '' : (state ?? ''));
    if (view.message !== message) view.message = message;
    if (view.description !== description) view.description = description;
  }
  const showProgress = owned.add(throttle(showState, progressMs));
  owned.add(index.onDidChange(showProgress));
  const readLines = (): string => keptHits.files.flatMap(({ hits }) => hits.map(({ line }) => line)).join();
  let lines = readLines();
  owned.add(
    keptHits.onDidChange(() => {
      lines = readLines();
      changed.fire(undefined);
      showState();
    }),
  );
  owned.add(
    keptHits.onDidMove(() => {
      // Typing within a line changes nothing shown here.
      const before = lines;
      lines = readLines();
      if (before !== lines) changed.fire(undefined);
      void showCurrent(view, keptHits);
    }),
  );
  owned.add(view.onDidChangeVisibility(() => showCurrent(view, keptHits)));
  owned.add(
    view.onDidChangeSelection(({ selection: [row] }) => {
      if (row === undefined || isFile(row) || isMore(row) || isIndex(row)) return;
      if (row !== keptHits.current) keptHits.setCurrent(row);
    }),
  );

  return {
    async selectFirst(focus = true) {
      const [first] = keptHits.files;
      if (first !== undefined) await view.reveal(first, { focus, select: true, expand: true });
    },
    dispose: () => owned.dispose(),
  };
}

export function isFile(row: Row): row is KeptFile {
  return 'hits' in row;
}

export function isMore(row: Row): row is MoreRow {
  return 'more' in row;
}

export function isIndex(row: Row): row is IndexRow {
  return 'otherModel' in row;
}

/** Selects the current hit, if the view is visible. */
async function showCurrent(view: PlainTreeView<Row>, { current, files }: KeptHits): Promise<void> {
  const isListed = current !== undefined && files.some(({ hits }) => hits.includes(current));
  if (!isListed || !view.visible || view.selection[0] === current) return;
  await view.reveal(current, { select: true, focus: false });
}

function headingOf({ asked, files }: KeptHits): string | undefined {
  if (asked === undefined) return undefined;
  const count = files.reduce((sum, { hits }) => sum + hits.length, 0);
  const heading =
    count === 0
      ? l10n.t('Nothing found for “{0}”', asked.text)
      : count === 1
        ? l10n.t('1 hit for “{0}”', asked.text)
        : l10n.t('{0} hits for “{1}”', numberText(count), asked.text);
  const filters = hasFilters(asked.filters) ? l10n.t('only {0}', filtersText(asked.filters)) : undefined;
  return [heading, filters].filter(Boolean).join(' · ');
}

function fileItem({ uri, hits }: KeptFile, hidden: number): PlainTreeItem {
  const path = workspace.asRelativePath(uri);
  const item = treeItem(plain(posix.basename(path)), TreeItemCollapsibleState.Expanded);
  item.resourceUri = uri;
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
  item.description = plain(
    [hidden > 0 ? leftText(hidden) : '', folder, numberText(hits.length)].filter(Boolean).join(' · '),
  );
  item.iconPath = ThemeIcon.File;
  item.tooltip = plain(path);
  item.id = uri.toString();
  item.contextValue = 'file';
  return item;
}

function moreItem({ more }: MoreRow): PlainTreeItem {
  const title = moreText(more);
  const item = treeItem(plain(title));
  item.iconPath = new ThemeIcon('ellipsis');
  item.contextValue = 'more';
  item.command = { command: Command.searchMoreHits, title };
  return item;
}

function indexItem({ otherModel }: IndexRow): PlainTreeItem {
  const title = l10n.t('Index Workspace');
  const item = treeItem(plain(title));
  item.description = plain(l10n.t('To search by meaning'));
  item.tooltip = plain(
    l10n.t('The index is of {0}, as it was set before. Parley asks before anything is sent.', otherModel),
  );
  item.iconPath = new ThemeIcon('sparkle');
  item.contextValue = 'index';
  item.command = { command: Command.searchIndex, title };
  return item;
}

const whyIcons: Record<Why, string> = {
  words: 'whole-word',
  meaning: 'sparkle',
  both: 'combine',
  definition: 'symbol-method',
};

function hitItem(hit: KeptHit): PlainTreeItem {
  const { uri, id, line, preview, startLine, endLine, text } = hit;
  // The line number comes first: a narrow sidebar cuts off the end of a line.
  const label = plain(`${line}: ${preview}`);
  const shown = label.slice(`${line}: `.length);
  const marks = matchesIn(shown, hit.stems).map(([start, end]): [number, number] => {
    return [start + label.length - shown.length, end + label.length - shown.length];
  });
  const item = markedTreeItem(label, marks);
  const reason = reasonText(hit);
  item.id = id;
  // An icon shows the reason: a narrow sidebar cuts off its words.
  item.iconPath = new ThemeIcon(whyIcons[hit.why]);
  item.description = plain(`${whyText(hit.why)} · ${hit.score.toFixed(2)}`);
  const where =
    startLine === endLine
      ? l10n.t('Line {0} · {1}', startLine, reason)
      : l10n.t('Lines {0} to {1} · {2}', startLine, endLine, reason);
  item.tooltip = markdownWithCode(where, text.slice(0, 2_000));
  item.contextValue = 'hit';
  // VS Code's own command opens hits: a click shows a preview and leaves the focus in the list, Enter goes there,
  // Ctrl+Enter opens to the side. The selection identifies the hit.
  const start = new Position(line - 1, 0);
  item.command = {
    command: 'vscode.open',
    title: l10n.t('Open'),
    arguments: [uri, { selection: new Range(start, start) } satisfies TextDocumentShowOptions],
  };
  item.accessibilityInformation = { label: plain(l10n.t('{0}, line {1}, {2}', preview, line, reason)) };
  return item;
}
