import { type Disposable, EventEmitter, l10n, ThemeIcon, TreeItemCollapsibleState, Uri } from 'vscode';
import { setContext } from '../../../editor/contextKeys.ts';
import { Disposables } from '../../../editor/disposables.ts';
import { plain } from '../../../editor/text/plainText.ts';
import { type PlainTreeItem, treeItem } from '../../../editor/text/shown.ts';
import { window } from '../../../editor/text/window.ts';
import { Command, ContextKey, View } from '../../../ids/ids.ts';
import { renamedTo } from '../../review/reviewedFile.ts';
import { sharedPath } from '../documentNames.ts';
import { type ChangeSet, type ChangeSets, pendingOf } from './changeSet.ts';
import { lastName, newName } from './renamed.ts';
import type { ReviewedDocument } from './reviewedDocument.ts';

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
        getTreeItem: (row) => ('document' in row ? fileItem(row.set, row.document) : setItem(row.set)),
      },
    }),
  );
  let counts = '';
  owned.add(
    sets.onDidChange(() => {
      // Typing in a file changes no row.
      const now = JSON.stringify(
        sets.all.map((set) => [set.id, set.documents.map((each) => [each.uri, countText(set, each)])]),
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
  const count = set.documents.reduce((sum, document) => sum + pendingOf(set, document).length, 0);
  item.id = set.id;
  item.description = plain(l10n.t('Changes: {0}', count));
  item.contextValue = 'set';
  item.iconPath = new ThemeIcon('diff-multiple');
  return item;
}

function fileItem(set: ChangeSet, document: ReviewedDocument): PlainTreeItem {
  const { uri } = document;
  const name = lastName(uri);
  const to = renamedTo(document.file);
  const item = treeItem(plain(to === undefined ? name : `${name} → ${newName(uri, Uri.parse(to, true))}`));
  item.resourceUri = uri;
  const folder = sharedPath(uri).split('/').slice(0, -1).join('/');
  item.description = plain([folder, countText(set, document)].filter(Boolean).join(' · '));
  item.contextValue = pendingOf(set, document).length > 0 ? 'file' : 'decided';
  item.command = { title: '', command: Command.editReview, arguments: [{ set, document }] };
  return item;
}

/** How many lines of a file come and go by a set, and what is left to decide. */
function countText(set: ChangeSet, document: ReviewedDocument): string {
  const pending = pendingOf(set, document);
  if (pending.length === 0) return l10n.t('decided');
  const added = pending.reduce((sum, { merged, proposed }) => sum + (merged ?? proposed).length, 0);
  const removed = pending.reduce((sum, { count }) => sum + count, 0);
  const lines = `+${added} −${removed}`;
  if (pending.some(({ whole }) => whole?.kind === 'delete')) return l10n.t('deleted, {0}', lines);
  if (pending.some(({ whole }) => whole?.kind === 'rename'))
    return added + removed === 0 ? l10n.t('renamed') : l10n.t('renamed, {0}', lines);
  return document.isNew ? l10n.t('new, {0}', lines) : lines;
}
