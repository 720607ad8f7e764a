import { FileType, Uri, workspace } from 'vscode';

/** A path stands below a folder of the workspace; a name alone stands anywhere in it, but once. */
export async function findFile(path: string): Promise<Uri | undefined> {
  // A model may write anything: only names below the folder count.
  if (path.startsWith('/') || path.split(/[/\\]/).includes('..')) return undefined;
  for (const { uri } of workspace.workspaceFolders ?? []) {
    const file = Uri.joinPath(uri, path);
    if (await isFile(file)) return file;
  }
  if (path.includes('/')) return undefined;
  const [only, ...others] = await workspace.findFiles(anywhere(path), undefined, 2);
  return others.length === 0 ? only : undefined;
}

/** Whether a name alone stands in several folders of the workspace. */
export async function isThereOften(name: string): Promise<boolean> {
  return !name.includes('/') && (await workspace.findFiles(anywhere(name), undefined, 2)).length > 1;
}

function anywhere(name: string): string {
  return `**/${name.replaceAll(/[[\]{}*?!]/g, '?')}`;
}

function isFile(uri: Uri): Thenable<boolean> {
  return workspace.fs.stat(uri).then(
    ({ type }) => (type & FileType.File) !== 0,
    () => false,
  );
}
