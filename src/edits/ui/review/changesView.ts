import { type Disposable, EventEmitter, l10n, ThemeIcon, TreeItemCollapsibleState } from 'vscode';
import { setContext } from '../../../editor/contextKeys.ts';
import { Disposables } from '../../../editor/disposables.ts';
import { plain } from '../../../editor/text/plainText.ts';
import { type PlainTreeItem, treeItem } from '../../../editor/text/shown.ts';
import { window } from '../../../editor/text/window.ts';
import { Command, ContextKey, View } from '../../../ids.ts';
import { pendingHunks } from '../../review/reviewedFile.ts';
import { sharedPath } from '../documentNames.ts';
import type { ChangeSet, ChangeSets } from './changeSet.ts';
import { pendingCount, type ReviewedDocument } from './reviewedDocument.ts';

/** A row of the view: a set, or a file of one. */
export type ReviewRow = { readonly set: ChangeSet } | { readonly set: ChangeSet; readonly document: ReviewedDocument };

export function isReviewRow(value: unknown): value is ReviewRow {
  return typeof value === 'object' && value !== null && 'set' in value;
}

/** The view that lists what is proposed: sets, and their files with counts. It is there while something waits for a decision. */
export function createChangesView(sets: ChangeSets): Disposable {
  const owned = new Disposables();
  const changed = owned.add(new EventEmitter<undefined>());
  owned.add(
    window.createTreeView<ReviewRow>(View.changes, {
      treeDataProvider: {
        onDidChangeTreeData: changed.event,
        getChildren: (row) => (row === undefined ? sets.all.map((set) => ({ set })) : filesOf(row)),
        getTreeItem: (row) => ('document' in row ? fileItem(row.document) : setItem(row.set)),
      },
    }),
  );
  let counts = '';
  owned.add(
    sets.onDidChange(() => {
      // Typing in a file changes no row.
      const now = JSON.stringify(
        sets.all.map((set) => [set.id, set.documents.map((each) => [each.uri, countText(each)])]),
      );
      if (now === counts) return;
      counts = now;
      changed.fire(undefined);
      void setContext(ContextKey.editPending, sets.all.length > 0);
    }),
  );
  return owned;
}

function filesOf(row: ReviewRow): ReviewRow[] {
  return 'document' in row ? [] : row.set.documents.map((document) => ({ set: row.set, document }));
}

function setItem(set: ChangeSet): PlainTreeItem {
  const item = treeItem(plain(set.title, { length: 80 }), TreeItemCollapsibleState.Expanded);
  const count = set.documents.reduce((sum, document) => sum + pendingCount(document), 0);
  item.id = set.id;
  item.description = plain(l10n.t('Changes: {0}', count));
  item.contextValue = 'set';
  item.iconPath = new ThemeIcon('diff-multiple');
  return item;
}

function fileItem(document: ReviewedDocument): PlainTreeItem {
  const { uri } = document;
  const item = treeItem(plain(uri.path.slice(uri.path.lastIndexOf('/') + 1)));
  item.resourceUri = uri;
  const folder = sharedPath(uri).split('/').slice(0, -1).join('/');
  item.description = plain([folder, countText(document)].filter(Boolean).join(' · '));
  item.contextValue = pendingCount(document) > 0 ? 'file' : 'decided';
  item.command = { title: '', command: Command.editReview, arguments: [uri] };
  return item;
}

/** How many lines come and go, and what is left to decide. */
function countText(document: ReviewedDocument): string {
  const pending = pendingHunks(document.file);
  if (pending.length === 0) return l10n.t('decided');
  const added = pending.reduce((sum, { merged, proposed }) => sum + (merged ?? proposed).length, 0);
  const removed = pending.reduce((sum, { count }) => sum + count, 0);
  const lines = `+${added} −${removed}`;
  return document.isNew ? l10n.t('new, {0}', lines) : lines;
}
