import { Selection, TextEditorRevealType } from 'vscode';
import { window } from '../../../editor/text/window.ts';
import type { ChangeSets } from './changeSet.ts';
import type { ReviewEditors } from './editor/reviewEditors.ts';
import { pendingCount } from './reviewedDocument.ts';
import type { ReviewTargets } from './reviewTargets.ts';

/** Goes to the next hunk, or the one before; past the last of a file to the next file of its sets. */
export async function stepToHunk(
  by: 1 | -1,
  sets: ChangeSets,
  editors: ReviewEditors,
  targets: ReviewTargets,
): Promise<void> {
  const found = await targets.reviewed(undefined);
  const open = targets.activeReview();
  if (open === undefined) return found && editors.open(found.document);
  const editor = window.activeTextEditor;
  if (editor === undefined) return;
  const { line } = editor.selection.active;
  const { shown } = open.text;
  const next = by === 1 ? shown.find((each) => each.line > line) : shown.findLast((each) => each.line < line);
  if (next !== undefined) return goTo(next.line);
  const own = sets.all.filter(({ documents }) => documents.includes(open.document));
  const waiting = [...new Set(own.flatMap(({ documents }) => documents))].filter((each) => pendingCount(each) > 0);
  const other = waiting.at((waiting.indexOf(open.document) + by) % waiting.length);
  if (other !== undefined && other !== open.document) await editors.open(other);
  const edge = by === 1 ? shown[0] : shown.at(-1);
  if (other === open.document && edge !== undefined) goTo(edge.line);
}

function goTo(line: number): void {
  const editor = window.activeTextEditor;
  if (editor === undefined) return;
  editor.selection = new Selection(line, 0, line, 0);
  editor.revealRange(editor.selection, TextEditorRevealType.InCenter);
}
