import { l10n, type Uri } from 'vscode';
import type { Notices } from '../../../../editor/notices.ts';
import { findFile } from '../namedFiles.ts';

/** The review of changes, as the chat is given it: code is shown as a change to decide on. */
export interface CodeReview {
  /** @param uri of the document that the code belongs to; without one, that of the active editor is meant */
  propose(code: string, uri: Uri | undefined): Promise<void>;
}

/**
 * Shows code as a change to the file that the answer names for it, or else to that in the active editor.
 * @param path below a folder of the workspace; a name alone may be no file's
 */
export async function applyCode(
  code: string,
  path: string | undefined,
  review: CodeReview | undefined,
  notices: Notices,
): Promise<void> {
  if (review === undefined || code.trim() === '') return;
  const uri = path === undefined ? undefined : await findFile(path);
  if (path?.includes('/') && uri === undefined) {
    return notices.warn(l10n.t('The workspace has no file {0}, which this code is for.', path));
  }
  await review.propose(code, uri);
}
