import { Range, type TextDocument, TextEdit, Uri, WorkspaceEdit, workspace } from 'vscode';
import { window } from '../../editor/text/window.ts';
import { diffHunks, type Hunk, hunkToChange } from '../diff.ts';
import { lineSource, readLines, type TrackedLines } from './trackedLines.ts';

/** A change that the user has not decided on yet. The document does not contain it. */
export interface Proposal {
  readonly lines: TrackedLines;
  readonly newLines: readonly string[];
  readonly hunks: readonly Hunk[];
  /** Empty for code that was at hand. */
  readonly instruction: string;
  /** The virtual document that shows what the document would be. */
  readonly uri: Uri;
}

export const proposalScheme = 'parley-edit';

let count = 0;

export function createProposal(lines: TrackedLines, newLines: readonly string[], instruction: string): Proposal {
  return {
    lines,
    newLines,
    hunks: diffHunks(lines.original, newLines),
    instruction,
    // The path gives the tab its name and icon; the number tells one proposal from the next.
    uri: Uri.from({ scheme: proposalScheme, path: lines.document.uri.path, query: String(++count) }),
  };
}

/** The whole document as it would be. */
export function proposedText({ lines, newLines }: Proposal): string {
  const { document, range } = lines;
  return [
    ...readLines(document, 0, range.first - 1),
    ...newLines,
    ...readLines(document, range.last + 1, document.lineCount - 1),
  ].join(lineSource(document).eol);
}

/** The outcome. `changed`: the lines are no longer those the model was given. `read-only`: the editor allows no typing. */
export type EditOutcome = 'applied' | 'changed' | 'read-only';

/** Puts the proposal into its document, as one step that one undo takes back; or changes nothing. */
export async function applyProposal({ lines, hunks }: Proposal): Promise<EditOutcome> {
  const { document, range } = lines;
  if (document.isClosed || !lines.isUnchanged()) return 'changed';
  const source = lineSource(document);
  const edits = hunks.map((hunk) => {
    const { start, end, text } = hunkToChange(hunk, range.first, source);
    return new TextEdit(new Range(start.line, start.character, end.line, end.character), text);
  });
  const version = document.version;
  if (!(await applyEdits(document, edits))) return 'changed';
  return document.version === version ? 'read-only' : 'applied';
}

function applyEdits(document: TextDocument, edits: readonly TextEdit[]): Thenable<boolean> {
  const editor = window.visibleTextEditors.find((each) => each.document === document && each.viewColumn !== undefined);
  if (editor !== undefined) {
    // An editor's edit respects that it is read-only (it then changes nothing, yet says true); a workspace edit does not.
    return editor.edit((builder) => {
      for (const { range, newText } of edits) builder.replace(range, newText);
    });
  }
  const edit = new WorkspaceEdit();
  edit.set(document.uri, [...edits]);
  return workspace.applyEdit(edit);
}
