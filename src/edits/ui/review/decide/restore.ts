import { l10n, type TextDocument, Uri, WorkspaceEdit, workspace } from 'vscode';
import { splitLines } from '../../../../base/lines.ts';
import { openDocument } from '../../../../editor/files/openDocument.ts';
import type { Notices } from '../../../../editor/notices.ts';
import { relativeTime } from '../../../../editor/sentences/relativeTime.ts';
import { window } from '../../../../editor/text/window.ts';
import { diffHunks } from '../../../diff.ts';
import { editsOf } from '../../../place/lines/lineEdit.ts';
import type { Checkpoint, CheckpointFile } from '../../../review/checkpoint.ts';
import { areLines } from '../../../review/mergeLines.ts';
import { nameOf } from '../../documentNames.ts';
import { cellScheme, isReadOnly } from '../../target.ts';
import { allLines } from '../../trackedLines.ts';
import { type DocumentEdits, writeLines } from '../writeLines.ts';
import { type Checkpoints, exists } from './checkpoints.ts';
import { goneText } from './goneDocument.ts';

/**
 * Takes files back to what they were before a set of changes. What was typed since goes, too, and VS Code's undo brings it back;
 * nothing is saved.
 * @param id of the set; without it, the user picks one
 */
export async function restoreFiles(checkpoints: Checkpoints, notices: Notices, id: unknown): Promise<void> {
  const all = await checkpoints.list();
  const chosen = typeof id === 'string' ? all.find((each) => each.id === id) : await pick(all, notices);
  if (chosen === undefined && typeof id === 'string')
    void notices.info(l10n.t('These files are not kept any more: only those of the last changes are.'));
  if (chosen === undefined) return;
  const changes: DocumentEdits[] = [];
  const made: Uri[] = [];
  const refuse = () => notices.warn(l10n.t('The files could not be changed, so nothing was restored.'));
  const refuseReadOnly = (document: TextDocument) =>
    notices.warn(l10n.t('{0} can only be read, not edited.', nameOf(document)));
  const refuseCell = (document: TextDocument) =>
    notices.warn(l10n.t('It cannot be told which cell of {0} was changed, so nothing was restored.', nameOf(document)));
  if (!(await bringBack(chosen.files))) return refuse();
  for (const file of chosen.files) {
    const uri = Uri.parse(file.was ?? file.uri, true);
    if (file.text === null && (await exists(uri))) made.push(uri);
    else {
      const change = await backTo(file, uri).catch(() => undefined);
      if (change === undefined) return void notices.warn(goneText(uri, 'restored'));
      if (!checkpoints.isOfThisWindow(chosen.id) && !isKnown(file, change.document)) return refuseCell(change.document);
      if (await isReadOnly(change.document)) return refuseReadOnly(change.document);
      changes.push(change);
    }
  }
  if ((await writeLines(changes)) !== 'written') return refuse();
  if (made.length > 0) await deleteMade(made);
  const [first] = changes;
  if (first !== undefined) await window.showTextDocument(first.document, { preview: false });
}

/** Makes files again that were deleted, and gives those that were renamed their names back. @returns false where one cannot have it */
async function bringBack(files: readonly CheckpointFile[]): Promise<boolean> {
  const edit = new WorkspaceEdit();
  let isNeeded = false;
  for (const { uri, was = uri, text, isDeleted = false } of files) {
    const [from, to] = [Uri.parse(uri, true), Uri.parse(was, true)];
    const isThere = await exists(from);
    if (isDeleted && text !== null && !isThere) edit.createFile(from, { contents: Buffer.from(text) });
    else if (uri === was || !isThere) continue;
    else if (await exists(to)) return false;
    else edit.renameFile(from, to);
    isNeeded = true;
  }
  return !isNeeded || workspace.applyEdit(edit);
}

/** What makes a file as it was. One that is gone comes back as a file that is not saved yet. */
async function backTo({ text }: CheckpointFile, uri: Uri): Promise<DocumentEdits> {
  // A cell of a notebook is no file of its own: it is there while its notebook is open.
  const isOwnFile = workspace.fs.isWritableFileSystem(uri.scheme) !== undefined;
  const isThere = text !== null && (!isOwnFile || (await exists(uri)));
  const document = await openDocument(isThere ? uri : uri.with({ scheme: 'untitled' }));
  const { version } = document;
  const edits = editsOf(diffHunks(allLines(document), splitLines(text ?? '')));
  return { document, version, edits };
}

/** Whether a document is the one that is meant. A cell of a notebook may be another one after a reload, where its text is. */
function isKnown({ text, after }: CheckpointFile, document: TextDocument): boolean {
  const lines = allLines(document);
  const isText = (known: string | null | undefined): boolean => areLines(splitLines(known ?? ''), lines);
  return document.uri.scheme !== cellScheme || isText(text) || (after !== undefined && isText(after));
}

/** Files that the changes made, and that were saved since: only the user can want them gone. */
async function deleteMade(made: readonly Uri[]): Promise<void> {
  const names = made.map((uri) => workspace.asRelativePath(uri)).join(', ');
  const yes = l10n.t('Move to Trash');
  const chosen = await window.showWarningMessage(
    l10n.t('These files were not there before: {0}', names),
    { modal: true, detail: l10n.t('They can be brought back from the trash.') },
    yes,
  );
  if (chosen !== yes) return;
  for (const uri of made) await workspace.fs.delete(uri, { useTrash: true });
}

async function pick(all: readonly Checkpoint[], notices: Notices): Promise<Checkpoint | undefined> {
  if (all.length === 0) {
    void notices.info(l10n.t('No changes were accepted here yet, so there is nothing to restore.'));
    return undefined;
  }
  const now = Date.now();
  const items = all.map((checkpoint) => ({
    label: checkpoint.title,
    description: relativeTime(checkpoint.time, now),
    detail: checkpoint.files.map(({ uri }) => workspace.asRelativePath(Uri.parse(uri))).join(', '),
    checkpoint,
  }));
  const chosen = await window.showQuickPick(items, {
    title: l10n.t('Restore Files'),
    placeHolder: l10n.t('Take files back to what they were before'),
  });
  return chosen?.checkpoint;
}
