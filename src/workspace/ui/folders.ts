import { l10n, Uri, workspace } from 'vscode';
import type { Button } from '../../editor/sentences/errorButtons.ts';

/** Why nothing can be searched here, and a remedy. */
export interface Obstacle {
  code: 'no-folder' | 'untrusted' | 'virtual';
  sentence: string;
  action: Button;
}

/** The obstacle to walking the workspace. In an untrusted folder, git is not run and nothing is read. */
export function findObstacle(): Obstacle | undefined {
  const folders = workspace.workspaceFolders ?? [];
  const openFolder: Button = { title: l10n.t('Open Folder'), command: 'vscode.openFolder' };
  if (folders.length === 0) {
    return { code: 'no-folder', sentence: l10n.t('There is no folder open to search in.'), action: openFolder };
  }
  if (!workspace.isTrusted) {
    return {
      code: 'untrusted',
      sentence: l10n.t('Code is searched only in folders you trust.'),
      action: { title: l10n.t('Manage Workspace Trust'), command: 'workbench.trust.manage' },
    };
  }
  if (roots().length === 0) {
    return {
      code: 'virtual',
      sentence: l10n.t('Only folders on a disk can be searched; this workspace has none.'),
      action: openFolder,
    };
  }
  return undefined;
}

/** The folders of the workspace that are on a disk. */
export function roots(): string[] {
  return (workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath);
}

/** The document of a path under a root, as VS Code names it. */
export function uriOf(root: string, path: string): Uri {
  const folder = workspace.workspaceFolders?.find(({ uri }) => uri.fsPath === root);
  return Uri.joinPath(folder?.uri ?? Uri.file(root), path);
}
