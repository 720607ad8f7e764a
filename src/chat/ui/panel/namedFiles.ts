import { FileType, l10n, Range, Uri, workspace } from 'vscode';
import type { Notices } from '../../../editor/notices.ts';
import { window } from '../../../editor/text/window.ts';
import type { FileReference } from '../../../webview/shared/protocol.ts';

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

/** Opens a file that an answer names, at its lines. */
export async function openFile({ path, line, endLine = line }: FileReference, notices: Notices): Promise<void> {
  const uri = await findFile(path);
  if (uri === undefined) return notices.warn(l10n.t('The workspace has no file {0} any more.', path));
  const selection =
    line === undefined || endLine === undefined ? undefined : new Range(line - 1, 0, Math.max(line, endLine) - 1, 0);
  await window.showTextDocument(uri, { preview: true, ...(selection && { selection }) });
}

/** A path stands below a folder of the workspace; a name alone stands anywhere in it, but once. */
export async function findFile(path: string): Promise<Uri | undefined> {
  // A model may write anything: only names below the folder count.
  if (path.startsWith('/') || path.split(/[/\\]/).includes('..')) return undefined;
  for (const { uri } of workspace.workspaceFolders ?? []) {
    const file = Uri.joinPath(uri, path);
    if (await isFile(file)) return file;
  }
  if (path.includes('/')) return undefined;
  const [only, ...others] = await workspace.findFiles(`**/${path.replaceAll(/[[\]{}*?!]/g, '?')}`, undefined, 2);
  return others.length === 0 ? only : undefined;
}

function isFile(uri: Uri): Thenable<boolean> {
  return workspace.fs.stat(uri).then(
    ({ type }) => (type & FileType.File) !== 0,
    () => false,
  );
}
