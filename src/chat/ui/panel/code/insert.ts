import { l10n } from 'vscode';
import type { Notices } from '../../../../editor/notices.ts';
import { window } from '../../../../editor/text/window.ts';

/** Puts code in the place of the selection of the editor that was last active. One undo takes it back. */
export async function insertAtCursor(code: string, notices: Notices): Promise<void> {
  const editor = window.activeTextEditor ?? window.visibleTextEditors[0];
  if (editor === undefined) {
    return notices.warn(l10n.t('No editor is open to insert into.'), {
      title: l10n.t('New File'),
      command: 'workbench.action.files.newUntitledFile',
    });
  }
  const done = await editor.edit((edit) => edit.replace(editor.selection, code));
  if (!done) return notices.warn(l10n.t('This editor cannot be written to.'));
  await window.showTextDocument(editor.document, editor.viewColumn);
}
