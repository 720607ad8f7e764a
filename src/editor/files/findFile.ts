import { FileType, Uri, workspace } from 'vscode';
import { isAbsolutePath, readFileName } from '../../webview/shared/fileName.ts';

/**
 * A path stands below a folder of the workspace, also where it is written from the root of a file system; a name alone stands anywhere
 * in it, but once.
 */
export async function findFile(written: string): Promise<Uri | undefined> {
  // A model may write anything: only names below the folder count, and a name that is read goes up nowhere.
  const path = readFileName(written, 'link')?.path;
  if (path === undefined) return undefined;
  for (const { uri } of workspace.workspaceFolders ?? []) {
    for (const below of isAbsolutePath(path) ? waysBelow(uri.path, path) : [path]) {
      const file = Uri.joinPath(uri, below);
      if (await isFile(file)) return file;
    }
  }
  if (path.includes('/')) return undefined;
  const [only, ...others] = await workspace.findFiles(anywhere(path), undefined, 2);
  return others.length === 0 ? only : undefined;
}

/** Whether a name alone stands in several folders of the workspace. */
export async function isThereOften(name: string): Promise<boolean> {
  return !name.includes('/') && (await workspace.findFiles(anywhere(name), undefined, 2)).length > 1;
}

/**
 * The ways from a folder to what an absolute path may mean: within it; in a folder of its name elsewhere, as in a container or on the
 * machine of whom the model had it from; and, as models write it, from the root of the project.
 */
function waysBelow(folder: string, path: string): string[] {
  const rootOf = (text: string): string =>
    /^\/?[A-Za-z]:\//.test(text) ? `/${text.replace(/^\//, '').toLowerCase()}` : text;
  const [root, whole] = [
    rootOf(folder.endsWith('/') ? folder : `${folder}/`),
    path.startsWith('/') ? path : `/${path}`,
  ];
  const within = rootOf(path).startsWith(root) ? [whole.slice(root.length)] : [];
  const name = `/${folder.split('/').findLast((each) => each !== '') ?? ''}/`;
  const at = whole.lastIndexOf(name);
  const elsewhere = name !== '//' && at >= 0 ? [whole.slice(at + name.length)] : [];
  return [...within, ...elsewhere, ...(path.startsWith('/') ? [path.slice(1)] : [])];
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
