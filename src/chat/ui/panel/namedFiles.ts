import { l10n, Position, Range, workspace } from 'vscode';
import { findFile } from '../../../editor/files/findFile.ts';
import type { Notices } from '../../../editor/notices.ts';
import { window } from '../../../editor/text/window.ts';
import type { FileReference } from '../../../webview/shared/protocol/protocol.ts';

/** Names without a folder are looked for in all of them; only so many at once. */
const mostSearched = 20;

/** The paths that name a file of the workspace, of those that an answer names. Nothing is read. */
export async function findFiles(paths: readonly string[]): Promise<string[]> {
  if (!workspace.isTrusted) return [];
  const bare = paths.filter((path) => !path.includes('/')).slice(0, mostSearched);
  const asked = paths.filter((path) => path.includes('/') || bare.includes(path));
  const found = await Promise.all(asked.map(async (path) => ((await findFile(path)) === undefined ? [] : [path])));
  return found.flat();
}

/** Opens a file that an answer names, at its lines, or at the column of its line. */
export async function openFile(reference: FileReference, notices: Notices): Promise<void> {
  const { path } = reference;
  const uri = await findFile(path);
  if (uri === undefined) return notices.warn(l10n.t('The workspace has no file {0} any more.', path));
  const selection = rangeOf(reference);
  await window.showTextDocument(uri, { preview: true, ...(selection && { selection }) });
}

function rangeOf({ line, column = 1, endLine }: FileReference): Range | undefined {
  if (line === undefined) return undefined;
  const start = new Position(line - 1, Math.max(0, column - 1));
  return new Range(start, endLine === undefined || endLine <= line ? start : new Position(endLine - 1, 0));
}
