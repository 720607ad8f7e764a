import { Range, type TextDocument, TextEdit, type Uri, WorkspaceEdit, workspace } from 'vscode';
import { window } from '../../../editor/text/window.ts';
import { joinTouching, toTextChange } from '../../lineChange.ts';
import type { LineEdit } from '../../place/lines/lineEdit.ts';
import { lineSource } from '../trackedLines.ts';

/** Edits of a document that is open. */
export interface DocumentEdits {
  readonly document: TextDocument;
  /** Of the document, that the edits are for. */
  readonly version: number;
  readonly edits: readonly LineEdit[];
  /** What becomes of its file after that. */
  readonly fileChange?: WholeFileChange | undefined;
}

export type WholeFileChange = { readonly kind: 'delete' } | { readonly kind: 'rename'; readonly to: Uri };

/** The outcome. `changed`: the document was changed meanwhile. `read-only`: the editor allows no typing. */
export type WriteOutcome = 'written' | 'changed' | 'read-only';

/** Puts edits into documents, as one step that one undo takes back; or changes nothing. */
export async function writeLines(changes: readonly DocumentEdits[]): Promise<WriteOutcome> {
  const wanted = changes.filter(({ edits, fileChange }) => edits.length > 0 || fileChange !== undefined);
  const typed = wanted.filter(({ edits }) => edits.length > 0);
  const isAsPlanned = ({ document, version }: DocumentEdits): boolean => document.version === version;
  if (!wanted.every(isAsPlanned) || !(await apply(wanted))) return 'changed';
  return typed.every(isAsPlanned) && typed.length > 0 ? 'read-only' : 'written';
}

async function apply(changes: readonly DocumentEdits[]): Promise<boolean> {
  const [first, ...others] = changes;
  if (first === undefined) return true;
  const editor = window.visibleTextEditors.find(
    ({ document, viewColumn }) => document === first.document && viewColumn !== undefined,
  );
  if (editor !== undefined && others.length === 0 && first.fileChange === undefined) {
    // An editor's edit respects that it is read-only (it then changes nothing, yet says true); a workspace edit does not.
    return editor.edit((builder) => {
      for (const { range, newText } of textEdits(first)) builder.replace(range, newText);
    });
  }
  const edit = new WorkspaceEdit();
  for (const each of changes) if (each.edits.length > 0) edit.set(each.document.uri, textEdits(each));
  for (const { document, fileChange } of changes) if (fileChange !== undefined) addTo(edit, document.uri, fileChange);
  return workspace.applyEdit(edit);
}

/** VS Code moves what it deletes to the trash, where there is one. */
function addTo(edit: WorkspaceEdit, uri: Uri, change: WholeFileChange): void {
  if (change.kind === 'delete') edit.deleteFile(uri);
  else edit.renameFile(uri, change.to);
}

function textEdits({ document, edits }: DocumentEdits): TextEdit[] {
  const source = lineSource(document);
  return joinTouching(edits).map((edit) => {
    const { start, end, text } = toTextChange(edit, source);
    return new TextEdit(new Range(start.line, start.character, end.line, end.character), text);
  });
}
