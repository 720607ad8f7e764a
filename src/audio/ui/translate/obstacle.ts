import { l10n, type Uri, workspace } from 'vscode';
import type { Button } from '../../../editor/sentences/errorButtons.ts';

/** The reason why recordings are not translated, before any of them is looked at. */
export interface AudioObstacle {
  readonly code: 'untrusted' | 'not-a-file';
  readonly sentence: string;
  readonly action: Button;
}

export function findObstacle(uris: readonly Uri[]): AudioObstacle | undefined {
  if (!workspace.isTrusted) {
    return {
      code: 'untrusted',
      sentence: l10n.t('Recordings are sent to a service only from folders you trust.'),
      action: { title: l10n.t('Manage Workspace Trust'), command: 'workbench.trust.manage' },
    };
  }
  if (uris.every((uri) => uri.scheme === 'file')) return undefined;
  return {
    code: 'not-a-file',
    sentence: l10n.t('Only recordings that are files on a disk can be translated.'),
    action: { title: l10n.t('Open Folder'), command: 'vscode.openFolder' },
  };
}
