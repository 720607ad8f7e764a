import { workspace } from 'vscode';
import { workspaceAddress } from '../../../editor/files/workspaceFolder.ts';
import type { WorkspacePlace } from '../../conversation/conversation.ts';

/** The open folder or workspace. */
export function workspacePlace(): WorkspacePlace | undefined {
  const uri = workspaceAddress();
  const name = workspace.name ?? workspace.workspaceFolders?.[0]?.name ?? '';
  return uri === undefined ? undefined : { uri: uri.toString(), name };
}
