import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type ExtensionContext, type Uri, workspace } from 'vscode';
import { moveFiles, storagesOf } from './movedFiles.ts';

/** A folder for files of one kind that belong to a workspace, whichever window they are made in. */
export interface WorkspaceFolderOfFiles {
  readonly path: string;
  /** Resolves once what earlier versions kept elsewhere is in it. */
  readonly ready: Promise<void>;
}

/** The address of what is open: of the workspace file, or of the folder. Undefined in a window without any. */
export function workspaceAddress(): Uri | undefined {
  return workspace.workspaceFile ?? workspace.workspaceFolders?.[0]?.uri;
}

/**
 * The folder for files of a kind. It lies with those of all workspaces, under the address of this one: VS Code gives a window another
 * `storageUri` while an earlier one has it, as after a quick reload, and what was kept there would be out of sight.
 * @param kind the name of the folder, as it was in `storageUri` up to version 0.9
 * @param isMeant whether a name is that of such a file
 * @param onError what was kept there before could not be moved, and stays there
 * @returns undefined in a window without a workspace
 */
export function workspaceFolderFor(
  kind: string,
  { storageUri, globalStorageUri }: Pick<ExtensionContext, 'storageUri' | 'globalStorageUri'>,
  isMeant: (name: string) => boolean,
  onError: (error: unknown) => void,
): WorkspaceFolderOfFiles | undefined {
  const address = workspaceAddress();
  if (address === undefined) return undefined;
  const id = createHash('sha256').update(address.toString()).digest('hex').slice(0, 32);
  const path = join(globalStorageUri.fsPath, 'workspaces', id, kind);
  const before = storageUri === undefined ? [] : storagesOf(storageUri.fsPath).map((each) => join(each, kind));
  return { path, ready: moveFiles(before, path, isMeant).catch(onError) };
}
