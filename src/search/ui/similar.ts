import { type Disposable, l10n, type TextEditor, window } from 'vscode';
import { registerCommand } from '../../editor/commands.ts';
import type { Notices } from '../../editor/notices.ts';
import { Command } from '../../ids.ts';
import { relativePath } from '../paths.ts';
import type { Place } from '../protocol.ts';
import { noFilters, toQueryFilters } from './filters.ts';
import type { Asked } from './found.ts';
import { findObstacle, roots } from './obstacle.ts';
import { queryLimit } from './queryList.ts';
import type { KeepResults } from './resultCommands.ts';
import { search } from './search.ts';
import type { SearchIndex } from './searchIndex.ts';

/** The name of a search in the view: the first line of what was selected, so long. */
const titleLength = 60;

/**
 * `Find Similar to Selection`: code that is like the selected, in the results view. Without a selection, like the chunk the
 * cursor is in. What the index has a vector for is not sent.
 */
export function registerFindSimilar(notices: Notices, index: SearchIndex, keep: KeepResults): Disposable {
  return registerCommand(Command.searchFindSimilar, notices, async () => {
    const obstacle = findObstacle();
    if (obstacle !== undefined) {
      void notices.warn(obstacle.sentence, obstacle.action);
      return;
    }
    const editor = window.activeTextEditor;
    const place = editor && placeOf(editor);
    if (editor === undefined || place === undefined) {
      void notices.warn(l10n.t('Open a file of the workspace, and select the code to find more of.'));
      return;
    }
    const asked = askedOf(index, editor, place);
    await keep(asked, await asked.search(noFilters, new AbortController().signal));
  });
}

function askedOf(index: SearchIndex, { document, selection }: TextEditor, similarTo: Place): Asked {
  const text = document.getText(selection);
  const line = (text.trim() || document.lineAt(selection.active.line).text.trim()).split('\n', 1)[0] ?? '';
  return {
    text: l10n.t('like: {0}', line.slice(0, titleLength)),
    filters: noFilters,
    search: (filters, signal) =>
      search(index, { ...toQueryFilters(filters), text, limit: queryLimit, similarTo }, signal),
  };
}

/** Where the selection is; undefined for a document that is none of the workspace's files. */
function placeOf({ document, selection }: TextEditor): Place | undefined {
  if (document.uri.scheme !== 'file') return undefined;
  for (const root of roots()) {
    const path = relativePath(root, document.uri.fsPath);
    if (path !== undefined) return { root, path, startLine: selection.start.line + 1, endLine: selection.end.line + 1 };
  }
  return undefined;
}
