import { type Disposable, l10n, type TextEditor, type Uri, workspace } from 'vscode';
import { relativePath } from '../../../base/paths.ts';
import { registerCommand } from '../../../editor/commands.ts';
import { Disposables } from '../../../editor/disposables.ts';
import type { Notices } from '../../../editor/notices.ts';
import { window } from '../../../editor/text/window.ts';
import { Command, type CommandId } from '../../../ids/ids.ts';
import { findObstacle } from '../../../workspace/ui/folders.ts';
import { queryLimit } from '../../query/query.ts';
import type { Place } from '../../types.ts';
import { search } from '../index/runSearch.ts';
import type { SearchIndex } from '../index/searchIndex.ts';
import type { Asked } from '../results/keptHits.ts';
import { type ResultSearch, toHit } from '../results/resultCommands.ts';
import { noFilters, toQueryFilters } from '../shared/filters.ts';

/** Length of the code line that names a search in the view. */
const titleLength = 60;

/**
 * `Find Similar to Selection`: searches for code like the selection, in the results view; without a selection, like the
 * chunk at the cursor. `Find Similar`: code like a hit. Code with a vector in the index is not sent.
 */
export function registerFindSimilar(notices: Notices, index: SearchIndex, results: ResultSearch): Disposable {
  const owned = new Disposables();
  const on = (id: CommandId, placedIn: (value: unknown) => PlacedCode | undefined): void => {
    owned.add(
      registerCommand(id, notices, async (value) => {
        const obstacle = findObstacle();
        if (obstacle !== undefined) return notices.warn(obstacle.sentence, obstacle.action);
        const code = placedIn(value);
        if (code === undefined) {
          // Not awaited: the message stays until the user closes it.
          void notices.warn(l10n.t('Open a file of the workspace, and select the code to find more of.'));
          return;
        }
        await results.keep(askedOf(index, code));
      }),
    );
  };
  on(Command.searchFindSimilar, () => window.activeTextEditor && selectedIn(window.activeTextEditor));
  on(Command.searchFindSimilarToHit, (value) => {
    const hit = toHit(value);
    return hit && placed(hit.uri, hit.text, hit.preview, hit.startLine, hit.endLine);
  });
  return owned;
}

/** Code to search for, its place, and the line that names it. */
interface PlacedCode {
  text: string;
  title: string;
  place: Place;
}

function selectedIn({ document, selection }: TextEditor): PlacedCode | undefined {
  const text = document.getText(selection);
  const title = (text.trim() || document.lineAt(selection.active.line).text.trim()).split('\n', 1)[0] ?? '';
  return placed(document.uri, text, title, selection.start.line + 1, selection.end.line + 1);
}

/** The code's place; undefined for a document outside the workspace's files. */
function placed(uri: Uri, text: string, title: string, startLine: number, endLine: number): PlacedCode | undefined {
  if (uri.scheme !== 'file') return undefined;
  const root = workspace.getWorkspaceFolder(uri)?.uri.fsPath;
  const path = root === undefined ? undefined : relativePath(root, uri.fsPath);
  return root === undefined || path === undefined
    ? undefined
    : { text, title, place: { root, path, startLine, endLine } };
}

function askedOf(index: SearchIndex, { text, title, place }: PlacedCode): Asked {
  return {
    text: l10n.t('like: {0}', title.slice(0, titleLength)),
    filters: noFilters,
    search: (filters, signal) =>
      search(index, { ...toQueryFilters(filters), text, limit: queryLimit, similarTo: place }, signal),
  };
}
