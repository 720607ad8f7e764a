import { l10n, type QuickPickItem, Uri, workspace } from 'vscode';
import { writeWhole } from '../../base/privateFiles.ts';
import { window } from '../text/window.ts';

/** A kind of file that a user has for every folder, and a folder of the workspace for everybody who works in it. */
export interface FilePlaces {
  readonly userFolder: Uri;
  /** The path within a folder of the workspace. */
  readonly workspacePath: readonly string[];
}

/** The folders of a kind of file, each with the workspace's folder that it is in. In Restricted Mode those of the workspace do not count. */
export function foldersOf({ userFolder, workspacePath }: FilePlaces): { readonly folder: Uri; readonly root?: Uri }[] {
  const roots = workspace.isTrusted ? (workspace.workspaceFolders ?? []) : [];
  return [
    ...roots.map(({ uri }) => ({ folder: Uri.joinPath(uri, ...workspacePath), root: uri })),
    { folder: userFolder },
  ];
}

/** Asks where a file is for, if there is a choice. */
export async function askFolder(
  { userFolder, workspacePath }: FilePlaces,
  texts: { readonly title: string; readonly placeHolder: string },
): Promise<Uri | undefined> {
  const folders = workspace.isTrusted ? (workspace.workspaceFolders ?? []) : [];
  if (folders.length === 0) return userFolder;
  const items: (QuickPickItem & { uri: Uri })[] = [
    { label: l10n.t('For Me'), description: l10n.t('in every folder on this machine'), uri: userFolder },
    ...folders.map(({ name, uri }) => ({
      label: l10n.t('For Everyone Who Works in “{0}”', name),
      description: workspacePath.join('/'),
      uri: Uri.joinPath(uri, ...workspacePath),
    })),
  ];
  const chosen = await window.showQuickPick(items, texts);
  return chosen?.uri;
}

/** Writes a file; one of the user is for nobody else on the machine to read. */
export async function writeFile(uri: Uri, { userFolder }: FilePlaces, text: string): Promise<void> {
  if (uri.path.startsWith(`${userFolder.path}/`)) await writeWhole(uri.fsPath, text);
  else await workspace.fs.writeFile(uri, new TextEncoder().encode(text));
}

export function isThere(uri: Uri): Thenable<boolean> {
  return workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}
