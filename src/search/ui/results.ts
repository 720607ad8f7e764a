import {
  type Disposable,
  EventEmitter,
  l10n,
  MarkdownString,
  ThemeIcon,
  type TreeDataProvider,
  TreeItem,
  TreeItemCollapsibleState,
  type Uri,
  window,
  workspace,
} from 'vscode';
import { setContext } from '../../editor/context.ts';
import { Disposables } from '../../editor/disposables.ts';
import { Command, ContextKey, View } from '../../ids.ts';
import type { Answer, Hit } from './search.ts';
import type { SearchIndex } from './searchIndex.ts';
import { numberText, stateText, whyText } from './sentences.ts';

type Node = { kind: 'file'; uri: Uri; hits: Hit[] } | { kind: 'hit'; hit: Hit; file: Node };

/** The results view: files, the best first, with their hits. */
export interface ResultsView extends Disposable {
  /** Shows an answer and moves the focus there. */
  show(query: string, answer: Answer): Promise<void>;
  clear(): void;
}

export function createResultsView(index: SearchIndex): ResultsView {
  const owned = new Disposables();
  const changed = owned.add(new EventEmitter<void>());
  let files: Node[] = [];
  let heading: string | undefined;
  const provider: TreeDataProvider<Node> = {
    onDidChangeTreeData: changed.event,
    getChildren: (node) => (node === undefined ? files : node.kind === 'file' ? hitsOf(node) : []),
    getParent: (node) => (node.kind === 'hit' ? node.file : undefined),
    getTreeItem: (node) => (node.kind === 'file' ? fileItem(node.uri, node.hits.length) : hitItem(node.hit)),
  };
  const view = owned.add(window.createTreeView(View.search, { treeDataProvider: provider, showCollapseAll: true }));

  /** A message hides the welcome with its buttons, so an idle view without results has its state beside the title. */
  function showState(): void {
    const state = stateText(index);
    const busy = index.phase.kind !== 'idle';
    const message = [heading, state].filter(Boolean).join(' · ');
    view.message = files.length > 0 || busy || heading !== undefined ? message : '';
    view.description = files.length > 0 || busy ? '' : (state ?? '');
  }
  owned.add(index.onDidChange(showState));

  function set(next: Node[], nextHeading: string | undefined): void {
    files = next;
    heading = nextHeading;
    changed.fire();
    showState();
    void setContext(ContextKey.searchHasResults, heading !== undefined);
  }

  return {
    async show(query, { hits, by }) {
      const half = by === 'failed' ? l10n.t('by keywords, the service did not answer') : undefined;
      const count =
        hits.length === 0
          ? l10n.t('Nothing found for “{0}”', query)
          : l10n.t('{0} hits for “{1}”', numberText(hits.length), query);
      set(byFile(hits), [count, half].filter(Boolean).join(' · '));
      const [first] = files;
      if (first !== undefined) await view.reveal(first, { focus: true, select: true, expand: true });
    },
    clear: () => set([], undefined),
    dispose: () => owned.dispose(),
  };
}

function byFile(hits: readonly Hit[]): Node[] {
  const files = new Map<string, Hit[]>();
  for (const hit of hits) {
    const key = hit.uri.toString();
    files.set(key, [...(files.get(key) ?? []), hit]);
  }
  return [...files.values()].flatMap((own) => {
    const [first] = own;
    return first === undefined ? [] : [{ kind: 'file', uri: first.uri, hits: own } satisfies Node];
  });
}

function hitsOf(file: Extract<Node, { kind: 'file' }>): Node[] {
  return [...file.hits].sort((a, b) => a.line - b.line).map((hit) => ({ kind: 'hit', hit, file }));
}

function fileItem(uri: Uri, count: number): TreeItem {
  const item = new TreeItem(uri, TreeItemCollapsibleState.Expanded);
  const path = workspace.asRelativePath(uri);
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
  item.description = [folder, numberText(count)].filter(Boolean).join(' · ');
  item.iconPath = ThemeIcon.File;
  item.tooltip = path;
  item.id = uri.toString();
  return item;
}

function hitItem(hit: Hit): TreeItem {
  // The number comes first: in a narrow sidebar the end of a line is cut off.
  const item = new TreeItem(`${hit.line}: ${hit.preview}`);
  item.description = whyText(hit.why);
  const where = l10n.t('Lines {0} to {1} · {2}', hit.startLine, hit.endLine, whyText(hit.why));
  item.tooltip = new MarkdownString().appendText(where).appendCodeblock(hit.text.slice(0, 2_000));
  item.command = { command: Command.searchOpenHit, title: l10n.t('Open'), arguments: [hit] };
  item.accessibilityInformation = {
    label: l10n.t('{0}, line {1}, {2}', hit.preview, hit.line, whyText(hit.why)),
  };
  return item;
}
