import { Range, Uri, WorkspaceEdit, workspace } from 'vscode';
import { diffHunks, type Hunk, hunkToChange } from '../diff.ts';
import { lineSource, readLines, type TrackedLines } from './trackedLines.ts';

/** A change that the user has not decided on yet. The document knows nothing of it. */
export interface Proposal {
  readonly lines: TrackedLines;
  readonly newLines: readonly string[];
  readonly hunks: readonly Hunk[];
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

/**
 * Puts the proposal into its document, as one step that one undo takes back. Gives false, and changes nothing, when the
 * lines are no longer those that the model was given.
 */
export async function applyProposal({ lines, hunks }: Proposal): Promise<boolean> {
  if (lines.document.isClosed || !lines.isUnchanged()) return false;
  const { document } = lines;
  const source = lineSource(document);
  const edit = new WorkspaceEdit();
  for (const hunk of hunks) {
    const { start, end, text } = hunkToChange(hunk, lines.range.first, source);
    edit.replace(document.uri, new Range(start.line, start.character, end.line, end.character), text);
  }
  return workspace.applyEdit(edit);
}
