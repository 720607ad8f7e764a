import { type Disposable, l10n, type TextEditor, type Uri, window } from 'vscode';
import { registerCommand } from '../../editor/commands.ts';
import { Disposables } from '../../editor/disposables.ts';
import type { Notices } from '../../editor/notices.ts';
import { Command, type CommandId } from '../../ids.ts';
import { relativePath } from '../paths.ts';
import type { Place } from '../protocol.ts';
import { noFilters, toQueryFilters } from './filters.ts';
import type { Asked } from './found.ts';
import { findObstacle, roots } from './obstacle.ts';
import { queryLimit } from './questions.ts';
import { type KeepResults, toHit } from './resultCommands.ts';
import { search } from './search.ts';
import type { SearchIndex } from './searchIndex.ts';

/** The name of a search in the view: a line of the code, so long. */
const titleLength = 60;

/**
 * `Find Similar to Selection`: code that is like the selected, in the results view. Without a selection, like the chunk the
 * cursor is in. `Find Similar`: code like a hit. What the index has a vector for is not sent.
 */
export function registerFindSimilar(notices: Notices, index: SearchIndex, keep: KeepResults): Disposable {
  const owned = new Disposables();
  const on = (id: CommandId, placedIn: (value: unknown) => PlacedCode | undefined): void => {
    owned.add(
      registerCommand(id, notices, async (value) => {
        const obstacle = findObstacle();
        if (obstacle !== undefined) return notices.warn(obstacle.sentence, obstacle.action);
        const code = placedIn(value);
        if (code === undefined) {
          // Not awaited: it stays until the user closes it.
          void notices.warn(l10n.t('Open a file of the workspace, and select the code to find more of.'));
          return;
        }
        const asked = askedOf(index, code);
        await keep(asked, await asked.search(noFilters, new AbortController().signal));
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

/** Code to find more of, where it stands, and the line that names it. */
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

/** Undefined for a document that is none of the workspace's files. */
function placed(uri: Uri, text: string, title: string, startLine: number, endLine: number): PlacedCode | undefined {
  if (uri.scheme !== 'file') return undefined;
  for (const root of roots()) {
    const path = relativePath(root, uri.fsPath);
    if (path !== undefined) return { text, title, place: { root, path, startLine, endLine } };
  }
  return undefined;
}

function askedOf(index: SearchIndex, { text, title, place }: PlacedCode): Asked {
  return {
    text: l10n.t('like: {0}', title.slice(0, titleLength)),
    filters: noFilters,
    search: (filters, signal) =>
      search(index, { ...toQueryFilters(filters), text, limit: queryLimit, similarTo: place }, signal),
  };
}
