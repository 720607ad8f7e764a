import { l10n, type Uri } from 'vscode';
import { cellScheme } from '../../target.ts';
import { lastName } from '../renamed.ts';
import { exists } from './checkpoints.ts';

/** What was to be done with a document that is gone. */
type Undone = 'edited' | 'written' | 'restored';

/** Whether a document that could not be opened is gone, and not one that is no text. VS Code opens a cell for as long as it is there. */
export async function isGone(uri: Uri): Promise<boolean> {
  return uri.scheme === cellScheme || !(await exists(uri));
}

/** Tells that a document is gone. The address of a cell has the name of its notebook, which may well be there. */
export function goneText(uri: Uri, undone: Undone): string {
  const name = lastName(uri);
  const isCell = uri.scheme === cellScheme;
  switch (undone) {
    case 'written':
      return isCell
        ? l10n.t('The cell of {0} is not there any more, so nothing was written.', name)
        : l10n.t('{0} is not there any more, so nothing was written.', name);
    case 'restored':
      return isCell
        ? l10n.t('The cell of {0} is not there any more, so nothing was restored.', name)
        : l10n.t('The files could not be changed, so nothing was restored.');
    case 'edited':
      return isCell
        ? l10n.t('The cell of {0} is not there any more, so there is nothing to edit.', name)
        : l10n.t('{0} is not there any more, so there is nothing to edit.', name);
  }
}
