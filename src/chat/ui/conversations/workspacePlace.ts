import { workspace } from 'vscode';
import type { WorkspacePlace } from '../../conversation/conversation.ts';

/** The open folder or workspace. */
export function workspacePlace(): WorkspacePlace | undefined {
  const [folder] = workspace.workspaceFolders ?? [];
  const uri = workspace.workspaceFile ?? folder?.uri;
  return uri === undefined ? undefined : { uri: uri.toString(), name: workspace.name ?? folder?.name ?? '' };
}
