import {
  type Disposable,
  EventEmitter,
  l10n,
  MarkdownString,
  Position,
  Range,
  type TextDocumentShowOptions,
  ThemeIcon,
  type TreeDataProvider,
  TreeItem,
  TreeItemCollapsibleState,
  type TreeView,
  window,
  workspace,
} from 'vscode';
import { Disposables } from '../../editor/disposables.ts';
import { throttle } from '../../editor/throttle.ts';
import { View } from '../../ids.ts';
import type { Why } from '../ranking.ts';
import { filtersText, hasFilters } from './filters.ts';
import type { Found, FoundFile, KeptHit } from './found.ts';
import type { SearchIndex } from './searchIndex.ts';
import { halfText, numberText, reasonText, stateText, whyText } from './sentences.ts';

/** VS Code draws a view when nothing about it has changed for 200 ms: progress that comes faster would never be seen. */
const progressMs = 250;

/** A row of the results view. */
export type Row = FoundFile | KeptHit;

/** The results view: files, the best first, with their hits. */
export interface ResultsView extends Disposable {
  /** Moves the focus to the first row. */
  focus(): Promise<void>;
}

export function createResultsView(index: SearchIndex, found: Found): ResultsView {
  const owned = new Disposables();
  const changed = owned.add(new EventEmitter<undefined>());
  const provider: TreeDataProvider<Row> = {
    onDidChangeTreeData: changed.event,
    getChildren: (row) => (row === undefined ? [...found.files] : isFile(row) ? [...row.hits] : []),
    getParent: (row) => found.files.find(({ hits }) => hits.some((hit) => hit === row)),
    getTreeItem: (row) => (isFile(row) ? fileItem(row) : hitItem(row)),
  };
  const view = owned.add(window.createTreeView(View.search, { treeDataProvider: provider, showCollapseAll: true }));

  /** A message hides the welcome with its buttons, so an idle view without results has its state beside the title. */
  function showState(): void {
    const state = stateText(index);
    const busy = index.phase.kind !== 'idle';
    // Beside hits, what is whole need not be said.
    const news = found.asked !== undefined && index.state.kind === 'ready' ? undefined : state;
    const isMessage = found.asked !== undefined || busy;
    const message = isMessage ? [headingOf(found), halfText(found.half) ?? news].filter(Boolean).join(' · ') : '';
    const description = isMessage ? '' : (state ?? '');
    if (view.message !== message) view.message = message;
    if (view.description !== description) view.description = description;
  }
  const showProgress = owned.add(throttle(showState, progressMs));
  owned.add(index.onDidChange(showProgress));
  const readLines = (): string => found.files.flatMap(({ hits }) => hits.map(({ line }) => line)).join();
  let lines = readLines();
  owned.add(
    found.onDidChange(() => {
      lines = readLines();
      changed.fire(undefined);
      showState();
    }),
  );
  owned.add(
    found.onDidMove(() => {
      // Typing within a line moves nothing that is shown here.
      const before = lines;
      lines = readLines();
      if (before !== lines) changed.fire(undefined);
      void showCurrent(view, found);
    }),
  );
  owned.add(view.onDidChangeVisibility(() => showCurrent(view, found)));
  owned.add(
    view.onDidChangeSelection(({ selection: [row] }) => {
      if (row !== undefined && !isFile(row) && row !== found.current) found.setCurrent(row);
    }),
  );

  return {
    async focus() {
      const [first] = found.files;
      if (first !== undefined) await view.reveal(first, { focus: true, select: true, expand: true });
    },
    dispose: () => owned.dispose(),
  };
}

export function isFile(row: Row): row is FoundFile {
  return 'hits' in row;
}

/** The hit one is at is the one that is selected, if the view is to be seen. */
async function showCurrent(view: TreeView<Row>, { current, files }: Found): Promise<void> {
  const isListed = current !== undefined && files.some(({ hits }) => hits.includes(current));
  if (!isListed || !view.visible || view.selection[0] === current) return;
  await view.reveal(current, { select: true, focus: false });
}

function headingOf({ asked, files }: Found): string | undefined {
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

function fileItem({ uri, hits }: FoundFile): TreeItem {
  const item = new TreeItem(uri, TreeItemCollapsibleState.Expanded);
  const path = workspace.asRelativePath(uri);
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
  item.description = [folder, numberText(hits.length)].filter(Boolean).join(' · ');
  item.iconPath = ThemeIcon.File;
  item.tooltip = path;
  item.id = uri.toString();
  item.contextValue = 'file';
  return item;
}

const whyIcons: Record<Why, string> = {
  words: 'whole-word',
  meaning: 'sparkle',
  both: 'combine',
  definition: 'symbol-method',
};

function hitItem(hit: KeptHit): TreeItem {
  const { uri, id, line, preview, startLine, endLine, text } = hit;
  // The number comes first: in a narrow sidebar the end of a line is cut off.
  const item = new TreeItem(`${line}: ${preview}`);
  const reason = reasonText(hit);
  item.id = id;
  // In a narrow sidebar the words for it are cut off.
  item.iconPath = new ThemeIcon(whyIcons[hit.why]);
  item.description = `${whyText(hit.why)} · ${hit.score.toFixed(2)}`;
  const where = l10n.t('Lines {0} to {1} · {2}', startLine, endLine, reason);
  item.tooltip = new MarkdownString().appendText(where).appendCodeblock(text.slice(0, 2_000));
  item.contextValue = 'hit';
  // VS Code's own command for its own ways: a click shows a preview and leaves the focus in the list, Enter goes there,
  // Ctrl+Enter opens to the side. Which hit it was, the selection tells.
  const start = new Position(line - 1, 0);
  item.command = {
    command: 'vscode.open',
    title: l10n.t('Open'),
    arguments: [uri, { selection: new Range(start, start) } satisfies TextDocumentShowOptions],
  };
  item.accessibilityInformation = { label: l10n.t('{0}, line {1}, {2}', preview, line, reason) };
  return item;
}
