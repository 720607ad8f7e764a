import type { Disposable } from 'vscode';
import { Disposables } from '../../editor/disposables.ts';
import type { Services } from '../../editor/services.ts';
import type { WorkspaceFiles } from '../../workspace/workspaceFiles.ts';
import { registerCommitMessage } from './commit/registerCommitMessage.ts';
import { registerFindings } from './findings/findingsFeature.ts';

/** What models do with changes in git: they word commit messages, and review. */
export function registerScm(services: Services, { files }: { readonly files: WorkspaceFiles }): Disposable {
  const owned = new Disposables();
  owned.add(registerCommitMessage(services, { files }));
  owned.add(registerFindings(services, { files }));
  return owned;
}
