import { Range, type TextDocument, TextEdit, WorkspaceEdit, workspace } from 'vscode';
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
}

/** The outcome. `changed`: the document was changed meanwhile. `read-only`: the editor allows no typing. */
export type WriteOutcome = 'written' | 'changed' | 'read-only';

/** Puts edits into documents, as one step that one undo takes back; or changes nothing. */
export async function writeLines(changes: readonly DocumentEdits[]): Promise<WriteOutcome> {
  const wanted = changes.filter(({ edits }) => edits.length > 0);
  const isAsPlanned = ({ document, version }: DocumentEdits): boolean => document.version === version;
  if (!wanted.every(isAsPlanned) || !(await apply(wanted))) return 'changed';
  return wanted.every(isAsPlanned) && wanted.length > 0 ? 'read-only' : 'written';
}

async function apply(changes: readonly DocumentEdits[]): Promise<boolean> {
  const [first, ...others] = changes;
  if (first === undefined) return true;
  const editor = window.visibleTextEditors.find(
    ({ document, viewColumn }) => document === first.document && viewColumn !== undefined,
  );
  if (editor !== undefined && others.length === 0) {
    // An editor's edit respects that it is read-only (it then changes nothing, yet says true); a workspace edit does not.
    return editor.edit((builder) => {
      for (const { range, newText } of textEdits(first)) builder.replace(range, newText);
    });
  }
  const edit = new WorkspaceEdit();
  for (const each of changes) edit.set(each.document.uri, textEdits(each));
  return workspace.applyEdit(edit);
}

function textEdits({ document, edits }: DocumentEdits): TextEdit[] {
  const source = lineSource(document);
  return joinTouching(edits).map((edit) => {
    const { start, end, text } = toTextChange(edit, source);
    return new TextEdit(new Range(start.line, start.character, end.line, end.character), text);
  });
}
