import { basename } from 'node:path';
import { type TextDocument, type Uri, workspace } from 'vscode';

/** The path as the service may know it: within the workspace, else the name alone. */
export function sharedPath(uri: Uri): string {
  const isInside = workspace.getWorkspaceFolder(uri) !== undefined;
  return isInside ? workspace.asRelativePath(uri) : basename(uri.path);
}

/** The name of a document as the user knows it. */
export function nameOf({ uri }: TextDocument): string {
  return basename(uri.path);
}
