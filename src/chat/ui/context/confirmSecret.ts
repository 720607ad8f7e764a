import { l10n } from 'vscode';
import { window } from '../../../editor/text/window.ts';
import type { WorkspaceFiles } from '../../../workspace/workspaceFiles.ts';

/**
 * Whether something may go along with a question: what holds secrets, by its name or its text, only after a clear yes.
 * @param path of a file; `''` for a text that is none
 * @param text undefined where only the name is known yet: a file that is not wanted is not read
 */
export async function confirmSecret(
  files: Pick<WorkspaceFiles, 'isSecretName' | 'secretLine'>,
  label: string,
  path: string,
  text: string | undefined,
): Promise<boolean> {
  const line = text === undefined ? undefined : files.secretLine(text);
  if (text === undefined ? !files.isSecretName(path) : line === undefined) return true;
  const yes = l10n.t('Attach');
  const chosen = await window.showWarningMessage(
    l10n.t('Attach {0}, which may hold secrets?', label),
    {
      modal: true,
      detail:
        line === undefined
          ? l10n.t('Files of this name hold keys or passwords. It would be sent to the service with your question.')
          : l10n.t('Line {0} holds a key or a password. It would be sent to the service with your question.', line),
    },
    yes,
  );
  return chosen === yes;
}
